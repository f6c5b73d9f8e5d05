//===- PairEvaluator.cpp - How well a model finds links -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/PairEvaluator.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/train/Recipe.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// Pairs of one run of the program: many, as each run computes the vertices again.
constexpr int64_t mostPairs = int64_t(1) << 17;

/// Of one query after the other, as many as fit into a run, unless one has more: their scores stay near the processor.
class WholeScores : public CandidateScores {
public:
  WholeScores(Model &model, Binding &binding, uint32_t score) : model(model), binding(binding), score(score) {}

  size_t queriesAtOnce(int64_t candidates) const override {
    return size_t(std::max<int64_t>(mostPairs / std::max<int64_t>(candidates, 1), 1));
  }
  const Tensor &of(Span<const PairQuery> queries, bool ofSource, bool hasTypes) override {
    const PairEnds ends = pairEnds(*model.library(), binding);
    const int64_t numEnds = ofSource ? ends.numDestinations : ends.numSources,
                  numCandidates = ofSource ? ends.numSources : ends.numDestinations,
                  count = int64_t(queries.size()) * numCandidates;
    binding.setPairs(candidatePairs(queries, ofSource, numEnds, numCandidates, hasTypes));
    if (!executor || count != pairs || ofSource != areOfSource)
      executor = model.executor(binding, *model.library()->program(GNN_PROGRAM_INFER), /*parametersStay=*/true);
    pairs = count;
    areOfSource = ofSource;
    executor->run(/*stepKey=*/0);
    return executor->result(score);
  }

private:
  Model &model;
  Binding &binding;
  const uint32_t score;
  std::unique_ptr<Executor> executor; // over pairs of one number
  int64_t pairs = 0;
  bool areOfSource = false;
};

} // namespace

ScoredResults scoredResults(const Library &library, const Binding &binding) {
  const gnn_program_t *infer = library.program(GNN_PROGRAM_INFER), *evaluate = library.program(GNN_PROGRAM_EVALUATE);
  std::optional<uint32_t> relation = pairsRelation(library);
  require(infer && evaluate && relation && evaluate->num_results > infer->num_results, GNN_ERROR_MISMATCH,
          library.path(), " has no program @evaluate over pairs");
  const std::string lossOutput = recipeOf(library).lossOutput;
  std::optional<uint32_t> found;
  for (uint32_t i = 0; i < infer->num_results && !found; ++i) {
    const gnn_tensor_info_t &info = library.tensor(evaluate->results[i]);
    if (info.domain == GNN_DOMAIN_EDGE && info.type == *relation && info.rank == 0 &&
        (lossOutput.empty() || lossOutput == info.name))
      found = i;
  }
  require(found.has_value(), GNN_ERROR_MISMATCH, library.name(), " has no output that is one number for each pair");
  return {*found, infer->num_results};
}

PairsInMemory::PairsInMemory(Model &evaluated, std::shared_ptr<const Graph> graph, const Features &features,
                             const std::string &where)
    : model(evaluated), binding(model.library(), model.dims(), std::move(graph), features, /*withTargets=*/true, where),
      results(scoredResults(*model.library(), binding)) {}

PairEvaluator::Scores PairsInMemory::evaluate(const Pairs &pairs, const std::vector<double> &targets) {
  Scores result;
  const gnn_program_t &program = *model.library()->program(GNN_PROGRAM_EVALUATE);
  int64_t wanted = std::min(pairs.count(), mostPairs);
  result.scores.reserve(size_t(pairs.count()));
  result.losses.reserve(size_t(pairs.count()));
  for (int64_t begin = 0; begin < pairs.count(); begin += wanted) {
    Pairs part;
    std::vector<double> partTargets;
    for (int64_t i = begin; i < begin + wanted; ++i) { // the last batch is filled up with its last pair
      size_t from = size_t(std::min(i, pairs.count() - 1));
      part.src.push_back(pairs.src[from]);
      part.dst.push_back(pairs.dst[from]);
      if (!pairs.types.empty())
        part.types.push_back(pairs.types[from]);
      partTargets.push_back(targets[from]);
    }
    binding.setPairs(part, partTargets);
    if (!executor || batch != wanted) {
      executor = model.executor(binding, program);
      batch = wanted;
    }
    executor->run(/*stepKey=*/0);
    for (int64_t i = begin; i < std::min(begin + wanted, pairs.count()); ++i) {
      result.scores.push_back(numberAt(executor->result(results.score), i - begin));
      result.losses.push_back(numberAt(executor->result(results.loss), i - begin));
    }
  }
  return result;
}

std::optional<std::vector<double>> PairsInMemory::ranks(const Pairs &pairs, const PairSet &known,
                                                        const RankingReport &report) {
  executor = nullptr; // it is over other pairs
  WholeScores scores(model, binding, results.score);
  return PairRanking(*model.library(), binding, scores).ranks(pairs, known, report);
}

} // namespace gnn::rt
