//===- CandidatePairs.cpp - One end given, the other any vertex -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/CandidatePairs.h"

#include "runtime/src/core/Parallel.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace gnn::rt {

namespace {

Csr emptyCsr(int64_t rows, int64_t pairs, bool hasTypes) {
  Csr csr;
  csr.offsets = Buffer<int64_t>(size_t(rows) + 1);
  csr.cols = Buffer<uint32_t>(size_t(pairs));
  csr.edgeIds.narrow = Buffer<uint32_t>(size_t(pairs));
  if (hasTypes)
    csr.types = Buffer<int32_t>(size_t(pairs));
  return csr;
}

/// Rows are the ends of queries: those of a query lie side by side, as their ids do.
Csr byEnd(Span<const PairQuery> queries, int64_t numEnds, int64_t numCandidates, bool hasTypes) {
  Csr csr = emptyCsr(numEnds, int64_t(queries.size()) * numCandidates, hasTypes);
  size_t before = 0;
  for (int64_t row = 0; row <= numEnds; ++row) {
    while (before < queries.size() && queries[before].end < row)
      ++before;
    csr.offsets[size_t(row)] = int64_t(before) * numCandidates;
  }
  parallelFor(size_t(0), queries.size(), [&](size_t q) {
    const size_t begin = q * size_t(numCandidates), end = begin + size_t(numCandidates);
    std::iota(csr.cols.begin() + begin, csr.cols.begin() + end, 0u);
    std::iota(csr.edgeIds.narrow.begin() + begin, csr.edgeIds.narrow.begin() + end, uint32_t(begin));
    if (hasTypes)
      std::fill(csr.types.begin() + begin, csr.types.begin() + end, queries[q].type);
  });
  return csr;
}

/// Rows are the candidates, each of which has all queries.
Csr byCandidate(Span<const PairQuery> queries, int64_t numCandidates, bool hasTypes) {
  Csr csr = emptyCsr(numCandidates, int64_t(queries.size()) * numCandidates, hasTypes);
  std::vector<uint32_t> order(queries.size()); // as rows are sorted
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return queries[a].type < queries[b].type; // by end they are sorted already
  });
  const tbb::blocked_range<size_t> rows(0, size_t(numCandidates), 1024);
  parallelFor(rows, [&](const tbb::blocked_range<size_t> &part) {
    for (size_t v = part.begin(); v < part.end(); ++v) {
      size_t position = v * queries.size();
      csr.offsets[v] = int64_t(position);
      for (uint32_t q : order) {
        csr.cols[position] = queries[q].end;
        csr.edgeIds.narrow[position] = uint32_t(size_t(q) * size_t(numCandidates) + v);
        if (hasTypes)
          csr.types[position] = queries[q].type;
        ++position;
      }
    }
  });
  csr.offsets[size_t(numCandidates)] = int64_t(queries.size()) * numCandidates;
  return csr;
}

} // namespace

SortedEdges candidatePairs(Span<const PairQuery> queries, bool ofSource, int64_t numEnds, int64_t numCandidates,
                           bool hasTypes) {
  assert(std::is_sorted(queries.begin(), queries.end()));
  assert(int64_t(queries.size()) * numCandidates <= int64_t(UINT32_MAX));
  Csr ofEnds = byEnd(queries, numEnds, numCandidates, hasTypes), ofAll = byCandidate(queries, numCandidates, hasTypes);
  SortedEdges pairs;
  pairs.byDestination = std::move(ofSource ? ofEnds : ofAll);
  pairs.bySource = std::move(ofSource ? ofAll : ofEnds);
  return pairs;
}

} // namespace gnn::rt
