//===- TrainingConfig.cpp - A validated way of training -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/TrainingConfig.h"

#include "runtime/src/comm/Comm.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/engine/Peers.h"

#include <algorithm>

namespace gnn::rt {

namespace {

std::string orElse(const std::string &text, const char *otherwise) { return text.empty() ? otherwise : text; }

Recipe recipeFor(const Library &library, const TrainingOptions &options) {
  Recipe recipe = recipeOf(library);
  if (!options.optimizer.empty())
    recipe.optimizer = parseOptimizer(options.optimizer);
  recipe.learningRate = options.learningRate.value_or(recipe.learningRate);
  recipe.weightDecay = options.weightDecay.value_or(recipe.weightDecay);
  recipe.epochs = options.epochs.value_or(recipe.epochs);
  recipe.patience = options.patience.value_or(recipe.patience);
  recipe.schedule = Schedule::parse(orElse(options.schedule, "constant"), options.warmUp.value_or(0));
  recipe.mostNorm = options.clip.value_or(0);
  recipe.monitor = options.monitor == "default" ? "" : options.monitor;
  recipe.classWeights = ClassWeights::parse(options.classWeights);
  return recipe;
}

StepRows rowsOf(const std::string &rows, const std::string &origin) {
  if (rows.empty() || rows == "auto")
    return StepRows::Auto;
  if (rows == "all")
    return StepRows::All;
  require(rows == "reached", GNN_ERROR_ARGUMENT, origin, ": '", rows, "', expected auto, all or reached");
  return StepRows::Reached;
}

/// Pairs on a GPU are not streamed: the engine keeps to its memory.
std::optional<MemoryLimit> limitOf(const TrainingOptions &options, const TrainingFacts &facts, Comm *comm,
                                   const OptionSpelling &spelling) {
  const bool isSampled = !options.fanOuts.empty(), isOnGpu = *facts.gpu;
  const std::optional<uint64_t> bytes = !isOnGpu       ? options.memoryBytes
                                        : *facts.links ? std::nullopt
                                                       : options.deviceBytes;
  Comm *together = isSampled ? nullptr : comm; // ranks on samples have all of the graph
  if (!bytes && !options.intervals && !together && !(*facts.severalGpus && !isSampled))
    return std::nullopt;
  auto nameOf = [&](const option::Member &member) { return spelling.of(optionOf(member)); };
  MemoryLimit limit{bytes.value_or(SIZE_MAX), orElse(options.spillFolder, defaultSpillFolder().c_str())};
  limit.intervals = options.intervals.value_or(0);
  limit.comm = together;
  limit.passOver = options.wholeIntervals ? wholeIntervals : bytesOfSeek;
  if (*facts.severalGpus)
    limit.route = parseColRoute(orElse(options.route, "auto"), nameOf(&TrainingOptions::route));
  limit.by = isSampled ? std::optional(CutBy::Vertices) : std::nullopt; // splits of samples are evaluated so
  if (!options.cut.empty())
    limit.by = parseCutBy(options.cut, nameOf(&TrainingOptions::cut));
  if (!options.topology.empty())
    limit.topology = std::make_shared<const Topology>(readTopology(options.topology));
  limit.ahead = options.lookAhead;
  limit.hostBytes = isOnGpu ? options.memoryBytes.value_or(SIZE_MAX) : SIZE_MAX;
  return limit;
}

} // namespace

bool TrainingConfig::evaluatesHere() const {
  return isEvaluated() && (!isEvaluatedByFirst() || samples->shares.comm->rank() == 0);
}

bool scoresPairs(const Library &library) {
  const gnn_library_t &table = library.table();
  return std::any_of(table.relations, table.relations + table.num_relations,
                     [](const gnn_relation_t &relation) { return relation.kind == GNN_RELATION_PAIRS; });
}

std::optional<Sampling> samplingOf(const TrainingOptions &options, size_t numDevices, Comm *comm,
                                   const OptionSpelling &spelling) {
  if (options.fanOuts.empty())
    return std::nullopt;
  auto nameOf = [&](const option::Member &member) { return spelling.of(optionOf(member)); };
  Sampling sampling;
  sampling.fanOuts = FanOuts(textOf(options, optionOf(&TrainingOptions::fanOuts)), nameOf(&TrainingOptions::fanOuts));
  sampling.batch = options.batch.value_or(sampling.batch);
  sampling.drawing = Drawing::parse(orElse(options.sampler, "uniform"), nameOf(&TrainingOptions::sampler));
  sampling.ahead = options.ahead.value_or(1);
  sampling.shares = {options.shares.value_or(comm ? comm->size() : int64_t(numDevices)), comm};
  if (!options.draws.empty())
    sampling.drawnBy = parseDrawnBy(options.draws, nameOf(&TrainingOptions::draws));
  sampling.evaluates = !options.noEvaluation;
  return sampling;
}

TrainingConfig configOf(const TrainingOptions &options, const Library &library, Engine &engine, Comm *comm,
                        const OptionSpelling &spelling) {
  const size_t numDevices = enginesOf(engine).size();
  TrainingFacts facts;
  facts.model = library.name();
  facts.device = engine.device();
  facts.gpu = engine.hasDeviceMemory();
  facts.severalGpus = numDevices > 1;
  facts.links = scoresPairs(library);
  facts.severalRanks = comm != nullptr;
  facts.embedded = spelling.asFields;
  if (spelling.asFields) { // a trainer makes step after step
    facts.epochs = facts.validation = false;
    facts.noValidation = "a trainer has none";
  }
  checkRules(options, facts, spelling);
  TrainingConfig config;
  config.recipe = recipeFor(library, options);
  config.samples = samplingOf(options, numDevices, comm, spelling);
  config.memory = limitOf(options, facts, comm, spelling);
  config.rows = rowsOf(options.rows, spelling.of(optionOf(&TrainingOptions::rows)));
  config.negatives = options.negatives.value_or(1);
  config.pairBatch = config.samples ? 0 : options.batch.value_or(0);
  return config;
}

} // namespace gnn::rt
