//===- SweepPlan.cpp - In which parts a sweep goes ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/SweepPlan.h"
#include "gnn/program.h"
#include "runtime/src/core/Buffer.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// Bytes a nanosecond that are gathered by rows from the last cache and from memory, streamed, and taken in and out of
/// states; nanoseconds that a row costs beside its edges. Measured with two threads of an AMD EPYC; their ratios
/// matter, and are much alike on machines of today.
constexpr double nearRate = 140, farRate = 30, streamRate = 30, stateRate = 36, rowTime = 8;
/// A plan must promise this much of the time of the plain one and of those of fewer partitions; one in passes, that of
/// whole rows and of shorter passes.
constexpr double worthwhile = 0.95;
/// Sweeps that gather less than this stay plain.
constexpr double leastBytes = 64e6;

int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Bytes of the other end that an edge reads in a pass of `pass` elements.
double gatheredBytes(const SweepShape &shape, int64_t pass) {
  return double(pass) * double(shape.colElementBytes) + double(shape.colBytes);
}

/// The share of what edges gather that the last cache has. Half of it holds columns, those that are used most, of one
/// partition after the other; the rest what streams through.
double nearShare(const SweepShape &shape, const SweepPlan &plan, const Caches &caches) {
  const double bytes = std::max(gatheredBytes(shape, plan.pass), 1.0);
  return shape.shares.ofHighest(double(caches.shared) / 2 / bytes * double(plan.partitions));
}

/// Edges that gather.
double gathering(const SweepShape &shape) { return double(shape.edges - shape.repeated); }

/// Nanoseconds of one pass over all partitions.
double timeOfPass(const SweepShape &shape, const SweepPlan &plan, const Caches &caches) {
  auto rows = double(shape.rows), edges = double(shape.edges), partitions = double(plan.partitions);
  double bytes = gatheredBytes(shape, plan.pass), table = double(shape.cols) * bytes;
  double near = nearShare(shape, plan, caches);
  double ofEdges =
      edges * double(shape.edgeBytes) + (shape.edgeBytes ? (partitions - 1) * rows * double(cacheLine) : 0);
  double states = (partitions - 1) * rows * double(plan.pass) * double(shape.stateBytes); // half is read and written
  double streamed = edges * 4 + table + partitions * rows * double(shape.rowBytes) + ofEdges;
  return gathering(shape) * bytes * (near / nearRate + (1 - near) / farRate) +
         double(shape.repeated) * bytes / nearRate + streamed / streamRate + states / stateRate +
         partitions * rows * rowTime;
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
  const double copied =
      plan.pass < shape.elements ? 2 * double(shape.cols) * double(plan.pass * int64_t(shape.colElementBytes)) : 0;
  return double(divideUp(shape.elements, plan.pass)) * (timeOfPass(shape, plan, caches) + copied / streamRate);
}

} // namespace

int64_t repeatedEdges(Span<const int64_t> offsets, int64_t cols) {
  int64_t count = 0;
  for (size_t row = 0; row + 1 < offsets.size(); ++row)
    count += std::max<int64_t>(offsets[row + 1] - offsets[row] - cols, 0);
  return count;
}

SweepPlan planSweep(const SweepShape &shape, const Caches &caches, const SweepPlan &wanted) {
  const SweepPlan plain{std::clamp<int64_t>(wanted.partitions, 1, std::max<int64_t>(shape.cols, 1)),
                        wanted.pass ? std::min(wanted.pass, shape.elements) : shape.elements};
  if (gathering(shape) * gatheredBytes(shape, shape.elements) < leastBytes)
    return plain;
  SweepPlan best = plain;
  double least = timeOf(shape, plain, caches);
  auto considerPass = [&](int64_t pass) {
    const double table = double(shape.cols) * gatheredBytes(shape, pass);
    auto isWorthATry = [&](int64_t partitions) {
      return partitions == plain.partitions || (!wanted.partitions && table > double(partitions) * double(caches.own));
    };
    for (SweepPlan plan{plain.partitions, pass}; isWorthATry(plan.partitions); plan.partitions *= 2)
      if (double time = timeOf(shape, plan, caches); time < worthwhile * least) {
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
