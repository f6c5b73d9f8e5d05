//===- LocalRun.cpp - A program over a neighbourhood ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/LocalRun.h"

#include "runtime/src/bind/StepOperands.h"
#include "runtime/src/exec/PoisonMemory.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <utility>

namespace gnn::rt {

LocalRun::LocalRun(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &program,
                   Going whereTo, std::unique_ptr<Neighbourhood> first)
    : engine(machine), library(opened), binding(bound), compiled(program), going(whereTo), around(std::move(first)),
      tables(engine.tables(binding)), placed(library.tensors().size()), bases(placed.size()),
      rows(engine, library, binding, program, going, placed, around.get()) {
  checkEdgeTypes(library, binding, program);
}

void LocalRun::place(uint32_t tensor, void *data) {
  if (std::exchange(placed[tensor], data) != data)
    operands.clear();
}

void LocalRun::releaseMemory() {
  engine.settle();
  prepared.reset();
  arena.reset();
  kept.reset();
  lasting.reset();
}

void LocalRun::prepare() {
  prepared.reset();
  const Capacity most = rows.fixCapacity();
  StepViews views;
  for (uint32_t s = 0; s < compiled.num_steps && going == Going::Once; ++s)
    views.push_back(&around->viewOf(compiled.steps[s]));
  prepared = engine.prepare(binding.dimensions(), compiled, most, views);
  planTemporaries();
  placeLasting();
  placeTemporaries();
}

void LocalRun::planTemporaries() {
  const ProgramPlan &plan = prepared->plan();
  std::vector<size_t> rooms;
  for (uint32_t s = 0; s < compiled.num_steps; ++s)
    rooms.push_back(prepared->roomBytes(s));
  memory = planMemory(
      library, compiled, [&](uint32_t tensor) { return plan.isStored(tensor) ? rows.bytesOf(tensor) : 0; },
      plan.producers, plan.fixed, rooms);
  arena.reset();
  arena = going == Going::Once ? engine.allocateTransient(memory.arenaBytes) : engine.allocate(memory.arenaBytes);
  kept = engine.allocate(memory.keptBytes);
}

void LocalRun::placeTemporaries() {
  arenaAt = arena->data();
  for (const PlannedTensor &planned : memory.tensors)
    bases[planned.tensor] = static_cast<char *>((planned.isKept ? kept : arena)->data()) + planned.offset;
  for (LocalRows::Table &here : rows.tables())
    if (here.isMade)
      here.base = placed[here.tensor] ? placed[here.tensor] : bases[here.tensor];
  operands.clear();
}

/// What is gathered, and results that nobody has placed.
void LocalRun::placeLasting() {
  std::vector<std::pair<void **, size_t>> offsets;
  lastingBytes = 0;
  auto add = [&](void *&base, size_t bytes) {
    offsets.emplace_back(&base, lastingBytes);
    lastingBytes += wholeLines(bytes);
  };
  for (LocalRows::Table &here : rows.tables())
    if (!here.isMade && !here.isGiven)
      add(here.base, size_t(here.capacity) * here.bytes);
  for (uint32_t i = 0; i < compiled.num_results; ++i)
    if (const uint32_t tensor = compiled.results[i]; !placed[tensor] && !binding.data(tensor))
      add(bases[tensor], rows.bytesOf(tensor));
  lasting.reset();
  lasting = engine.allocate(lastingBytes);
  for (auto [base, offset] : offsets)
    *base = static_cast<char *>(lasting->data()) + offset;
}

void LocalRun::gather(const LocalRows::RowsOf &rowsOf) {
  if (rows.gather(rowsOf))
    operands.clear();
}

/// What is bound beside them has the same numbers as before, but perhaps elsewhere.
void LocalRun::gatherParameters() {
  operands.clear();
  rows.gatherParameters();
}

void LocalRun::moveTo(std::unique_ptr<Neighbourhood> &other, const ChangedRows *changed, StoredUse *use) {
  std::swap(around, other);
  rows.moveTo(around.get(), changed);
  stored = use;
  views.clear();
  engine.settle();
  if (rows.grow() || !prepared)
    prepare();
}

void LocalRun::findPlaces() {
  for (uint32_t s = 0; s < compiled.num_steps; ++s) {
    operands.emplace_back();
    for (const Operand operand : library.step(compiled.steps[s]).operands()) {
      const uint32_t tensor = operand.tensor;
      const LocalRows::Table *here = rows.of(s, operand);
      operands[s].push_back(here                   ? here->base
                            : placed[tensor]       ? placed[tensor]
                            : binding.data(tensor) ? tables->table(tensor)
                                                   : bases[tensor]);
      assert(operands[s].back() && "every tensor of a program is made, gathered, bound or placed");
    }
  }
}

/// What earlier steps and runs have left where a step is about to write.
void LocalRun::poisonOutput(uint32_t s, const Operand &output) {
  const uint32_t tensor = output.tensor;
  if (placed[tensor] || !prepared->plan().isStored(tensor))
    return;
  const LocalRows::Table *here = rows.of(s, output);
  poison(engine, here ? here->base : bases[tensor], rows.bytesOf(tensor));
}

/// Of the steps those that are fixed, or the others.
void LocalRun::runSteps(bool fixedOnes, StepClock *clock) {
  if (arenaAt != arena->data())
    placeTemporaries();
  if (operands.empty())
    findPlaces();
  StepCall call;
  call.rowsStandAlone = going == Going::Around;
  for (uint32_t s = 0; s < compiled.num_steps; ++s) {
    if (prepared->plan().fixed[s] != fixedOnes)
      continue;
    const ProgramStep step = library.step(compiled.steps[s]);
    call.room = static_cast<char *>(arena->data()) + memory.stepOffsets[s];
    for (const Operand output : step.outputs())
      poisonOutput(s, output);
    if (clock)
      clock->begin(s);
    prepared->run(s, views.empty() ? around->viewOf(step) : *views[s], operands[s].data(), call);
    if (clock)
      clock->end(s);
    for (const Operand output : step.outputs())
      if (const LocalRows::Table *here = rows.of(s, output); here && prepared->plan().isStored(output.tensor))
        rows.clearBeyond(step, *here);
    if (stored && stored->rows())
      exchangeStored(s);
  }
}

/// Of what a step has made: stored rows come beside it, and rows that are to be stored are kept.
void LocalRun::exchangeStored(uint32_t s) {
  for (const Operand output : library.step(compiled.steps[s]).outputs()) {
    const StoredTensor *of = stored->rows()->layout().find(output.tensor);
    const LocalRows::Table *here = rows.of(s, output);
    if (!of || !here)
      continue;
    char *base = static_cast<char *>(here->base), *behind = base + size_t(rows.firstStored(*here)) * here->bytes;
    stored->forTaken(of->vertexType, of->depth, [&](size_t at, const char *row) {
      engine.copyIn(behind + at * of->bytes, row + of->offset, of->bytes);
    });
    stored->forMade(of->vertexType, of->depth, [&](uint32_t place, char *row) {
      engine.copyOut(row + of->offset, base + place * of->bytes, of->bytes);
    });
  }
}

const void *LocalRun::at(uint32_t tensor) const { return placed[tensor] ? placed[tensor] : bases[tensor]; }

} // namespace gnn::rt
