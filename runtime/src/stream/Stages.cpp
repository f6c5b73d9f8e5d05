//===- Stages.cpp - Steps that share the rows at hand ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Stages.h"

#include "runtime/src/stream/EdgeTables.h"

#include <algorithm>
#include <map>

namespace gnn::rt {

namespace {

/// The steps of a stage that is not complete, as far as others depend on them.
class OpenStage {
public:
  OpenStage(const Library &library, const gnn_program_t &program) : library(library), program(program) {}

  /// Whether step `s` reads of what is made here nothing but its own rows and their edges.
  bool takes(uint32_t s) const {
    const ProgramStep step = library.step(program.steps[s]);
    for (const Operand input : step.inputs()) {
      const auto made = maker.find(input.tensor);
      if (made == maker.end())
        continue;
      const gnn_step_t &before = program.steps[made->second];
      const bool hasSameEdges = input.isPerEdge() && step->relation == before.relation &&
                                step->direction == before.direction; // those of its own rows
      if (!input.isPerRow() && !hasSameEdges)
        return false;
    }
    return true;
  }
  void add(uint32_t s) {
    for (const Operand output : library.step(program.steps[s]).outputs())
      maker[output.tensor] = s;
  }
  bool makes(uint32_t tensor) const { return maker.count(tensor) > 0; }
  void clear() { maker.clear(); }

private:
  const Library &library;
  const gnn_program_t &program;
  std::map<uint32_t, uint32_t> maker; // by tensor, the step
};

/// The last step that reads each tensor; one more than there are for results.
std::vector<uint32_t> lastUses(const Library &library, const gnn_program_t &program) {
  std::vector<uint32_t> last(library.tensors().size(), 0);
  for (const gnn_use_t &use : usesIn(program))
    last[use.tensor] = uint32_t(std::max(use.last, 0));
  return last;
}

} // namespace

std::vector<bool> spilledTensors(const Library &library, const gnn_program_t &program) {
  constexpr uint32_t others = ~((1u << GNN_ACCESS_ROW) | (1u << GNN_ACCESS_COL));
  const std::vector<bool> isChunked = chunkedEdgeTables(library);
  std::vector<bool> found(library.tensors().size(), false);
  for (const gnn_use_t &use : usesIn(program)) {
    const gnn_tensor_info_t &info = library.tensor(use.tensor);
    found[use.tensor] = info.domain == GNN_DOMAIN_VERTEX ? !library.isTable(info.type) && !(use.accesses & others)
                                                         : isChunked[use.tensor];
  }
  return found;
}

std::vector<Stage> stagesOf(const Library &library, const gnn_program_t &program, const std::vector<bool> &isSpilled) {
  std::vector<Stage> stages;
  OpenStage open(library, program);
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const uint32_t type = library.step(program.steps[s]).rowType();
    if (stages.empty() || stages.back().type != type || !open.takes(s)) {
      stages.push_back({s, s, type, {}});
      open.clear();
    }
    stages.back().end = s + 1;
    open.add(s);
  }
  const std::vector<uint32_t> last = lastUses(library, program);
  for (Stage &stage : stages) {
    open.clear();
    for (uint32_t s = stage.first; s < stage.end; ++s)
      open.add(s);
    for (uint32_t s = stage.first; s < stage.end; ++s)
      for (const Operand operand : library.step(program.steps[s]).operands()) {
        const uint32_t tensor = operand.tensor;
        const bool isKnown = std::any_of(stage.tables.begin(), stage.tables.end(),
                                         [&](const Stage::Table &table) { return table.tensor == tensor; });
        if (!isKnown && isSpilled[tensor] && operand.isPerRow())
          stage.tables.push_back({tensor, !open.makes(tensor), open.makes(tensor) && last[tensor] >= stage.end});
      }
  }
  return stages;
}

} // namespace gnn::rt
