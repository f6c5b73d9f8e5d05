//===- PropagatedOrder.cpp - Communities found by little memory -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/PropagatedOrder.h"

#include "runtime/src/core/Random.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace gnn::rt {

namespace {

/// More than so many passes over the edges change little, and one that moves fewer than a hundredth is the last.
constexpr int mostRounds = 10;
constexpr int64_t leastMoved = 100, mostParts = 64;

class Propagation {
public:
  Propagation(const EdgeFile &neighbours, const Buffer<int64_t> &offsets)
      : neighbours(neighbours), offsets(offsets), numVertices(int64_t(offsets.size()) - 1),
        mostMembers(uint32_t(std::max<int64_t>((numVertices + mostParts - 1) / mostParts, 1))),
        labels(size_t(numVertices)), members(size_t(numVertices), 1) {
    std::iota(labels.begin(), labels.end(), 0u);
  }

  void run(const std::function<void(double)> &report) {
    for (int round = 0; round < mostRounds; ++round) {
      const int64_t moved = pass(round, report);
      if (moved * leastMoved < numVertices)
        break;
    }
    report(1);
  }

  std::shared_ptr<const VertexOrder> order() {
    renumberByFirst();
    auto order = std::make_shared<VertexOrder>();
    order->id = Buffer<int64_t>(labels.size());
    order->local = Buffer<uint32_t>(labels.size());
    std::exclusive_scan(members.begin(), members.end(), members.begin(), 0u); // where those of a community begin
    for (size_t v = 0; v < labels.size(); ++v) {
      order->local[v] = members[labels[v]]++;
      order->id[order->local[v]] = int64_t(v);
    }
    return order;
  }

private:
  /// All vertices, once. Returns how many have moved.
  int64_t pass(int round, const std::function<void(double)> &report) {
    const int64_t numEdges = offsets[size_t(numVertices)];
    int64_t moved = 0;
    uint32_t v = 0;
    near.clear();
    auto endRows = [&](int64_t edge) { // those that end before it
      for (; v < numVertices && offsets[v + 1] <= edge; ++v) {
        moved += move(v, uint64_t(round));
        near.clear();
      }
    };
    neighbours.forPieces(GNN_TO_DESTINATION, 0, numEdges, [&](const EdgePiece &piece) {
      for (int64_t e = piece.begin; e < piece.end; ++e) {
        endRows(e);
        near.push_back(labels[piece.cols[e - piece.begin]]);
      }
      report((round + double(piece.end) / double(numEdges)) / mostRounds);
    });
    endRows(numEdges);
    return moved;
  }

  /// `near` has the communities of its neighbours.
  bool move(uint32_t v, uint64_t round) {
    std::sort(near.begin(), near.end());
    const uint32_t own = labels[v];
    uint32_t best = own;
    uint64_t bestWeight = 0;
    for (size_t begin = 0, end = 0; begin < near.size(); begin = end) {
      const uint32_t label = near[begin];
      while (end < near.size() && near[end] == label)
        ++end;
      if (label != own && members[label] >= mostMembers)
        continue;
      // Among as many neighbours, where it is, else any: always the first would make chains of ids.
      const uint64_t chance = label == own ? UINT32_MAX : uint32_t(stepKey(round << 32 | v, label));
      const uint64_t weight = uint64_t(end - begin) << 32 | chance;
      if (weight > bestWeight) {
        best = label;
        bestWeight = weight;
      }
    }
    --members[own];
    ++members[best];
    labels[v] = best;
    return best != own;
  }

  /// Communities by their first members, one after the other.
  void renumberByFirst() {
    std::vector<uint32_t> numbers(labels.size(), UINT32_MAX), counts;
    for (uint32_t &label : labels) {
      if (numbers[label] == UINT32_MAX) {
        numbers[label] = uint32_t(counts.size());
        counts.push_back(members[label]);
      }
      label = numbers[label];
    }
    members = std::move(counts);
  }

  const EdgeFile &neighbours;
  const Buffer<int64_t> &offsets;
  const int64_t numVertices;
  const uint32_t mostMembers;
  std::vector<uint32_t> labels, members; // [vertices] the community, and [communities] how many are in it
  std::vector<uint32_t> near;
};

} // namespace

std::shared_ptr<const VertexOrder> propagatedOrder(const EdgeFile &neighbours, const Buffer<int64_t> &offsets,
                                                   const std::function<void(double)> &report) {
  Propagation propagation(neighbours, offsets);
  propagation.run(report);
  return propagation.order();
}

} // namespace gnn::rt
