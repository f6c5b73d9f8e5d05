//===- PtxProgram.h - PTX as it is run --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions of a kernel with all that running them takes in one place: a test runs some a million times.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_DEVICE_PTXPROGRAM_H
#define GNNC_TEST_DEVICE_PTXPROGRAM_H

#include "PtxArithmetic.h"

namespace ptx {

/// One for each instruction. Operands are registers; a constant is in one that nothing writes.
struct Step {
  enum Kind : uint8_t {
    Arithmetic,
    Move,
    Pack,
    Unpack,
    Load,
    Store,
    Branch,
    Return,
    WarpBarrier,
    BlockBarrier,
    Shuffle
  } kind = Arithmetic;
  bool guardIsNegated = false;
  bool isConstant = false;                        // Load: of what the launch does not write (ld.global.nc)
  uint8_t bytes = 0;                              // Load, Store: of a number
  uint32_t guard = Operand::noRegister;           // the predicate that it depends on
  uint32_t result = zero;                         // Store: what is stored
  uint32_t sources[4] = {zero, zero, zero, zero}; // Load, Store: the base of the address
  uint64_t value = 0;          // Load, Store: what is added to the base; Branch: the next step; Shuffle: its Lanes
  uint64_t mask = 0;           // the bits of a result
  Function function = nullptr; // Arithmetic
  const Instruction *instruction = nullptr;
  const std::vector<uint32_t> *parts = nullptr; // registers of a vector; null: there is one number
};

/// Of which lane of the warp a shuffle has the number.
enum class Lanes : uint64_t { Up, Down, Butterfly, Indexed };

struct Program {
  std::vector<Step> steps;
  std::vector<uint64_t> registers; // of a thread that starts
};

/// Refers to `kernel`. Throws `Error` for an instruction that is not known.
Program programOf(const Kernel &kernel);

} // namespace ptx

#endif // GNNC_TEST_DEVICE_PTXPROGRAM_H
