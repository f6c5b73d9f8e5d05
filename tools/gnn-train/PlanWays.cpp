//===- PlanWays.cpp - The ways in which a model can be trained ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/PlanWays.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Sizes.h"
#include "runtime/src/stream/WithinMemory.h"
#include "runtime/src/train/TrainingConfig.h"
#include "tools/gnn-train/Amounts.h"
#include "tools/gnn-train/LoadingBytes.h"
#include "tools/gnn-train/PlanText.h"
#include "tools/gnn-train/ShapeText.h"

#include <algorithm>
#include <cstdio>
#include <map>

namespace gnn::train_tool {

namespace {

using nlohmann::json;

/// Edges of a vertex that a sample has at each depth, where nobody says how many.
constexpr const char *usualFanOut = "10";
/// Of the memory that is free, for a run: the system needs some, too.
constexpr double shareToTake = 0.8;
/// A way with other results is mentioned where its epochs are so many times as fast.
constexpr double muchFaster = 2;

struct Way {
  std::string options;     // of the command line; empty: the whole graph in memory
  bool isExact = true;     // results are those of the whole graph
  bool isHere = true;      // on this machine alone
  std::string failed = ""; // why there is no plan
  std::optional<PlannedRun> run = std::nullopt;

  uint64_t number(const char *part, const char *key) const {
    return run->json.contains(part) ? run->json[part].value(key, uint64_t(0)) : 0;
  }
  double memory() const { return run->json["peak_bytes"].get<double>(); }
  double files() const {
    return double(number("stream", "file_bytes") + number("stream", "data_bytes") + number("samples", "file_bytes"));
  }
  /// Seconds; 0: not known.
  double step() const { return run->json["times"].value("/step/seconds"_json_pointer, 0.0); }
  double epoch() const { return run->json["times"].value("epoch", 0.0); }
};

Way tried(const PlanOptions &options, Way way) {
  std::fprintf(stderr, "gnn-train: trying %s\n", way.options.empty() ? "the whole graph" : way.options.c_str());
  try {
    way.run = planOf(options);
  } catch (const Error &error) {
    way.failed = error.what();
  }
  return way;
}

Way triedWithin(PlanOptions options, uint64_t bytes) {
  const std::string size = rt::sizeText(bytes);
  options.memoryBytes = rt::parseSize(size);
  return tried(options, {"--memory " + size});
}

/// The whole graph in memory, as far as the data fit in `room`, and within less.
std::vector<Way> waysOverWholeGraph(const PlanOptions &options, double room) {
  std::vector<Way> ways;
  if (const auto data = double(bytesToLoad(options.data, GNN_ORDER_GIVEN)); data > room) {
    ways.push_back({"", /*isExact=*/true, /*isHere=*/true,
                    "needs more than " + bytesText(data) + ", of " + bytesText(room) + " that it may take"});
    ways.push_back(triedWithin(options, uint64_t(room)));
  } else {
    ways.push_back({"", /*isExact=*/true, /*isHere=*/true, "", planOf(options)});
  }
  const Way first = ways.back();
  if (!first.run || first.run->json["program"] != "train")
    return ways;
  const auto half = uint64_t(first.memory() / 2), least = first.run->json.value("least_bytes", half / 2);
  if (half > least)
    ways.push_back(triedWithin(options, half));
  if (double(least) < first.memory())
    ways.push_back(triedWithin(options, least));
  return ways;
}

/// A number for each depth at which steps draw edges, for each relation: "cites=10,10"; empty where they draw none.
std::vector<std::string> usualFanOuts(const rt::Library &library) {
  std::map<std::string, int32_t> depths;
  for (const rt::ProgramStep step : library.steps(*library.program(GNN_PROGRAM_TRAIN)))
    if (step.isSweepOver(GNN_RELATION_EDGES)) {
      int32_t &ofRelation = depths[step.relation().name];
      ofRelation = std::max(ofRelation, std::min(step->row_depth, step->col_depth) + 1);
    }
  std::vector<std::string> fanOuts;
  for (const auto &[relation, depth] : depths) {
    std::string numbers;
    for (int32_t d = 0; d < depth; ++d)
      numbers += (d ? "," : "") + std::string(usualFanOut);
    if (depth > 0)
      fanOuts.push_back(depths.size() == 1 ? numbers : relation + "=" + numbers);
  }
  return fanOuts;
}

std::optional<Way> wayOverSamples(PlanOptions options, const rt::Library &library) {
  if (!library.program(GNN_PROGRAM_TRAIN))
    return std::nullopt;
  options.fanOuts = usualFanOuts(library);
  if (options.fanOuts.empty())
    return std::nullopt;
  std::string text = "--fanout";
  for (const std::string &fanOut : options.fanOuts)
    text += " " + fanOut;
  return tried(options, {text, /*isExact=*/false});
}

/// Over machines like this one, each of which computes its share in the measured time of all. What they send is as
/// planned, over the links that a machine has without --machine.
std::optional<Way> wayOfRanks(const std::shared_ptr<const rt::Library> &opened, const PlannedRun &whole, int ranks) {
  const std::shared_ptr<const rt::Library> library = libraryOfShape(opened, whole.shape);
  if (rt::scoresPairs(*library))
    return std::nullopt;
  Way way{"--ranks " + std::to_string(ranks), /*isExact=*/true, /*isHere=*/false};
  try {
    rt::Dims dims(library);
    const GraphShape shape = parseShape(*library, dims, whole.shape);
    const RankPlan plan = ShapePlan(shape).over(ranks, UINT64_MAX, Machine().rates);
    const double alone = whole.json["times"].value("epoch", 0.0); // 0: not known
    way.run.emplace();
    way.run->json = {{"peak_bytes", plan.memory.all()},
                     {"times", {{"epoch", alone > 0 ? alone / ranks + plan.seconds.sending : 0.0}}}};
  } catch (const Error &error) {
    way.failed = error.what();
  }
  return way;
}

void printRow(const std::string &options, const std::string &memory, const std::string &files, const std::string &step,
              const std::string &epoch, const std::string &results) {
  std::printf("  %-24s %10s %10s %10s %10s   %s\n", options.c_str(), memory.c_str(), files.c_str(), step.c_str(),
              epoch.c_str(), results.c_str());
}

void print(const Way &way) {
  const std::string options = way.options.empty() ? "(none)" : way.options;
  if (!way.run) {
    std::printf("  %-24s %s\n", options.c_str(), way.failed.c_str());
    return;
  }
  const auto known = [](double number, std::string (*text)(double)) { return number > 0 ? text(number) : "-"; };
  printRow(options, bytesText(way.memory()), known(way.files(), bytesText), known(way.step(), durationText),
           known(way.epoch(), durationText),
           !way.isHere   ? "the same, on two machines"
           : way.isExact ? "the same"
                         : "near: edges are drawn");
}

void recommend(const PlanOptions &options, const std::vector<Way> &ways, double room) {
  const Way *best = nullptr, *fastest = nullptr; // the first with exact results, the fastest of all
  for (const Way &way : ways)
    if (way.run && way.isHere && way.memory() <= room) {
      if (!best && way.isExact)
        best = &way;
      if (way.epoch() > 0 && (!fastest || way.epoch() < fastest->epoch()))
        fastest = &way;
    }
  if (!best)
    best = fastest;
  if (!best) {
    std::printf("\nNone fits in %s of memory: --ranks shares the graph among machines\n", bytesText(room).c_str());
    return;
  }
  std::string others;
  for (const std::string &dim : options.dims)
    others += " -D " + dim;
  std::printf("\nRecommended: gnn-train %s --data %s%s%s%s\n", options.model.c_str(), options.data.c_str(),
              others.c_str(), best->options.empty() ? "" : " ", best->options.c_str());
  if (fastest && fastest != best && muchFaster * fastest->epoch() < best->epoch())
    std::printf("With %s an epoch takes %s instead of %s: try which accuracy it reaches\n", fastest->options.c_str(),
                durationText(fastest->epoch()).c_str(), durationText(best->epoch()).c_str());
}

} // namespace

bool namesNoWay(const PlanOptions &options) {
  return options.fanOuts.empty() && !options.memoryBytes && !options.deviceBytes && !options.intervals &&
         options.topology.empty() && options.chart.empty() && !options.listsSchedule && options.rows.empty() &&
         !options.batch && (options.device.empty() || options.device == "cpu");
}

int planWays(const PlanOptions &options) {
  const double room = shareToTake * double(rt::availableMemory());
  std::vector<Way> ways = waysOverWholeGraph(options, room);
  const Way first = ways[0].run ? ways[0] : ways[1];
  if (first.run && first.run->json["program"] != "train") {
    printPlan(first.run->json, first.run->way);
    return 0;
  }
  const std::shared_ptr<const rt::Library> library = rt::Library::open(options.model, options.isa);
  if (std::optional<Way> samples = wayOverSamples(options, *library))
    ways.push_back(std::move(*samples));
  if (first.run && !first.run->shape.empty())
    if (std::optional<Way> ranks = wayOfRanks(library, *first.run, /*ranks=*/2))
      ways.push_back(std::move(*ranks));
  std::printf("%s on %s: ways of training\n\n", library->name().c_str(), options.data.c_str());
  printRow("options", "memory", "files", "a step", "an epoch", "results");
  for (const Way &way : ways)
    print(way);
  recommend(options, ways, room);
  return 0;
}

} // namespace gnn::train_tool
