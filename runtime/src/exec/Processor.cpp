//===- Processor.cpp - Models on this machine's processor -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Processor.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/exec/FiniteCheck.h"
#include "runtime/src/exec/Product.h"
#include "runtime/src/exec/Whole.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

namespace {

/// oneTBB makes room for each thread before there is one.
unsigned checkedThreads(unsigned threads) {
  constexpr unsigned maxThreads = 4096;
  require(threads <= maxThreads, GNN_ERROR_ARGUMENT, threads, " threads, the most is ", maxThreads);
  return threads;
}

} // namespace

Processor::Processor(std::shared_ptr<const Library> opened, unsigned threads)
    : library(std::move(opened)), isa(library->isa().name), productsName(productsInstructions()),
      engine(library, checkedThreads(threads)) {}

std::unique_ptr<Executor> Processor::executor(const Dims &dims, const Binding &binding, const gnn_program_t &program) {
  return std::make_unique<Whole>(engine, *library, dims, binding, program);
}

Tensor Processor::zeros(uint32_t element, std::vector<int64_t> shape) {
  return Tensor::zeros(element, std::move(shape));
}

namespace {

/// Elements of a parameter that are one task.
constexpr int64_t pieceElements = 4096;

struct Pieces {
  const UpdateRule &rule;
  const std::vector<Update> &updates;

  static int64_t count(const Update &update) { return (update.count + pieceElements - 1) / pieceElements; }

  static void run(void *context, int64_t task, unsigned) {
    const Pieces &self = *static_cast<Pieces *>(context);
    const Update *update = self.updates.data();
    for (; task >= count(*update); ++update)
      task -= count(*update);
    applyUpdate(self.rule, *update, task * pieceElements, std::min((task + 1) * pieceElements, update->count));
  }
};

} // namespace

void Processor::update(const UpdateRule &rule, const std::vector<Update> &updates) {
  Pieces pieces{rule, updates};
  int64_t count = 0;
  for (const Update &update : updates)
    count += Pieces::count(update);
  engine.threads().run({Pieces::run, &pieces, uint32_t(count)});
}

StepOutcome Processor::train(Executor &executor, const TrainingStep &step) {
  executor.run(step.key);
  std::vector<const Tensor *> results;
  for (uint32_t i = 0; i < step.numResults(); ++i)
    results.push_back(&executor.result(i));
  const StepOutcome outcome{numberAt(*results[0], 0), firstNotFinite(engine.threads(), results)};
  if (outcome.refusedBy)
    return outcome;
  std::vector<Update> updates = step.updates;
  for (size_t i = 0; i < updates.size(); ++i)
    updates[i].gradient = results[i + 1]->data();
  update(step.rule, updates);
  for (const StateUpdate &state : step.states)
    std::memcpy(state.value, results[state.result]->data(), state.bytes);
  return outcome;
}

double Processor::deviceSeconds() { fail(GNN_ERROR_ARGUMENT, "the model computes on the processor"); }

} // namespace gnn::rt
