//===- TrainingSplit.cpp - What a training loss is over -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/TrainingSplit.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/train/PairSteps.h"
#include "runtime/src/train/Recipe.h"

#include <algorithm>
#include <numeric>

namespace gnn::rt {

namespace {

/// By their classes; empty: all weigh the same.
std::vector<double> weightsOfRows(const TrainingContext &context, Span<const int64_t> rows, const std::string &split) {
  const ClassWeights &weights = context.config.recipe.classWeights;
  if (weights.areEqual())
    return {};
  const Library &library = context.library;
  const std::vector<uint32_t> targets = targetsOfLoss(library, context.binding);
  require(!targets.empty(), GNN_ERROR_MISMATCH, "class weights only apply to classes, but ", library.name(),
          " has no target that is one");
  require(targets.size() == 1 && library.tensor(targets[0]).rank == 0, GNN_ERROR_MISMATCH,
          "class weights are for one class for each row, but ", library.name(),
          library.tensor(targets[0]).rank == 0 ? " has several targets" : " has a target of several numbers");
  std::vector<double> classes;
  for (int64_t row : context.rowsOfTables(rows))
    classes.push_back(numberAt(context.binding.data(targets[0]), row));
  return weights.of(classes, split + " in " + context.where);
}

/// Vertices or edges.
class RowSplit : public TrainingSplit {
public:
  RowSplit(TrainingContext &of, Span<const int64_t> ids, const std::string &name)
      : context(of), rows(ids.begin(), ids.end()) {
    requireLabels(context, ids, name);
    const std::optional<Sampling> &samples = context.config.samples;
    require(!samples || !rows.empty(), GNN_ERROR_DATA, name, " in ", context.where,
            " is empty, so there are no vertices to make batches of");
    if (samples)
      epoch = Batches(rows, samples->batch);
    weights = weightsOfRows(context, ids, name);
    weight = weights.empty() ? double(rows.size()) : std::accumulate(weights.begin(), weights.end(), 0.0);
    context.binding.setLossRows(ids, {weights.data(), weights.size()});
  }

  const Batches &batches() const override { return epoch; }
  void bind() override { context.binding.setLossRows({rows.data(), rows.size()}, {weights.data(), weights.size()}); }
  Seeds seedsOf(uint64_t seed, int64_t step) override {
    return {context.rowsOfTables(epoch.rowsOf(seed, step)), {}, {}};
  }
  double shareOf(int64_t, std::optional<double> weightOfSeeds) const override {
    return weightOfSeeds ? *weightOfSeeds / weight : 1;
  }

private:
  TrainingContext &context;
  std::vector<int64_t> rows;
  std::vector<double> weights; // of the rows; empty: all weigh the same
  double weight = 0;           // of all rows
  Batches epoch;
};

/// Pairs, beside negatives that are drawn in each step.
class PairSplit : public TrainingSplit {
public:
  PairSplit(TrainingContext &of, Pairs pairs, const std::string &name) : context(of) {
    const TrainingConfig &config = context.config;
    require(config.recipe.classWeights.areEqual(), GNN_ERROR_MISMATCH, "class weights only apply to classes, but ",
            context.library.name(), " scores pairs; set their ratio with --negatives");
    require(!config.samples || pairs.count() > 0, GNN_ERROR_DATA, name, " in ", context.where,
            " is empty, so there are no pairs to make batches of");
    context.knownPairs.add(pairs);
    if (config.samples)
      context.binding.rowsOf(pairs); // throws before the first step what a later one would
    steps = PairSteps(std::move(pairs), config.samples ? config.samples->batch : config.pairBatch, config.negatives);
    bindStep(/*seed=*/0, /*step=*/0);
  }

  const Batches &batches() const override { return steps.batches(); }
  void bindStep(uint64_t seed, int64_t step) override {
    const PairSteps::Step drawn = steps.at(seed, step, ends(), context.knownPairs);
    context.binding.setPairs(drawn.pairs, drawn.targets);
    if (drawn.counted == drawn.pairs.count())
      return;
    std::vector<int64_t> counted(static_cast<size_t>(drawn.counted));
    std::iota(counted.begin(), counted.end(), int64_t(0));
    context.binding.setLossRows({counted.data(), counted.size()});
  }
  Seeds seedsOf(uint64_t seed, int64_t step) override {
    PairSteps::Step drawn = steps.drawn(seed, step, ends(), context.knownPairs);
    return {{}, std::move(drawn.pairs), std::move(drawn.targets)};
  }
  double shareOf(int64_t step, std::optional<double>) const override { return batches().shareOf(step); }
  size_t bytes() const override {
    constexpr size_t ofEnds = 3 * sizeof(int64_t);
    return steps.truePairs() * ofEnds + size_t(steps.pairsOfStep()) * (ofEnds + sizeof(double));
  }

private:
  PairEnds ends() const { return pairEnds(context.library, context.binding); }

