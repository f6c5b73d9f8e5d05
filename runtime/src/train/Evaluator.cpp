//===- Evaluator.cpp - What a split says of a model -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Evaluator.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/train/Recipe.h"
#include "runtime/src/train/TrainingSplit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace gnn::rt {

namespace {

/// Rows of a split whose places are looked up, losses and hits together, at a time.
constexpr size_t rowsAtATime = size_t(1) << 18;

/// Where the graph is not kept in memory.
constexpr CurveMemory withinLimit{size_t(8) << 20};

/// Key of the draws of pairs that splits are evaluated with: the same in every run.
constexpr uint64_t pairsOfEvaluation = 0x6a756467;

/// Labels that are numbers, not classes, of the rows that the loss is over. Those that are NaN are missing.
std::vector<Tensor> numberLabels(const TrainingContext &context) {
  std::vector<Tensor> tables;
  for (uint32_t t : targetsOfLoss(context.library, context.binding))
    if (const Tensor &table = context.binding.data(t); !isClassTarget(context.library.tensor(t)) && table.count() > 0)
      tables.push_back(table.onHost());
  return tables;
}

int64_t missingIn(const std::vector<Tensor> &tables, int64_t row) {
  int64_t missing = 0;
  for (const Tensor &table : tables) {
    const int64_t width = table.count() / table.dim(0);
    for (int64_t k = row * width; k < (row + 1) * width; ++k)
      missing += std::isnan(numberAt(table, k));
  }
  return missing;
}

} // namespace

bool Metrics::has(const std::string &monitor) const {
  return monitor.empty() || monitor == "loss" || others.count(monitor);
}

double Metrics::score(const std::string &monitor) const {
  const std::string name = monitor.empty() ? (areOfPairs ? "auc" : "loss") : monitor;
  std::string known = "loss";
  for (const auto &[other, value] : others)
    known += ", " + other;
  auto found = others.find(name);
  require(name == "loss" || found != others.end(), GNN_ERROR_ARGUMENT, "validation has no metric '", name, "'; it has ",
          known);
  const double value = (name == "loss" ? loss : found->second).value_or(NAN);
  return name == "loss" || name == "mae" || name == "rmse" ? -value : value;
}

RowEvaluator::RowEvaluator(const TrainingContext &of, std::unique_ptr<Executor> evaluate, bool keeps)
    : context(of), executor(std::move(evaluate)), keepsGraph(keeps),
      hasAccuracy(context.evaluate.num_results > context.numOutputs + 1) {}

uint64_t RowEvaluator::bytesOfMetrics(uint64_t rows) {
  constexpr uint64_t ofPlace = 8, ofScore = 16, ofCurve = 8, ofPieces = 4 << 20;
  return rows * (ofPlace + ofScore) + std::max(rows * ofCurve, uint64_t(withinLimit.bytes)) + ofPieces;
}

Metrics RowEvaluator::metrics(const Tensor &split, const std::string &name, bool inFull, const RankingReport &) const {
  const Span<const int64_t> ids = split.values<int64_t>();
  requireLabels(context, ids, name);
  Metrics result = rowMetrics(ids);
  if (!inFull)
    return result;
  Scores scores = scoresOf(ids);
  for (const auto &[metric, value] : scores.values)
    result.others[metric] = value;
  result.confusion = std::move(scores.confusion);
  return result;
}

/// Loss and accuracy. The loss of a row with a missing label is NaN, which says nothing of the others.
Metrics RowEvaluator::rowMetrics(Span<const int64_t> ids) const {
  const std::vector<Tensor> labels = numberLabels(context);
  double loss = 0, correct = 0;
  int64_t count = 0;
  Metrics result;
  for (size_t begin = 0; begin < ids.size(); begin += rowsAtATime) {
    const std::vector<int64_t> rows = context.rowsOfTables(ids.slice(begin, std::min(rowsAtATime, ids.size() - begin)));
    const Tensor losses = executor->resultRows(context.numOutputs, rows);
    for (int64_t i = 0; i < losses.count(); ++i) {
      const double lossOfRow = numberAt(losses, i);
      const int64_t missing = missingIn(labels, rows[size_t(i)]);
      result.numMissingLabels += missing;
      if (missing > 0 && std::isnan(lossOfRow))
        continue;
      loss += lossOfRow;
      ++count;
    }
    if (!hasAccuracy)
      continue;
    const Tensor hits = executor->resultRows(context.numOutputs + 1, rows);
    for (int64_t i = 0; i < hits.count(); ++i)
      correct += numberAt(hits, i);
  }
  if (count > 0)
    result.loss = loss / double(count);
  if (hasAccuracy)
    result.others["accuracy"] = ids.empty() ? std::nullopt : MetricValue(correct / double(ids.size()));
  return result;
}

