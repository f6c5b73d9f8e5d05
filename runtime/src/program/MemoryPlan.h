//===- MemoryPlan.h - Where temporaries lie ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Life times of a program's temporaries and their places in one arena. A tensor lives from the step that writes it to
// the last one that reads it, what a step needs for itself while it runs; what lives at the same time does not overlap.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_MEMORYPLAN_H
#define GNN_PROGRAM_MEMORYPLAN_H

#include "runtime/src/program/Library.h"

#include <functional>
#include <string>
#include <vector>

namespace gnn::rt {

struct PlannedTensor {
  uint32_t tensor; // library index
  uint32_t firstStep, lastStep;
  size_t bytes;
  size_t offset; // in the arena, or in what is kept; a multiple of 64
  bool isKept;   // from run to run
};

struct MemoryPlan {
  std::vector<PlannedTensor> tensors; // temporaries, by firstStep and then in the order of the step's operands
  std::vector<size_t> stepOffsets;    // in the arena, of what each step needs for itself; empty if none does
  size_t arenaBytes = 0;              // of what lives within a run
  size_t keptBytes = 0;

  /// One line a tensor: name, bytes, offset, steps.
  std::string listing(const Library &library) const;
};

/// Plans `program`; `bytesOf` gives the size of a tensor. What a step of `producers` (see findVirtualFields; empty:
/// none) reads lives as long as what it makes. What steps of `fixed` (see findFixedSteps; empty: none) make for others
/// is kept from run to run. Step s needs `bytesOfSteps[s]` for itself (empty: none does). Results of the program are
/// not temporaries: their places are the executor's. Throws GNN_ERROR_DATA if a step reads a temporary that none before
/// it writes, or if two steps write one.
MemoryPlan planMemory(const Library &library, const gnn_program_t &program,
                      const std::function<size_t(uint32_t)> &bytesOf, const std::vector<int32_t> &producers = {},
                      const std::vector<bool> &fixed = {}, const std::vector<size_t> &bytesOfSteps = {});

/// Gives each of these an offset by its steps and bytes, which are multiples of 64, and returns how many bytes all
/// take.
size_t placeByLifeTime(std::vector<PlannedTensor *> tensors);

} // namespace gnn::rt

#endif // GNN_PROGRAM_MEMORYPLAN_H
