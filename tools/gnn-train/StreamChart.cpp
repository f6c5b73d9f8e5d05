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

void StreamChart::add(const gnn_program_t &program, const rt::Timeline::Bars &run) {
  const double begin = end;
  for (unsigned queue = 0; queue < rt::numQueues; ++queue)
    for (const rt::Timeline::Bar &bar : run[queue]) {
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

EpochWatch::EpochWatch(const rt::Session &session)
    : within(session.withinMemory() && session.withinMemory()->plan().parts > 0 && !session.withinMemory()->isApart()
                 ? session.withinMemory()
                 : nullptr) {
  for (size_t i = 0; within && i < runs.size(); ++i)
    within->streamed(i).watchBy([run = &runs[i]](const rt::LaneSpan &span) { run->note(span); });
}

EpochWatch::~EpochWatch() {
  for (size_t i = 0; within && i < runs.size(); ++i)
    within->streamed(i).watchBy({});
}

void EpochWatch::endEpoch() {
  for (size_t i = 0; i < runs.size(); ++i)
    last[i] = runs[i].take();
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