/// In the order of ids, which is that of tables that are read from a file.
Scores RowEvaluator::scoresOf(Span<const int64_t> split) const {
  const Library &library = context.library;
  const Recipe recipe = recipeOf(library);
  const std::vector<uint32_t> ofLoss = targetsOfLoss(library, context.binding);
  if (ofLoss.size() != 1)
    return {};
  const gnn_tensor_info_t &target = library.tensor(ofLoss[0]);
  std::vector<int64_t> places(split.begin(), split.end());
  std::sort(places.begin(), places.end());
  places = context.rowsOfTables(places);
  auto widthOf = [&](const gnn_tensor_info_t &info) {
    const std::vector<int64_t> shape = context.model.dims().shapeOf(info);
    return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
  };
  for (uint32_t result = 0; result < context.numOutputs; ++result) {
    const gnn_tensor_info_t &output = library.tensor(context.evaluate.results[result]);
    if (recipe.lossOutput != output.name || output.domain != target.domain || output.type != target.type)
      continue;
    const int64_t width = widthOf(target);
    const Tensor &targets = context.binding.data(ofLoss[0]);
    const Rows wanted{width, int64_t(places.size()), [&](int64_t first, int64_t rows, double *to) {
                        for (int64_t i = first; i < first + rows; ++i)
                          for (int64_t k = 0; k < width; ++k)
                            *to++ = numberAt(targets, places[size_t(i)] * width + k);
                      }};
    const Rows found{widthOf(output), wanted.count, [&](int64_t first, int64_t rows, double *to) {
                       const Tensor part = executor->resultRows(result, {places.data() + first, size_t(rows)});
                       for (int64_t i = 0; i < part.count(); ++i)
                         to[i] = numberAt(part, i);
                     }};
    const CurveMemory memory = keepsGraph ? CurveMemory() : withinLimit;
    if (recipe.lossKind == "cross_entropy")
      return classScores(found, wanted, memory);
    if (recipe.lossKind == "binary_cross_entropy")
      return binaryScores(found, wanted, memory);
    if (recipe.lossKind == "mean_squared_error")
      return numberScores(found, wanted);
  }
  return {};
}

std::vector<Evaluator::DegreeShare> RowEvaluator::accuracyByDegree(const Tensor &split) const {
  const Library &library = context.library;
  const gnn_tensor_info_t *mask = lossMask(context.library);
  if (!keepsGraph || !hasAccuracy || !mask || mask->domain != GNN_DOMAIN_VERTEX)
    return {};
  std::map<int, std::pair<int64_t, double>> shares; // vertices and right ones, by the power of two
  for (int64_t row : context.rowsOfTables(split.values<int64_t>())) {
    int64_t degree = 0;
    for (uint32_t r = 0; r < library.table().num_relations; ++r) {
      const gnn_relation_t &relation = library.relation(r);
      if (relation.kind != GNN_RELATION_EDGES || relation.destination_type != mask->type)
        continue;
      const gnn_block_t block = context.binding.relation(r).block(GNN_TO_DESTINATION);
      degree += block.ends[row] - block.offsets[row];
    }
    int power = 0;
    while (degree >> power)
      ++power;
    auto &[vertices, right] = shares[power];
    ++vertices;
    right += numberAt(executor->result(context.numOutputs + 1), row);
  }
  std::vector<DegreeShare> result;
  for (const auto &[power, share] : shares)
    result.push_back({power ? int64_t(1) << (power - 1) : 0, (int64_t(1) << power) - 1, share.first,
                      share.second / double(share.first)});
  return result;
}

Metrics LinkEvaluator::metrics(const Tensor &split, const std::string &name, bool inFull,
                               const RankingReport &report) const {
  const Pairs positive = pairsOf(split, name + " in " + context.where);
  const PairSet &knownPairs = context.knownPairs;
  PairSet withSplit; // a copy only where the split is not known, which takes memory
  const bool isKnown = knownPairs.containsAll(positive);
  if (!isKnown) {
    withSplit = knownPairs;
    withSplit.add(positive);
  }
  const PairSet &known = isKnown ? knownPairs : withSplit;
  const PairsWithNegatives all =
      withNegatives(positive, 1, pairEnds(context.library, context.binding), known, pairsOfEvaluation);
  const PairEvaluator::Scores evaluated = pairs.evaluate(all.pairs, pairTargets(positive.count(), all.pairs.count()));
  Metrics result;
  result.numMissingNegatives = all.numLeftOut;
  double loss = 0;
  for (double lossOfPair : evaluated.losses)
    loss += lossOfPair / double(evaluated.losses.size());
  if (!evaluated.losses.empty())
    result.loss = loss;
  auto middle = evaluated.scores.begin() + positive.count();
  const std::vector<double> positives(evaluated.scores.begin(), middle), others(middle, evaluated.scores.end());
  result.areOfPairs = true;
  result.others["auc"] = areaUnderCurve(positives, others);
  result.others["ap"] = averagePrecision(positives, others);
  if (!inFull)
    return result;
  const std::optional<std::vector<double>> ranks = pairs.ranks(positive, known, report);
  if (!ranks)
    return result;
  const RankMetrics ranked = rankMetrics(*ranks);
  result.others["mrr"] = ranked.meanReciprocalRank;
  for (auto [k, share] : ranked.hits)
    result.others["hits@" + std::to_string(k)] = share;
  return result;
}

} // namespace gnn::rt
