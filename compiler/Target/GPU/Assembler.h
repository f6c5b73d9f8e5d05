//===- Assembler.h - PTX to machine code ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the CUDA toolkit's `ptxas`, where there is one: named by the environment variable GNNC_PTXAS, on the PATH, or in
// /usr/local/cuda/bin.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_GPU_ASSEMBLER_H
#define GNNC_TARGET_GPU_ASSEMBLER_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>
#include <vector>

namespace gnnc {

/// Resources that the machine code of a function takes, as ptxas reports them.
struct ResourceUsage {
  std::string function;
  unsigned registers = 0;   // of a thread
  unsigned sharedBytes = 0; // of a block
  unsigned stackBytes = 0, spillStores = 0, spillLoads = 0;
};

struct MachineCode {
  std::vector<char> cubin;
  std::vector<ResourceUsage> usage;
};

/// The path of `ptxas`, or none. An environment variable that names no program is no fall-back: it gives none.
std::optional<std::string> findAssembler();

/// Assembles `ptx` for `chip` (sm_90). An error has what ptxas says.
llvm::Expected<MachineCode> assemble(const std::string &assembler, llvm::StringRef ptx, llvm::StringRef chip);

} // namespace gnnc

#endif // GNNC_TARGET_GPU_ASSEMBLER_H
