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

} // namespace

PairEvaluator::PairEvaluator(Model &evaluated, std::shared_ptr<const Graph> graph, const Features &features,
                             const std::string &where)
    : model(evaluated),
      binding(model.library(), model.dims(), std::move(graph), features, /*withTargets=*/true, where) {
  const Library &library = *model.library();
  const gnn_program_t *infer = library.program(GNN_PROGRAM_INFER), *evaluate = library.program(GNN_PROGRAM_EVALUATE);
  std::optional<uint32_t> relation = binding.pairsRelation();
  require(infer && evaluate && relation && evaluate->num_results > infer->num_results, GNN_ERROR_MISMATCH,
          library.path(), " has no program @evaluate over pairs");
  lossResult = infer->num_results;
  std::string lossOutput = recipeOf(library).lossOutput;
  bool isFound = false;
  for (uint32_t i = 0; i < infer->num_results && !isFound; ++i) {
    const gnn_tensor_info_t &info = library.tensor(evaluate->results[i]);
    isFound = info.domain == GNN_DOMAIN_EDGE && info.type == *relation && info.rank == 0 &&
              (lossOutput.empty() || lossOutput == info.name);
    scoreResult = i;
  }
  require(isFound, GNN_ERROR_MISMATCH, library.name(), " has no output that is one number for each pair");
}

PairEnds PairEvaluator::ends() const {
  const gnn_relation_t &relation = model.library()->table().relations[*binding.pairsRelation()];
  return {binding.rows(relation.source_type), binding.rows(relation.destination_type)};
}

PairEvaluator::Scores PairEvaluator::evaluate(const Pairs &pairs, const std::vector<double> &targets) {
  Scores result;
  const gnn_program_t &program = *model.library()->program(GNN_PROGRAM_EVALUATE);
  int64_t wanted = std::min(pairs.count(), mostPairs);
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
      result.scores.push_back(numberAt(executor->result(scoreResult), i - begin));
      result.losses.push_back(numberAt(executor->result(lossResult), i - begin));
    }
  }
  return result;
}

std::optional<std::vector<double>> PairEvaluator::ranks(const Pairs &pairs, const PairSet &known,
                                                        const RankingReport &report) {
  executor = nullptr; // it is over other pairs
  return PairRanking(model, binding, scoreResult).ranks(pairs, known, report);
}

} // namespace gnn::rt
