//===- OrderChoice.cpp - Whether an order of vertices pays ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/OrderChoice.h"

#include "runtime/src/graph/Communities.h"
#include "runtime/src/program/FixedSteps.h"
#include "tools/gnn-train/GatherSample.h"

#include <cstdio>

namespace gnn::train_tool {

using namespace rt;

namespace {

/// Bytes of a cache, and those that are gathered from it and from memory in a nanosecond: of no machine in particular,
/// so that all choose alike. Half of the cache holds columns. (Their ratios are those of SweepPlan.cpp.)
constexpr double cacheBytes = 32e6, nearRate = 140, farRate = 30;
/// Nanoseconds that ordering takes for an edge, at the same number of threads.
constexpr double orderingTime = 250;
/// Ordering begins where reads that all hit the cache would save this many times what it takes; the order is taken
/// where it leaves no more than this share of the time that the gather takes as given.
constexpr double leastGain = 4, mostTime = 0.85;

constexpr char littleToGain[] = "another order has little to gain in these epochs";

/// What a training step gathers along each edge: bytes of each sweep, of those that every step does.
std::vector<double> gatheredBytes(const Library &library, const Dims &dims, const gnn_program_t &program) {
  const std::vector<bool> isFixed =
      findFixedSteps(library, program, std::vector<int32_t>(library.tensors().size(), -1));
  std::vector<double> bytes;
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const ProgramStep step = library.step(program.steps[s]);
    if (isFixed[s] || !step.isSweepOver(GNN_RELATION_EDGES))
      continue;
    bytes.push_back(0);
    for (const Operand operand : step.operands())
      if (operand.isPerCol())
        bytes.back() += double(dims.rowBytes(library.tensor(operand.tensor)));
  }
  return bytes;
}

/// Nanoseconds that a step gathers, over so many edges.
double gatherTime(const GatherSample &sample, const std::vector<double> &bytes, double edges) {
  double time = 0;
  for (double ofEdge : bytes) {
    const double far = ofEdge > 0 ? sample.fresh(cacheBytes / 2 / ofEdge) : 0;
    time += edges * ofEdge * (far / farRate + (1 - far) / nearRate);
  }
  return time;
}

} // namespace

OrderChoice chooseOrder(const EdgeSet &set, const Library &library, const Dims &dims, int64_t epochs) {
  const gnn_program_t *program = library.program(GNN_PROGRAM_TRAIN);
  const Relation &relation = set.relation();
  const Csr &rows = relation.csr(GNN_TO_DESTINATION);
  if (!program || relation.numEdges() == 0)
    return {nullptr, "nothing is trained over edges"};
  const auto edges = double(relation.numEdges());
  const std::vector<double> bytes = gatheredBytes(library, dims, *program);
  double allNear = 0;
  for (double ofEdge : bytes)
    allNear += edges * ofEdge / nearRate;
  const double ordering = edges * orderingTime, slowest = allNear * nearRate / farRate;
  if ((slowest - allNear) * double(epochs) < leastGain * ordering)
    return {nullptr, littleToGain};
  const double given = gatherTime(GatherSample(rows, relation.numSources()), bytes, edges);
  if ((given - allNear) * double(epochs) < leastGain * ordering)
    return {nullptr, littleToGain};
  if (!mayHaveCommunities(relation))
    return {nullptr, "neighbours have few neighbours in common"};
  std::shared_ptr<const VertexOrder> order = communityOrder(relation);
  const double ordered = gatherTime(GatherSample(rows, relation.numSources(), order.get()), bytes, edges);
  char why[100];
  std::snprintf(why, sizeof why, "in that of communities edges read in %.2f of the time, by a model", ordered / given);
  return {ordered <= mostTime * given ? std::move(order) : nullptr, why};
}

} // namespace gnn::train_tool
