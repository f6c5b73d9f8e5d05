//===- RunSteps.cpp - The steps of training, measured ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RunSteps.h"

#include "runtime/src/io/AtomicFiles.h"
#include "runtime/src/io/Json.h"

#include <algorithm>
#include <chrono>

namespace gnn::train_tool {

namespace {

using nlohmann::json;

constexpr int mostRuns = 20;
constexpr std::chrono::milliseconds longEnough(100);

/// {"file": ..., "line": ...} by the name of the kernel.
std::map<std::string, json> sourcesOf(const rt::Library &library) {
  const json manifest = rt::parseJson({library.table().manifest, size_t(library.table().manifest_bytes)},
                                      "manifest of " + library.path());
  std::map<std::string, json> sources;
  for (const json &kernel : manifest.value("kernels", json::array()))
    sources[kernel.value("name", "")] = kernel.value("source", json());
  return sources;
}

const char *kindOf(const rt::ProgramStep &step) { return step.isSweep() ? "sweep" : step.isMap() ? "map" : "product"; }

/// The tensors that a step makes and others read.
json madeBy(uint32_t step, const rt::Library &library, const gnn_program_t &program,
            const std::map<uint32_t, size_t> &bytes) {
  json made = json::array();
  for (const gnn_use_t &use : rt::usesIn(program)) {
    if (use.first != int32_t(step))
      continue;
    json readers = json::array();
    for (uint32_t later = step + 1; later < program.num_steps; ++later)
      if (library.step(program.steps[later]).reads(use.tensor))
        readers.push_back(later);
    auto found = bytes.find(use.tensor);
    made.push_back({{"name", library.tensor(use.tensor).name},
                    {"bytes", found == bytes.end() ? 0 : found->second},
                    {"read_by", readers}});
  }
  return made;
}

} // namespace

json measureSteps(const rt::Library &library, rt::Executor &executor) {
  const gnn_program_t &program = executor.walked();
  executor.startProfile();
  const auto begin = std::chrono::steady_clock::now();
  for (int run = 0; run < mostRuns && std::chrono::steady_clock::now() - begin < longEnough; ++run)
    executor.run(/*stepKey=*/0);

  const std::map<std::string, json> sources = sourcesOf(library);
  std::map<uint32_t, size_t> bytes;
  for (const rt::PlannedTensor &planned : executor.plan().tensors)
    bytes[planned.tensor] = planned.bytes;
  json steps = json::array();
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const rt::ProgramStep step = library.step(program.steps[s]);
    size_t live = 0;
    for (const rt::PlannedTensor &planned : executor.plan().tensors)
      live += planned.firstStep <= s && s <= planned.lastStep ? planned.bytes : 0;
    const std::string name = rt::stepName(library, step);
    auto source = sources.find(name);
    steps.push_back({{"name", name},
                     {"kind", kindOf(step)},
                     {"phase", step->phase == GNN_PHASE_BACKWARD ? "backward" : "forward"},
                     {"source", source == sources.end() ? json() : source->second},
                     {"ms", executor.stepProfile().leastSeconds(s) * 1e3},
                     {"live_bytes", live},
                     {"makes", madeBy(s, library, program, bytes)}});
  }
  return {{"program", program.name}, {"steps", steps}};
}

void writeSteps(const std::string &folder, const json &steps) {
  const std::string text = steps.dump(1) + "\n";
  rt::atomicWrite(folder + "/steps.json", {{text.data(), text.size()}});
}

} // namespace gnn::train_tool
