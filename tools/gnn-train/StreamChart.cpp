//===- StreamChart.cpp - An epoch of a streamed run as a picture ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/StreamChart.h"

#include "runtime/src/exec/StepProfile.h"

#include <algorithm>

namespace gnn::train_tool {

namespace {

const std::vector<tools::DrawnKind> kinds{{"forward", "#4a86c5"}, {"backward", "#c2571a"}, {"evaluation", "#5c9e3f"}};

size_t kindOf(const gnn_program_t &program, const gnn_step_t &step) {
  if (program.kind != GNN_PROGRAM_TRAIN)
    return 2;
  return step.phase == GNN_PHASE_BACKWARD ? 1 : 0;
}

} // namespace

void StreamChart::add(const gnn_program_t &program, const Timeline::Bars &run) {
  const double begin = end;
  for (unsigned queue = 0; queue < rt::numQueues; ++queue)
    for (const Timeline::Bar &bar : run[queue]) {
      const gnn_step_t &step = program.steps[bar.step];
      bars[queue].push_back({begin + bar.begin, begin + bar.end, kindOf(program, step), rt::stepName(library, step)});
      end = std::max(end, begin + bar.end);
    }
}

std::string StreamChart::svg(const std::string &title) const {
  return tools::drawLanes(title,
                          {{"load", bars[unsigned(rt::Queue::Load)]},
                           {"compute", bars[unsigned(rt::Queue::Work)]},
                           {"store", bars[unsigned(rt::Queue::Store)]}},
                          kinds);
}

nlohmann::json timesJson(const BusyTimes &times) {
  return {{"seconds", times.seconds},     {"load", times.busy[unsigned(rt::Queue::Load)]},
          {"compute", times.computing()}, {"store", times.busy[unsigned(rt::Queue::Store)]},
          {"file", times.transfers},      {"overlap", times.overlap()}};
}

EpochWatch::EpochWatch(const rt::WithinMemory *streams) : within(streams && !streams->below() ? streams : nullptr) {
  for (size_t i = 0; within && i < runs.size(); ++i)
    within->streamed(i).watchBy([this, i](const rt::LaneSpan &span) { note(i, span); });
}

EpochWatch::~EpochWatch() {
  for (size_t i = 0; within && i < runs.size(); ++i)
    within->streamed(i).watchBy({});
}

/// Prices are those of the second epoch, as far as there is one: the first finds in the page cache what was written to
/// prepare the data, and tries how steps are fastest.
void EpochWatch::note(size_t run, const rt::LaneSpan &span) {
  runs[run].note(span);
  busy[run].note(span);
  if (epochs < 2)
    prices[run].note(span);
}

void EpochWatch::endEpoch() {
  BusyTimes epoch;
  for (size_t i = 0; i < runs.size(); ++i) {
    last[i] = runs[i].take();
    epoch += busy[i].take();
  }
  if (!within || !within->canRehearse())
    return;
  if (epochs > 0)
    measured.push_back(epoch);
  if (epochs++ < 2)
    predict();
}

void EpochWatch::predict() {
  predicted.emplace();
  for (size_t i = 0; i < runs.size(); ++i)
    if (!last[i][unsigned(rt::Queue::Work)].empty())
      *predicted += rehearsed(within->streamed(i), prices[i]);
  for (rt::Prices &each : prices)
    each.forget();
}

nlohmann::json EpochWatch::times() const {
  if (!predicted)
    return nullptr;
  nlohmann::json times{{"epochs", measured.size()}, {"predicted", timesJson(*predicted)}};
  if (!measured.empty())
    times["measured"] = timesJson(medianOf(measured));
  return times;
}

std::string EpochWatch::svg(const rt::Library &library, const std::string &title) const {
  if (last[1][unsigned(rt::Queue::Work)].empty())
    return "";
  StreamChart chart(library);
  chart.add(*library.program(GNN_PROGRAM_TRAIN), last[0]);
  chart.add(*library.program(GNN_PROGRAM_EVALUATE), last[1]);
  return chart.svg(title);
}

} // namespace gnn::train_tool
