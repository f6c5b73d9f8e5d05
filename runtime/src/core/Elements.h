//===- Elements.h - Elements of files and of other libraries ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The element types that files and DLPack know and ours don't, each with the type of ours it is converted to, and the
// conversion of raw strided bytes.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_ELEMENTS_H
#define GNN_CORE_ELEMENTS_H

#include "runtime/src/core/Tensor.h"
#include <string>

namespace gnn::rt {

enum class ForeignElement { F16, BF16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, Bool };

size_t foreignBytes(ForeignElement element);
/// The type of ours that holds all its values: f32 for the 16-bit reals, i32 up to 16-bit integers, i64 for the others
/// (u64: as far as it fits).
uint32_t nativeElement(ForeignElement element);
/// Whether its bytes in memory are those of nativeElement.
bool isNative(ForeignElement element);

/// A new tensor of shape `shape` from elements at `data` + the sum of index times `byteStrides`, of any alignment,
/// bytes swapped if asked. Throws a data error that begins with `what` for a u64 above the i64 range or a bool that is
/// neither 0 nor 1.
Tensor copyForeign(const void *data, ForeignElement element, bool swapBytes, const std::vector<int64_t> &shape,
                   const std::vector<int64_t> &byteStrides, const std::string &what);

/// Byte strides of a row-major array (last index fastest), or of a column-major one.
std::vector<int64_t> contiguousStrides(const std::vector<int64_t> &shape, size_t elementBytes,
                                       bool columnMajor = false);

} // namespace gnn::rt

#endif // GNN_CORE_ELEMENTS_H
