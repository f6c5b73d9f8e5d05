//===- KernelCodegen.h - LLVM's code generation for kernels -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which parts of LLVM's code generation kernels do without. LLVM's switches for them are of the process.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_CPU_KERNELCODEGEN_H
#define GNNC_TARGET_CPU_KERNELCODEGEN_H

#include "llvm/Support/CommandLine.h"
#include <cassert>

namespace gnnc {

/// While it lives, LLVM looks for no better induction variables (loop strength reduction). Addresses in kernels are
/// made for x86 as they are emitted: the search takes a seventh of code generation, and kernels of all examples have
/// as many instructions without it.
///
/// Where the allocation of registers splits what is live, it does not look for larger regions to keep it in: in a
/// function of many loops that is most of its time, and kernels of the examples have no more instructions.
///
/// Devices need both: their code is not made meanwhile.
class KernelCodegen {
public:
  KernelCodegen() { choose(/*noStrengthReduction=*/true, /*splitBudget=*/0); }
  ~KernelCodegen() { choose(/*noStrengthReduction=*/false, /*splitBudget=*/10000); }
  KernelCodegen(const KernelCodegen &) = delete;
  KernelCodegen &operator=(const KernelCodegen &) = delete;

private:
  static void choose(bool noStrengthReduction, unsigned long splitBudget) {
    set("disable-lsr", noStrengthReduction);
    set("grow-region-complexity-budget", splitBudget);
  }
  template <typename T> static void set(llvm::StringRef name, T value) {
    llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup(name);
    assert(option && "LLVM 19 has this switch");
    static_cast<llvm::cl::opt<T> *>(option)->setValue(value);
  }
};

} // namespace gnnc

#endif // GNNC_TARGET_CPU_KERNELCODEGEN_H
