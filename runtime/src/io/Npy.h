//===- Npy.h - NumPy arrays in files ---------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reader and writer of .npy files, versions 1 to 3 (NumPy Enhancement Proposal 1). Anything that is not exactly such a
// file is refused with the byte offset and field at fault.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_IO_NPY_H
#define GNN_IO_NPY_H

#include "runtime/src/core/Elements.h"
#include "runtime/src/core/Tensor.h"
#include "runtime/src/io/FileSystem.h"
#include <string>

namespace gnn::rt {

class AtomicFiles;

struct NpyHeader {
  ForeignElement element;
  bool swapBytes;
  bool columnMajor;
  std::vector<int64_t> shape;
  size_t dataOffset, dataBytes;
};

/// The longest header that is read, with its preamble.
constexpr size_t maxNpyHeaderBytes = size_t(1) << 16;

/// Parses the header at the start of a file of which `start` are the first bytes (all, or at least maxNpyHeaderBytes).
/// Checks that the header and the data are exactly `fileBytes` long. `file` names it in errors.
NpyHeader parseNpyHeader(Span<const char> start, uint64_t fileBytes, const std::string &file);

/// A view of `bytes` where the elements are ours, aligned and row-major; otherwise converted. bool, integers up to 64
/// and reals from 16 to 64 bits, either byte order, row- or column-major.
Tensor parseNpy(const FileBytes &bytes, const std::string &file);
Tensor readNpy(const std::string &path);

/// The bytes before the data of a version 1 file, a multiple of 64 long.
std::string npyHeader(uint32_t element, const std::vector<int64_t> &shape);
inline std::string npyHeader(const Tensor &tensor) { return npyHeader(tensor.element(), tensor.shape()); }
void writeNpy(const std::string &path, const Tensor &tensor, FileSystem &files = FileSystem::real());
/// The same, with other files.
void writeNpy(const std::string &path, const Tensor &tensor, AtomicFiles &files);

} // namespace gnn::rt

#endif // GNN_IO_NPY_H
