//===- Train.cpp - The training command -----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/comm/Comm.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/engine/RankLinks.h"
#include "runtime/src/io/AtomicFiles.h"
#include "tools/gnn-data/FolderLock.h"
#include "tools/gnn-train/Baseline.h"
#include "tools/gnn-train/Console.h"
#include "tools/gnn-train/DataDigest.h"
#include "tools/gnn-train/Display.h"
#include "tools/gnn-train/Problem.h"
#include "tools/gnn-train/RankOptions.h"
#include "tools/gnn-train/Ranks.h"
#include "tools/gnn-train/RecipeChecks.h"
#include "tools/gnn-train/Report.h"
#include "tools/gnn-train/RunConfig.h"
#include "tools/gnn-train/RunDescription.h"
#include "tools/gnn-train/RunFolder.h"
#include "tools/gnn-train/RunPlace.h"
#include "tools/gnn-train/RunSettings.h"
#include "tools/gnn-train/RunSteps.h"
#include "tools/gnn-train/StartWeights.h"
#include "tools/gnn-train/StopSignals.h"
#include "tools/gnn-train/StreamChart.h"
#include "tools/gnn-train/Summary.h"
#include "tools/gnn-train/TrainingLoop.h"
#include "tools/gnn-train/TriedPlans.h"

#include <algorithm>
#include <filesystem>

