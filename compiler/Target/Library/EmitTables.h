//===- EmitTables.h - Tables of a library as LLVM IR ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a LibraryImage into an LLVM module of constants with one exported symbol, that of the image.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_LIBRARY_EMITTABLES_H
#define GNNC_TARGET_LIBRARY_EMITTABLES_H

#include "compiler/Target/Library/LibraryImage.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace gnnc {

/// The tables of `image` for x86-64 Linux. Kernels are declared as hidden functions named by `kernelSymbol` and
/// `mergeSymbol`; the objects that define them are linked beside. Everything but the image's symbol is private to the
/// module or hidden. A shared library has the symbol `gnn_library_v1` too.
std::unique_ptr<llvm::Module> emitTables(const LibraryImage &image, llvm::LLVMContext &context, bool isShared = true);

} // namespace gnnc

#endif // GNNC_TARGET_LIBRARY_EMITTABLES_H
