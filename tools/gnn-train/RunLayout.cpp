//===- RunLayout.cpp - In which parts, and where --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RunLayout.h"

#include "runtime/src/io/Json.h"

#include <algorithm>

namespace gnn::train_tool {

using namespace rt;

namespace {

RunLayout::Place placeOf(const PlannedTensor &planned, const Executor &executor) {
  RunLayout::Place place;
  place.bytes = planned.bytes;
  place.offset = planned.offset;
  place.first = planned.firstStep;
  place.last = planned.lastStep;
  place.in = !executor.parts(planned.firstStep).isStored ? "readers" : planned.isKept ? "lasting" : "arena";
  return place;
}

} // namespace

RunLayout RunLayout::of(const Library &library, const Binding &binding, const gnn_program_t &program,
                        const Executor &executor) {
  RunLayout layout;
  for (uint32_t s = 0; s < program.num_steps; ++s)
    if (const ProgramStep step = library.step(program.steps[s]); step.isSweep())
      layout.sweeps.push_back({s, step.kernel().name, step.relation().name,
                               step->direction == GNN_TO_SOURCE ? "source" : "destination", executor.parts(s)});
  const std::vector<PlannedTensor> &planned = executor.plan().tensors;
  for (const gnn_use_t &use : usesIn(program)) {
    auto found = std::find_if(planned.begin(), planned.end(),
                              [&](const PlannedTensor &tensor) { return tensor.tensor == use.tensor; });
    Place place;
    if (found != planned.end()) {
      place = placeOf(*found, executor);
    } else {
      place.in = binding.data(use.tensor) ? "binding" : use.first < 0 ? "model" : "results";
      place.bytes = binding.tensorBytes(use.tensor);
    }
    place.name = library.tensor(use.tensor).name;
    layout.places.push_back(std::move(place));
  }
  return layout;
}

std::string RunLayout::json() const {
  nlohmann::json sweepList = nlohmann::json::array(), placeList = nlohmann::json::array();
  for (const Sweep &sweep : sweeps)
    sweepList.push_back({{"step", sweep.step},
                         {"kernel", sweep.kernel},
                         {"relation", sweep.relation},
                         {"toward", sweep.toward},
                         {"partitions", sweep.parts.partitions},
                         {"passes", sweep.parts.passes},
                         {"hubs", sweep.parts.hubs}});
  for (const Place &place : places) {
    nlohmann::json &written = placeList.emplace_back();
    written = {{"tensor", place.name}, {"in", place.in}, {"bytes", place.bytes}};
    if (place.in != "arena" && place.in != "lasting")
      continue;
    written["at"] = place.offset;
    written["steps"] = {place.first, place.last};
  }
  return nlohmann::json{{"version", version}, {"sweeps", sweepList}, {"places", placeList}}.dump();
}

} // namespace gnn::train_tool
