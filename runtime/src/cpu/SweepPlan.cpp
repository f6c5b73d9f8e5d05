//===- SweepPlan.cpp - In which parts a sweep goes ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/SweepPlan.h"
#include "gnn/program.h"
#include "runtime/src/core/Buffer.h"
#include "runtime/src/graph/Partitions.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// A machine as far as plans depend on it.
struct Rates {
  double own, near, far;  // bytes a nanosecond that are gathered by rows from own caches, the last one and memory
  double streamed, state; // the same of what is streamed, and merged into states
  double rowTime;         // nanoseconds of a row beside its edges
  double edgeTime;        // of an edge in a pass, beside the bytes that it reads
  double lastCaches;      // how many times what it is said to be the last cache holds
};

/// With two threads. Plans are those of the first: its memory is slow beside its last cache, as on an AMD EPYC. On the
/// other, an Intel Xeon with a large last cache that is hardly faster than memory, whole rows and long passes are
/// better than they are on the first. There is no telling which of them a machine is like: virtual ones share the cache
/// and memory with others.
constexpr Rates usual{360, 100, 45, 50, 80, 2, 0.15, 1};
constexpr Rates others[] = {{130, 65, 26, 38, 30, 3, 0.2, 6}, {130, 65, 26, 38, 30, 3, 0.2, 3}};
/// A plan must promise this much of the time of the plain one and of those of fewer partitions; one in passes, that of
/// whole rows and of shorter passes.
constexpr double worthwhile = 0.95;
/// Sweeps that gather less than this stay plain.
constexpr double leastBytes = 64e6;
/// What a plan that is tried may take beyond half of what columns have.
constexpr double mostBytes = 64e6;

int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

/// Bytes of the other end that an edge reads in a pass of `pass` elements.
double gatheredBytes(const SweepShape &shape, int64_t pass) {
  return double(pass) * double(shape.colElementBytes) + double(shape.colBytes);
}

/// The share of what edges gather that a cache of so many bytes has of the columns that are used most, of one partition
/// after the other.
double shareOf(const SweepShape &shape, const SweepPlan &plan, double cache) {
  const double bytes = std::max(gatheredBytes(shape, plan.pass), 1.0);
  return shape.shares.ofHighest(cache / bytes * double(plan.partitions));
}

/// Edges that gather.
double gathering(const SweepShape &shape) { return double(shape.edges - shape.repeated); }

/// Nanoseconds of one pass over all partitions. Half of the last cache and three quarters of one's own hold columns,
/// the rest what streams through.
double timeOfPass(const SweepShape &shape, const SweepPlan &plan, const Caches &caches, const Rates &rates) {
  auto rows = double(shape.rows), edges = double(shape.edges), partitions = double(plan.partitions);
  double bytes = gatheredBytes(shape, plan.pass), table = double(shape.cols) * bytes;
  double near = shareOf(shape, plan, double(caches.shared) / 2 * rates.lastCaches);
  double own = std::min(shareOf(shape, plan, double(caches.own) * 0.75), near);
  double ofEdges =
      edges * double(shape.edgeBytes) + (shape.edgeBytes ? (partitions - 1) * rows * double(cacheLine) : 0);
  double states = (partitions - 1) * rows * double(plan.pass) * double(shape.stateBytes); // half is read and written
  double streamed = edges * 4 + table + partitions * rows * double(shape.rowBytes) + ofEdges;
  return gathering(shape) * bytes * (own / rates.own + (near - own) / rates.near + (1 - near) / rates.far) +
         double(shape.repeated) * bytes / rates.near + edges * rates.edgeTime + streamed / rates.streamed +
         states / rates.state + partitions * rows * rates.rowTime;
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

double timeOf(const SweepShape &shape, const SweepPlan &plan, const Caches &caches, const Rates &rates) {
  const double copied =
      plan.pass < shape.elements ? 2 * double(shape.cols) * double(plan.pass * int64_t(shape.colElementBytes)) : 0;
  return double(divideUp(shape.elements, plan.pass)) *
         (timeOfPass(shape, plan, caches, rates) + copied / rates.streamed);
}

/// Of memory beside what the plain plan takes, about: states that wait, copies of a pass, edges by partition.
double bytesOf(const SweepShape &shape, const SweepPlan &plan) {
  double bytes = plan.pass < shape.elements ? double(shape.cols * plan.pass) * double(shape.colElementBytes) : 0;
  if (plan.partitions == 1)
    return bytes;
  const bool isCopied = shape.edges < shape.rows * plan.partitions * Partitions::longRun;
  return bytes + double(divideUp(shape.rows, plan.groups) * plan.pass) * double(shape.stateBytes) +
         double(shape.rows * plan.partitions) * 2 * sizeof(int64_t) +
         (isCopied ? double(shape.edges) * (shape.edgeBytes ? 8 : 4) : 0);
}

} // namespace

int64_t repeatedEdges(Span<const int64_t> offsets, int64_t cols) {
  int64_t count = 0;
  for (size_t row = 0; row + 1 < offsets.size(); ++row)
    count += std::max<int64_t>(offsets[row + 1] - offsets[row] - cols, 0);
  return count;
}

/// The plan of the least time on a machine of these rates.
static SweepPlan bestPlan(const SweepShape &shape, const Caches &caches, const SweepPlan &wanted, const Rates &rates) {
  const SweepPlan plain{std::clamp<int64_t>(wanted.partitions, 1, std::max<int64_t>(shape.cols, 1)),
                        wanted.pass ? std::min(wanted.pass, shape.elements) : shape.elements};
  if (gathering(shape) * gatheredBytes(shape, shape.elements) < leastBytes)
    return plain;
  SweepPlan best = plain;
  double least = timeOf(shape, plain, caches, rates);
  auto considerPass = [&](int64_t pass) {
    const double table = double(shape.cols) * gatheredBytes(shape, pass);
    auto isWorthATry = [&](int64_t partitions) {
      return partitions == plain.partitions || (!wanted.partitions && table > double(partitions) * double(caches.own));
    };
    for (SweepPlan plan{plain.partitions, pass}; isWorthATry(plan.partitions); plan.partitions *= 2)
      if (double time = timeOf(shape, plan, caches, rates); time < worthwhile * least) {
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

SweepPlan planSweep(const SweepShape &shape, const Caches &caches, const SweepPlan &wanted) {
  return bestPlan(shape, caches, wanted, usual);
}

std::vector<SweepPlan> closePlans(const SweepShape &shape, const Caches &caches, const SweepPlan &wanted) {
  std::vector<SweepPlan> plans{planSweep(shape, caches, wanted)};
  const double room = std::min(double(shape.cols) * gatheredBytes(shape, shape.elements) / 2, mostBytes);
  for (const Rates &rates : others) {
    const SweepPlan plan = bestPlan(shape, caches, wanted, rates);
    auto isThere = [&](const SweepPlan &other) {
      return other.partitions == plan.partitions && other.pass == plan.pass;
    };
    if (std::none_of(plans.begin(), plans.end(), isThere) &&
        bytesOf(shape, plan) <= std::max(room, bytesOf(shape, plans[0])))
      plans.push_back(plan);
  }
  return plans;
}

} // namespace gnn::rt
