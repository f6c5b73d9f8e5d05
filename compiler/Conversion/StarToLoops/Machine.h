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
  int64_t stackBytes;  // buffers of known size are on the stack up to this many bytes a call
  int64_t padding;     // bytes behind the last element of a buffer in scratch memory
  bool isDevice;       // each function is one thread's, and rows, flags and extents are in memory

  // How vectors and code of devices differ from those of processors.
  bool hasWholeVectors;  // the lanes of a vector divide its dimension: there are no masks, and vectors may be aligned
  bool widensInVectors;  // loads as many bytes at a time of numbers of 16 bits, which are widened in registers
  bool addsToPointers;   // an index in the innermost loop is free: pointers move before it
  bool unrollsAll;       // its compiler unrolls every loop of a known length
  bool hasCheapBranches; // loads in a branch wait for nothing

  static Machine of(Isa isa) {
    return {gnnc::vectorBits(isa),
            isa == Isa::X86_64_V4 ? 16u : 8u,
            isa != Isa::X86_64_V2,
            1,
            gnnc::hasFma(isa),
            isa != Isa::X86_64_V2,
            16384,
            gnnc::vectorBits(isa) / 8,
            false,
            false,
            false,
            true,
            false,
            true};
  }
  /// A GPU on which `threads` threads, a power of 2 up to 32, share a row. A thread has registers only.
  static Machine device(unsigned threads) {
    return {128, 8, false, threads, true, true, 256, 0, true, true, true, false, true, false};
  }
};

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_MACHINE_H
