//===- TuningSearch.cpp - The search for schedules ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Tuning/TuningSearch.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace gnnc;

llvm::Expected<Measurements> Measurements::parse(llvm::StringRef text) {
  auto unusable = [] {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "what was measured cannot be read");
  };
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return unusable();
  }
  const llvm::json::Object *root = parsed->getAsObject();
  const llvm::json::Object *graph = root ? root->getObject("graph") : nullptr;
  const llvm::json::Array *libraries = root ? root->getArray("libraries") : nullptr;
  if (!graph || !libraries)
    return unusable();
  Measurements result;
  result.model = root->getString("model").value_or("").str();
  result.program = root->getString("program").value_or("").str();
  result.section.isa = root->getString("isa").value_or("").str();
  result.section.threads = static_cast<unsigned>(root->getInteger("threads").value_or(0));
  result.section.graph = {graph->getInteger("vertices").value_or(0), graph->getInteger("edges").value_or(0),
                          graph->getInteger("longest").value_or(0)};
  for (const llvm::json::Value &library : *libraries) {
    const llvm::json::Object *entry = library.getAsObject();
    const llvm::json::Object *times = entry ? entry->getObject("kernel_ms") : nullptr;
    if (!times && !(entry && entry->getString("failed")))
      return unusable();
    KernelTimes &kernels = result.libraries.emplace_back();
    if (!times)
      continue;
    for (const auto &[kernel, milliseconds] : *times)
      kernels[kernel.str()] = milliseconds.getAsNumber().value_or(0);
  }
  return result;
}

static std::vector<int64_t> valuesOf(const Knob &knob) {
  std::vector<int64_t> values;
  for (int64_t value = knob.lowest; value <= knob.highest; value *= 2)
    values.push_back(value);
  return values;
}

TuningSearch::TuningSearch(Knob::Machine machine) {
  for (const Knob &knob : knobs())
    if (knob.machine == machine || knob.machine == Knob::Any)
      searched.push_back(&knob);
}

unsigned TuningSearch::numBatches() const { return unsigned(searched.size()) + 1; }

std::vector<ScheduleRequest> TuningSearch::chosen() const {
  std::vector<ScheduleRequest> requests;
  for (const auto &[kernel, settings] : values)
    for (const Knob *knob : searched)
      if (auto setting = settings.find(knob); setting != settings.end())
        requests.push_back({kernel, knob, setting->second, /*mayMiss=*/true});
  return requests;
}

TuningSearch::Batch TuningSearch::next() const {
  const size_t numKnobs = searched.size();
  if (batch > numKnobs || (batch == numKnobs && values.empty()))
    return {};
  Batch libraries;
  if (batch == numKnobs)
    libraries.emplace_back(); // as it was before
  libraries.push_back(chosen());
  if (batch == numKnobs)
    return libraries;
  const Knob &knob = *searched[batch];
  for (int64_t value : valuesOf(knob)) {
    libraries.push_back(chosen());
    libraries.back().push_back({"", &knob, value, /*mayMiss=*/true});
  }
  return libraries;
}

/// The first library of the batch has what was chosen so far, the others have one value each.
void TuningSearch::chooseValues(const Knob &knob, const std::vector<KernelTimes> &libraries) {
  std::vector<int64_t> tried = valuesOf(knob);
  for (const auto &[kernel, before] : libraries.front()) {
    double least = before * worthwhile;
    for (size_t i = 0; i < tried.size() && i + 1 < libraries.size(); ++i) {
      auto time = libraries[i + 1].find(kernel);
      if (time == libraries[i + 1].end() || time->second >= least)
        continue;
      least = time->second;
      values[kernel][&knob] = tried[i];
    }
  }
}

void TuningSearch::confirm(const KernelTimes &before, const KernelTimes &after) {
  for (const ScheduleRequest &request : chosen()) {
    auto old = before.find(request.subject), now = after.find(request.subject);
    if (old == before.end() || now == after.end() || now->second > worthwhile * old->second)
      continue;
    found.push_back(request);
    gains.push_back(llvm::formatv("{0:F4} ms, {1:F4} ms before", now->second, old->second).str());
  }
}

void TuningSearch::add(const std::vector<KernelTimes> &libraries) {
  if (batch < searched.size())
    chooseValues(*searched[batch], libraries);
  else
    confirm(libraries[0], libraries[1]);
  ++batch;
}
