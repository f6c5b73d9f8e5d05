//===- CandidatePairsTest.cpp - Tests of pairs with all candidates --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/CandidatePairs.h"
#include "runtime/src/graph/SortEdges.h"

#include <catch2/catch.hpp>

using namespace gnn::rt;

namespace {

/// The same pairs as a list, in the order of their numbers.
SortedEdges sortedList(const std::vector<PairQuery> &queries, bool ofSource, int64_t ends, int64_t candidates,
                       bool hasTypes) {
  const size_t count = queries.size() * size_t(candidates);
  EdgeList list{Buffer<uint32_t>(count), Buffer<uint32_t>(count), Buffer<int32_t>(hasTypes ? count : 0)};
  size_t i = 0;
  for (const PairQuery &query : queries)
    for (uint32_t v = 0; v < candidates; ++v, ++i) {
      list.src[i] = ofSource ? v : query.end;
      list.dst[i] = ofSource ? query.end : v;
      if (hasTypes)
        list.type[i] = query.type;
    }
  return sortEdges(list, ofSource ? candidates : ends, ofSource ? ends : candidates);
}

template <class T> std::vector<T> copied(const Buffer<T> &values) { return {values.begin(), values.end()}; }

void checkSame(const Csr &csr, const Csr &expected) {
  CHECK(copied(csr.offsets) == copied(expected.offsets));
  CHECK(copied(csr.cols) == copied(expected.cols));
  CHECK(copied(csr.types) == copied(expected.types));
  CHECK(copied(csr.edgeIds.narrow) == copied(expected.edgeIds.narrow));
}

} // namespace

TEST_CASE("pairs with all candidates are those of a sorted list") {
  const std::vector<PairQuery> several{{0, 2}, {3, 0}, {3, 1}, {3, 4}, {6, 1}}, one{{2, 0}}, none;
  for (const std::vector<PairQuery> &queries : {several, one, none})
    for (bool ofSource : {true, false})
      for (bool hasTypes : {true, false})
        for (int64_t candidates : {1, 5, 3000}) {
          if (!hasTypes && queries.size() > 1)
            continue; // ends are queries then, and each is there once
          const SortedEdges pairs = candidatePairs(queries, ofSource, /*numEnds=*/7, candidates, hasTypes),
                            expected = sortedList(queries, ofSource, 7, candidates, hasTypes);
          checkSame(pairs.byDestination, expected.byDestination);
          checkSame(pairs.bySource, expected.bySource);
        }
}
