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

} // namespace gnn::rt

#endif // GNN_PROGRAM_PROGRAMPLAN_H
