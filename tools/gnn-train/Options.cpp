//===- Options.cpp - Command line of gnn-train ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Options.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Sizes.h"
#include "runtime/src/links/Topology.h"
#include "runtime/src/model/OpenEngine.h"
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

const char *titleOf(rt::option::Group group) {
  using rt::option::Group;
  switch (group) {
  case Group::Common:
    return "Options that most runs need";
  case Group::Training:
    return "Training";
  case Group::Links:
    return "Models of links";
  case Group::Samples:
    return "Samples (with --fanout)";
  case Group::Memory:
    return "Less memory";
  case Group::Processes:
    return "Several processes and GPUs";
  case Group::Machine:
    return "Data and machine";
  case Group::Folder:
    return "Where the run is kept";
  }
  return "";
}

template <class Value> CLI::Option *addValue(CLI::App &command, Value &value, const rt::TrainingOption &row) {
  if constexpr (std::is_same_v<Value, bool>)
    return command.add_flag(row.flag, value, row.help);
  else
    return command.add_option(row.flag, value, row.help);
}

void addRow(CLI::App &command, ProblemOptions &options, const rt::TrainingOption &row) {
  using rt::option::Type;
  CLI::Option *option = std::visit([&](auto member) { return addValue(command, options.*member, row); }, row.member);
  option->group(titleOf(row.group));
  if (row.type == Type::Texts)
    option->allow_extra_args(false);
  if (row.type == Type::Whole || (row.type == Type::Unsigned && row.most != INT64_MAX))
    option->check(tools::wholeNumber(row.least, row.most));
  if (row.type == Type::Real)
    option->check(tools::zeroOrMore());
  if (row.type == Type::Size)
    option->transform(sizeFrom(uint64_t(row.least)))->type_name("SIZE");
  if (*row.choices)
    option->check(CLI::IsMember(CLI::detail::split(row.choices, ',')));
  if (*row.value)
    option->type_name(row.value);
}

/// Adds the options that TrainingOptions.def gives a command.
void addTable(CLI::App &command, ProblemOptions &options, rt::option::Command bit) {
  for (const rt::TrainingOption &row : rt::trainingOptions())
    if (row.commands & bit)
      addRow(command, options, row);
  command.get_option("--data")->required(bit & (rt::option::Evaluate | rt::option::Predict | rt::option::Time));
}

/// What a launcher has said, unless the command line says it.
void takeLaunched(const CLI::App &command, TrainOptions &options) {
  const bool isCounted = command.count("--ranks") > 0;
  if (options.rank || (isCounted && options.ranks == 1))
    return;
  options.launched = Launched::find();
  if (!options.launched)
    return;
  const auto &[by, rank, size, ranksHere] = *options.launched;
  if (isCounted && options.ranks != size)
    throw CLI::ValidationError("--ranks " + std::to_string(*options.ranks) + ", and " + by + " has started " +
                               std::to_string(size) + " ranks");
  if (size > rt::mostRanks)
    throw CLI::ValidationError(by + " has started " + std::to_string(size) + " ranks: the most are " +
                               std::to_string(rt::mostRanks));
  options.ranks = size;
  options.rank = rank;
}

/// Options that do not go together are a mistake on the command line, as far as it says so itself.
void checkCommandLine(const ProblemOptions &options, const std::optional<Launched> &launched = std::nullopt) {
  rt::TrainingFacts facts = factsOf(options, options.device.empty() && !options.resume ? "cpu" : options.device);
  facts.severalRanks = options.ranks.value_or(1) > 1;
  facts.launched = launched.has_value();
  facts.commandLine = true;
  rt::OptionSpelling spelling;
  if (launched)
    spelling.ranks = "the ranks of " + launched->by;
  try {
    rt::checkRules(options, facts, spelling);
  } catch (const Error &error) {
    throw CLI::ValidationError(error.what());
  }
}

} // namespace

