//===- Machine.h - What emission knows of processors ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few facts about an instruction set or a device that decide the shape of loops.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_MACHINE_H
#define GNNC_KERNELS_MACHINE_H

#include "compiler/Target/CPU/Isa.h"

namespace gnnc {

/// A processor, unless a field says otherwise.
struct Machine {
  unsigned vectorBits;        // of the widest load
  unsigned maxVectors = 8;    // that the states of a row may take to stay in registers
  bool hasMasks = false;      // cheap enough for tiles that reach over the end of a dimension
  unsigned threads = 1;       // that share a row
  bool hasFma = true;         // multiplies and adds in one instruction
  bool hasF16 = true;         // converts numbers of f16
  int64_t stackBytes = 16384; // buffers of known size are on the stack up to this many bytes a call
  int64_t padding = 0;        // bytes behind the last element of a buffer in scratch memory
  bool isDevice = false;      // each function is one thread's, and rows, flags and extents are in memory

  // How vectors and code of devices differ from those of processors.
  bool hasWholeVectors = false; // the lanes of a vector divide its dimension: no masks, and vectors may be aligned
  bool widensInVectors = false; // loads as many bytes at a time of numbers of 16 bits, which are widened in registers
  bool addsToPointers = true;   // an index in the innermost loop is free: pointers move before it
  bool unrollsAll = false;      // its compiler unrolls every loop of a known length
  bool hasCheapBranches = true; // loads in a branch wait for nothing

  static Machine of(Isa isa) {
    Machine machine{gnnc::vectorBits(isa)};
    machine.maxVectors = isa == Isa::X86_64_V4 ? 16 : 8;
    machine.hasMasks = machine.hasF16 = isa != Isa::X86_64_V2;
    machine.hasFma = gnnc::hasFma(isa);
    machine.padding = machine.vectorBits / 8;
    return machine;
  }
  /// A GPU on which `threads` threads, a power of 2 up to 32, share a row. A thread has registers only.
  static Machine device(unsigned threads) {
    Machine machine{128};
    machine.threads = threads;
    machine.stackBytes = 256;
    machine.isDevice = machine.hasWholeVectors = machine.widensInVectors = machine.unrollsAll = true;
    machine.addsToPointers = machine.hasCheapBranches = false;
    return machine;
  }
};

} // namespace gnnc

#endif // GNNC_KERNELS_MACHINE_H
