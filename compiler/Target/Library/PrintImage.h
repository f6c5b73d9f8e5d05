//===- PrintImage.h - Tables of a library as text ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_LIBRARY_PRINTIMAGE_H
#define GNNC_TARGET_LIBRARY_PRINTIMAGE_H

#include "compiler/Target/Library/LibraryImage.h"
#include "llvm/Support/raw_ostream.h"

namespace gnnc {

/// Tensors, kernels, then each program step by step, one a line (`gnnc --emit=program`):
/// `  2 sweep  conv1_sweep0 edges to destination rows at 0 cols at 1: %0 conv1.b -> %1`.
void printImage(const LibraryImage &image, llvm::raw_ostream &os);

} // namespace gnnc

#endif // GNNC_TARGET_LIBRARY_PRINTIMAGE_H
