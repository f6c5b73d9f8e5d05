//===- MemoryPlan.cpp - Where temporaries lie -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/MemoryPlan.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <map>
#include <set>

namespace gnn::rt {

namespace {

constexpr size_t alignment = 64;

bool isComputed(uint32_t role) {
  return role == GNN_ROLE_TEMP || role == GNN_ROLE_OUTPUT || role == GNN_ROLE_GRAD || role == GNN_ROLE_STATE_NEXT;
}

/// First and last step of every computed tensor of the program, in order of first writing.
std::vector<PlannedTensor> findLifeTimes(const Library &library, const gnn_program_t &program,
                                         const std::vector<int32_t> &producers, const std::vector<bool> &fixed) {
  std::vector<PlannedTensor> found;
  std::map<uint32_t, size_t> position; // of a library tensor in `found`
  std::set<uint32_t> kept;             // what fixed steps make for others
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    for (const Operand operand : library.step(program.steps[s]).operands()) {
      const uint32_t tensor = operand.tensor;
      if (!isComputed(library.tensor(tensor).role))
        continue;
      auto known = position.find(tensor);
      if (!operand.isOutput) {
        require(known != position.end() && found[known->second].firstStep < s, GNN_ERROR_DATA, library.path(),
                ": step ", s, " of ", program.name, " reads ", library.tensor(tensor).name, " before it is computed");
        found[known->second].lastStep = s;
        if (!fixed.empty() && !fixed[s] && fixed[found[known->second].firstStep])
          kept.insert(tensor);
        continue;
      }
      require(known == position.end(), GNN_ERROR_DATA, library.path(), ": step ", s, " of ", program.name, " computes ",
              library.tensor(tensor).name, " again");
      position[tensor] = found.size();
      found.push_back({tensor, s, s, 0, 0, false});
    }
  }
  for (uint32_t s = program.num_steps; !producers.empty() && s-- > 0;) { // what is made later may read what is made so
    const ProgramStep step = library.step(program.steps[s]);
    const uint32_t made = step.output().tensor;
    if (producers[made] != int32_t(s))
      continue;
    for (const Operand input : step.inputs())
      if (auto read = position.find(input.tensor); read != position.end())
        found[read->second].lastStep = std::max(found[read->second].lastStep, found[position[made]].lastStep);
  }
  for (uint32_t tensor : kept) {
    found[position[tensor]].firstStep = 0;
    found[position[tensor]].lastStep = program.num_steps - 1;
    found[position[tensor]].isKept = true;
  }
  return found;
}

bool overlapInTime(const PlannedTensor &a, const PlannedTensor &b) {
  return a.firstStep <= b.lastStep && b.firstStep <= a.lastStep;
}

/// The smallest gap that fits among the tensors placed already, or the end.
size_t bestFit(const PlannedTensor &tensor, const std::vector<const PlannedTensor *> &placed) {
  std::vector<const PlannedTensor *> neighbours;
  for (const PlannedTensor *other : placed)
    if (overlapInTime(tensor, *other))
      neighbours.push_back(other);
  std::sort(neighbours.begin(), neighbours.end(),
            [](const PlannedTensor *a, const PlannedTensor *b) { return a->offset < b->offset; });
  size_t end = 0, best = SIZE_MAX, smallest = SIZE_MAX;
  for (const PlannedTensor *other : neighbours) {
    if (other->offset > end && other->offset - end >= tensor.bytes && other->offset - end < smallest) {
      best = end;
      smallest = other->offset - end;
    }
    end = std::max(end, other->offset + other->bytes);
  }
  return best == SIZE_MAX ? end : best;
}

} // namespace

/// Large ones first: what comes later fits into the gaps between them.
size_t placeByLifeTime(std::vector<PlannedTensor *> tensors) {
  std::stable_sort(tensors.begin(), tensors.end(),
                   [](const PlannedTensor *a, const PlannedTensor *b) { return a->bytes > b->bytes; });
  std::vector<const PlannedTensor *> placed;
  size_t end = 0;
  for (PlannedTensor *tensor : tensors) {
    tensor->offset = bestFit(*tensor, placed);
    placed.push_back(tensor);
    end = std::max(end, tensor->offset + tensor->bytes);
  }
  return end;
}

MemoryPlan planMemory(const Library &library, const gnn_program_t &program,
                      const std::function<size_t(uint32_t)> &bytesOf, const std::vector<int32_t> &producers,
                      const std::vector<bool> &fixed, const std::vector<size_t> &bytesOfSteps) {
  auto aligned = [](size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; };
  MemoryPlan plan;
  std::vector<PlannedTensor> computed = findLifeTimes(library, program, producers, fixed);
  for (uint32_t result : resultsIn(program)) {
    auto found =
        std::find_if(computed.begin(), computed.end(), [&](const PlannedTensor &t) { return t.tensor == result; });
    require(found != computed.end() || !isComputed(library.tensor(result).role), GNN_ERROR_DATA, library.path(), ": ",
            program.name, " has the result ", library.tensor(result).name, " but no step computes it");
  }
  for (PlannedTensor &tensor : computed) {
    if (isResult(program, tensor.tensor))
      continue;
    tensor.bytes = aligned(bytesOf(tensor.tensor));
    plan.tensors.push_back(tensor);
  }
  std::vector<PlannedTensor> ofSteps; // without a number in the library
  for (uint32_t s = 0; s < bytesOfSteps.size(); ++s)
    ofSteps.push_back({UINT32_MAX, s, s, aligned(bytesOfSteps[s]), 0, false});
  std::vector<PlannedTensor *> order;
  for (PlannedTensor &tensor : plan.tensors) {
    if (!tensor.isKept) {
      order.push_back(&tensor);
      continue;
    }
    tensor.offset = plan.keptBytes;
    plan.keptBytes += tensor.bytes;
  }
  for (PlannedTensor &room : ofSteps)
    order.push_back(&room);
  plan.arenaBytes = placeByLifeTime(std::move(order));
  for (const PlannedTensor &room : ofSteps)
    plan.stepOffsets.push_back(room.offset);
  return plan;
}

std::string MemoryPlan::listing(const Library &library) const {
  std::string text;
  for (const PlannedTensor &t : tensors)
    text += std::string(library.tensor(t.tensor).name) + ": " + std::to_string(t.bytes) + " bytes at " +
            std::to_string(t.offset) + ", steps " + std::to_string(t.firstStep) + "-" + std::to_string(t.lastStep) +
            "\n";
  return text;
}

} // namespace gnn::rt
