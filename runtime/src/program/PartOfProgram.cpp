//===- PartOfProgram.cpp - Programs made of steps of others ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/PartOfProgram.h"

#include "runtime/src/program/ProgramUses.h"
#include "runtime/src/program/Steps.h"

#include <algorithm>

namespace gnn::rt {

namespace {

std::vector<gnn_step_t> stepsOver(const Library &library, const gnn_program_t &program, bool pairs) {
  std::vector<gnn_step_t> found;
  std::copy_if(program.steps, program.steps + program.num_steps, std::back_inserter(found),
               [&](const gnn_step_t &step) { return library.step(step).isSweepOver(GNN_RELATION_PAIRS) == pairs; });
  return found;
}

/// Those that make some of `results`, and what makes what they read.
std::vector<gnn_step_t> stepsFor(const Library &library, const std::vector<gnn_step_t> &all,
                                 const std::vector<uint32_t> &results) {
  std::vector<bool> isNeeded(library.tensors().size(), false);
  for (uint32_t tensor : results)
    isNeeded[tensor] = true;
  std::vector<gnn_step_t> found;
  for (auto at = all.rbegin(); at != all.rend(); ++at) {
    const ProgramStep step = library.step(*at);
    if (!step.outputs().any([&](const Operand &output) { return isNeeded[output.tensor]; }))
      continue;
    for (const Operand input : step.inputs())
      isNeeded[input.tensor] = true;
    found.push_back(step);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

} // namespace

PartOfProgram::PartOfProgram(const Library &library, const gnn_program_t &whole, std::vector<gnn_step_t> some,
                             std::vector<uint32_t> made)
    : steps(std::move(some)), results(std::move(made)), part(whole) {
  part.num_steps = uint32_t(steps.size());
  part.steps = steps.data();
  part.num_results = uint32_t(results.size());
  part.results = results.data();
  uses = usesOf(library.table(), part).uses;
  for (uint32_t tensor : results) // inputs that no step reads are there to be read by others
    if (std::none_of(uses.begin(), uses.end(), [&](const gnn_use_t &use) { return use.tensor == tensor; }))
      uses.push_back({tensor, 1u << GNN_ACCESS_ROW, 0, -1, int32_t(steps.size()), 0});
  part.num_uses = uint32_t(uses.size());
  part.uses = uses.data();
}

std::unique_ptr<const PartOfProgram> PartOfProgram::forResults(const Library &library, const gnn_program_t &whole,
                                                               std::vector<uint32_t> results) {
  std::vector<gnn_step_t> steps = stepsFor(library, {whole.steps, whole.steps + whole.num_steps}, results);
  return std::unique_ptr<const PartOfProgram>(new PartOfProgram(library, whole, std::move(steps), std::move(results)));
}

std::unique_ptr<const PartOfProgram> PartOfProgram::overPairs(const Library &library, const gnn_program_t &whole) {
  std::vector<gnn_step_t> steps = stepsOver(library, whole, /*pairs=*/true);
  std::vector<uint32_t> results;
  for (uint32_t result : resultsIn(whole))
    if (std::any_of(steps.begin(), steps.end(),
                    [&](const gnn_step_t &step) { return library.step(step).uses(result); }))
      results.push_back(result);
  return std::unique_ptr<const PartOfProgram>(new PartOfProgram(library, whole, std::move(steps), std::move(results)));
}

std::unique_ptr<const PartOfProgram> PartOfProgram::overVertices(const Library &library, const gnn_program_t &whole) {
  const std::vector<gnn_step_t> others = stepsOver(library, whole, /*pairs=*/false);
  auto isMade = [&](uint32_t tensor) {
    return std::any_of(others.begin(), others.end(),
                       [&](const gnn_step_t &step) { return library.step(step).makes(tensor); });
  };
  std::vector<uint32_t> results;
  for (const gnn_step_t &step : stepsOver(library, whole, /*pairs=*/true))
    for (const Operand input : library.step(step).inputs())
      if ((library.tensor(input.tensor).domain == GNN_DOMAIN_VERTEX || isMade(input.tensor)) &&
          std::find(results.begin(), results.end(), input.tensor) == results.end())
        results.push_back(input.tensor);
  std::vector<gnn_step_t> steps = stepsFor(library, others, results);
  return std::unique_ptr<const PartOfProgram>(new PartOfProgram(library, whole, std::move(steps), std::move(results)));
}

} // namespace gnn::rt
