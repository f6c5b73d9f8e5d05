//===- PairRanking.cpp - Ranks of true pairs ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/PairRanking.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Parallel.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// A true pair: where in `queries` its query is, and which candidate it is.
struct Truth {
  size_t query, candidate;
  size_t place; // of its rank in the result
};

/// True pairs that are no rivals, by query.
struct Known {
  PairQuery query;
  uint32_t candidate;

  bool operator<(const Known &other) const {
    return query == other.query ? candidate < other.candidate : query < other.query;
  }
  bool operator==(const Known &other) const { return query == other.query && candidate == other.candidate; }
};

/// 1 and those that are better, of `scores` by candidate; `known`: the true ones of the query.
template <class T> double rankOf(size_t truth, const T *scores, size_t numCandidates, Span<const Known> known) {
  const T own = scores[truth];
  size_t worse = 0, equal = 0;
  for (size_t v = 0; v < numCandidates; ++v) {
    worse += scores[v] < own;
    equal += scores[v] == own;
  }
  size_t better = numCandidates - worse - equal;
  auto leaveOut = [&](size_t v) { --(scores[v] < own ? worse : scores[v] == own ? equal : better); };
  leaveOut(truth);
  for (const Known &pair : known)
    if (pair.candidate != truth)
      leaveOut(pair.candidate);
  return 1 + double(better) + double(equal) / 2;
}

} // namespace

RankMetrics rankMetrics(const std::vector<double> &ranks) {
  RankMetrics result;
  const auto count = double(ranks.size());
  for (int k : {1, 3, 10}) {
    std::optional<double> &share = result.hits[k];
    if (!ranks.empty())
      share = double(std::count_if(ranks.begin(), ranks.end(), [&](double rank) { return rank <= k; })) / count;
  }
  double sum = 0;
  for (double rank : ranks)
    sum += 1 / rank / count;
  if (!ranks.empty())
    result.meanReciprocalRank = sum;
  return result;
}

bool isOfRanks(const std::string &metric) { return metric == "mrr" || metric.rfind("hits@", 0) == 0; }

/// What one end of all pairs is replaced with.
struct PairRanking::Side {
  Side(const Library &library, const Binding &binding, bool isSource, const Pairs &pairs, const PairSet &knownPairs)
      : ofSource(isSource) {
    const gnn_relation_t &info = library.relation(*pairsRelation(library));
    const uint32_t types[] = {info.source_type, info.destination_type};
    hasTypes = info.types >= 0;
    numCandidates = binding.rows(types[ofSource ? 0 : 1]);
    numEnds = binding.rows(types[ofSource ? 1 : 0]);
    candidateOrder = binding.order(types[ofSource ? 0 : 1]);
    endOrder = binding.order(types[ofSource ? 1 : 0]);
    for (size_t i = 0; i < pairs.src.size(); ++i) {
      require(isThere(pairs.src[i], pairs.dst[i]), GNN_ERROR_DATA, "pair ", i, ": ", pairs.src[i], " and ",
              pairs.dst[i], " are out of range, expected vertices below ", ofSource ? numCandidates : numEnds, " and ",
              ofSource ? numEnds : numCandidates);
      queries.push_back(queryOf(pairs.src[i], pairs.types.empty() ? 0 : pairs.types[i], pairs.dst[i]));
    }
    std::vector<PairQuery> each = queries;
    std::sort(queries.begin(), queries.end());
    queries.erase(std::unique(queries.begin(), queries.end()), queries.end());
    for (size_t i = 0; i < each.size(); ++i)
      truths.push_back({place(each[i]), candidateOf(pairs.src[i], pairs.dst[i]), i});
    std::stable_sort(truths.begin(), truths.end(), [](const Truth &a, const Truth &b) { return a.query < b.query; });
    knownPairs.forAll([&](int64_t src, int64_t type, int64_t dst) {
      if (isThere(src, dst))
        known.push_back({queryOf(src, type, dst), candidateOf(src, dst)});
    });
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
  }

