//===- CpuEngine.h - The processor as an engine -------------- -*- C++ -*--===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//
// Steps on the cores that this process runs on. Rows are cut into tasks, each done by one thread; sums over rows go
// through fixed slots that are added in order: the bits of a result do not depend on the number of threads.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_CPUENGINE_H
#define GNN_CPU_CPUENGINE_H

#include "runtime/src/exec/Engine.h"
#include "runtime/src/exec/Team.h"

namespace gnn::rt {

class CpuEngine : public Engine {
public:
  /// `threads` 0 means as many as this process may use.
  CpuEngine(std::shared_ptr<const Library> library, unsigned threads) : library(std::move(library)), team(threads) {}

  std::unique_ptr<Prepared> prepare(const Dims &dims, const gnn_program_t &program, const Capacity &capacity,
                                    const View *only) override;
  std::unique_ptr<Memory> allocate(size_t bytes) override;
  std::unique_ptr<Memory> shareTransient(size_t bytes) override;
  void copyIn(void *to, const void *from, size_t bytes) override;
  void copyOut(void *to, const void *from, size_t bytes) override;

  Team &threads() { return team; }
  unsigned numThreads() const { return team.size(); }

private:
  std::shared_ptr<const Library> library;
  Team team;
};

} // namespace gnn::rt

#endif // GNN_CPU_CPUENGINE_H