rt::TrainingFacts factsOf(const ProblemOptions &options, const std::string &device) {
  rt::TrainingFacts facts;
  facts.device = device;
  facts.severalRanks = options.comm != nullptr;
  const size_t gpus = rt::deviceNumbers(device).size();
  if (gpus > 0 || device == "cpu") {
    facts.gpu = gpus > 0;
    facts.severalGpus = gpus > 1 && options.ranks.value_or(1) == 1; // ranks have one each
  }
  return facts;
}

void addTrain(CLI::App &app, TrainOptions &options) {
  CLI::App &command = *app.add_subcommand("train", "train a model (the default)");
  addModel(command, options);
  addTable(command, options, rt::option::Train);
  command.parse_complete_callback([&command, &options] {
    if (options.data.empty() && !options.resume)
      throw CLI::RequiredError("--data");
    takeLaunched(command, options);
    checkCommandLine(options, options.launched);
  });
}

void addEvaluate(CLI::App &app, PredictOptions &options) {
  CLI::App &command = *app.add_subcommand("evaluate", "loss and accuracy of weights on each split");
  addModel(command, options);
  command.add_option("--weights", options.weights, "safetensors file: weights or a checkpoint")->required();
  addTable(command, options, rt::option::Evaluate);
  command.parse_complete_callback([&options] { checkCommandLine(options); });
}

void addPredict(CLI::App &app, PredictOptions &options) {
  CLI::App &command =
      *app.add_subcommand("predict", "write a model's output for every vertex or edge, or scores of pairs");
  addModel(command, options);
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
  command.add_option("--split", options.split, "of a model of links: the pairs to score (default: test)")
      ->check(CLI::IsMember({"train", "val", "test"}));
  command
      .add_option("--pairs", options.pairs,
                  "of a model of links: a table of pairs to score, by the ids of the data set; its first row names the "
                  "columns source, type if pairs have one, and destination (default: those of --split)")
      ->type_name("FILE")
      ->excludes(command.get_option("--split"));
  addTable(command, options, rt::option::Predict);
  vertices->excludes(command.get_option("--memory"));
  command.parse_complete_callback([&options] {
    checkCommandLine(options);
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
  command.add_option("--seconds", options.seconds, "how long to measure (default: 10)")->check(tools::aboveZero());
  addTable(command, options, rt::option::Time);
  command.parse_complete_callback([&options] { checkCommandLine(options); });
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
        "--look-ahead", "--chart",         "--topology", "--schedule",  "--verbose"})
    shape->excludes(command.get_option(other));
  command
      .add_option("--ranks", options.rankCounts,
                  "with --data-shape: how many processes would train together, each on a machine of its own; "
                  "of 1,2,4 each (default: 1)")
      ->delimiter(',')
      ->check(tools::wholeNumber(1, rt::mostRanks))
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
      *app.add_subcommand("plan", "say what a run would take, or compare the ways in which a model can be trained");
  addModel(command, options);
  addTable(command, options, rt::option::Plan);
  command
      .add_option_function<int64_t>(
          "--devices",
          [&options](int64_t count) { options.device = count == 1 ? "cuda:0" : "cuda:0-" + std::to_string(count - 1); },
          "over so many GPUs from the first on: of 4 as --device cuda:0-3")
      ->check(tools::wholeNumber(1, int64_t(rt::mostLinkedDevices)))
      ->excludes(command.get_option("--device"));
  command
      .add_option("--chart", options.chart,
                  "of a streamed graph: draw what an epoch would load, compute and store when, as an SVG")
      ->type_name("FILE");
  command.add_flag("--schedule", options.listsSchedule,
                   "list what a streamed step reads, computes and writes for each interval and chunk");
  command.add_flag("--verbose", options.isVerbose, "list every table, sweep and place in memory instead of a summary");
  addShape(command, options);
  command.parse_complete_callback([&options] {
    if (options.data.empty() && options.shape.empty())
      throw CLI::RequiredError("--data or --data-shape");
    checkCommandLine(options);
    if (!options.chart.empty() && !options.memoryBytes && !options.intervals)
      throw CLI::ValidationError("--chart requires --memory or --intervals");
  });
}

} // namespace gnn::train_tool
