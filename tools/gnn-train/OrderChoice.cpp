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

#include <algorithm>
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

/// A sample of edges, of rows that are no longer than this, shows communities if all of them together have so many
/// neighbours in common, and so many times as many as by chance.
constexpr size_t sampledEdges = 4096;
constexpr int64_t longestSampled = 4096;
constexpr double leastCommon = 64;
constexpr double leastLift = 2;

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

/// Where two vertices that are sources of edges at random are the same one.
double chanceOfSame(const Csr &bySource) {
  double squares = 0;
  for (int64_t v = 0; v < bySource.numRows(); ++v)
    squares += double(bySource.degree(v)) * double(bySource.degree(v));
  const auto edges = double(bySource.cols.size());
  return squares / (edges * edges);
}

/// Columns of a row, each once.
std::vector<uint32_t> distinctCols(const Csr &csr, int64_t row) {
  std::vector<uint32_t> cols(csr.cols.begin() + csr.offsets[size_t(row)],
                             csr.cols.begin() + csr.offsets[size_t(row) + 1]);
  std::sort(cols.begin(), cols.end());
  cols.erase(std::unique(cols.begin(), cols.end()), cols.end());
  return cols;
}

/// Whether there are communities, most likely: whether neighbours have far more neighbours in common than they would by
/// chance, in a sample of edges. A graph of triangles without communities passes too.
bool mayHaveCommunities(const Relation &relation) {
  const Csr &in = relation.csr(GNN_TO_DESTINATION);
  const size_t numEdges = in.cols.size(), samples = std::min(numEdges, sampledEdges);
  const double chance = numEdges ? chanceOfSame(relation.csr(GNN_TO_SOURCE)) : 0;
  double common = 0, byChance = 0;
  std::vector<uint32_t> both;
  for (size_t sample = 0; sample < samples; ++sample) {
    const auto edge = int64_t(double(numEdges) / double(samples) * double(sample));
    const int64_t row = std::upper_bound(in.offsets.begin(), in.offsets.end(), edge) - in.offsets.begin() - 1;
    const int64_t col = in.cols[size_t(edge)];
    if (row == col || std::max(in.degree(row), in.degree(col)) > longestSampled)
      continue;
    const std::vector<uint32_t> ofRow = distinctCols(in, row), ofCol = distinctCols(in, col);
    both.clear();
    std::set_intersection(ofRow.begin(), ofRow.end(), ofCol.begin(), ofCol.end(), std::back_inserter(both));
    // loops, and edges that go both ways, make the two neighbours of themselves
    common += double(std::count_if(both.begin(), both.end(), [&](int64_t v) { return v != row && v != col; }));
    byChance += double(ofRow.size()) * double(ofCol.size()) * chance;
  }
  return common >= leastCommon && common >= leastLift * byChance;
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
