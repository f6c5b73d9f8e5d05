//===- FixedSteps.cpp - What every run computes alike ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/FixedSteps.h"

#include <algorithm>

namespace gnn::rt {

namespace {

bool isPairs(const Library &library, uint32_t relation) {
  return library.table().relations[relation].kind == GNN_RELATION_PAIRS;
}

/// Masks, scales and targets are no data: other splits and other pairs come with others.
bool isData(const Library &library, const gnn_tensor_info_t &tensor) {
  switch (tensor.role) {
  case GNN_ROLE_INPUT:
    return tensor.domain != GNN_DOMAIN_EDGE || !isPairs(library, tensor.type);
  case GNN_ROLE_DEGREE_IN:
  case GNN_ROLE_DEGREE_OUT:
  case GNN_ROLE_COUNT_IN: // of one view, which has the same edges in every run
  case GNN_ROLE_COUNT_OUT:
  case GNN_ROLE_WEIGHTS:
    return !isPairs(library, uint32_t(tensor.source));
  default:
    return false;
  }
}

bool isParameter(const gnn_tensor_info_t &tensor) {
  return tensor.role == GNN_ROLE_PARAM || tensor.role == GNN_ROLE_STATE;
}

bool runsAlike(const Library &library, const gnn_step_t &step) {
  bool isProduct = step.kind == GNN_STEP_MATMUL || step.kind == GNN_STEP_MATMUL_TN;
  return isProduct || (!(library.kernel(step.kernel).needs & GNN_KERNEL_RANDOM) &&
                       (step.kind == GNN_STEP_MAP || !isPairs(library, step.relation)));
}

} // namespace

std::vector<bool> findFixedSteps(const Library &library, const gnn_program_t &program,
                                 const std::vector<int32_t> &producers, bool parametersStay) {
  std::vector<bool> found, isFixed;
  for (const gnn_tensor_info_t &tensor : library.tensors())
    isFixed.push_back(isData(library, tensor) || (parametersStay && isParameter(tensor)));
  auto isStored = [&](uint32_t tensor) {
    return (parametersStay || library.tensor(tensor).role == GNN_ROLE_TEMP) && producers[tensor] < 0;
  };
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const gnn_step_t &step = program.steps[s];
    const uint32_t *outputs = step.tensors + firstOutput(library.table(), step);
    const uint32_t *end = step.tensors + step.num_tensors;
    found.push_back(runsAlike(library, step) &&
                    std::all_of(step.tensors, outputs, [&](uint32_t tensor) { return isFixed[tensor]; }) &&
                    std::all_of(outputs, end, isStored));
    for (const uint32_t *output = outputs; found.back() && output != end; ++output)
      isFixed[*output] = true;
  }
  return found;
}

} // namespace gnn::rt
