//===- TrainingLoop.cpp - The training loop -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/TrainingLoop.h"

#include "runtime/src/comm/Comm.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/Safetensors.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <utility>

namespace gnn::train_tool {

using namespace rt;

namespace {

using Clock = std::chrono::steady_clock;

/// Time between two checkpoints: what a power cut may cost.
constexpr std::chrono::seconds checkpointInterval(10);

double millisecondsSince(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

class Run {
public:
  Run(Training &training, const TrainRequest &request)
      : training(training), model(training.context->model), request(request),
        optimizer(makeOptimizer(model, request.recipe)), lastSaved(Clock::now()) {
    outcome.progress.seed = request.seed;
    if (request.resume)
      resume();
    else if (!request.weights.empty())
      model.setParameters(request.weights, "the weights to begin with");
    else
      model.initialize(request.seed);
    if (request.comm)
      takeFromFirst();
    if (canStopWithin())
      reportRuns([this](double share) { return goesOn(share); });
  }
  ~Run() {
    if (canStopWithin())
      reportRuns({});
  }
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;

  TrainOutcome run() {
    Progress &progress = outcome.progress;
    if (request.onStart)
      request.onStart(progress);
    while (progress.epoch < request.recipe.epochs && !isOutOfPatience() && !isStopped()) {
      try {
        runEpoch();
      } catch (const Stopped &) { // what was done of the run under way is lost
        endShare();
      }
      saveNowAndThen();
    }
    outcome.stoppedEarly = progress.epoch < request.recipe.epochs && isOutOfPatience();
    outcome.interrupted = progress.epoch < request.recipe.epochs && !outcome.stoppedEarly;
    if (!request.folder.empty())
      save();
    if (!best.empty())
      model.setParameters(best, "the best epoch");
    const bool isCut = outcome.interrupted && canStopWithin(); // an evaluation takes long, too
    if (!isCut)
      evaluate();
    outcome.final = isCut ? keptReport() : outcome.history.empty() ? EpochReport() : outcome.history.back();
    outcome.final.epoch = progress.epoch;
    outcome.final.loss = progress.loss;
    if (!isCut)
      outcome.final.splits = evaluateSplits(Extent::End);
    return std::move(outcome);
  }

private:
  void evaluate() {
    if (training.evaluation)
      training.evaluation->run();
  }
  bool hasValidation() const {
    auto split = request.splits.find("val");
    return split != request.splits.end() && split->second.count() > 0;
  }
  bool isStopped() const {
    const bool isAsked = request.stop && request.stop->load();
    return request.comm ? request.comm->greatest(isAsked, "whether to go on") > 0 : isAsked;
  }
  /// Whether steps take long, and this process may end one alone.
  bool canStopWithin() const { return training.context->streams() && !request.comm; }
  /// Of both runs of an epoch, by the calls of each.
  void reportRuns(const Streamed::Report &report) const {
    const WithinMemory &streams = *training.context->streams();
    Streamed &train = streams.streamed(0), &evaluation = streams.streamed(1);
    const auto first = double(train.places().traffic().calls),
               both = first + double(evaluation.places().traffic().calls);
    train.reportBy(report ? [=](double share) { return report(share * first / both); } : Streamed::Report());
    evaluation.reportBy(report ? [=](double share) { return report((first + share * (both - first)) / both); }
                               : Streamed::Report());
  }
  bool goesOn(double share) {
    if (!isInEpoch)
      return true;
    if (request.onShare)
      request.onShare(outcome.progress.epoch + 1, share);
    return !request.stop || !request.stop->load();
  }
  void endShare() {
    if (isInEpoch && request.onShare)
      request.onShare(outcome.progress.epoch + 1, 1);
    isInEpoch = false;
  }
  bool isOutOfPatience() const {
    const Progress &progress = outcome.progress;
    return request.recipe.patience >= 0 && progress.bestEpoch >= 0 && evaluatesAfter(progress.epoch) &&
           progress.epoch - progress.bestEpoch >= request.recipe.patience;
  }
  /// The report of the epoch whose weights the model has now; empty if that epoch ended before this process began.
  EpochReport keptReport() const {
    const int64_t kept = best.empty() ? outcome.progress.epoch : outcome.progress.bestEpoch;
    const auto found = std::find_if(outcome.history.begin(), outcome.history.end(),
                                    [&](const EpochReport &report) { return report.epoch == kept; });
    return found == outcome.history.end() ? EpochReport() : *found;
  }
  bool evaluatesAfter(int64_t epoch) const {
    return epoch % request.options.evaluateEvery.value_or(1) == 0 || ranksAfter(epoch);
  }
  bool ranksAfter(int64_t epoch) const {
    const std::optional<int64_t> &every = request.options.rankEvery;
    return every && epoch % *every == 0;
  }
  std::string path(const char *name) const { return request.folder + "/" + name + ".safetensors"; }

  void resume() {
    require(!request.folder.empty(), GNN_ERROR_ARGUMENT, "there is no run directory to resume from");
    const Plan plan = training.steps->plan();
    outcome.progress = loadCheckpoint(path("last"), model, optimizer, &plan);
    require(outcome.progress.seed == request.seed, GNN_ERROR_MISMATCH, path("last"), " is of seed ",
            outcome.progress.seed, ", not ", request.seed);
    const Progress &progress = outcome.progress;
    const Batches &batches = training.steps->batches();
    require(batches.stepsBefore(progress.epoch) <= progress.step &&
                progress.step <= batches.stepsBefore(progress.epoch + 1), // perhaps all but the evaluation
            GNN_ERROR_MISMATCH, path("last"), " has ", progress.step, " steps after ", progress.epoch,
            " epochs, but an epoch of this run has ", batches.stepsOfEpoch());
    if (progress.bestEpoch >= 0)
      best = readSafetensors(path("best")).tensors;
  }

  /// Rank 0 alone reads checkpoints.
  void takeFromFirst() {
    auto take = [this](void *data, size_t bytes, const std::string &what) {
      request.comm->broadcast(Span<char>(static_cast<char *>(data), bytes), what);
    };
    static_assert(std::is_trivially_copyable_v<Progress>);
    take(&outcome.progress, sizeof outcome.progress, "where training stands");
    optimizer.setSteps(outcome.progress.step);
    for (auto &[name, tensor] : model.parameterTensors())
      take(Tensor(tensor).mutableData(), tensor.bytes(), name);
    for (auto &[name, tensor] : optimizer.state())
      take(Tensor(tensor).mutableData(), tensor.bytes(), name);
    if (outcome.progress.bestEpoch < 0)
      return;
    for (const auto &[name, tensor] : model.parameterTensors()) {
      Tensor &copy = best[name];
      if (!copy)
        copy = Tensor::empty(tensor.element(), tensor.shape());
      take(copy.mutableData(), copy.bytes(), "the best " + name);
    }
  }

  /// What is left of an epoch, and its report if it was not stopped.
  void runEpoch() {
    EpochReport report;
    Progress &progress = outcome.progress;
    auto begin = Clock::now();
    report.epoch = progress.epoch + 1;
    const Recipe &recipe = request.recipe;
    report.learningRate = recipe.learningRate * recipe.schedule.factor(progress.epoch, recipe.epochs, progress.cuts);
    optimizer.setLearningRate(report.learningRate);
    isInEpoch = canStopWithin();
    for (const int64_t end = training.steps->batches().stepsBefore(report.epoch); progress.step < end; ++report.steps) {
      if (report.steps > 0 && isStopped())
        return;
      const double loss = training.steps->step(request.seed, uint64_t(progress.step), optimizer);
      progress.lossSoFar += loss * training.steps->shareOfStep();
      if (++progress.step < end)
        saveNowAndThen();
    }
    report.loss = progress.lossSoFar; // which stays until the epoch is done: the evaluation may be stopped
    report.stepMs = millisecondsSince(begin) / double(std::max<int64_t>(report.steps, 1));
    const bool evaluates = evaluatesAfter(report.epoch);
    if (evaluates)
      evaluate();
    endShare();
    if (evaluates)
      report.splits = evaluateSplits(ranksAfter(report.epoch) ? Extent::Ranks : Extent::Epoch);
    report.epochMs = millisecondsSince(begin);
    progress.epoch = report.epoch;
    progress.loss = report.loss;
    progress.lossSoFar = 0;
    if (evaluates)
      noteBest(report);
    report.bestEpoch = progress.bestEpoch;
    if (evaluates)
      notePlateau();
    outcome.history.push_back(report);
    if (request.onEpoch)
      request.onEpoch(report);
  }

  /// What of the splits is looked at: in an epoch, in one whose ranks are asked for too, after the last one.
  enum class Extent { Epoch, Ranks, End };

  /// Ranks take many scores, so they are for the end and never of the training split. Validation is looked at in full
  /// where what decides on the best epoch is to be found there alone.
  std::map<std::string, Metrics> evaluateSplits(Extent extent) const {
    std::map<std::string, Metrics> result;
    if (!training.evaluation)
      return result;
    for (const auto &[name, split] : request.splits) {
      const bool isWaitedFor = extent != Extent::End && name == "val" && isOfRanks(request.recipe.monitor),
                 isRanked = name != "train" &&
                            (extent == Extent::Ranks || (extent == Extent::End && !request.options.noRanking)),
                 isFull = training.context->scoresPairs() ? isRanked || isWaitedFor : extent == Extent::End;
      Metrics &metrics = result[name] = training.evaluation->metrics(split, name, isFull, reportOf(name, isWaitedFor));
      if (!isFull && extent != Extent::End && name == "val" && !metrics.has(request.recipe.monitor))
        metrics = training.evaluation->metrics(split, name, /*inFull=*/true);
    }
    return result;
  }

  /// A stop ends a ranking, unless the best epoch waits for it.
  RankingReport reportOf(const std::string &name, bool isWaitedFor) const {
    return [this, name, isWaitedFor](double share) {
      if (request.onRanking)
        request.onRanking(name, share);
      return isWaitedFor || !request.stop || !request.stop->load();
    };
  }

  void noteBest(const EpochReport &report) {
    const TrainingConfig &config = training.context->config;
    if (!hasValidation() || !config.isEvaluated())
      return;
    double score = training.evaluation ? report.splits.at("val").score(request.recipe.monitor) : 0;
    if (config.isEvaluatedByFirst()) // so that all know which epoch is the best
      request.comm->broadcast(Span<char>(reinterpret_cast<char *>(&score), sizeof score), "the validation result");
    const bool isBetter =
        outcome.progress.bestEpoch < 0 || score > outcome.progress.bestScore || std::isnan(outcome.progress.bestScore);
    if (std::isnan(score) || !isBetter)
      return;
    outcome.progress.bestEpoch = report.epoch;
    outcome.progress.bestScore = score;
    bestIsSaved = false;
    for (const auto &[name, tensor] : model.parameterTensors()) {
      Tensor &copy = best[name];
      if (!copy)
        copy = Tensor::empty(tensor.element(), tensor.shape());
      std::memcpy(copy.mutableData(), tensor.data(), tensor.bytes());
    }
  }

  void notePlateau() {
    Progress &progress = outcome.progress;
    const int64_t length = request.recipe.schedule.plateauEpochs();
    const int64_t begin = std::max({progress.bestEpoch, progress.lastCut, request.recipe.schedule.warmUpEpochs()});
    if (length == 0 || progress.bestEpoch < 0 || progress.epoch - begin < length)
      return;
    ++progress.cuts;
    progress.lastCut = progress.epoch;
  }

  void saveNowAndThen() {
    if (!request.folder.empty() && Clock::now() - lastSaved > checkpointInterval)
      save();
  }

  /// `best` first: `last` speaks of it.
  void save() {
    if (!best.empty() && !bestIsSaved)
      writeSafetensors(
          path("best"),
          {best, {{"model", model.library()->name()}, {"epoch", std::to_string(outcome.progress.bestEpoch)}}});
    bestIsSaved = true;
    saveCheckpoint(path("last"), model, optimizer, request.recipe, outcome.progress, training.steps->plan(),
                   request.notes);
    lastSaved = Clock::now();
  }

  Training &training;
  Model &model;
  const TrainRequest &request;
  Optimizer optimizer;
  Clock::time_point lastSaved;
  std::map<std::string, Tensor> best; // weights of the best epoch; empty: there is none
  bool bestIsSaved = true;
  bool isInEpoch = false; // whose runs are told of, and may be stopped
  TrainOutcome outcome;
};

} // namespace

TrainOutcome trainModel(Training &training, const TrainRequest &request) { return Run(training, request).run(); }

} // namespace gnn::train_tool