  TrainingContext &context;
  PairSteps steps;
};

} // namespace

std::unique_ptr<TrainingSplit> TrainingSplit::open(TrainingContext &context, const Tensor &split,
                                                   const std::string &name) {
  if (context.scoresPairs())
    return std::make_unique<PairSplit>(context, pairsOf(split, name + " in " + context.where), name);
  require(split.rank() == 1, GNN_ERROR_DATA, name, " in ", context.where, ": expected ids, got ",
          shapeText(split.shape()));
  return std::make_unique<RowSplit>(context, split.values<int64_t>(), name);
}

std::vector<uint32_t> targetsOfLoss(const Library &library, const Binding &binding) {
  std::vector<uint32_t> targets;
  const gnn_tensor_info_t *mask = lossMask(library);
  for (uint32_t t = 0; mask && t < library.tensors().size(); ++t)
    if (const gnn_tensor_info_t &info = library.tensor(t);
        info.role == GNN_ROLE_TARGET && info.domain == mask->domain && info.type == mask->type)
      targets.push_back(t);
  return targets;
}

const gnn_tensor_info_t *classLogits(const Library &library) {
  const gnn_program_t *program = library.program(GNN_PROGRAM_INFER);
  if (!program)
    return nullptr;
  auto hasClasses = [&](uint32_t domain) {
    return std::any_of(library.tensors().begin(), library.tensors().end(),
                       [&](const gnn_tensor_info_t &info) { return isClassTarget(info) && info.domain == domain; });
  };
  std::string lossOutput = recipeOf(library).lossOutput;
  for (uint32_t i = 0; i < program->num_results; ++i) {
    const gnn_tensor_info_t &info = library.tensor(program->results[i]);
    if (hasClasses(info.domain) && info.rank == 1 && (lossOutput.empty() || lossOutput == info.name))
      return &info;
  }
  return nullptr;
}

void checkLabels(const TrainingContext &context) {
  const Library &library = context.library;
  const gnn_tensor_info_t *logits = classLogits(library);
  if (!logits)
    return;
  const int64_t classes = context.model.dims().extents()[logits->shape[0]];
  for (uint32_t t = 0; t < library.tensors().size(); ++t) {
    const gnn_tensor_info_t &info = library.tensor(t);
    if (!isClassTarget(info))
      continue;
    const Tensor labels = context.binding.inOriginalOrder(info, context.binding.data(t));
    for (int64_t v = 0; v < labels.count(); ++v) {
      const double label = numberAt(labels, v);
      require(label >= -1 && label < double(classes), GNN_ERROR_DATA, "label ", int64_t(label),
              info.domain == GNN_DOMAIN_EDGE ? " of edge " : " of vertex ", v, " in ", context.where, " is outside 0..",
              classes - 1, " (-1: none): ", library.name(), " has ", classes, " classes");
    }
  }
}

void requireLabels(const TrainingContext &context, Span<const int64_t> rows, const std::string &split) {
  const Binding &binding = context.binding;
  const gnn_tensor_info_t *mask = lossMask(context.library);
  if (!mask)
    return;
  const int64_t count = binding.leadingExtent(*mask);
  const char *kind = mask->domain == GNN_DOMAIN_EDGE ? "edge " : "vertex ";
  for (int64_t row : rows)
    require(row >= 0 && row < count, GNN_ERROR_DATA, kind, row, " of ", split, " in ", context.where, " is outside 0..",
            count - 1);
  const std::vector<int64_t> places = context.rowsOfTables(rows);
  for (uint32_t t : targetsOfLoss(context.library, binding))
    for (size_t i = 0; i < rows.size() && isClassTarget(context.library.tensor(t)); ++i)
      require(numberAt(binding.data(t), places[i]) >= 0, GNN_ERROR_DATA, kind, rows[i], " of ", split, " in ",
              context.where, " has no label");
}

} // namespace gnn::rt
