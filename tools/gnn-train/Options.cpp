//===- Options.cpp - Command line of gnn-train ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Options.h"

#include "runtime/src/core/Sizes.h"
#include "runtime/src/stream/StreamPlanner.h"
#include "support/NumberChecks.h"

#include <filesystem>

namespace gnn::train_tool {

namespace {

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

CLI::Validator compiledLibrary() {
  auto mistakeIn = [](const std::string &path) {
    if (!endsWith(path, ".gnn"))
      return std::string();
    return path + " is a source: `gnnc " + path + "` makes " + std::filesystem::path(path).stem().string() + ".so";
  };
  return CLI::Validator(mistakeIn, "");
}

/// Turns "500MB" into bytes.
CLI::Validator sizeFrom(uint64_t least) {
  auto mistakeIn = [least](std::string &text) {
    const std::optional<uint64_t> bytes = rt::parseSize(text);
    if (!bytes || *bytes < least)
      return "expected a size, as 500MB or 8GB, from " + std::to_string(least) + " to " + std::to_string(UINT64_MAX) +
             " bytes, not " + text;
    text = std::to_string(*bytes);
    return std::string();
  };
  return CLI::Validator(mistakeIn, "");
}

void addModel(CLI::App &command, ProblemOptions &options) {
  command.add_option("model", options.model, "compiled library (gnnc model.gnn -o model.so)")
      ->required()
      ->check(compiledLibrary());
}

/// Returns the option --data, which is required.
CLI::Option *addProblem(CLI::App &command, ProblemOptions &options) {
  auto *data = command.add_option("--data", options.data, "data set: a folder")->required();
  command.add_option("-D,--dim", options.dims, "value of an open dimension, name=value")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--threads", options.threads, "threads; 0: as many as there are (results do not depend on it)");
  command
      .add_option(
          "--order", options.order,
          "how vertices lie in memory: given, degree, locality, community, metis, or auto (the default): the fastest; "
          "seen in the speed only")
      ->check(CLI::IsMember({"auto", "given", "degree", "locality", "community", "metis"}))
      ->type_name("ORDER");
  command
      .add_option("--inputs", options.inputs,
                  "how an input that nothing reads elementwise is kept: dense, as a table, sparse, as its nonzeros, or "
                  "auto (the default): by how many there are")
      ->check(CLI::IsMember({"auto", "dense", "sparse"}))
      ->type_name("FORM");
  command
      .add_option("--plans", options.plans,
                  "in which parts the processor goes over edges where several promise to be the fastest: tried (the "
                  "default), by the time of the first runs, or counted, by counts alone; seen in the speed only")
      ->check(CLI::IsMember({"tried", "counted"}))
      ->type_name("PLANS");
  command.add_flag(
      "--keep-graph", options.keepGraph,
      "keep the prepared graph in the folder of the data (prepared/), and take it from there the next time");
  command.add_option("--isa", options.isa, "instruction set: x86-64-v2, x86-64-v3 or x86-64-v4 (default: the best)");
  command
      .add_option("--device", options.device,
                  "where to compute: cpu (the default), cuda, cuda:N, several GPUs as cuda:0-3 or cuda:0,2, or auto, "
                  "a GPU where there is one")
      ->type_name("DEVICE");
  auto *memory =
      command
          .add_option("--device-memory", options.deviceBytes,
                      "most memory of the GPU, or of each, to take, as 500MB or 8GB, all of it by default: where the "
                      "graph with its tables takes more, it is streamed from memory of this machine; of plan with "
                      "--fanout and --topology: for a cache")
          ->transform(sizeFrom(1))
          ->type_name("SIZE");
  command.callback([&command, &options, memory] {
    const CLI::Option *resume = command.get_option_no_throw("--resume"); // a checkpoint may say the device
    const bool isOfRun = options.device.empty() && resume && resume->count() > 0;
    if (memory->count() > 0 && !isOfRun && (options.device.empty() || options.device == "cpu"))
      throw CLI::ValidationError("--device-memory is of a GPU, but --device is cpu");
  });
  command.add_flag("--json", options.json, "print one JSON object as the last line and progress to standard error");
  return data;
}

/// Of commands that run programs within a limit. Returns the option --memory.
CLI::Option *addMemory(CLI::App &command, ProblemOptions &options) {
  auto *memory =
      command
          .add_option("--memory", options.memoryBytes,
                      "most memory for what runs take, as 500MB or 8GB: where the graph with its tables takes "
                      "more, it is streamed from a file")
          ->transform(sizeFrom(1))
          ->type_name("SIZE");
  command
      .add_option("--spill", options.spillFolder,
                  "the folder for that file, of which nothing stays (default: that of TMPDIR, or /var/tmp)")
      ->needs(memory)
      ->type_name("FOLDER");
  command
      .add_option("--intervals", options.intervals,
                  "go over so many intervals of vertices, one after the other (default with a limit: those that "
                  "read and write least; with --ranks or several GPUs: one for each, or more)")
      ->check(tools::wholeNumber(1, rt::mostIntervals));
  command
      .add_option("--cut", options.cut,
                  "what intervals have as much of as others: vertices, or work, which is of vertices and edges "
                  "together (default: vertices with --intervals, --ranks or several GPUs, else what reads and writes "
                  "least)")
      ->check(CLI::IsMember({"vertices", "work"}))
      ->type_name("BY");
  command.add_flag(
      "--whole-intervals", options.wholeIntervals,
      "read all rows of an interval where edges touch some of them, to see what passing over others saves");
  command
      .add_option("--look-ahead", options.lookAhead,
                  "how much is loaded ahead of what steps read, beside the next interval and chunk, as 32MB or 0, as "
                  "far as the limit goes (default: what it leaves, up to 64MB)")
      ->transform(sizeFrom(0))
      ->needs(memory)
      ->type_name("SIZE");
  command
      .add_option(
          "--comm", options.route,
          "how rows that several GPUs read come to them: replicated, from memory of this machine to each; "
          "ring or chain, to some and on from GPU to GPU; auto, what is predicted to take least time (default). "
          "Of --ranks on GPUs: nccl, from GPU to GPU; host, by the memory of their processes; auto, NCCL where "
          "all have it")
      ->check(CLI::IsMember({"auto", "replicated", "ring", "chain", "nccl", "host"}))
      ->type_name("WAY");
  command
      .add_option("--topology", options.topology,
                  "a JSON file of how the GPUs of the machine are connected (default: as the system says); plan takes "
                  "the GPUs from it, too, and needs none")
      ->type_name("FILE");
  return memory;
}

constexpr int mostRanks = 64, mostShares = 1024;

void addRanks(CLI::App &command, TrainOptions &options) {
  auto *ranks = command
                    .add_option("--ranks", options.ranks,
                                "train by so many processes together, each over its part "
                                "(default: as many as mpirun or srun has started, or 1)")
                    ->check(tools::wholeNumber(1, mostRanks));
  auto *rank = command
                   .add_option("--rank", options.rank,
                               "the number of this process among them, from 0; the others are started elsewhere by "
                               "the same command (default: all are started here)")
                   ->check(tools::wholeNumber(0, mostRanks - 1))
                   ->needs(ranks);
  auto *place = command
                    .add_option("--rendezvous", options.rendezvous,
                                "where rank 0 listens and the others find it, with --rank or in place of MPI")
                    ->type_name("HOST:PORT");
  rank->needs(place);
  command
      .add_option("--shares", options.shares,
                  "with --fanout: cut each batch into so many parts, each sampled and computed by itself by one of "
                  "the ranks or GPUs (default: one for each)")
      ->check(tools::wholeNumber(1, mostShares))
      ->needs(command.get_option("--fanout"));
  command
      .add_option("--rank-timeout", options.rankSeconds,
                  "seconds to wait for a rank that does not come, or says nothing though it is there (default: 600)")
      ->check(tools::wholeNumber(1, 1000000));
}

/// What a launcher has said, unless the command line says it.
void takeLaunched(const CLI::App &command, TrainOptions &options) {
  const bool isCounted = command.count("--ranks") > 0;
  if (options.rank || (isCounted && options.ranks == 1))
    return;
  options.launched = rt::Launched::find();
  if (!options.launched)
    return;
  const auto &[by, rank, size, ranksHere] = *options.launched;
  if (isCounted && options.ranks != size)
    throw CLI::ValidationError("--ranks " + std::to_string(options.ranks) + ", and " + by + " has started " +
                               std::to_string(size) + " ranks");
  if (size > mostRanks)
    throw CLI::ValidationError(by + " has started " + std::to_string(size) + " ranks: the most are " +
                               std::to_string(mostRanks));
  options.ranks = size;
  options.rank = rank;
}

/// Of the ways of --comm.
bool isOfRanks(const std::string &route) { return route == "nccl" || route == "host"; }

/// What is not for several processes.
void checkRanks(const CLI::App &command, const TrainOptions &options) {
  auto refuse = [&](const std::string &option) {
    throw CLI::ValidationError(
        (options.launched ? "ranks of " + options.launched->by : "--ranks " + std::to_string(options.ranks)) +
        " can't be with " + option);
  };
  if (!options.rendezvous.empty() && !options.rank)
    throw CLI::RequiresError("--rendezvous", "--rank");
  if (command.count("--rank-timeout") > 0 && options.ranks == 1 && command.count("--ranks") == 0)
    throw CLI::RequiresError("--rank-timeout", "--ranks");
  if (options.rank && *options.rank >= options.ranks)
    throw CLI::ValidationError("--rank " + std::to_string(*options.rank) + " is not below --ranks " +
                               std::to_string(options.ranks));
  if (options.rank && options.ranks == 1)
    throw CLI::ValidationError("--rank is for two --ranks or more");
  if (options.ranks == 1 && isOfRanks(options.route))
    throw CLI::RequiresError("--comm " + options.route, "--ranks");
  if (options.ranks == 1)
    return;
  if (!options.rows.empty())
    refuse("--rows " + options.rows + ": each rank computes its part of all");
  if (options.profile)
    refuse("--profile");
  if (options.device == "auto")
    refuse("--device auto: each might choose another: say cpu or cuda");
  if (!options.route.empty() && options.route != "auto" && !isOfRanks(options.route))
    refuse("--comm " + options.route + ": it is of several GPUs of one process, and each rank has one");
  if (!options.topology.empty())
    refuse("--topology: it is of several GPUs of one process, and each rank has one");
  if (options.intervals && *options.intervals < options.ranks && options.fanOuts.empty())
    refuse("--intervals " + std::to_string(*options.intervals) + ": each rank has one at least");
  if (options.shares && *options.shares < options.ranks)
    refuse("--shares " + std::to_string(*options.shares) + ": each rank has one at least");
}

/// Of commands about training.
void addSampling(CLI::App &command, ProblemOptions &options) {
  auto *fanOuts =
      command
          .add_option("--fanout", options.fanOuts,
                      "train on samples: the most edges by which vertices are seen, step by step away from those "
                      "of the batch, as 15,10; of one relation, cites=15,10; all: no limit")
          ->type_name("NUMBERS")
          ->allow_extra_args(false);
  command
      .add_option(
          "--batch", options.batch,
          "with --fanout: vertices of a step, or true pairs of links (default: 1024); of links without it: true "
          "pairs of a step (default: all)")
      ->check(tools::wholeNumber(1));
  command
      .add_option("--ahead", options.ahead,
                  "with --fanout: batches that are sampled while others are trained on, each on a thread beside "
                  "--threads (default: 1)")
      ->check(tools::wholeNumber(0, 64))
      ->needs(fanOuts);
  command
      .add_option("--sampler", options.sampler,
                  "how edges are drawn, with --fanout: uniform (the default), labor, replace, weight=NAME, or "
                  "weight=NAME,replace, by an input of edges")
      ->needs(fanOuts);
  command
      .add_option("--draws", options.draws,
                  "with --fanout on a GPU, who draws edges: device, host: the processor (default: the GPU, where it "
                  "can); the edges are the same")
      ->check(CLI::IsMember({"device", "host"}))
      ->type_name("WHO")
      ->needs(fanOuts);
  command
      .add_flag("--no-evaluation", options.noEvaluation,
                "with --fanout: don't evaluate the splits, which takes going over the whole graph")
      ->needs(fanOuts);
}

/// Of commands that run steps over the whole graph.
CLI::Option *addRows(CLI::App &command, ProblemOptions &options) {
  return command
      .add_option("--rows", options.rows,
                  "which vertices a step over the whole graph computes: all, reached: those that the loss reaches, or "
                  "auto (the default): these where that is less work")
      ->check(CLI::IsMember({"auto", "all", "reached"}))
      ->type_name("ROWS");
}

/// Of commands that have both: samples are evaluated in intervals where memory is limited.
void checkIntervals(const ProblemOptions &options) {
  if (options.intervals && !options.memoryBytes && !options.deviceBytes && !options.fanOuts.empty())
    throw CLI::ValidationError("--intervals with --fanout requires --memory or --device-memory");
  if (options.cut && !options.fanOuts.empty())
    throw CLI::ValidationError("--cut is of steps over the whole graph, not of samples (--fanout)");
}

CLI::Option *addNoRanking(CLI::App &command, bool &noRanking) {
  return command.add_flag("--no-ranking", noRanking,
                          "of links: don't rank each pair among all others at the end (no mrr, no hits@k)");
}

} // namespace

void addTrain(CLI::App &app, TrainOptions &options) {
  CLI::App &command = *app.add_subcommand("train", "train a model (the default)");
  addModel(command, options);
  auto *data = addProblem(command, options);
  command.add_option("--runs", options.runs, "train this often, with seeds from --seed on")
      ->check(tools::wholeNumber(1));
  command.add_option("--seed", options.seed, "seed of parameters and dropout");
  auto *weights = command.add_option("--weights", options.weights,
                                     "safetensors file, weights or a checkpoint: begin with these parameters and "
                                     "states, with an optimizer that has seen nothing (default: drawn from the seed)");
  command.add_option("--negatives", options.negatives, "sampled pairs for each true one, for models of links")
      ->check(tools::wholeNumber(1));
  auto *never = addNoRanking(command, options.noRanking);
  command
      .add_option("--rank-every", options.rankEvery,
                  "rank the pairs of each split, but for those of training, after every so many epochs too")
      ->check(tools::wholeNumber(1))
      ->type_name("EPOCHS")
      ->excludes(never);
  addSampling(command, options);
  auto *rows = addRows(command, options)->excludes(command.get_option("--fanout"));
  auto *memory = addMemory(command, options);
  auto *intervals = command.get_option("--intervals");
  rows->excludes(memory)->excludes(intervals);
  addRanks(command, options);
  command.add_option("--epochs", options.epochs, "epochs")->check(tools::wholeNumber(0));
  command.add_option("--lr", options.learningRate, "learning rate")->check(tools::zeroOrMore());
  command.add_option("--weight-decay", options.weightDecay, "weight decay of the layers that the model names")
      ->check(tools::zeroOrMore());
  command.add_option("--optimizer", options.optimizer, "sgd, adam or adamw")
      ->check(CLI::IsMember({"sgd", "adam", "adamw"}));
  options.regimen.addTo(command);
  command
      .add_option("--patience", options.patience,
                  "stop after this many epochs without a better validation result, keep the best weights")
      ->check(tools::wholeNumber(1));
  auto *folder =
      command.add_option("--run-dir", options.runFolder,
                         "write checkpoints, metrics.jsonl and loss.svg to this folder (default: a new one in runs/)");
  command.add_flag("--no-run-dir", options.keepsNothing, "write nothing: the weights are gone at the end")
      ->excludes(folder);
  auto *resume = command.add_flag("--resume", options.resume, "go on from the run directory's last checkpoint");
  resume->needs(folder)->excludes(weights);
  data->required(false);
  command.parse_complete_callback([&command, &options] {
    if (options.data.empty() && !options.resume)
      throw CLI::RequiredError("--data");
    takeLaunched(command, options);
    checkRanks(command, options);
    checkIntervals(options);
  });
  command.add_flag("--exist-ok", options.existOk, "replace the run that the run directory holds")
      ->needs(folder)
      ->excludes(resume);
  command.add_flag("--profile", options.profile, "print the time of each step of the training program")
      ->excludes(memory)
      ->excludes(intervals);
}

void addEvaluate(CLI::App &app, PredictOptions &options) {
  CLI::App &command = *app.add_subcommand("evaluate", "loss and accuracy of weights on each split");
  addModel(command, options);
  addProblem(command, options);
  addMemory(command, options);
  addNoRanking(command, options.noRanking);
  command.add_option("--weights", options.weights, "safetensors file: weights or a checkpoint")->required();
}

void addPredict(CLI::App &app, PredictOptions &options) {
  CLI::App &command =
      *app.add_subcommand("predict", "write a model's output for every vertex, or score for every pair of a split");
  addModel(command, options);
  addProblem(command, options);
  command.add_option("--weights", options.weights, "safetensors file: weights or a checkpoint")->required();
  command.add_option("--predictions", options.predictions, "the file to write: .npy, or .csv for people")->required();
  command
      .add_option("--format", options.format,
                  "npy, or csv with the ids of the data set and the best class (default: by the file's name)")
      ->check(CLI::IsMember({"npy", "csv"}));
  command.add_option("--output", options.output, "which output of the model (default: the first)");
  CLI::Option *vertices =
      command
          .add_option(
              "--vertices", options.vertices,
              "ids as the data set has them, or numbers from 0 if it has none, as kim254,joe93: rows for these alone, "
              "in this order, from what they read in the graph")
          ->allow_extra_args(false)
          ->type_name("IDS");
  command
      .add_option("--type", options.vertexType,
                  "the type of these vertices, where the model has several (default: that of the output)")
      ->needs(vertices);
  addMemory(command, options)->excludes(vertices);
  command.add_option("--split", options.split, "of a model of links: the pairs to score (default: test)")
      ->check(CLI::IsMember({"train", "val", "test"}));
  command.parse_complete_callback([&options] {
    if (options.format.empty() && !endsWith(options.predictions, ".npy") && !endsWith(options.predictions, ".csv"))
      throw CLI::ValidationError(
          "--predictions " + options.predictions +
          " ends with neither .npy nor .csv: --format npy or --format csv says what it is to be");
  });
}

void addTime(CLI::App &app, TimeOptions &options) {
  CLI::App &command = *app.add_subcommand("time", "time the kernels of a model, or of versions of it in turns");
  command.add_option("models", options.libraries, "compiled libraries that read the same inputs")
      ->required()
      ->check(compiledLibrary());
  addProblem(command, options);
  addRows(command, options);
  command.add_option("--seconds", options.seconds, "how long to measure (default: 10)")->check(tools::aboveZero());
}

/// What a shape has not, or what a plan over one does not look at, is refused with it.
static void addShape(CLI::App &command, PlanOptions &options) {
  auto *shape = command
                    .add_option("--data-shape", options.shape,
                                "in place of --data: how many vertices and edges there are, and dimensions, as "
                                "vertex=111M,edge=1.6G,in=128,classes=172")
                    ->type_name("NAME=NUMBER,...");
  for (const char *other :
       {"--data",       "--threads",       "--order",    "--inputs",    "--keep-graph", "--device",
        "--devices",    "--device-memory", "--fanout",   "--batch",     "--ahead",      "--sampler",
        "--draws",      "--rows",          "--spill",    "--intervals", "--cut",        "--whole-intervals",
        "--look-ahead", "--chart",         "--topology", "--schedule"})
    shape->excludes(command.get_option(other));
  command
      .add_option("--ranks", options.ranks,
                  "with --data-shape: how many processes would train together, each on a machine of its own; "
                  "of 1,2,4 each (default: 1)")
      ->delimiter(',')
      ->check(tools::wholeNumber(1, mostRanks))
      ->type_name("NUMBERS")
      ->allow_extra_args(false)
      ->needs(shape);
  command
      .add_option("--machine", options.machine,
                  "with --data-shape: what each machine does in a second (default: "
                  "disk=1GB/s,link=1.25GB/s,memory=20GB/s,arithmetic=200G/s)")
      ->type_name("NAME=RATE,...")
      ->needs(shape);
}

void addPlan(CLI::App &app, PlanOptions &options) {
  CLI::App &command =
      *app.add_subcommand("plan", "say what a run would go over in which order, and what it would take");
  addModel(command, options);
  auto *data = addProblem(command, options)->required(false);
  command
      .add_option_function<int64_t>(
          "--devices",
          [&options](int64_t count) { options.device = count == 1 ? "cuda:0" : "cuda:0-" + std::to_string(count - 1); },
          "over so many GPUs from the first on: of 4 as --device cuda:0-3")
      ->check(tools::wholeNumber(1, int64_t(rt::mostLinkedDevices)))
      ->excludes(command.get_option("--device"));
  addSampling(command, options);
  auto *rows = addRows(command, options)->excludes(command.get_option("--fanout"));
  rows->excludes(addMemory(command, options))->excludes(command.get_option("--intervals"));
  command
      .add_option("--chart", options.chart,
                  "of a streamed graph: draw what an epoch would load, compute and store when, as an SVG")
      ->type_name("FILE");
  command.add_flag("--schedule", options.schedule,
                   "list what a streamed step reads, computes and writes for each interval and chunk");
  addShape(command, options);
  command.parse_complete_callback([data, &options] {
    if (data->count() == 0 && options.shape.empty())
      throw CLI::RequiredError("--data or --data-shape");
    checkIntervals(options);
    if (!options.chart.empty() && !options.memoryBytes && !options.intervals)
      throw CLI::ValidationError("--chart requires --memory or --intervals");
  });
}

} // namespace gnn::train_tool
