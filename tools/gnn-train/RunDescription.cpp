//===- RunDescription.cpp - What a run says of its steps ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RunDescription.h"

#include "tools/gnn-train/Problem.h"
#include "tools/gnn-train/Reach.h"
#include "tools/gnn-train/RunBytes.h"
#include "tools/gnn-train/Samples.h"

namespace gnn::train_tool {

namespace {

using nlohmann::json;

json withoutTraffic(json plan) {
  plan.erase("so_far");
  return plan;
}

std::string pairsText(const rt::TrainingConfig &config) {
  return "pairs and " + std::to_string(config.negatives) + " negatives for each";
}

/// Of steps over a graph, on batches of pairs.
std::vector<std::string> batchLines(const rt::TrainingConfig &config) {
  if (config.pairBatch == 0)
    return {};
  return {"batches of " + std::to_string(config.pairBatch) + " " + pairsText(config)};
}

std::string memoryLine(const rt::StepSource &steps) {
  return "training memory " + std::to_string(steps.executor().peakBytes()) + " bytes beside parameters and data, " +
         std::to_string(steps.keptBytes()) + " of it kept for the backward pass";
}

class WholeGraphDescription : public RunDescription {
public:
  WholeGraphDescription(Problem &problem, const rt::WholeGraphSteps &steps) : problem(problem), steps(steps) {}

  std::vector<std::string> before() const override {
    std::vector<std::string> lines = batchLines(problem.config);
    if (steps.areRowsReached())
      lines.push_back(reachText(steps));
    return lines;
  }
  std::vector<std::string> after() const override { return {memoryLine(steps)}; }
  void addTo(json &result) const override {
    if (problem.scoresPairs())
      return;
    result["rows"] = rows();
    if (!problem.model.engine().hasDeviceMemory())
      result["bytes"] = bytesOfRun(problem, steps.context.binding, steps.executor(), /*trains=*/true);
  }
  json rows() const override { return reachJson(steps); }
  std::string decisions() const override { return "whole graph"; }
  void settle(rt::TrainingOptions &run) const override {
    run.rows = problem.scoresPairs() ? "" : steps.areRowsReached() ? "reached" : "all";
  }
  bool canMeasureSteps() const override { return true; }

private:
  Problem &problem;
  const rt::WholeGraphSteps &steps;
};

class StreamedDescription : public RunDescription {
public:
  StreamedDescription(Problem &problem, const rt::StreamedSteps &steps)
      : problem(problem), steps(steps), within(*steps.context.within) {}

  std::vector<std::string> before() const override {
    std::vector<std::string> lines = batchLines(problem.config);
    lines.push_back(planText(within));
    return lines;
  }
  std::vector<std::string> after() const override {
    return isStreamed() ? std::vector<std::string>() : std::vector<std::string>{memoryLine(steps)};
  }
  void addTo(json &result) const override { result["stream"] = planJson(within); }
  json rows() const override {
    return {{"steps", "all"}, {"why", problem.scoresPairs() ? "it scores pairs of vertices" : "memory is limited"}};
  }
  void addTraffic(json &traffic) const override {
    if (!within.file())
      return;
    traffic["features_read"] = within.dataBytesRead();
    traffic.update(trafficJson(within.file()->traffic(), within.below() != nullptr));
    if (within.isLimitedHere())
      traffic.update(trafficJson(within.below()->traffic()));
  }
  /// Intervals, and what of a rank's tables is where.
  std::string decisions() const override {
    const rt::StreamPlan &plan = within.plan();
    std::string text = std::to_string(plan.parts) + " intervals by " + rt::nameOf(plan.by);
    addResidents(text, plan.residents, "");
    if (plan.here)
      addResidents(text, *plan.here, " beside the GPU");
    return text;
  }
  void settle(rt::TrainingOptions &run) const override {
    if (!isStreamed())
      return;
    run.intervals = within.plan().parts;
    if (within.plan().by != rt::CutBy::Vertices)
      run.cut = rt::nameOf(within.plan().by);
  }
  bool canProfile() const override { return !isStreamed(); }

private:
  bool isStreamed() const { return steps.context.streams() != nullptr; }
  static void addResidents(std::string &text, const rt::Residents &residents, const char *place) {
    for (uint32_t tensor : residents.tables)
      text += ", table " + std::to_string(tensor) + place;
    for (const auto &[relation, direction] : residents.edges)
      text += ", edges " + std::to_string(relation) + " " + std::to_string(direction) + place;
  }

