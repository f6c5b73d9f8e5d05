//===- Plan.cpp - What a run would do and take ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is made ready as for a run, and nothing is run.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Plan.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/cuda/PaperDriver.h"
#include "runtime/src/engine/Peers.h"
#include "runtime/src/io/AtomicFiles.h"
#include "runtime/src/program/InputForms.h"
#include "runtime/src/train/Recipe.h"
#include "tools/gnn-train/Caches.h"
#include "tools/gnn-train/DiskProbe.h"
#include "tools/gnn-train/PredictedTimes.h"
#include "tools/gnn-train/Problem.h"
#include "tools/gnn-train/RouteText.h"
#include "tools/gnn-train/RunBytes.h"
#include "tools/gnn-train/RunLayout.h"
#include "tools/gnn-train/TriedPlans.h"

#include <cinttypes>
#include <optional>
#include <utility>

namespace gnn::train_tool {

namespace {

bool isStreamed(const Subject &subject) { return subject.withinMemory() && subject.withinMemory()->plan().parts > 0; }

/// The schedule of what the subject streams.
const rt::StageSchedule &scheduleOf(const Subject &subject) {
  return subject.withinMemory()->streamed(0).places().schedule();
}

/// Where what steps make and read lies while others run: of what an interval's steps make for each other, theirs is in
/// memory. Edges are there for the sweeps that find their cols there too.
nlohmann::json placesOf(const rt::Library &library, const gnn_program_t &program, const rt::StageSchedule &schedule,
                        const rt::Residents &residents) {
  nlohmann::json inFile = nlohmann::json::array(), inMemory = nlohmann::json::array(), here = nlohmann::json::array();
  for (const gnn_use_t &use : rt::usesIn(program))
    (!schedule.isSpilled(use.tensor) ? inMemory
     : schedule.isTemporary(use)     ? here
                                     : inFile)
        .push_back(library.tensor(use.tensor).name);
  for (uint32_t r = 0; r < library.table().num_relations; ++r) {
    if (rt::isUnread(library, r))
      continue;
    for (uint32_t direction : {GNN_TO_DESTINATION, GNN_TO_SOURCE})
      (residents.edges.count({r, direction}) || rt::isOfPairs(library, r) ? inMemory : inFile)
          .push_back(std::string(library.table().relations[r].name) +
                     (direction == GNN_TO_DESTINATION ? " to destinations" : " to sources"));
  }
  return {{"file", std::move(inFile)}, {"memory", std::move(inMemory)}, {"interval", std::move(here)}};
}

void printPart(const char *title, const nlohmann::json &part) {
  for (const auto &[name, value] : part.items()) {
    std::printf("%-11s %s: %s\n", title, name.c_str(),
                value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    title = "";
  }
}

/// What is bound or the model's is listed as tables and bytes.
void print(const RunLayout &layout) {
  const char *title = "sweeps";
  for (const RunLayout::Sweep &sweep : layout.sweeps)
    std::printf("%-11s %u %s over %s to %s: partitions %" PRId64 ", passes %" PRId64 ", hubs %" PRId64 "\n",
                std::exchange(title, ""), sweep.step, sweep.kernel.c_str(), sweep.relation.c_str(),
                sweep.toward.c_str(), sweep.parts.partitions, sweep.parts.passes, sweep.parts.hubs);
  title = "places";
  for (const RunLayout::Place &place : layout.places)
    if (place.in == "arena" || place.in == "lasting")
      std::printf("%-11s %s: %zu bytes at %zu of the %s, steps %" PRId64 "-%" PRId64 "\n", std::exchange(title, ""),
                  place.name.c_str(), place.bytes, place.offset, place.in.c_str(), place.first, place.last);
    else if (place.in == "readers")
      std::printf("%-11s %s: not stored, made where it is read\n", std::exchange(title, ""), place.name.c_str());
}

std::string whole(const nlohmann::json &number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", number.get<double>());
  return text;
}

std::string shareOf(const nlohmann::json &share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share.get<double>());
  return text;
}

void printSamples(const nlohmann::json &plan) {
  printPart("samples", plan["plan"]["samples"]);
  nlohmann::json batch{{"batches of an epoch", plan["batch"]["of_epoch"]}};
  if (plan["batch"].contains("drawn_by"))
    batch["edges are drawn by"] = plan["batch"]["drawn_by"];
  for (const auto &[type, depths] : plan["batch"]["rows"].items()) {
    std::string numbers;
    for (const nlohmann::json &rows : depths)
      numbers += (numbers.empty() ? "" : ", ") + whole(rows);
    batch["rows of " + type] = numbers;
  }
  for (const auto &[relation, edges] : plan["batch"]["edges"].items())
    batch["edges of " + relation] = whole(edges);
  if (!plan.contains("samples"))
    return printPart("a batch", batch);
  const nlohmann::json &within = plan["samples"], &read = within["batch"];
  batch["rows of features that are kept"] = shareOf(read["hit_rate"]);
  if (within.contains("device_bytes")) {
    batch["bytes of features that are sent"] = whole(read["bytes_sent"]);
    printPart("a batch", batch);
    return printPart("bytes", {{"parameters and what belongs to them", within["other_bytes"]},
                               {"batches", within["sample_bytes"]},
                               {"evaluation", within["evaluation_bytes"]},
                               {"rows that are kept", within["kept_bytes"]},
                               {"rows of edges that are kept", within["kept_edge_bytes"]},
                               {"together", within["device_bytes"]}});
  }
  batch["bytes of features"] = whole(read["bytes"]);
  batch["bytes of features that are read"] = whole(read["bytes_read"]);
  if (within.contains("scattered_rows"))
    batch["scattered rows are read by"] = within["scattered_rows"];
  if (read.contains("edge_hit_rate")) {
    batch["rows of edges that are kept"] = shareOf(read["edge_hit_rate"]);
    batch["bytes of edges that are read"] = whole(read["edge_bytes_read"]);
  }
  printPart("a batch", batch);
  nlohmann::json bytes{{"edges", within["edge_bytes"]},
                       {"tables", within["table_bytes"]},
                       {"batches", within["sample_bytes"]},
                       {"evaluation", within["evaluation_bytes"]},
                       {"rows that are kept", within["kept_bytes"]},
                       {"together", within["memory_bytes"]},
                       {"in files", within["file_bytes"]}};
  if (within.contains("kept_edge_bytes"))
    bytes["rows of edges that are kept"] = within["kept_edge_bytes"];
  printPart("bytes", bytes);
}

/// The rows of types of vertices beside what is said of all.
nlohmann::json flatRows(nlohmann::json rows) {
  const nlohmann::json ofTypes = rows.value("rows", nlohmann::json::object());
  rows.erase("rows");
  for (const auto &[type, depths] : ofTypes.items())
    rows["of " + type] = depths;
  return rows;
}

void print(const nlohmann::json &plan, const std::optional<RunLayout> &layout) {
  std::printf("%s on %s: @%s on %s\n", plan["model"].get<std::string>().c_str(),
              plan["data"].get<std::string>().c_str(), plan["program"].get<std::string>().c_str(),
              plan["device"].get<std::string>().c_str());
  std::printf("%-11s %s\n", "executor", plan["plan"]["executor"].get<std::string>().c_str());
  if (plan["plan"].contains("program"))
    std::printf("%-11s %s\n", "program", plan["plan"]["program"].get<std::string>().c_str());
  if (plan["plan"].contains("products"))
    std::printf("%-11s %s\n", "products", plan["products"].get<std::string>().c_str());
  std::printf("%-11s %s: %s\n", "order", plan["order"]["chosen"].get<std::string>().c_str(),
              plan["order"]["because"].get<std::string>().c_str());
  for (const auto &[name, input] : plan["inputs"].items())
    std::printf("%-11s %s is %s: %s\n", "input", name.c_str(), input["chosen"].get<std::string>().c_str(),
                input["because"].get<std::string>().c_str());
  for (const char *part : {"orders", "folds", "inputs"})
    printPart(part, plan["plan"][part]);
  if (plan.contains("batch")) {
    printSamples(plan);
    if (plan.contains("samples"))
      return;
  }
  if (plan.contains("places")) {
    printPart("places", plan["places"]);
    const char *title = "schedule";
    for (const nlohmann::json &line : plan.value("schedule", nlohmann::json::array()))
      std::printf("%-11s %s\n", std::exchange(title, ""), line.get<std::string>().c_str());
    const nlohmann::json &stream = plan["stream"];
    if (!plan.contains("times")) {
      printPart("streamed", {{"intervals of vertices", stream["intervals"]},
                             {"cut by", stream["cut"]},
                             {"bytes of the GPU's memory", stream["device_bytes"]},
                             {"bytes of this machine's memory",
                              stream.value("memory_bytes", stream["host_bytes"].get<uint64_t>())}});
      if (stream.contains("file_bytes"))
        printPart("in files", {{"bytes that are spilled", stream["file_bytes"]},
                               {"bytes of the data", stream["data_bytes"]},
                               {"scattered rows are read by", stream["scattered_rows"]}});
      printPart("a step", stream["step"]);
      return printRoutes(plan["links"]);
    }
    printPart("streamed", {{"intervals of vertices", stream["intervals"]},
                           {"cut by", stream["cut"]},
                           {"bytes of memory", stream["memory_bytes"]},
                           {"bytes of memory for what is loaded ahead", stream["look_ahead_bytes"]},
                           {"bytes of the file", stream["file_bytes"]},
                           {"scattered rows are read by", stream["scattered_rows"]}});
    printPart("a step", stream["step"]);
    return printPart("predicted", timesLines(plan["times"]));
  }
  if (plan.contains("rows"))
    printPart("rows", flatRows(plan["rows"]));
  if (layout) {
    print(*layout);
    const char *title = "trials";
    for (const nlohmann::json &sweep : plan["tried_plans"])
      std::printf("%-11s %s", std::exchange(title, ""), triedPlansText(nlohmann::json::array({sweep})).c_str());
  }
  const nlohmann::json &bytes = plan["bytes"];
  printPart("tables", bytes["tables"]);
  printPart("edges", bytes["edges"]);
  printPart("bytes", {{"tables", sumOf(bytes["tables"])},
                      {"edges", sumOf(bytes["edges"])},
                      {"parameters", bytes["parameters"]},
                      {"moments of the optimizer", bytes["moments"]},
                      {"temporaries and results", bytes["program"]},
                      {"together", plan["peak_bytes"]}});
}

/// Written and read to see how fast a disk is.
constexpr size_t probedBytes = 64 << 20;

/// What a step takes of them, and what they are, where no file has said that.
nlohmann::json linksOf(const PlanOptions &options, const Subject &subject, Problem &problem) {
  rt::Engine &engine = problem.model.engine();
  const rt::WithinMemory &within = *subject.withinMemory();
  std::optional<rt::DiskRates> disk; // of files that one GPU is sent
  if (within.below() && !within.plan().isCached && !within.onDevices(0))
    disk = measureDisk(problem.config.memory->spillFolder, probedBytes);
  nlohmann::json links = routesJson(within, subject.trains(), disk ? &*disk : nullptr);
  if (rt::Peers *peers = engine.peers(); peers && options.topology.empty())
    links["topology"] = topologyJson(peers->topology());
  return links;
}

} // namespace

int plan(const PlanOptions &given) {
  if (isOfCaches(given))
    return planCaches(given);
  PlanOptions options = given;
  if (!options.topology.empty()) {
    options.connections = std::make_shared<const rt::Topology>(rt::readTopology(options.topology));
    rt::cuda::useOnPaper(options.connections);
  }
  Problem problem(options);
  const std::string whyOrder = problem.chooseOrder(options, rt::recipeOf(*problem.model.library()).epochs);
  problem.dropEdgeIds(options);
  Subject subject(problem, options.model);
  const rt::Library &library = *problem.model.library();
  const gnn_program_t &program = subject.executor().walked();
  std::optional<RunLayout> layout; // none of a graph that is streamed, and of samples
  nlohmann::json result{{"model", library.name()},
                        {"data", problem.data->source},
                        {"program", subject.program()},
                        {"device", problem.model.engine().device()},
                        {"products", problem.model.engine().products()},
                        {"order", {{"chosen", problem.order}, {"because", whyOrder}}},
                        {"inputs", inputJson(problem)},
                        {"plan", nlohmann::json::parse(subject.plan().json())}};
  if (subject.description())
    subject.description()->addToPlan(result);
  const bool isSampled = result.contains("batch");
  const char *otherwise = isSampled ? "train on samples" : "have the whole graph in memory";
  rt::require(!options.listsSchedule || isStreamed(subject), GNN_ERROR_ARGUMENT,
              "--schedule only applies to streamed graphs: this run would ", otherwise);
  rt::require(options.chart.empty() || isStreamed(subject), GNN_ERROR_ARGUMENT, "--chart ", options.chart,
              " only applies to streamed graphs: this run would ", otherwise);
  rt::require(options.chart.empty() || !subject.withinMemory()->below(), GNN_ERROR_ARGUMENT, "--chart ", options.chart,
              " only applies to runs on processors (this run uses --device ", problem.model.engine().device(), ")");
  if (isStreamed(subject)) {
    result["places"] = placesOf(library, program, scheduleOf(subject), subject.withinMemory()->plan().residents);
    result["stream"] = planJson(*subject.withinMemory());
    result["stream"].erase("so_far");
    if (options.listsSchedule)
      result["schedule"] = scheduleOf(subject).lines();
    StreamChart chart(library);
    if (subject.withinMemory()->below())
      result["links"] = linksOf(options, subject, problem);
    else
      result["times"] = predictedTimes(problem, subject, chart);
    if (!options.chart.empty()) {
      const std::string svg = chart.svg(library.name() + std::string(" on ") + problem.data->source + ", as planned");
      rt::atomicWrite(options.chart, {{svg.data(), svg.size()}});
    }
    result["peak_bytes"] = subject.withinMemory()->plan().bytes;
  } else if (!isSampled) {
    layout = RunLayout::of(library, subject.data(), program, subject.executor());
    if (subject.description())
      result["rows"] = subject.description()->rows();
    result["layout"] = nlohmann::json::parse(layout->json());
    result["tried_plans"] = triedPlans(problem.model.engine());
    result["bytes"] = bytesOfRun(problem, subject.data(), subject.executor(), subject.trains());
    result["peak_bytes"] = sumOf(result["bytes"]);
  }
  if (options.json)
    std::printf("%s\n", jsonText(result).c_str());
  else
    print(result, layout);
  return 0;
}

} // namespace gnn::train_tool
