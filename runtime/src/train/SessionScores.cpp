//===- SessionScores.cpp - What a split says of the model ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Recipe.h"
#include "runtime/src/train/Scores.h"
#include "runtime/src/train/Session.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace gnn::rt {

/// The target of the loss, if there is but one that can be.
static const gnn_tensor_info_t *targetOf(const Library &library, const gnn_tensor_info_t &mask) {
  const gnn_tensor_info_t *target = nullptr;
  for (const gnn_tensor_info_t &info : library.tensors()) {
    if (info.role != GNN_ROLE_TARGET || info.domain != mask.domain || info.type != mask.type)
      continue;
    if (target)
      return nullptr;
    target = &info;
  }
  return target;
}

/// Rows of a split whose places are looked up, losses and hits together, at a time.
static constexpr size_t rowsAtATime = size_t(1) << 18;

/// Beside which there is a limit of memory.
static constexpr CurveMemory withinLimit{size_t(8) << 20};

namespace {

/// Labels that are numbers, not classes, of the rows that the loss is over. Those that are NaN are missing.
class NumberLabels {
public:
  NumberLabels(const Library &library, const Binding &binding) {
    const gnn_tensor_info_t *mask = binding.lossMask();
    for (uint32_t t = 0; mask && t < library.tensors().size(); ++t) {
      const gnn_tensor_info_t &info = library.tensor(t);
      if (info.role == GNN_ROLE_TARGET && !isClassTarget(info) && info.domain == mask->domain &&
          info.type == mask->type && binding.data(t).count() > 0)
        tables.push_back(binding.data(t).onHost());
    }
  }

  int64_t missingIn(int64_t row) const {
    int64_t missing = 0;
    for (const Tensor &table : tables) {
      const int64_t width = table.count() / table.dim(0);
      for (int64_t k = row * width; k < (row + 1) * width; ++k)
        missing += std::isnan(numberAt(table, k));
    }
    return missing;
  }

private:
  std::vector<Tensor> tables;
};

} // namespace

uint64_t Session::bytesOfMetrics(uint64_t rows) {
  constexpr uint64_t ofPlace = 8, ofScore = 16, ofCurve = 8, ofPieces = 4 << 20;
  return rows * (ofPlace + ofScore) + std::max(rows * ofCurve, uint64_t(withinLimit.bytes)) + ofPieces;
}

Metrics Session::metrics(const Tensor &split, const std::string &name, bool inFull, const RankingReport &report) const {
  if (scoresPairs())
    return pairMetrics(pairsOf(split, name + " in " + where), inFull, report);
  const Span<const int64_t> ids = split.values<int64_t>();
  requireLabels(ids, name);
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
Metrics Session::rowMetrics(Span<const int64_t> ids) const {
  const bool hasAccuracy = evaluateProgram.num_results > numOutputs + 1;
  const NumberLabels labels(*model.library(), binding);
  double loss = 0, correct = 0;
  int64_t count = 0;
  Metrics result;
  for (size_t begin = 0; begin < ids.size(); begin += rowsAtATime) {
    const std::vector<int64_t> rows = rowsOfTables(ids.slice(begin, std::min(rowsAtATime, ids.size() - begin)));
    const Tensor losses = evaluation->resultRows(numOutputs, rows);
    for (int64_t i = 0; i < losses.count(); ++i) {
      const double lossOfRow = numberAt(losses, i);
      const int64_t missing = labels.missingIn(rows[size_t(i)]);
      result.numMissingLabels += missing;
      if (missing > 0 && std::isnan(lossOfRow))
        continue;
      loss += lossOfRow;
      ++count;
    }
    if (!hasAccuracy)
      continue;
    const Tensor hits = evaluation->resultRows(numOutputs + 1, rows);
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
Scores Session::scoresOf(Span<const int64_t> split) const {
  const Library &library = *model.library();
  const Recipe recipe = recipeOf(library);
  const gnn_tensor_info_t *mask = binding.lossMask();
  const gnn_tensor_info_t *target = mask ? targetOf(library, *mask) : nullptr;
  std::vector<int64_t> places(split.begin(), split.end());
  std::sort(places.begin(), places.end());
  places = rowsOfTables(places);
  auto widthOf = [&](const gnn_tensor_info_t &info) {
    const std::vector<int64_t> shape = model.dims().shapeOf(info);
    return std::accumulate(shape.begin(), shape.end(), int64_t(1), std::multiplies<>());
  };
  for (uint32_t result = 0; target && result < numOutputs; ++result) {
    const gnn_tensor_info_t &output = library.tensor(evaluateProgram.results[result]);
    if (recipe.lossOutput != output.name || output.domain != mask->domain || output.type != mask->type)
      continue;
    const int64_t width = widthOf(*target);
    const Tensor &targets = binding.data(uint32_t(target - &library.tensor(0)));
    const Rows wanted{width, int64_t(places.size()), [&](int64_t first, int64_t rows, double *to) {
                        for (int64_t i = first; i < first + rows; ++i)
                          for (int64_t k = 0; k < width; ++k)
                            *to++ = numberAt(targets, places[size_t(i)] * width + k);
                      }};
    const Rows found{widthOf(output), wanted.count, [&](int64_t first, int64_t rows, double *to) {
                       const Tensor part = evaluation->resultRows(result, {places.data() + first, size_t(rows)});
                       for (int64_t i = 0; i < part.count(); ++i)
                         to[i] = numberAt(part, i);
                     }};
    const CurveMemory memory = within || samplesWithin ? withinLimit : CurveMemory();
    if (recipe.lossKind == "cross_entropy")
      return classScores(found, wanted, memory);
    if (recipe.lossKind == "binary_cross_entropy")
      return binaryScores(found, wanted, memory);
    if (recipe.lossKind == "mean_squared_error")
      return numberScores(found, wanted);
  }
  return {};
}

std::vector<Session::DegreeShare> Session::accuracyByDegree(const Tensor &split) const {
  const Library &library = *model.library();
  const gnn_tensor_info_t *mask = binding.lossMask();
  if (scoresPairs() || within || sampledWithin() || sampledOnDevice() || !evaluation || !mask ||
      mask->domain != GNN_DOMAIN_VERTEX || evaluateProgram.num_results <= numOutputs + 1)
    return {};
  const VertexOrder *order = binding.order(mask->type);
  std::map<int, std::pair<int64_t, double>> shares; // vertices and right ones, by the power of two
  for (int64_t id : split.values<int64_t>()) {
    const int64_t row = order ? order->local[size_t(id)] : id;
    int64_t degree = 0;
    for (uint32_t r = 0; r < library.table().num_relations; ++r) {
      const gnn_relation_t &relation = library.relation(r);
      if (relation.kind != GNN_RELATION_EDGES || relation.destination_type != mask->type)
        continue;
      const gnn_block_t block = binding.relation(r).block(GNN_TO_DESTINATION);
      degree += block.ends[row] - block.offsets[row];
    }
    int power = 0;
    while (degree >> power)
      ++power;
    auto &[vertices, right] = shares[power];
    ++vertices;
    right += numberAt(evaluation->result(numOutputs + 1), row);
  }
  std::vector<DegreeShare> result;
  for (const auto &[power, share] : shares)
    result.push_back({power ? int64_t(1) << (power - 1) : 0, (int64_t(1) << power) - 1, share.first,
                      share.second / double(share.first)});
  return result;
}

} // namespace gnn::rt
