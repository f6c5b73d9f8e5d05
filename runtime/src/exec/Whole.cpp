//===- Whole.cpp - Executor of whole graphs -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Whole.h"

#include "runtime/src/exec/StepOperands.h"

#include <cassert>
#include <chrono>

namespace gnn::rt {

const int64_t *WholeView::ids(uint32_t vertexType) const {
  const VertexOrder *order = binding.order(vertexType);
  return order ? order->id.data() : nullptr;
}

gnn_block_t WholeView::block(uint32_t relation, uint32_t direction) const {
  return binding.relation(relation).block(direction);
}

const Relation *WholeView::lasting(uint32_t relation) const {
  return library.table().relations[relation].kind == GNN_RELATION_PAIRS ? nullptr : &binding.relation(relation);
}

Whole::Whole(Engine &engine, const Library &opened, const Dims &finished, const Binding &bound,
             const gnn_program_t &compiled)
    : Executor(opened, compiled), dims(finished), binding(bound), view(library, binding),
      prepared(engine.prepare(dims, program, capacityOf(library, view), &view)), bases(library.tensors().size()),
      results(program.num_results) {
  checkEdgeTypes(library, binding, program);
  std::vector<size_t> rooms;
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    rooms.push_back(prepared->roomBytes(s));
    operands.resize(std::max<size_t>(operands.size(), program.steps[s].num_tensors));
  }
  const ProgramPlan &plan = prepared->plan();
  memory = planMemory(
      library, program, [&](uint32_t tensor) { return plan.isStored(tensor) ? binding.tensorBytes(tensor) : 0; },
      plan.producers, plan.fixed, rooms);
  kept = engine.allocate(memory.keptBytes);
  transient = engine.shareTransient(memory.arenaBytes);
}

void Whole::placeTensors() {
  for (const PlannedTensor &planned : memory.tensors)
    bases[planned.tensor] = static_cast<char *>((planned.isKept ? kept : transient)->data()) + planned.offset;
  for (uint32_t i = 0; i < bases.size(); ++i)
    if (binding.data(i))
      bases[i] = const_cast<void *>(binding.data(i).data()); // kernels only read what is bound
}

void Whole::placeResults() {
  for (uint32_t i = 0; i < results.size(); ++i) {
    const gnn_tensor_info_t &info = library.tensor(program.results[i]);
    if (binding.data(program.results[i])) { // an input that is passed on
      results[i] = binding.data(program.results[i]);
      continue;
    }
    if (!results[i].isSole()) { // the application has that of an earlier run
      std::vector<int64_t> shape = dims.shapeOf(info);
      if (info.domain != GNN_DOMAIN_PARAM)
        shape.insert(shape.begin(), binding.leadingExtent(info));
      results[i] = Tensor::empty(info.element, std::move(shape));
    }
    bases[program.results[i]] = results[i].mutableData();
  }
}

void Whole::run(uint64_t key) {
  using Clock = std::chrono::steady_clock;
  prepared->begin(key);
  placeTensors();
  placeResults();
  const bool hasFixed = fixedFor == binding.numRebinds();
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    if (hasFixed && prepared->plan().fixed[s])
      continue;
    const auto begin = profile ? Clock::now() : Clock::time_point();
    runStep(s);
    if (profile)
      profile->note(s, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  fixedFor = binding.numRebinds();
  if (profile)
    profile->endRun();
}

void Whole::runStep(uint32_t s) {
  const gnn_step_t &step = program.steps[s];
  for (uint32_t i = 0; i < step.num_tensors; ++i) {
    operands[i] = bases[step.tensors[i]];
    assert(operands[i] && "every tensor of a program is a temporary, a result, bound data or placed");
  }
  StepCall call;
  call.room = static_cast<char *>(transient->data()) + memory.stepOffsets[s];
  prepared->run(s, view, operands.data(), call);
}

size_t Whole::peakBytes() const {
  size_t bytes = memory.arenaBytes + memory.keptBytes + prepared->ownBytes();
  for (uint32_t i = 0; i < program.num_results; ++i)
    bytes += binding.tensorBytes(program.results[i]);
  return bytes;
}

} // namespace gnn::rt
