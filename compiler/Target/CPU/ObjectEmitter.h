//===- ObjectEmitter.h - LLVM IR to x86-64 code -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Optimises an LLVM module for one instruction set and emits it as a relocatable object or as assembly text. The same
// module gives the same bytes. Modules of different contexts may be emitted by different threads at the same time.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_CPU_OBJECTEMITTER_H
#define GNNC_TARGET_CPU_OBJECTEMITTER_H

#include "compiler/Target/CPU/Isa.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace gnnc {

/// The only symbol that a compiled library exports (GNN_LIBRARY_SYMBOL of program.h).
inline constexpr llvm::StringLiteral librarySymbol = "gnn_library_v1";

/// How much time the code is worth.
enum class CodeEffort {
  Quick, // in memory where its author put it: several times quicker to compile than to run
  Full,
  Checked // as Full, and AddressSanitizer looks at every access: for programs that have its runtime
};

/// Gives `module` the triple, data layout, processor and visibility of `isa`, then optimises it. Every definition but
/// `librarySymbol` becomes hidden. Loops are left as they are: vectors are the kernels' own.
void optimizeForIsa(llvm::Module &module, Isa isa, CodeEffort effort = CodeEffort::Full);

/// The ELF object of an optimised module.
llvm::Expected<llvm::SmallVector<char, 0>> emitObject(llvm::Module &module, Isa isa,
                                                      CodeEffort effort = CodeEffort::Full);

/// The assembly text (Intel syntax off, as the assembler reads it) of an optimised module.
llvm::Expected<std::string> emitAssembly(llvm::Module &module, Isa isa);

} // namespace gnnc

#endif // GNNC_TARGET_CPU_OBJECTEMITTER_H
