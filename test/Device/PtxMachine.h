//===- PtxMachine.h - PTX run on the CPU ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs kernels in PTX thread by thread: grids, blocks, warps, shuffles, barriers and shared memory. Simple, slow and
// exact: floats are rounded as the instructions say. A fault is an exception that names kernel, line, block and thread:
//   an access outside of every allocation, or not aligned;
//   a race: two threads touch memory, one of them writes, and no barrier lies between;
//   ld.global.nc of bytes that the same launch writes, at whatever time: the hardware may have old ones in a cache;
//   a divergent barrier: a thread waits for one that has ended or waits elsewhere;
//   an instruction that is unknown, an atomic one, or a block that may not be so large.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_DEVICE_PTXMACHINE_H
#define GNNC_TEST_DEVICE_PTXMACHINE_H

#include "DeviceMemory.h"
#include "PtxProgram.h"

namespace ptx {

struct Grid {
  uint32_t blocks = 1, threads = 1; // threads of a block
  uint64_t sharedBytes = 0;         // of a block, for the variable that has no size
};

class Machine {
public:
  /// `isCounted`: bytes that kernels move.
  explicit Machine(Module loaded, bool isCounted = false);
  Machine(const Machine &) = delete;

  /// Runs `kernel` on `grid`. `parameters` are laid out as the kernel has them. Throws `Error`.
  void run(const std::string &kernel, const Grid &grid, const std::vector<uint8_t> &parameters, DeviceMemory &memory);

  /// For who asks what a kernel would take: of many blocks some are run, evenly spread. Whatever they write to global
  /// memory is `none`, and races are not looked for. Returns about how many bytes of global memory all of them would
  /// read and write.
  uint64_t estimate(const std::string &kernel, const Grid &grid, const std::vector<uint8_t> &parameters,
                    DeviceMemory &memory);

  const Module &module() const { return loaded; }
  /// Instructions of threads that were run so far.
  uint64_t executed() const { return numExecuted; }
  /// Bytes of global memory that they have moved, where they are counted. The threads of a block have a cache that
  /// loses nothing: each sector of 32 bytes that a block touches is moved once.
  uint64_t moved() const { return numMoved; }
  /// Bytes of mapped memory of the process that were read by `run`, by the same measure.
  uint64_t readOfHost() const { return numReadOfHost; }

private:
  const Kernel &checked(const std::string &kernel, const Grid &grid, const std::vector<uint8_t> &parameters) const;

  /// Made when it is first asked for.
  const Program &programOf(const std::string &kernel);

  Module loaded;
  std::map<std::string, Program> programs; // of the kernels that were run
  Region globals;
  const bool isCounted;
  uint64_t numExecuted = 0, numMoved = 0, numReadOfHost = 0;
};

} // namespace ptx

#endif // GNNC_TEST_DEVICE_PTXMACHINE_H
