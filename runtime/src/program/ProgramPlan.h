//===- ProgramPlan.h - What a program stores, and when ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_PROGRAMPLAN_H
#define GNN_PROGRAM_PROGRAMPLAN_H

#include <cstdint>
#include <vector>

namespace gnn::rt {

struct ProgramPlan {
  std::vector<int32_t> producers; // [tensors] the step whose result is not stored, or -1: see findVirtualFields
  std::vector<bool> fixed;        // [steps] whether they are done once: see findFixedSteps

  bool isStored(uint32_t tensor) const { return producers[tensor] < 0; }
};

/// In which parts a step goes over the view that all steps go over.
struct StepParts {
  int64_t partitions = 1; // of the cols, one after the other
  int64_t passes = 1;     // of the last dimension
  int64_t hubs = 0;       // rows that threads share
  bool isStored = true;   // what it makes; else those who read it do
};

} // namespace gnn::rt

#endif // GNN_PROGRAM_PROGRAMPLAN_H