namespace gnn::train_tool {

namespace {

/// Those that a run has at least.
int64_t sureEpochs(const rt::Recipe &recipe) {
  return recipe.patience >= 0 ? std::min(recipe.epochs, recipe.patience + 1) : recipe.epochs;
}

/// As -D says them: name=value.
std::vector<std::string> settingsOf(const nlohmann::json &dims) {
  std::vector<std::string> settings;
  for (const auto &[name, value] : dims.items())
    settings.push_back(name + "=" + value.dump());
  return settings;
}

/// As a shell reads it.
std::string quoted(const std::string &word) {
  const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
    return word;
  std::string result = "'";
  for (char c : word)
    result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

/// Whether it is over edges: of the graph, or pairs.
bool isLossOfEdges(const rt::Library &library) {
  const auto &tensors = library.tensors();
  return std::any_of(tensors.begin(), tensors.end(), [](const gnn_tensor_info_t &info) {
    return info.role == GNN_ROLE_MASK && info.domain == GNN_DOMAIN_EDGE;
  });
}

/// The runs of one command.
class Runs {
public:
  /// `options` are those that are `asked` for, with those of the run that is gone on with.
  Runs(const TrainOptions &asked, const TrainOptions &options, RunPlace &place, Console &console)
      : options(options), place(place), console(console), startWeights(options, place.checkpoint()),
        problem(options, options.resume ? "" : options.weights), recipe(problem.config.recipe),
        whyOrder(problem.chooseOrder(options, sureEpochs(recipe))) {
    if (!options.keepsNothing || options.comm)
      dataDigest = digestOf(*problem.data, *problem.graph);
    problem.dropEdgeIds(options);
    auto trainSplit = problem.splits.find("train");
    rt::require(trainSplit != problem.splits.end() && trainSplit->second.count() > 0, GNN_ERROR_MISMATCH,
                problem.data->source, " has no split 'train': there is nothing to train on");
    if (isFirst() && !problem.scoresPairs() && !problem.data->labelsEdges() && isLossOfEdges(*problem.model.library()))
      std::fprintf(stderr,
                   "gnn-train: warning: %s: the loss is over edges: ids of splits are taken for those of edges\n",
                   problem.data->source.c_str());
    auto valSplit = problem.splits.find("val");
    const bool hasVal = valSplit != problem.splits.end() && valSplit->second.count() > 0;
    for (const std::string &warning : checkRecipe(asked, options, recipe, hasVal, problem.data->source))
      if (isFirst())
        std::fprintf(stderr, "gnn-train: warning: %s\n", warning.c_str());
    training = problem.openTraining(/*keepsData=*/!(options.noEvaluation && options.memoryBytes));
    description = RunDescription::of(problem, training);
    sayProblem();
    rt::require(!options.profile || description->canProfile(), GNN_ERROR_ARGUMENT,
                "--profile is of whole graphs: ", problem.model.library()->name(),
                " is streamed within --device-memory");
    if (options.profile)
      training.steps->executor().startProfile();
    place.make(problem.model.library()->name());
    if (options.comm)
      options.comm->agree({{"data set", std::to_string(dataDigest)},
                           {"instruction set", problem.model.engine().code()},
                           {"kind of GPU", kindOf(problem.model.engine())},
                           {"plan", description->decisions()}});
    if (place.isKept()) {
      if (options.resume)
        requireSameData(dataDigest, options, place.checkpoint());
      notes = notesOf(settled(), dataDigest);
      startWeights.addTo(notes);
    }
    problem.releaseData(); // the training has what it needs of it
    training.steps->dropInputs();
  }

  void run() {
    const int64_t runs = options.runs.value_or(1);
    for (int64_t run = 0; run < runs && !isInterrupted; ++run) {
      uint64_t seed = options.seed.value_or(0) + uint64_t(run);
      if (runs > 1)
        console.say("run %lld of %lld, seed %llu", static_cast<long long>(run + 1), static_cast<long long>(runs),
                    static_cast<unsigned long long>(seed));
      TrainOutcome outcome = runOnce(seed);
      isInterrupted = outcome.interrupted || (run + 1 < runs && isStopAsked());
      isStoppedEarly |= outcome.stoppedEarly;
      summary.add(seed, outcome);
      seedsDone.push_back(seed);
      if (runs > 1)
        console.close();
    }
  }

  void report() {
    if (options.profile) {
      const rt::Executor &executor = training.steps->executor();
      std::string profile = executor.stepProfile().text() + triedPlansText(triedPlans(problem.model.engine())) +
                            executor.plan().listing(*problem.model.library());
      console.say("%s", profile.substr(0, profile.find_last_not_of('\n') + 1).c_str());
    }
    if (!options.json) {
      summary.say(console);
      say(description->after());
    }
    if (options.comm)
      gatherTraffic();
    sayWhere();
    if (options.json && isFirst()) {
      std::printf("%s\n", jsonText(json()).c_str());
      std::fflush(stdout);
    }
    writeReports(); // last: the run is whole without them
  }

  bool isInterrupted = false;

private:
  bool isFirst() const { return !options.comm || options.comm->rank() == 0; }
  bool isStopAsked() const {
    return options.comm ? options.comm->greatest(stopAsked, "whether to go on") > 0 : stopAsked.load();
  }

  /// "(NVIDIA H200)", of a processor "none".
  static std::string kindOf(const rt::Engine &engine) {
    const size_t kind = engine.device().find('(');
    return kind == std::string::npos ? "none" : engine.device().substr(kind);
  }

  /// What went from GPU to GPU is in the sums, too.
  void addLink(nlohmann::json &mine) {
    rt::RankLinks *links = problem.model.engine().rankLinks();
    rt::Exchange *link = links ? links->link() : nullptr;
    mine["comm"] = link ? links->linkName() : "host";
    if (!link)
      return;
    mine["sent_by_nccl"] = link->traffic().sent;
    mine["received_by_nccl"] = link->traffic().received;
    mine["sent"] = options.comm->traffic().sent + link->traffic().sent;
    mine["received"] = options.comm->traffic().received + link->traffic().received;
  }

  /// All ranks have sent what they send.
  void gatherTraffic() {
    nlohmann::json mine{{"sent", options.comm->traffic().sent}, {"received", options.comm->traffic().received}};
    if (problem.model.engine().rankLinks()) {
      mine["device"] = problem.model.engine().device();
      addLink(mine);
    }
    description->addTraffic(mine);
    for (const std::string &line : options.comm->gather(mine.dump(), "what ranks have sent"))
      traffic.push_back(nlohmann::json::parse(line));
    uint64_t sent = 0, byNccl = 0;
    for (const nlohmann::json &rank : traffic) {
      sent += rank["sent"].get<uint64_t>();
      byNccl += rank.value("sent_by_nccl", uint64_t(0));
    }
    if (options.json)
      return;
    console.say("%d ranks sent each other %llu bytes", options.comm->size(), static_cast<unsigned long long>(sent));
    if (byNccl > 0)
      console.say("%llu of them went from GPU to GPU", static_cast<unsigned long long>(byNccl));
  }

  /// The options with all defaults and choices of this run.
  rt::TrainingOptions settled() const {
    rt::TrainingOptions run = options;
    run.optimizer = rt::optimizerName(recipe.optimizer);
    run.learningRate = recipe.learningRate;
    run.weightDecay = recipe.weightDecay;
    run.epochs = recipe.epochs;
    run.patience = recipe.patience < 0 ? std::nullopt : std::optional(recipe.patience);
    run.schedule = recipe.schedule.text();
    run.warmUp = recipe.schedule.warmUpEpochs();
    run.clip = recipe.mostNorm;
    run.monitor = recipe.monitor.empty() ? "default" : recipe.monitor;
    run.classWeights = recipe.classWeights.text();
    run.negatives = problem.config.negatives;
    run.runs = options.runs.value_or(1);
    run.seed = options.seed.value_or(0);
    run.order = problem.order;
    run.inputs = problem.input.form;
    if (!options.weights.empty() && !options.resume) // their shapes say what no other option does
      run.dims = settingsOf(dimsOf(problem.model));
    run.intervals.reset(); // they decide numbers: a run goes on with as many in any limit
    run.cut = run.rows = "";
    description->settle(run);
    return run;
  }

  int64_t numEdges() const { return training.context->binding.numEdges(); }

  void say(const std::vector<std::string> &lines) {
    for (const std::string &line : lines)
      console.say("%s", line.c_str());
  }

  void sayProblem() {
    console.say("%s on %s: %lld vertices, %lld edges, %s, %s, %u thread%s, %lld parameters",
                problem.model.library()->name().c_str(), problem.data->source.c_str(),
                static_cast<long long>(problem.data->totalVertices()), static_cast<long long>(numEdges()),
                problem.model.engine().device().c_str(), problem.model.engine().code().c_str(),
                problem.model.engine().threads(), problem.model.engine().threads() == 1 ? "" : "s",
                static_cast<long long>(numParameters(problem.model)));
    if (problem.order != "given")
      console.say("vertices in the order %s: %s", problem.order.c_str(), whyOrder.c_str());
    if (!problem.input.name.empty())
      console.say("%s is %s: %s", problem.input.name.c_str(), problem.input.form.c_str(), problem.input.why.c_str());
    say(description->before());
  }

  TrainOutcome runOnce(uint64_t seed) {
    TrainRequest request;
    request.recipe = recipe;
    request.options = options;
    request.seed = seed;
    request.splits = problem.splits;
    request.folder = place.of(seed);
    std::optional<data_tool::FolderLock> lock;
    if (place.isKept())
      lock.emplace(request.folder, "trains in the run directory", std::chrono::seconds(5));
    std::error_code unknown; // of what cannot be looked at trainModel says more
    request.resume = options.resume && (std::filesystem::exists(lastCheckpoint(request.folder), unknown) || unknown);
    if (!request.resume)
      request.weights = startWeights.tensors();
    request.stop = &stopAsked;
    request.comm = options.comm;
    request.notes = notes;
    std::optional<RunFolder> folder; // made when a checkpoint that cannot be resumed has been refused
    const int64_t edgesOfStep = training.steps->batches().stepsOfEpoch() == 1 ? numEdges() : 0;
    Display display(console, recipe.epochs, edgesOfStep, recipe.monitor);
    request.onRanking = showRanking([&display] { display.finish(); });
    if (isFirst())
      request.onShare = showEpochs([&display] { display.finish(); });
    EpochWatch watch(training.context->streams());
    request.onEpoch = [&](const EpochReport &report) {
      watch.endEpoch();
      if (folder)
        folder->add(report);
      display.show(report);
    };
    request.onStart = [&](const rt::Progress &progress) {
      if (options.existOk)
        removeRun(request.folder);
      if (place.isKept()) {
        folder.emplace(request.folder, progress.epoch);
        console.open(request.folder + "/console.log", /*append=*/request.resume);
        writeConfig(request.folder, seed);
      }
      if (request.resume) {
        const int64_t steps = progress.step - training.steps->batches().stepsBefore(progress.epoch);
        console.say("resumed after epoch %lld%s", static_cast<long long>(progress.epoch),
                    steps ? (" and " + std::to_string(steps) + " steps").c_str() : "");
      }
    };
    TrainOutcome outcome = trainModel(training, request);
    addBaselines(outcome.final.splits, *problem.data);
    display.finish();
    if (folder)
      folder->finish(outcome, degrees());
    epochTimes = watch.times();
    if (folder)
      folder->drawStream(watch.svg(*problem.model.library(), "The last epoch, as measured"));
    if (outcome.stoppedEarly)
      console.say("stopped early: epoch %lld had the best validation result",
                  static_cast<long long>(outcome.progress.bestEpoch));
    else if (outcome.progress.bestEpoch > 0 && outcome.progress.bestEpoch < outcome.progress.epoch &&
             !outcome.final.splits.empty())
      console.say("these are the numbers of epoch %lld, which had the best validation result",
                  static_cast<long long>(outcome.progress.bestEpoch));
    return outcome;
  }

  /// Accuracy by degree of the splits that were not trained on.
  nlohmann::json degrees() const {
    nlohmann::json result = nlohmann::json::object();
    for (const char *split : {"val", "test"}) {
      auto found = problem.splits.find(split);
      if (found == problem.splits.end() || !training.evaluation)
        continue;
      for (const auto &share : training.evaluation->accuracyByDegree(found->second))
        result[split].push_back(
            {{"least", share.least}, {"most", share.most}, {"vertices", share.vertices}, {"accuracy", share.accuracy}});
    }
    return result;
  }

  /// steps.json and report.html of each run.
  void writeReports() {
    if (!place.isKept())
      return;
    const bool canMeasure = !isInterrupted && description->canMeasureSteps();
    const nlohmann::json steps =
        canMeasure ? measureSteps(*problem.model.library(), training.steps->executor()) : nlohmann::json(nullptr);
    for (uint64_t seed : seedsDone) {
      if (canMeasure)
        writeSteps(place.of(seed), steps);
      writeReport(place.of(seed));
    }
  }

  void writeConfig(const std::string &folder, uint64_t seed) {
    rt::TrainingOptions run = settled();
    run.seed = seed;
    const std::string text = configOf(run, problem, dataDigest, startWeights.json())
                                 .dump(2, ' ', false, nlohmann::json::error_handler_t::replace) +
                             "\n";
    rt::atomicWrite(folder + "/config.json", {{text.data(), text.size()}});
  }

  /// The last line: where the run is kept and what goes on with it.
  void sayWhere() const {
    if (!place.isKept()) {
      if (isInterrupted)
        console.say("interrupted");
      return;
    }
    std::string command = "gnn-train " + quoted(options.model) + " --run-dir " + quoted(place.path()) + " --resume";
    if (isInterrupted) {
      console.say("interrupted; to go on: %s", command.c_str());
      return;
    }
    const int64_t epochs = recipe.epochs > 0 ? 2 * recipe.epochs : rt::recipeOf(*problem.model.library()).epochs;
    command +=
        isStoppedEarly ? " --patience " + std::to_string(2 * recipe.patience) : " --epochs " + std::to_string(epochs);
    console.say("kept in %s; for more epochs: %s", place.path().c_str(), command.c_str());
  }

  nlohmann::json json() {
    nlohmann::json result = summary.json();
    result.update({{"model", problem.model.library()->name()},
                   {"data", problem.data->source},
                   {"order", problem.order},
                   {"inputs", inputJson(problem)},
                   {"device", problem.model.engine().device()},
                   {"isa", problem.model.engine().code()},
                   {"products", problem.model.engine().products()},
                   {"threads", problem.model.engine().threads()},
                   {"optimizer", rt::optimizerName(recipe.optimizer)},
                   {"learning_rate", recipe.learningRate},
                   {"weight_decay", recipe.weightDecay},
                   {"peak_bytes", training.steps->executor().peakBytes()},
                   {"kept_bytes", training.steps->keptBytes()},
                   {"parameter_bytes", problem.model.parameterBytes()},
                   {"run_dir", place.isKept() ? nlohmann::json(place.path()) : nlohmann::json()},
                   {"interrupted", isInterrupted}});
    result["tried_plans"] = triedPlans(problem.model.engine());
    description->addTo(result);
    if (!epochTimes.is_null())
      result["stream"]["times"] = epochTimes;
    if (options.comm)
      result["ranks"] = traffic;
    return result;
  }

  const TrainOptions &options;
  RunPlace &place;
  Console &console;
  StartWeights startWeights;
  Problem problem;
  const rt::Recipe &recipe;
  const std::string whyOrder; // vertices are in the order of `problem`
  rt::Training training;
  std::unique_ptr<RunDescription> description;
  uint64_t dataDigest = 0; // where the run is kept
  std::map<std::string, std::string> notes;
  Summary summary;
  nlohmann::json epochTimes;                        // of a stream, in the last run
  nlohmann::json traffic = nlohmann::json::array(); // by rank
  std::vector<uint64_t> seedsDone;
  bool isStoppedEarly = false;
};

/// As one of several ranks, or alone.
int trainAs(const TrainOptions &asked) {
  const bool isSilent = asked.comm && asked.comm->rank() > 0;
  const std::unique_ptr<FILE, int (*)(FILE *)> nowhere(std::fopen("/dev/null", "w"), std::fclose);
  Console console(isSilent ? nowhere.get() : asked.json ? stderr : stdout);
  RunPlace place(asked);
  std::vector<std::string> changes;
  TrainOptions options = asked.resume ? resumedOptions(asked, place.checkpoint(), changes) : asked;
  if (asked.comm)
    shareOptions(*asked.comm, asked, options);
  Runs runs(asked, options, place, console);
  for (const std::string &change : changes)
    console.say("with %s", change.c_str());
  catchStopSignals();
  runs.run();
  runs.report();
  const int code = runs.isInterrupted ? exitCodeOfStop() : 0;
  return asked.comm ? int(asked.comm->greatest(code, "the end of all ranks")) : code;
}

} // namespace

int train(const TrainOptions &asked) { return asked.ranks.value_or(1) > 1 ? runRanks(asked, trainAs) : trainAs(asked); }

} // namespace gnn::train_tool
