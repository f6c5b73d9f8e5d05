//===- FixedSteps.cpp - What every run computes alike ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/FixedSteps.h"

namespace gnn::rt {

namespace {

/// Masks, scales and targets are no data: other splits and other pairs come with others.
bool isData(const Library &library, const gnn_tensor_info_t &tensor) {
  switch (tensor.role) {
  case GNN_ROLE_INPUT:
    return tensor.domain != GNN_DOMAIN_EDGE || !isOfPairs(library, tensor.type);
  case GNN_ROLE_DEGREE_IN:
  case GNN_ROLE_DEGREE_OUT:
  case GNN_ROLE_COUNT_IN: // of one view, which has the same edges in every run
  case GNN_ROLE_COUNT_OUT:
  case GNN_ROLE_WEIGHTS:
    return !isOfPairs(library, uint32_t(tensor.source));
  default:
    return false;
  }
}

bool isParameter(const gnn_tensor_info_t &tensor) {
  return tensor.role == GNN_ROLE_PARAM || tensor.role == GNN_ROLE_STATE;
}

bool runsAlike(const ProgramStep &step) {
  return step.isProduct() || (!step.needs(GNN_KERNEL_RANDOM) && !step.isSweepOver(GNN_RELATION_PAIRS));
}

} // namespace

std::vector<bool> findFixedSteps(const Library &library, const gnn_program_t &program,
                                 const std::vector<int32_t> &producers, bool parametersStay) {
  std::vector<bool> found, isFixed;
  for (const gnn_tensor_info_t &tensor : library.tensors())
    isFixed.push_back(isData(library, tensor) || (parametersStay && isParameter(tensor)));
  auto isStored = [&](const Operand &output) {
    return (parametersStay || library.tensor(output.tensor).role == GNN_ROLE_TEMP) && producers[output.tensor] < 0;
  };
  for (const ProgramStep step : library.steps(program)) {
    found.push_back(runsAlike(step) && step.inputs().all([&](const Operand &input) { return isFixed[input.tensor]; }) &&
                    step.outputs().all(isStored));
    if (found.back())
      for (const Operand output : step.outputs())
        isFixed[output.tensor] = true;
  }
  return found;
}

} // namespace gnn::rt
