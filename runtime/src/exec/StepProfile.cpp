//===- StepProfile.cpp - Time of the steps of a program -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/StepProfile.h"

#include <algorithm>
#include <cstdio>

namespace gnn::rt {

std::string stepName(const Library &library, const gnn_step_t &step) {
  switch (step.kind) {
  case GNN_STEP_MATMUL:
    return std::string("product ") + library.tensor(step.tensors[2]).name;
  case GNN_STEP_MATMUL_TN:
    return std::string("product over rows ") + library.tensor(step.tensors[2]).name;
  default:
    return library.kernel(step.kernel).name;
  }
}

/// ", backward, layer 1"
static std::string placeOf(const gnn_step_t &step) {
  return std::string(step.phase == GNN_PHASE_BACKWARD ? ", backward" : "") +
         (step.layer < 0 ? "" : ", layer " + std::to_string(step.layer));
}

StepProfile::StepProfile(const Library &library, const gnn_program_t &program) {
  for (uint32_t s = 0; s < program.num_steps; ++s)
    steps.push_back({stepName(library, program.steps[s]), placeOf(program.steps[s])});
}

void StepProfile::note(uint32_t index, double seconds) { note(steps[index], seconds); }

void StepProfile::note(const std::string &work, double seconds) {
  auto found = std::find_if(steps.begin(), steps.end(), [&](const Step &step) { return step.name == work; });
  if (found == steps.end())
    found = steps.insert(found, {work, ""});
  note(*found, seconds);
}

void StepProfile::note(Step &step, double seconds) {
  step.least = step.seconds > 0 ? std::min(step.least, seconds) : seconds;
  step.seconds += seconds;
  step.last = seconds;
}

std::map<std::string, double> StepProfile::last() const {
  std::map<std::string, double> times;
  for (const Step &step : steps)
    times[step.name] += step.last;
  return times;
}

std::string StepProfile::text() const {
  std::vector<const Step *> order;
  double total = 0;
  for (const Step &step : steps) {
    order.push_back(&step);
    total += step.seconds;
  }
  std::stable_sort(order.begin(), order.end(), [](const Step *a, const Step *b) { return a->seconds > b->seconds; });
  std::string text;
  for (const Step *step : order) {
    char line[80];
    std::snprintf(line, sizeof line, "%10.4f ms %5.1f %%, least %.4f ms  ",
                  step->seconds * 1e3 / double(std::max<int64_t>(runs, 1)),
                  total > 0 ? 100 * step->seconds / total : 0.0, step->least * 1e3);
    text += line + step->name + step->place + "\n";
  }
  return text;
}

} // namespace gnn::rt
