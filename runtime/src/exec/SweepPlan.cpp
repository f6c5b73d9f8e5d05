//===- SweepPlan.cpp - In which parts a sweep goes ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/SweepPlan.h"
#include "gnn/program.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// Bytes a nanosecond that are gathered by rows from the last cache and from memory, and streamed; nanoseconds that a
/// row costs beside its edges. Their ratios matter, and are much alike on machines of today.
constexpr double nearRate = 80, farRate = 30, streamRate = 60, rowTime = 8;
/// A plan must promise this much of the plain sweep's time.
constexpr double worthwhile = 0.9;
/// Sweeps that gather less than this stay plain.
constexpr double leastBytes = 64e6;
constexpr double cacheLine = 64;

int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Bytes of the other end that an edge reads in a pass of `pass` elements.
double gatheredBytes(const SweepShape &shape, int64_t pass) {
  return double(pass) * double(shape.colElementBytes) + double(shape.colBytes);
}

/// Nanoseconds of one pass over all partitions. Half of the last cache holds columns, the rest what streams through.
double timeOfPass(const SweepShape &shape, const SweepPlan &plan, const Caches &caches) {
  auto rows = double(shape.rows), edges = double(shape.edges), partitions = double(plan.partitions);
  double bytes = gatheredBytes(shape, plan.pass), table = double(shape.cols) * bytes;
  double far = std::max(0.0, 1 - double(caches.shared) / 2 / std::max(table / partitions, 1.0));
  double merged = rows * double(plan.pass) * double(shape.stateBytes); // half of it, read and written
  double ofEdges = edges * double(shape.edgeBytes) + (shape.edgeBytes ? (partitions - 1) * rows * cacheLine : 0);
  double streamed =
      edges * 4 + table + (partitions - 1) * merged + partitions * rows * double(shape.rowBytes) + ofEdges;
  return edges * bytes * (far / farRate + (1 - far) / nearRate) + streamed / streamRate + partitions * rows * rowTime;
}

/// Each group reads all columns. So many that their states are of the size of the last cache, but no more than what
/// adds a twentieth to the bytes that edges gather. One where rows have no state: numbers of edges are all that is
/// made.
int64_t groupsOf(const SweepShape &shape, const SweepPlan &plan, const Caches &caches) {
  if (plan.partitions == 1)
    return 1;
  int64_t states = shape.rows * plan.pass * int64_t(shape.stateBytes);
  return std::clamp<int64_t>(divideUp(states, int64_t(caches.shared)), 1, 1 + shape.edges / (20 * shape.cols));
}

double timeOf(const SweepShape &shape, const SweepPlan &plan, const Caches &caches) {
  return double(divideUp(shape.elements, plan.pass)) * timeOfPass(shape, plan, caches);
}

} // namespace

SweepPlan planSweep(const SweepShape &shape, const Caches &caches, const SweepPlan &wanted) {
  const SweepPlan plain{std::clamp<int64_t>(wanted.partitions, 1, std::max<int64_t>(shape.cols, 1)),
                        wanted.pass ? std::min(wanted.pass, shape.elements) : shape.elements};
  if (double(shape.edges) * gatheredBytes(shape, shape.elements) < leastBytes)
    return plain;
  SweepPlan best = plain;
  double least = worthwhile * timeOf(shape, plain, caches);
  auto considerPass = [&](int64_t pass) {
    const double table = double(shape.cols) * gatheredBytes(shape, pass);
    auto isWorthATry = [&](int64_t partitions) {
      return partitions == plain.partitions || (!wanted.partitions && table > double(partitions) * double(caches.own));
    };
    for (SweepPlan plan{plain.partitions, pass}; isWorthATry(plan.partitions); plan.partitions *= 2)
      if (double time = timeOf(shape, plan, caches); time < least) {
        least = time;
        best = plan;
      }
  };
  considerPass(plain.pass);
  for (int64_t pass = GNN_PASS_ELEMENTS; !wanted.pass && pass < shape.elements; pass *= 2)
    considerPass(pass);
  best.groups = groupsOf(shape, best, caches);
  return best;
}

} // namespace gnn::rt
