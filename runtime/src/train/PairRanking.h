//===- PairRanking.h - Ranks of true pairs ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a true pair stands among all that differ from it in one end, without the other true ones ("filtered", Bordes et
// al. 2013). What vertices are is computed once; pairs that share an end and a type share their candidates' scores.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_PAIRRANKING_H
#define GNN_TRAIN_PAIRRANKING_H

#include "runtime/src/graph/CandidatePairs.h"
#include "runtime/src/train/Pairs.h"

#include <functional>
#include <optional>

namespace gnn::rt {

/// Means over ranks from 1, none of no ranks; `hits` by k.
struct RankMetrics {
  std::optional<double> meanReciprocalRank;
  std::map<int, std::optional<double>> hits; // 1, 3, 10
};
RankMetrics rankMetrics(const std::vector<double> &ranks);
/// Whether a metric of this name is one of them.
bool isOfRanks(const std::string &metric);

/// Told what share of the work is done; whether to go on.
using RankingReport = std::function<bool(double share)>;

/// Scores of pairs that have one end and a type in common.
class CandidateScores {
public:
  virtual ~CandidateScores() = default;

  /// How many queries are answered at a time, of so many candidates each.
  virtual size_t queriesAtOnce(int64_t candidates) const = 0;
  /// [queries, candidates], until the next call: of each query beside each vertex, which is the source or the
  /// destination. All but the last queries of a side are as many as are answered at a time.
  virtual const Tensor &of(Span<const PairQuery> queries, bool ofSource, bool hasTypes) = 0;
};

class PairRanking {
public:
  /// All arguments must outlive this.
  PairRanking(const Library &library, const Binding &binding, CandidateScores &scores)
      : library(library), binding(binding), scores(scores) {}

  /// With the parameters that the model has now: the rank of each pair among those with another source, then of each
  /// among those with another destination. Ties count half; a score that is not a number is better than all others, so
  /// that no model gains by it. Nothing if `report`, which may be empty, ends it. Throws GNN_ERROR_DATA for a vertex
  /// that there is not.
  std::optional<std::vector<double>> ranks(const Pairs &pairs, const PairSet &known, const RankingReport &report);

private:
  struct Side;
  bool rankSide(const Side &side, const std::function<bool(size_t)> &goOn, double *ranks);

  const Library &library;
  const Binding &binding;
  CandidateScores &scores;
};

} // namespace gnn::rt

#endif // GNN_TRAIN_PAIRRANKING_H