  bool isThere(int64_t src, int64_t dst) const {
    return uint64_t(ofSource ? src : dst) < uint64_t(numCandidates) &&
           uint64_t(ofSource ? dst : src) < uint64_t(numEnds);
  }
  PairQuery queryOf(int64_t src, int64_t type, int64_t dst) const {
    return {localOf(ofSource ? dst : src, endOrder), hasTypes ? int32_t(type) : 0};
  }
  uint32_t candidateOf(int64_t src, int64_t dst) const { return localOf(ofSource ? src : dst, candidateOrder); }
  static uint32_t localOf(int64_t id, const VertexOrder *order) {
    return order ? order->local[size_t(id)] : uint32_t(id);
  }
  size_t place(const PairQuery &query) const {
    return size_t(std::lower_bound(queries.begin(), queries.end(), query) - queries.begin());
  }
  Span<const Known> knownOf(const PairQuery &query) const {
    auto begin = std::lower_bound(known.begin(), known.end(), Known{query, 0});
    auto end = std::upper_bound(begin, known.end(), Known{query, UINT32_MAX});
    return {known.data() + (begin - known.begin()), size_t(end - begin)};
  }

  /// Writes the ranks of the true pairs of the queries [first, last), whose candidates have these scores.
  void rank(size_t first, size_t last, const Tensor &scores, double *ranks) const {
    if (scores.element() == GNN_F32)
      return rank(first, last, scores.data<float>(), ranks);
    rank(first, last, scores.as(GNN_F64, "scores").data<double>(), ranks);
  }
  template <class T> void rank(size_t first, size_t last, const T *scores, double *ranks) const {
    auto isBefore = [](const Truth &truth, size_t query) { return truth.query < query; };
    const auto begin = std::lower_bound(truths.begin(), truths.end(), first, isBefore),
               end = std::lower_bound(begin, truths.end(), last, isBefore);
    parallelFor(begin - truths.begin(), end - truths.begin(), [&](std::ptrdiff_t i) {
      const Truth &truth = truths[size_t(i)];
      const T *own = scores + (truth.query - first) * size_t(numCandidates);
      ranks[truth.place] = rankOf(truth.candidate, own, size_t(numCandidates), knownOf(queries[truth.query]));
    });
  }

  const bool ofSource;
  bool hasTypes;
  int64_t numCandidates, numEnds;
  const VertexOrder *candidateOrder, *endOrder;
  std::vector<PairQuery> queries; // rising, each once
  std::vector<Truth> truths;      // by query
  std::vector<Known> known;       // rising, each once
};

std::optional<std::vector<double>> PairRanking::ranks(const Pairs &pairs, const PairSet &known,
                                                      const RankingReport &report) {
  std::vector<double> result(2 * pairs.src.size());
  for (bool ofSource : {true, false}) {
    const Side side(library, binding, ofSource, pairs, known);
    const auto isDone = [&](size_t queries) {
      const double share = double(queries) / double(side.queries.size());
      return !report || report((ofSource ? share : 1 + share) / 2);
    };
    if (!rankSide(side, isDone, result.data() + (ofSource ? 0 : pairs.src.size())))
      return std::nullopt;
  }
  return result;
}

/// False if `goOn`, which is told how many queries are done, ended it.
bool PairRanking::rankSide(const Side &side, const std::function<bool(size_t)> &goOn, double *ranks) {
  const size_t perRun = scores.queriesAtOnce(side.numCandidates);
  for (size_t first = 0, last = 0; first < side.queries.size(); first = last) {
    last = std::min(first + perRun, side.queries.size());
    const Span<const PairQuery> queries(side.queries.data() + first, last - first);
    side.rank(first, last, scores.of(queries, side.ofSource, side.hasTypes), ranks);
    if (!goOn(last))
      return false;
  }
  return true;
}

} // namespace gnn::rt
