//===- Obstacles.cpp - Programs that need the whole graph -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/Obstacles.h"

#include "runtime/src/program/Steps.h"

#include <algorithm>
#include <map>
#include <set>

namespace gnn::rt {

namespace {

bool isParameter(const Library &library, uint32_t tensor) { return library.tensor(tensor).domain == GNN_DOMAIN_PARAM; }

std::string obstacleToNeighbourhoods(const Library &library, const ProgramStep &step) {
  const bool isOfTable = library.isTable(step->vertex_type);
  if (step.isSweep()) {
    if (step.isSweepOver(GNN_RELATION_PAIRS))
      return "it scores pairs of vertices";
    if (step.kernel().num_totals > 0)
      return "it computes totals over all edges";
    const bool isInput = step.isSweepOver(GNN_RELATION_SPARSE_INPUT);
    return step->row_depth >= 0 && step->col_depth == (isInput ? -1 : step->row_depth + 1)
               ? ""
               : "edges are read both ways in one of its steps";
  }
  if (step.isMap() ? step.kernel().num_totals > 0 : step.isSumOfProducts())
    return isOfTable ? "" : "it computes totals over all vertices";
  const bool isLearned = step.isProduct() && isParameter(library, step[0].tensor);
  return !isOfTable && (step->row_depth < 0 || isLearned) ? "it computes with parameters of all vertices" : "";
}

std::string obstacleToSamples(const Library &library, const ProgramStep &step) {
  if (!step.isSweep()) {
    if (library.isTable(step->vertex_type))
      return "";
    if (step->row_depth < 0)
      return "it computes with parameters of all vertices";
    // Products are of tables whose rows are those of the step, or of whole parameters.
    auto isLearned = [&](const Operand &operand) { return operand.isPerRow() && isParameter(library, operand.tensor); };
    return step.isProduct() && step.operands().any(isLearned) ? "it multiplies parameters for each vertex by a matrix"
                                                              : "";
  }
  const bool isOfSeeds = step->row_depth <= 0 && step->col_depth <= 0;
  return (step.isSweepOver(GNN_RELATION_PAIRS) ? isOfSeeds : step->row_depth != step->col_depth)
             ? ""
             : "edges are read both ways in one of its steps";
}

} // namespace

std::string obstacleToNeighbourhoods(const Library &library, const gnn_program_t &program) {
  std::map<uint32_t, uint32_t> directions; // by relation whose tables of edges a step touches
  for (const ProgramStep step : library.steps(program)) {
    if (std::string found = obstacleToNeighbourhoods(library, step); !found.empty())
      return found;
    if (step.isSweep() && step.hasPerEdge() &&
        directions.emplace(step->relation, step->direction).first->second != step->direction)
      return "it keeps numbers of edges that are read from both ends";
  }
  for (uint32_t result : resultsIn(program))
    if (library.tensor(result).domain == GNN_DOMAIN_EDGE)
      return "it has outputs of edges";
  return "";
}

std::string obstacleToSamples(const Library &library, const gnn_program_t &program) {
  std::map<uint32_t, uint32_t> directions; // by table of edges that steps make
  for (const ProgramStep step : library.steps(program)) {
    if (std::string found = obstacleToSamples(library, step); !found.empty())
      return found;
    for (const Operand operand : step.operands())
      if (operand.isPerEdge() && library.tensor(operand.tensor).role == GNN_ROLE_TEMP &&
          directions.emplace(operand.tensor, directionOf(step)).first->second != directionOf(step))
        return "it keeps numbers of edges that are read from both ends";
  }
  for (const gnn_tensor_info_t &info : library.tensors())
    if (info.role == GNN_ROLE_MASK && info.domain == GNN_DOMAIN_EDGE && !isOfPairs(library, info.type))
      return "its loss is over edges";
  return "";
}

/// Totals that are no more than results do not matter: what they are of is 0 for others.
static bool readsTotals(const Library &library, const gnn_program_t &program) {
  std::set<uint32_t> totals; // and what is computed of them alone
  for (const ProgramStep step : library.steps(program)) {
    const bool reads = step.inputs().any([&](const Operand &input) { return totals.count(input.tensor) > 0; });
    if (reads && step->row_depth >= 0)
      return true;
    for (const Operand output : step.outputs())
      if (reads || output.isTotal())
        totals.insert(output.tensor);
  }
  return std::any_of(program.results, program.results + program.num_results, [&](uint32_t result) {
    return library.tensor(result).role == GNN_ROLE_STATE_NEXT && totals.count(result);
  });
}

std::string obstacleToReached(const Library &library, const gnn_program_t &program) {
  if (std::string found = obstacleToSamples(library, program); !found.empty())
    return found;
  if (library.steps(program).any([](const ProgramStep &step) { return step.isSweepOver(GNN_RELATION_PAIRS); }))
    return "it scores pairs of vertices";
  return readsTotals(library, program) ? "it computes with totals over all vertices" : "";
}

namespace {

using Obstacle = std::string(const Library &, const gnn_program_t &);

std::vector<const gnn_program_t *> programsWithout(Obstacle obstacle, const Library &library, uint32_t kind) {
  std::vector<const gnn_program_t *> found = library.programs(kind);
  found.erase(std::remove_if(found.begin(), found.end(),
                             [&](const gnn_program_t *program) { return !obstacle(library, *program).empty(); }),
              found.end());
  return found;
}

} // namespace

std::vector<const gnn_program_t *> programsForNeighbourhoods(const Library &library, uint32_t kind) {
  return programsWithout(obstacleToNeighbourhoods, library, kind);
}

std::vector<const gnn_program_t *> programsForSamples(const Library &library, uint32_t kind) {
  return programsWithout(obstacleToSamples, library, kind);
}

} // namespace gnn::rt
