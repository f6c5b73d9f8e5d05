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

bool isOverPairs(const Library &library, const gnn_step_t &step) {
  return step.kind == GNN_STEP_SWEEP && library.table().relations[step.relation].kind == GNN_RELATION_PAIRS;
}

std::vector<gnn_step_t> stepsOver(const Library &library, const gnn_program_t &program, bool pairs) {
  std::vector<gnn_step_t> found;
  std::copy_if(program.steps, program.steps + program.num_steps, std::back_inserter(found),
               [&](const gnn_step_t &step) { return isOverPairs(library, step) == pairs; });
  return found;
}

/// Those that make some of `results`, and what makes what they read.
std::vector<gnn_step_t> stepsFor(const Library &library, const std::vector<gnn_step_t> &all,
                                 const std::vector<uint32_t> &results) {
  std::vector<bool> isNeeded(library.tensors().size(), false);
  for (uint32_t tensor : results)
    isNeeded[tensor] = true;
  std::vector<gnn_step_t> found;
  for (auto step = all.rbegin(); step != all.rend(); ++step) {
    const uint32_t *outputs = step->tensors + firstOutput(library.table(), *step);
    if (!std::any_of(outputs, step->tensors + step->num_tensors, [&](uint32_t tensor) { return isNeeded[tensor]; }))
      continue;
    for (const uint32_t *input = step->tensors; input != outputs; ++input)
      isNeeded[*input] = true;
    found.push_back(*step);
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

std::unique_ptr<const PartOfProgram> PartOfProgram::overPairs(const Library &library, const gnn_program_t &whole) {
  std::vector<gnn_step_t> steps = stepsOver(library, whole, /*pairs=*/true);
  std::vector<uint32_t> results;
  for (uint32_t i = 0; i < whole.num_results; ++i)
    if (std::any_of(steps.begin(), steps.end(), [&](const gnn_step_t &step) {
          return std::find(step.tensors, step.tensors + step.num_tensors, whole.results[i]) !=
                 step.tensors + step.num_tensors;
        }))
      results.push_back(whole.results[i]);
  return std::unique_ptr<const PartOfProgram>(new PartOfProgram(library, whole, std::move(steps), std::move(results)));
}

std::unique_ptr<const PartOfProgram> PartOfProgram::overVertices(const Library &library, const gnn_program_t &whole) {
  const std::vector<gnn_step_t> others = stepsOver(library, whole, /*pairs=*/false);
  auto isMade = [&](uint32_t tensor) {
    return std::any_of(others.begin(), others.end(), [&](const gnn_step_t &step) {
      const uint32_t *end = step.tensors + step.num_tensors;
      return std::find(step.tensors + firstOutput(library.table(), step), end, tensor) != end;
    });
  };
  std::vector<uint32_t> results;
  for (const gnn_step_t &step : stepsOver(library, whole, /*pairs=*/true))
    for (const uint32_t *input = step.tensors; input != step.tensors + firstOutput(library.table(), step); ++input)
      if ((library.tensor(*input).domain == GNN_DOMAIN_VERTEX || isMade(*input)) &&
          std::find(results.begin(), results.end(), *input) == results.end())
        results.push_back(*input);
  std::vector<gnn_step_t> steps = stepsFor(library, others, results);
  return std::unique_ptr<const PartOfProgram>(new PartOfProgram(library, whole, std::move(steps), std::move(results)));
}

} // namespace gnn::rt
