//===- WithinMemory.cpp - Executors within a budget -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/WithinMemory.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/exec/Whole.h"

namespace gnn::rt {

namespace {

/// Chunks are this squared at most.
constexpr int64_t mostParts = 512;

/// Rounded up, as options say it.
std::string sizeText(size_t bytes) {
  constexpr size_t kilo = 1 << 10, mega = 1 << 20;
  const size_t unit = bytes < 16 * mega ? kilo : mega;
  return std::to_string((bytes + unit - 1) / unit) + (unit == kilo ? "KB" : "MB");
}

} // namespace

WithinMemory::WithinMemory(Engine &machine, const Library &opened, Binding &bound,
                           std::vector<const gnn_program_t *> compiled, size_t others, const MemoryLimit &most)
    : engine(machine), library(opened), binding(bound), programs(std::move(compiled)), otherBytes(others), limit(most) {
  for (const gnn_program_t *program : programs) {
    const std::string obstacle = StreamLayout::obstacle(library, *program);
    require(obstacle.empty(), GNN_ERROR_MISMATCH, library.name(), " can't be held to a limit of memory: ", obstacle);
  }
  require(engine.ordinal() < 0, GNN_ERROR_MISMATCH, "graphs are streamed on processors, not on ", engine.device());
  if (!takeWhole())
    stream(chooseParts());
}

/// Executors of the whole graph, if they fit with all of its data. What is sure not to fit is not even made.
bool WithinMemory::takeWhole() {
  size_t bytes = otherBytes;
  for (uint32_t t = 0; t < library.tensors().size(); ++t)
    bytes += binding.data(t) ? binding.data(t).bytes() : 0;
  for (uint32_t r = 0; r < library.table().num_relations; ++r)
    bytes += binding.relation(r).bytes();
  for (const gnn_program_t *program : programs) {
    const MemoryPlan temporaries = planMemory(library, *program, [&](uint32_t tensor) {
      return size_t(binding.leadingExtent(library.tensor(tensor))) * binding.rowBytes(tensor);
    });
    if (bytes + temporaries.arenaBytes / 2 > limit.bytes) // some may not be stored
      return false;
  }
  for (const gnn_program_t *program : programs) {
    executors.push_back(std::make_unique<Whole>(engine, library, binding.dimensions(), binding, *program));
    bytes += executors.back()->peakBytes();
    perRun.emplace_back();
  }
  chosen = {/*parts=*/0, bytes, /*fileBytes=*/0, /*isFileInMemory=*/false};
  if (bytes > limit.bytes) {
    executors.clear();
    perRun.clear();
  }
  return !executors.empty();
}

/// Whether a bound table lies in the file alone. Masks change and targets are looked at.
bool WithinMemory::isReleased(uint32_t tensor) const {
  const uint32_t role = library.tensor(tensor).role;
  if (role != GNN_ROLE_INPUT && !countsEdges(role))
    return false;
  for (const gnn_program_t *program : programs) {
    const std::vector<bool> isSpilled = spilledTensors(library, *program);
    for (const gnn_use_t *use = program->uses; use != program->uses + program->num_uses; ++use)
      if (use->tensor == tensor && !isSpilled[tensor])
        return false;
  }
  return true;
}

size_t WithinMemory::keptDataBytes() const {
  size_t bytes = 0;
  for (uint32_t t = 0; t < library.tensors().size(); ++t)
    bytes += binding.data(t) && !isReleased(t) ? binding.data(t).bytes() : 0;
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type)
    if (const VertexOrder *order = binding.order(type))
      bytes += order->id.size() * sizeof(int64_t) + order->local.size() * sizeof(uint32_t);
  return bytes;
}

StreamPlan WithinMemory::planFor(int64_t parts) const {
  SpilledData planned(library, binding, parts, limit.spillFolder);
  StreamPlan plan{parts, otherBytes + keptDataBytes(), 0, isInMemory(limit.spillFolder)};
  size_t mostOfRuns = 0;
  for (const gnn_program_t *program : programs) {
    const StreamLayout layout(engine, library, binding, *program, planned);
    mostOfRuns = std::max(mostOfRuns, layout.runBytes());
    plan.bytes += layout.lastingBytes();
  }
  plan.fileBytes = planned.file().bytes();
  plan.bytes += mostOfRuns + (plan.isFileInMemory ? plan.fileBytes : 0);
  return plan;
}

/// More intervals take less memory, but for what chance has in it.
int64_t WithinMemory::chooseParts() const {
  size_t least = SIZE_MAX;
  int64_t tooFew = 0, enough = 1;
  for (;; tooFew = enough, enough *= 2) {
    require(enough <= mostParts, GNN_ERROR_MEMORY, library.name(), " does not fit in ", sizeText(limit.bytes),
            " of memory: the least that does is ", sizeText(least));
    const size_t bytes = planFor(enough).bytes;
    least = std::min(least, bytes);
    if (bytes <= limit.bytes)
      break;
  }
  while (enough - tooFew > 1) {
    const int64_t middle = (tooFew + enough) / 2;
    (planFor(middle).bytes <= limit.bytes ? enough : tooFew) = middle;
  }
  return enough;
}

void WithinMemory::stream(int64_t parts) {
  chosen = planFor(parts);
  data = std::make_shared<SpilledData>(library, binding, parts, limit.spillFolder);
  for (const gnn_program_t *program : programs) {
    auto streamed = std::make_unique<Streamed>(engine, library, binding, *program, data);
    perRun.push_back(streamed->traffic());
    executors.push_back(std::move(streamed));
  }
  data->update();
  for (uint32_t t = 0; t < library.tensors().size(); ++t)
    if (binding.data(t) && isReleased(t))
      binding.releaseTable(t);
  binding.releaseEdges();
}

} // namespace gnn::rt