  Problem &problem;
  const rt::StreamedSteps &steps;
  const rt::WithinMemory &within;
};

class SampledDescription : public RunDescription {
public:
  SampledDescription(Problem &problem, const rt::SampledSteps &steps)
      : problem(problem), steps(steps), sampling(*problem.config.samples) {}

  std::vector<std::string> before() const override {
    std::vector<std::string> lines{
        "batches of " + std::to_string(sampling.batch) + " " +
        (problem.scoresPairs() ? pairsText(problem.config) : "vertices") +
        (sampling.shares.count > 1 ? " in " + std::to_string(sampling.shares.count) + " shares" : "") + ", fan-outs " +
        sampling.fanOuts.text() + ", " + sampling.drawing.text() +
        (steps.samples().drawnOf(0) ? ", drawn on the GPU" : "")};
    if (steps.within())
      lines.push_back(planText(*steps.within()));
    if (steps.onDevice())
      lines.push_back(planText(*steps.onDevice()));
    return lines;
  }
  std::vector<std::string> after() const override {
    std::vector<std::string> lines;
    if (steps.within() && !steps.within()->plan().isWhole)
      lines.push_back(readText(*steps.within()));
    if (steps.onDevice())
      lines.push_back(readText(*steps.onDevice()));
    lines.push_back(memoryLine(steps));
    return lines;
  }
  void addTo(json &result) const override {
    if (steps.within())
      result["samples"] = planJson(*steps.within());
    if (steps.onDevice())
      result["samples"] = planJson(*steps.onDevice());
    if (problem.model.engine().sampler())
      result["samples"]["draws"] = drawsJson(steps.samples());
  }
  void addToPlan(json &result) const override {
    result["batch"] = batchJson(steps);
    if (problem.model.engine().sampler())
      result["batch"]["drawn_by"] = drawnBy(steps.samples());
    if (steps.within()) {
      result["samples"] = withoutTraffic(planJson(*steps.within()));
      result["peak_bytes"] = steps.within()->plan().bytes;
    } else if (steps.onDevice()) {
      result["samples"] = withoutTraffic(planJson(*steps.onDevice()));
      result["peak_bytes"] = steps.onDevice()->plan().mostBytes();
    } else {
      result["bytes"] = bytesOfRun(problem, steps.context.binding, steps.executor(), /*trains=*/true);
      result["peak_bytes"] = sumOf(result["bytes"]);
    }
  }
  std::string decisions() const override { return "samples"; }
  void settle(rt::TrainingOptions &run) const override {
    run.batch = sampling.batch;
    if (run.sampler.empty())
      run.sampler = rt::Drawing().text();
    run.shares = sampling.shares.count;
    const int64_t intervals = steps.within()     ? steps.within()->plan().evaluatedIn
                              : steps.onDevice() ? steps.onDevice()->plan().evaluatedIn
                                                 : 0;
    if (intervals > 0)
      run.intervals = intervals;
  }

private:
  Problem &problem;
  const rt::SampledSteps &steps;
  const rt::Sampling &sampling;
};

struct DescriptionMaker : rt::StepSourceVisitor {
  explicit DescriptionMaker(Problem &problem) : problem(problem) {}
  void visit(const rt::WholeGraphSteps &steps) override {
    made = std::make_unique<WholeGraphDescription>(problem, steps);
  }
  void visit(const rt::StreamedSteps &steps) override { made = std::make_unique<StreamedDescription>(problem, steps); }
  void visit(const rt::SampledSteps &steps) override { made = std::make_unique<SampledDescription>(problem, steps); }

  Problem &problem;
  std::unique_ptr<RunDescription> made;
};

} // namespace

std::unique_ptr<RunDescription> RunDescription::of(Problem &problem, const rt::Training &training) {
  DescriptionMaker maker(problem);
  training.steps->accept(maker);
  return std::move(maker.made);
}

} // namespace gnn::train_tool
