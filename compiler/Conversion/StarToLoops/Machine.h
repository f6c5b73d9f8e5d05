//===- Machine.h - What emission knows of processors ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few facts about an instruction set or a device that decide the shape of loops.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_MACHINE_H
#define GNNC_CONVERSION_STARTOLOOPS_MACHINE_H

#include "compiler/Target/CPU/Isa.h"

namespace gnnc {

struct Machine {
  unsigned vectorBits; // of the widest load
  unsigned maxVectors; // that the states of a row may take to stay in registers
  bool hasMasks;       // cheap enough for tiles that reach over the end of a dimension
  unsigned threads;    // that share a row
  bool hasFma;         // multiplies and adds in one instruction
  bool hasF16;         // converts numbers of f16
  bool isDevice;       // each function is one thread's, and vectors have no masks at all

  static Machine of(Isa isa) {
    return {gnnc::vectorBits(isa),
            isa == Isa::X86_64_V4 ? 16u : 8u,
            isa != Isa::X86_64_V2,
            1,
            gnnc::hasFma(isa),
            isa != Isa::X86_64_V2,
            false};
  }
  /// A GPU on which `threads` threads, a power of 2 up to 32, share a row.
  static Machine device(unsigned threads) { return {128, 8, false, threads, true, true, true}; }
};

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_MACHINE_H
