//===- SampledSteps.cpp - Batches and samples for the oracle --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-interp/SampledSteps.h"
#include "compiler/Interpreter/Context.h"
#include "gnn/error.hpp"
#include "runtime/src/core/Random.h"
#include "runtime/src/graph/Graph.h"
#include "runtime/src/program/Obstacles.h"
#include "runtime/src/sample/DrawnShare.h"
#include "runtime/src/train/ModelData.h"
#include "llvm/ADT/STLExtras.h"

using namespace gnn::rt;

namespace gnnc::interp {

[[noreturn]] static void refuse(const CheckedModel &model, const std::string &why) {
  throw gnn::Error(GNN_ERROR_MISMATCH, model.name + " can't be trained on samples here: " + why);
}

/// The oracle computes with the whole graph and leaves edges out: what depends on who else is there it has not.
static void checkModel(const CheckedModel &model, const Library &library, const gnn_program_t &program) {
  if (const std::string obstacle = obstacleToSamples(library, program); !obstacle.empty())
    refuse(model, obstacle);
  for (const Value &value : model.values) {
    if (value.kind == ValueKind::Total)
      refuse(model, "a total is over the vertices of a step");
    const bool drawsByEdge = value.kind == ValueKind::DropoutMask && value.type.kind == GraphKind::E;
    if (drawsByEdge && !model.relations[value.type.type].isSparseInput && value.number > 0)
      refuse(model, "dropout on edges may draw by their place in the sample");
  }
}

SampledSteps::SampledSteps(const CheckedModel &model, const std::string &data, const OracleBindings &bindings,
                           const SamplingOptions &options)
    : library(Library::open(options.library)), size(options.batch) {
  const gnn_program_t *program = library->program(GNN_PROGRAM_TRAIN);
  if (library->name() != model.name || !program)
    throw gnn::Error(GNN_ERROR_MISMATCH, options.library + " is no library of " + model.name + " that trains");
  checkModel(model, *library, *program);
  const std::shared_ptr<Dataset> dataset = loadDataset(data);
  const Features features = featuresFor(*library, *dataset);
  const std::shared_ptr<const Graph> graph = dataset->takeGraph(/*transforms=*/0, GNN_ORDER_GIVEN);
  Dims dims(library);
  for (uint32_t d = 0; d < library->table().num_dims; ++d)
    if (const std::string name = library->table().dims[d].name;
        auto known = evaluateDim(model, bindings, DimExpr::name(name)))
      dims.bind(name, *known, "the model");
  bindDataset(dims, *library, *graph, *dataset, features);
  dims.finish();
  binding = std::make_unique<Binding>(library, dims, graph, features, /*withTargets=*/true, dataset->source);
  const Drawing drawing = Drawing::parse(options.sampler, "--sampler");
  if (drawing.isRepeated)
    refuse(model, "an edge may be drawn several times");
  sampler = std::make_unique<Sampler>(*library, *binding, *program, FanOuts(options.fanOuts, "--fanout"), drawing);
  targetEdges = std::make_unique<TargetEdges>(*library, *binding);
  if (pairsRelation(*library))
    return;
  const Tensor split = dataset->split("train");
  const Span<const int64_t> rows = split.values<int64_t>();
  batches = Batches({rows.begin(), rows.end()}, options.batch);
}

std::shared_ptr<SeenEdges> SampledSteps::seenBy(OracleBindings &bindings) {
  const Span<const int64_t> rows = batches.rowsOf(bindings.seed, int64_t(bindings.step));
  const std::vector<int64_t> seeds(rows.begin(), rows.end());
  sampler->begin(stepKey(bindings.seed, bindings.step));
  bindings.mask.assign(bindings.mask.size(), 0);
  for (int64_t seed : seeds)
    bindings.mask[size_t(seed)] = 1;
  return std::make_shared<SeenEdges>(*library, *binding, *library->program(GNN_PROGRAM_TRAIN), sampler.get(), seeds);
}

std::shared_ptr<SeenEdges> SampledSteps::seenBy(OracleBindings &bindings, const PairSteps::Step &step) {
  targetEdges->take(truePairs({{}, step.pairs, step.targets}));
  sampler->begin(stepKey(bindings.seed, bindings.step), targetEdges.get());
  return std::make_shared<SeenEdges>(*library, *binding, *library->program(GNN_PROGRAM_TRAIN), sampler.get(),
                                     step.pairs);
}

void SampledSteps::bind(OracleBindings &bindings, const PairSteps::Step *pairs) {
  const std::shared_ptr<SeenEdges> seen = pairs ? seenBy(bindings, *pairs) : seenBy(bindings);
  bindings.isSeen = [seen, &graphs = bindings.relations](unsigned relation, End end, int64_t edge) {
    const uint32_t direction = end == End::Source ? GNN_TO_SOURCE : GNN_TO_DESTINATION;
    const OracleGraph &graph = graphs[relation];
    const int64_t row = (end == End::Source ? graph.src : graph.dst)[size_t(edge)];
    return !seen->isFollowed(relation, direction, row) || seen->has(relation, direction, graph.idOf(edge));
  };
}

} // namespace gnnc::interp
