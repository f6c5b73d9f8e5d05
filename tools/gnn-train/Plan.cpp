//===- Plan.cpp - What a run would do and take ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is made ready as for a run, and some steps are run to see how long they take. Nothing is kept.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Plan.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/engine/Peers.h"
#include "runtime/src/io/AtomicFiles.h"
#include "runtime/src/program/InputForms.h"
#include "runtime/src/train/Recipe.h"
#include "tools/gnn-train/Caches.h"
#include "tools/gnn-train/DiskProbe.h"
#include "tools/gnn-train/PaperDriver.h"
#include "tools/gnn-train/PlanText.h"
#include "tools/gnn-train/PlanWays.h"
#include "tools/gnn-train/PredictedTimes.h"
#include "tools/gnn-train/RouteText.h"
#include "tools/gnn-train/RunBytes.h"
#include "tools/gnn-train/ShapeText.h"
#include "tools/gnn-train/TriedPlans.h"

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

/// What a run of this subject goes over.
std::string wayOf(const Subject &subject, const nlohmann::json &plan) {
  if (plan.contains("batch"))
    return "samples: " + subject.description()->before().front();
  if (isStreamed(subject)) {
    const rt::StreamPlan &chosen = subject.withinMemory()->plan();
    return "the whole graph, streamed in " + std::to_string(chosen.parts) + " interval" +
           (chosen.parts == 1 ? "" : "s") + " of vertices";
  }
  if (plan.contains("rows") && plan["rows"].value("steps", "") == "reached")
    return "the whole graph in memory; " + subject.description()->before().back();
  return "the whole graph in memory";
}

void requireStreamed(const PlanOptions &options, const Subject &subject, bool isSampled) {
  const char *otherwise = isSampled ? "train on samples" : "have the whole graph in memory";
  rt::require(!options.listsSchedule || isStreamed(subject), GNN_ERROR_ARGUMENT,
              "--schedule only applies to streamed graphs: this run would ", otherwise);
  rt::require(options.chart.empty() || isStreamed(subject), GNN_ERROR_ARGUMENT, "--chart ", options.chart,
              " only applies to streamed graphs: this run would ", otherwise);
}

/// Whether steps can run that have no limit of memory: data are there already, what steps make is not.
bool isRoomFor(const nlohmann::json &plan, rt::Engine &engine) {
  return engine.device() != "cpu" || !plan.contains("bytes") ||
         plan["bytes"]["program"].get<double>() <= double(rt::availableMemory());
}

/// Adds what is known of a streamed subject, and draws its chart.
void addStream(nlohmann::json &plan, const PlanOptions &options, Problem &problem, Subject &subject) {
  const rt::WithinMemory &within = *subject.withinMemory();
  rt::require(options.chart.empty() || !within.below(), GNN_ERROR_ARGUMENT, "--chart ", options.chart,
              " only applies to runs on processors (this run uses --device ", problem.model.engine().device(), ")");
  const rt::Library &library = *problem.model.library();
  plan["places"] = placesOf(library, subject.executor().walked(), scheduleOf(subject), within.plan().residents);
  plan["stream"] = planJson(within);
  plan["stream"].erase("so_far");
  if (options.listsSchedule)
    plan["schedule"] = scheduleOf(subject).lines();
  StreamChart chart(library);
  if (within.below())
    plan["links"] = linksOf(options, subject, problem);
  else
    plan["times"] = predictedTimes(problem, subject, chart);
  if (!options.chart.empty()) {
    const std::string svg = chart.svg(library.name() + std::string(" on ") + problem.data->source + ", as planned");
    rt::atomicWrite(options.chart, {{svg.data(), svg.size()}});
  }
  plan["peak_bytes"] = within.plan().bytes;
}

} // namespace

PlannedRun planOf(const PlanOptions &options) {
  Problem problem(options);
  const std::string whyOrder = problem.chooseOrder(options, rt::recipeOf(*problem.model.library()).epochs);
  problem.dropEdgeIds(options);
  Subject subject(problem, options.model);
  const rt::Library &library = *problem.model.library();
  PlannedRun run;
  run.json = {{"model", library.name()},
              {"data", problem.data->source},
              {"program", subject.program()},
              {"device", problem.model.engine().device()},
              {"products", problem.model.engine().products()},
              {"order", {{"chosen", problem.order}, {"because", whyOrder}}},
              {"inputs", inputJson(problem)},
              {"plan", nlohmann::json::parse(subject.plan().json())}};
  if (subject.description())
    subject.description()->addToPlan(run.json);
  if (!isStreamed(subject)) // which has given its edges up
    run.shape = shapeTextOf(library, problem.model.dims(), subject.data());
  const bool isSampled = run.json.contains("batch");
  requireStreamed(options, subject, isSampled);
  if (!isSampled && subject.trains())
    if (const std::optional<uint64_t> least = problem.leastLimit(options))
      run.json["least_bytes"] = *least;
  if (isStreamed(subject)) {
    addStream(run.json, options, problem, subject);
  } else if (!isSampled) {
    run.layout = RunLayout::of(library, subject.data(), subject.executor().walked(), subject.executor());
    if (subject.description())
      run.json["rows"] = subject.description()->rows();
    run.json["layout"] = nlohmann::json::parse(run.layout->json());
    run.json["tried_plans"] = triedPlans(problem.model.engine());
    run.json["bytes"] = bytesOfRun(problem, subject.data(), subject.executor(), subject.trains());
    run.json["peak_bytes"] = sumOf(run.json["bytes"]);
  }
  if (!isStreamed(subject) && options.topology.empty())
    run.json["times"] = isRoomFor(run.json, problem.model.engine())
                            ? measuredTimes(problem, subject)
                            : nlohmann::json{{"failed", "it takes more memory than is free"}};
  run.way = wayOf(subject, run.json);
  return run;
}

int plan(const PlanOptions &given) {
  if (isOfCaches(given))
    return planCaches(given);
  PlanOptions options = given;
  if (!options.topology.empty()) {
    options.connections = std::make_shared<const rt::Topology>(rt::readTopology(options.topology));
    useOnPaper(options.connections);
  }
  if (!options.json && !options.isVerbose && namesNoWay(options))
    return planWays(options);
  const PlannedRun run = planOf(options);
  if (options.json)
    std::printf("%s\n", jsonText(run.json).c_str());
  else if (options.isVerbose || options.listsSchedule)
    printInternals(run.json, run.layout);
  else
    printPlan(run.json, run.way);
  return 0;
}

} // namespace gnn::train_tool
