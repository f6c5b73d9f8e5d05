//===- PacedEngine.h - A processor with a pace of its own -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is loaded is there as soon as may be, and all else is done as late as may be, or the other way round: so that a
// wait which is missing gives other numbers, in every run.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_PACEDENGINE_H
#define GNN_TEST_PACEDENGINE_H

#include "runtime/src/cpu/CpuEngine.h"

class PacedEngine : public gnn::rt::CpuEngine {
public:
  PacedEngine(std::shared_ptr<const gnn::rt::Library> library, unsigned threads, bool loadsEarly)
      : CpuEngine(std::move(library), threads), paced(loadsEarly) {}

private:
  class PacedQueues : public gnn::rt::Queues {
  public:
    explicit PacedQueues(bool loadsEarly) : loadsEarly(loadsEarly) {}
    ~PacedQueues() override { close(); }

  private:
    /// Nobody comes: who asks does it at once, or who awaits it.
    bool summon(gnn::rt::Queue queue, const std::function<void()> &) override {
      return loadsEarly != (queue == gnn::rt::Queue::Load);
    }
    const bool loadsEarly;
  };

  gnn::rt::Queues &queues() override { return paced; }

  PacedQueues paced;
};

#endif // GNN_TEST_PACEDENGINE_H
