//===- DescribePrograms.cpp - What steps say together ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about a whole program that an executor needs before it moves tensors: which steps are backward, which layer of
// edges a sweep uses, and for each tensor its depth, how it is read, and the last step that needs it. The runtime
// computes the same facts when it opens a library, and compares (LibraryCheck.cpp).
//
//===----------------------------------------------------------------------===//

#include "compiler/Target/Library/DescribePrograms.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace gnnc;

namespace {

class Describer {
public:
  Describer(const LibraryImage &image, ProgramImage &program) : image(image), program(program) {}

  void run() {
    findPhases();
    findLayers();
    findUses();
  }

private:
  bool isProduct(const StepImage &step) const {
    return step.kind == GNN_STEP_MATMUL || step.kind == GNN_STEP_MATMUL_TN;
  }
  size_t firstOutput(const StepImage &step) const { return isProduct(step) ? 2 : image.kernels[step.kernel].numInputs; }
  uint32_t accessOf(const StepImage &step, size_t operand) const {
    if (!isProduct(step))
      return image.kernels[step.kernel].access[operand];
    return operand == (step.kind == GNN_STEP_MATMUL ? 1 : 2) ? GNN_ACCESS_WHOLE : GNN_ACCESS_ROW;
  }
  bool isGradient(uint32_t tensor) const { return image.tensors[tensor].role == GNN_ROLE_GRAD; }

  /// Forward is what some result is made of that is no gradient.
  void findPhases() {
    llvm::DenseSet<uint32_t> needed;
    for (uint32_t result : program.results)
      if (!isGradient(result))
        needed.insert(result);
    for (StepImage &step : llvm::reverse(program.steps)) {
      llvm::ArrayRef<uint32_t> tensors = step.tensors;
      const bool isForward =
          llvm::any_of(tensors.drop_front(firstOutput(step)), [&](uint32_t tensor) { return needed.contains(tensor); });
      step.phase = isForward ? GNN_PHASE_FORWARD : GNN_PHASE_BACKWARD;
      if (isForward)
        needed.insert(tensors.begin(), tensors.begin() + firstOutput(step));
    }
  }

  /// The depth of the ends of its edges that are nearer to the seeds; -1 of steps that go over no edges of the graph.
  int32_t nearDepth(const StepImage &step) const {
    if (step.kind != GNN_STEP_SWEEP || image.relations[step.relation].kind != GNN_RELATION_EDGES)
      return -1;
    const bool flowsBothWays = step.rowDepth == step.colDepth;
    return std::max(flowsBothWays ? step.rowDepth - 1 : std::min(step.rowDepth, step.colDepth), 0);
  }

  void findLayers() {
    int32_t deepest = -1;
    for (const StepImage &step : program.steps)
      deepest = std::max(deepest, nearDepth(step));
    for (StepImage &step : program.steps)
      step.layer = nearDepth(step) < 0 ? -1 : deepest - nearDepth(step);
  }

  void findUses() {
    llvm::DenseMap<uint32_t, size_t> place;
    for (auto [number, step] : llvm::enumerate(program.steps))
      for (auto [operand, tensor] : llvm::enumerate(step.tensors)) {
        auto [known, isNew] = place.try_emplace(tensor, program.uses.size());
        if (isNew)
          program.uses.push_back({tensor, 0, -1, -1, -1, 0});
        gnn_use_t &use = program.uses[known->second];
        const uint32_t access = accessOf(step, operand);
        use.accesses |= 1u << access;
        if (access == GNN_ACCESS_ROW || access == GNN_ACCESS_COL)
          use.depth = std::max(use.depth, access == GNN_ACCESS_ROW ? step.rowDepth : step.colDepth);
        if (operand >= firstOutput(step))
          use.first = int32_t(number);
        use.last = int32_t(number);
        use.is_kept |= use.first >= 0 && step.phase == GNN_PHASE_BACKWARD &&
                       program.steps[size_t(use.first)].phase == GNN_PHASE_FORWARD;
      }
    for (gnn_use_t &use : program.uses)
      if (llvm::is_contained(program.results, use.tensor))
        use.last = int32_t(program.steps.size());
  }

  const LibraryImage &image;
  ProgramImage &program;
};

} // namespace

void gnnc::describePrograms(LibraryImage &image) {
  for (ProgramImage &program : image.programs)
    Describer(image, program).run();
}
