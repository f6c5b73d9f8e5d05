//===- KernelCodegen.h - LLVM's code generation for kernels -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which part of LLVM's code generation kernels do without. LLVM's switch for it is of the process.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TARGET_CPU_KERNELCODEGEN_H
#define GNNC_TARGET_CPU_KERNELCODEGEN_H

#include "llvm/Support/CommandLine.h"
#include <cassert>

namespace gnnc {

/// While it lives, LLVM looks for no better induction variables (loop strength reduction). Addresses in kernels are
/// made for x86 as they are emitted: the search takes a seventh of code generation, and kernels of all examples have
/// as many instructions without it. Devices need it: their code is not made meanwhile.
class KernelCodegen {
public:
  KernelCodegen() { setStrengthReduction(false); }
  ~KernelCodegen() { setStrengthReduction(true); }
  KernelCodegen(const KernelCodegen &) = delete;
  KernelCodegen &operator=(const KernelCodegen &) = delete;

private:
  static void setStrengthReduction(bool isOn) {
    llvm::cl::Option *option = llvm::cl::getRegisteredOptions().lookup("disable-lsr");
    assert(option && "LLVM 19 has this switch");
    static_cast<llvm::cl::opt<bool> *>(option)->setValue(!isOn);
  }
};

} // namespace gnnc

#endif // GNNC_TARGET_CPU_KERNELCODEGEN_H
