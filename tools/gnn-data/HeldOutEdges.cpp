//===- HeldOutEdges.cpp - Edges that become pairs -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/HeldOutEdges.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Random.h"
#include "tools/gnn-data/Labels.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

using namespace gnn::data_tool;
using gnn::rt::require;
using gnn::rt::Tensor;

namespace {

/// Groups of edges between the same vertices.
struct Groups {
  std::vector<int64_t> of;    // number of the group, by edge
  std::vector<int64_t> first; // the first edge of each group, in ascending order
};

/// The first `numGiven` edges are grouped; each later edge is the reverse of one of these. `types` may be empty: edges
/// of different types are in different groups.
Groups groupsOf(const gnn::rt::Dataset &data, int64_t numGiven, bool isOneType, const Tensor &types) {
  const int64_t all = data.edgeIndex.dim(1);
  const int64_t *sources = data.edgeIndex.data<int64_t>(), *destinations = sources + all;
  const auto key = [&](int64_t edge) {
    int64_t a = sources[edge], b = destinations[edge];
    if (isOneType && b < a)
      std::swap(a, b);
    return std::array<int64_t, 3>{a, b, types ? types.data<int64_t>()[edge] : 0};
  };
  std::vector<int64_t> sorted(static_cast<size_t>(all));
  std::iota(sorted.begin(), sorted.end(), int64_t(0));
  std::sort(sorted.begin(), sorted.end(),
            [&](int64_t a, int64_t b) { return std::pair(key(a), a) < std::pair(key(b), b); });
  std::vector<int64_t> firstOf(static_cast<size_t>(all)); // edge of the same pair, by edge
  for (size_t i = 0; i < sorted.size(); ++i)
    firstOf[size_t(sorted[i])] =
        i > 0 && key(sorted[i]) == key(sorted[i - 1]) ? firstOf[size_t(sorted[i - 1])] : sorted[i];
  Groups groups{std::vector<int64_t>(static_cast<size_t>(all), -1), {}};
  for (int64_t edge = 0; edge < all; ++edge) {
    if (firstOf[size_t(edge)] == edge && edge < numGiven) {
      groups.of[size_t(edge)] = int64_t(groups.first.size());
      groups.first.push_back(edge);
    } else {
      groups.of[size_t(edge)] = groups.of[size_t(firstOf[size_t(edge)])];
    }
  }
  return groups;
}

/// The phase of each pair, drawn at random. `ends` are the pairs of the same vertices, which share a phase: the number
/// of these vertices' group, by pair.
std::vector<Phase> drawnPhases(const std::vector<size_t> &ends, size_t numEnds, const HoldOut &options) {
  std::vector<size_t> order(numEnds), sizes(numEnds);
  for (size_t group : ends)
    ++sizes[group];
  std::iota(order.begin(), order.end(), size_t(0));
  gnn::rt::RandomSequence random(options.seed);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[random.below(i)]);
  const std::optional<Shares> shares = sharesOf(options.split, "--split-edges");
  require(shares.has_value(), GNN_ERROR_ARGUMENT, "--split-edges ", options.split,
          ": expected shares of training and validation, as 80%,10%, or --by with boundaries in time");
  const double count = double(ends.size());
  const size_t train = size_t(std::llround(count * shares->train / 100)),
               val = size_t(std::llround(count * (shares->train + shares->val) / 100));
  std::vector<Phase> phasesOfEnds(numEnds), phases;
  size_t numBefore = 0; // pairs
  for (size_t group : order) {
    phasesOfEnds[group] = numBefore < train ? Phase::Train : numBefore < val ? Phase::Val : Phase::Test;
    numBefore += sizes[group];
  }
  for (size_t group : ends)
    phases.push_back(phasesOfEnds[group]);
  return phases;
}

} // namespace

HeldOut gnn::data_tool::holdOut(const rt::Dataset &data, int64_t numGiven, const HoldOut &options) {
  const Groups groups = groupsOf(data, numGiven, options.isOneType, data.edgeType);
  std::vector<Phase> phases; // by group
  HeldOut result;
  std::optional<Boundaries> &boundaries = result.boundaries;
  if (options.times.empty()) {
    const Groups ofEnds = groupsOf(data, numGiven, options.isOneType, Tensor());
    std::vector<size_t> ends; // by pair
    for (int64_t edge : groups.first)
      ends.push_back(size_t(ofEnds.of[size_t(edge)]));
    phases = drawnPhases(ends, ofEnds.first.size(), options);
  } else {
    std::vector<double> times(groups.first.size(), std::numeric_limits<double>::quiet_NaN());
    for (int64_t edge = 0; edge < numGiven; ++edge)
      times[size_t(groups.of[size_t(edge)])] =
          std::fmin(times[size_t(groups.of[size_t(edge)])], options.times[size_t(edge)]);
    std::vector<double> known;
    std::copy_if(times.begin(), times.end(), std::back_inserter(known), [](double time) { return !std::isnan(time); });
    boundaries = boundariesOf(options.split, "--split-edges", *options.form, known);
    for (double time : times)
      phases.push_back(boundaries->phase(time));
  }
  constexpr const char *names[] = {"train", "val", "test"};
  for (int part = 0; part < 3; ++part) {
    std::vector<int64_t> edges;
    for (size_t group = 0; group < phases.size(); ++group)
      if (int(phases[group]) == part)
        edges.push_back(groups.first[group]);
    result.pairs[names[part]] = pairsOf(data.edgeIndex, data.edgeType, edges);
  }
  require(result.pairs["train"].dim(0) > 0, GNN_ERROR_DATA, "--split-edges ", options.split,
          " leaves nothing to train on");
  for (size_t edge = 0; edge < groups.of.size(); ++edge) {
    const bool isTraining = phases[size_t(groups.of[edge])] == Phase::Train;
    const bool isLater = boundaries && boundaries->phase(options.times[edge]) != Phase::Train;
    result.numRepeated += isTraining && isLater;
    if (isTraining && !isLater)
      result.kept.push_back(int64_t(edge));
  }
  return result;
}

Tensor gnn::data_tool::pairsOf(const Tensor &index, const Tensor &types, const std::vector<int64_t> &edges) {
  const int64_t all = index.dim(1), width = types ? 3 : 2;
  Tensor pairs = Tensor::empty(GNN_I64, {int64_t(edges.size()), width});
  int64_t *to = pairs.mutableData<int64_t>();
  for (int64_t edge : edges) {
    *to++ = index.data<int64_t>()[edge];
    if (types)
      *to++ = types.data<int64_t>()[edge];
    *to++ = index.data<int64_t>()[all + edge];
  }
  return pairs;
}
