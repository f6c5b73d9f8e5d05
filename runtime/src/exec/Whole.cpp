//===- Whole.cpp - Executor of whole graphs -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Whole.h"

#include "runtime/src/bind/StepOperands.h"
#include "runtime/src/exec/PoisonMemory.h"
#include "runtime/src/program/Steps.h"

#include <algorithm>
#include <cassert>

namespace gnn::rt {

const int64_t *WholeView::ids(uint32_t vertexType) const {
  const VertexOrder *order = binding.order(vertexType);
  return order ? order->id.data() : nullptr;
}

gnn_block_t WholeView::block(uint32_t relation, uint32_t direction) const {
  return binding.relation(relation).block(direction);
}

const Relation *WholeView::lasting(uint32_t relation) const {
  return isOfPairs(library, relation) ? nullptr : &binding.relation(relation);
}

Whole::Whole(Engine &machine, const Library &opened, const Dims &finished, const Binding &bound,
             const gnn_program_t &compiled, bool parametersStay, FixedFields *shared)
    : Executor(opened, compiled), engine(machine), dims(finished), binding(bound),
      view(library, binding, parametersStay),
      prepared(engine.prepare(dims, program, capacityOf(library, view), StepViews(program.num_steps, &view))),
      tables(engine.tables(binding)), recording(engine.recording()), bases(library.tensors().size()),
      results(program.num_results), onHost(program.num_results) {
  checkEdgeTypes(library, binding, program);
  std::vector<size_t> rooms;
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    rooms.push_back(prepared->roomBytes(s));
    operands.resize(std::max<size_t>(operands.size(), program.steps[s].num_tensors));
  }
  const ProgramPlan &plan = prepared->plan();
  memory = planMemory(
      library, program, [&](uint32_t tensor) { return plan.isStored(tensor) ? bytesOf(tensor) : 0; }, plan.producers,
      plan.fixed, rooms);
  FixedFields own;
  kept = (shared ? *shared : own).of(library, program, plan.fixed, memory, engine);
  transient = engine.allocateTransient(memory.arenaBytes);
}

size_t Whole::bytesOf(uint32_t tensor) const {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  const size_t ofRow = engine.rowBytes(dims, info);
  return ofRow == binding.rowBytes(tensor) ? binding.tensorBytes(tensor) : size_t(binding.leadingExtent(info)) * ofRow;
}

/// What is bound is asked for by the step that reads it first, so that the first steps need not wait for it all.
void Whole::placeTensors() {
  for (const PlannedTensor &planned : memory.tensors)
    bases[planned.tensor] = planned.isKept ? kept.at(planned.tensor)->memory->data()
                                           : static_cast<char *>(transient->data()) + planned.offset;
  for (uint32_t i = 0; i < bases.size(); ++i)
    if (bases[i] && binding.data(i))
      bases[i] = tables->table(i);
}

void Whole::placeResults() {
  std::fill(onHost.begin(), onHost.end(), Tensor());
  for (uint32_t i = 0; i < results.size(); ++i) {
    const gnn_tensor_info_t &info = library.tensor(program.results[i]);
    if (binding.data(program.results[i])) { // an input that is passed on
      results[i] = binding.data(program.results[i]);
      continue;
    }
    if (!results[i].isSole()) { // the application has that of an earlier run
      results[i] = engine.empty(info.element, dims.shapeOf(info, binding.leadingExtent(info)));
      if (info.domain == GNN_DOMAIN_EDGE) // nothing writes the rows of edges that are left out
        engine.clear(results[i].mutableData(), results[i].bytes());
      recording = engine.recording(); // those of before are of its old place
      training.reset();
    }
    bases[program.results[i]] = results[i].mutableData();
  }
}

/// By this executor, or by another one that made all that is kept of them here.
bool Whole::areFixedDone() const {
  const uint64_t now = binding.numRebinds();
  return fixedFor == now || (!kept.empty() && std::all_of(kept.begin(), kept.end(), [&](const auto &field) {
           return field.second->madeFor == now;
         }));
}

void Whole::noteFixedDone() {
  fixedFor = binding.numRebinds();
  for (const auto &[tensor, field] : kept)
    field->madeFor = fixedFor;
}

void Whole::repeatFixedSteps() {
  fixedFor.reset();
  for (const auto &[tensor, field] : kept)
    field->madeFor.reset();
}

void Whole::makeFixed() {
  if (profile || areFixedDone())
    return;
  start({});
  finish();
}

bool Whole::readsAgain(uint32_t tensor) const {
  const bool isFixedDone = areFixedDone();
  for (uint32_t s = 0; s < program.num_steps; ++s)
    if (!(isFixedDone && prepared->plan().fixed[s]) && library.step(program.steps[s]).reads(tensor))
      return true;
  return isResult(program, tensor); // an input that is passed on
}

/// What differs from run to run, and the steps that every run does alike, if they are to be done.
void Whole::start(const RunNumbers &numbers) {
  placeTensors();
  placeResults();
  poison(engine, transient->data(), memory.arenaBytes);
  prepared->begin(numbers);
  if (profile && !clock)
    clock = engine.clock(program.num_steps);
  engine.beginRun();
  areFixedTimed = !areFixedDone();
  if (areFixedTimed)
    runSteps(/*fixedOnes=*/true);
}

void Whole::finish() {
  engine.endRun();
  noteFixedDone();
  if (!profile)
    return;
  for (uint32_t s = 0; s < program.num_steps; ++s)
    if (areFixedTimed || !prepared->plan().fixed[s])
      profile->note(s, clock->seconds(s));
  profile->endRun();
}

void Whole::run(uint64_t key) {
  start({key, {}});
  auto steps = [this] { runSteps(/*fixedOnes=*/false); };
  profile ? steps() : recording->run(steps);
  finish();
}

StepOutcome Whole::train(const TrainingStep &step) {
  start({step.key, step.rule});
  if (prepared->expectUpdate(step, results) || !training)
    training = engine.recording();
  auto steps = [this] { runSteps(/*fixedOnes=*/false); };
  if (profile) {
    steps();
    prepared->update();
  } else {
    training->run([&] {
      steps();
      prepared->update();
    });
  }
  finish();
  return prepared->outcome();
}

/// Of the steps those that are fixed, or the others.
void Whole::runSteps(bool fixedOnes) {
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    if (prepared->plan().fixed[s] != fixedOnes)
      continue;
    if (profile)
      clock->begin(s);
    runStep(s);
    if (profile)
      clock->end(s);
  }
}

void Whole::runStep(uint32_t s) {
  for (const Operand operand : library.step(program.steps[s]).operands()) {
    void *&base = bases[operand.tensor];
    if (!base && binding.data(operand.tensor))
      base = tables->table(operand.tensor);
    operands[operand.index] = base;
    assert(base && "every tensor of a program is a temporary, a result, bound data or placed");
  }
  StepCall call;
  call.room = static_cast<char *>(transient->data()) + memory.stepOffsets[s];
  prepared->run(s, view, operands.data(), call);
}

const Tensor &Whole::result(uint32_t i) {
  if (!onHost[i])
    onHost[i] = results[i].onHost();
  return onHost[i];
}

Tensor Whole::takeResult(uint32_t i) {
  Tensor taken = result(i);
  onHost[i] = Tensor();
  return taken;
}

size_t Whole::peakBytes() const {
  size_t bytes = memory.arenaBytes + memory.keptBytes + prepared->ownBytes();
  for (uint32_t i = 0; i < program.num_results; ++i)
    bytes += binding.tensorBytes(program.results[i]);
  return bytes;
}

} // namespace gnn::rt
