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

bool isSweep(const gnn_step_t &step) { return step.kind == GNN_STEP_SWEEP; }
bool isMap(const gnn_step_t &step) { return step.kind == GNN_STEP_MAP; }

bool isTable(const Library &library, uint32_t vertexType) {
  return library.table().vertex_types[vertexType].is_table != 0;
}

bool isOfPairs(const Library &library, const gnn_step_t &step) {
  return library.table().relations[step.relation].kind == GNN_RELATION_PAIRS;
}

bool isParameter(const Library &library, uint32_t tensor) { return library.tensor(tensor).domain == GNN_DOMAIN_PARAM; }

std::string obstacleToNeighbourhoods(const Library &library, const gnn_step_t &step) {
  const bool isOfTable = isTable(library, step.vertex_type);
  if (isSweep(step)) {
    if (isOfPairs(library, step))
      return "it scores pairs of vertices";
    if (library.kernel(step.kernel).num_totals > 0)
      return "it computes totals over all edges";
    const bool isInput = library.table().relations[step.relation].kind == GNN_RELATION_SPARSE_INPUT;
    return step.row_depth >= 0 && step.col_depth == (isInput ? -1 : step.row_depth + 1)
               ? ""
               : "edges are read both ways in one of its steps";
  }
  if (isMap(step) ? library.kernel(step.kernel).num_totals > 0 : step.kind == GNN_STEP_MATMUL_TN)
    return isOfTable ? "" : "it computes totals over all vertices";
  const bool isLearned = !isMap(step) && isParameter(library, step.tensors[0]);
  return !isOfTable && (step.row_depth < 0 || isLearned) ? "it computes with parameters of all vertices" : "";
}

/// Products are of tables whose rows are those of the step, or of whole parameters.
bool multipliesLearnedRows(const Library &library, const gnn_step_t &product) {
  for (uint32_t i = 0; i < product.num_tensors; ++i)
    if (accessOf(library.table(), product, i) == GNN_ACCESS_ROW && isParameter(library, product.tensors[i]))
      return true;
  return false;
}

std::string obstacleToSamples(const Library &library, const gnn_step_t &step) {
  if (!isSweep(step)) {
    if (isTable(library, step.vertex_type))
      return "";
    if (step.row_depth < 0)
      return "it computes with parameters of all vertices";
    return !isMap(step) && multipliesLearnedRows(library, step) ? "it multiplies parameters for each vertex by a matrix"
                                                                : "";
  }
  const bool isOfSeeds = step.row_depth <= 0 && step.col_depth <= 0;
  return (isOfPairs(library, step) ? isOfSeeds : step.row_depth != step.col_depth)
             ? ""
             : "edges are read both ways in one of its steps";
}

} // namespace

std::string obstacleToNeighbourhoods(const Library &library, const gnn_program_t &program) {
  std::map<uint32_t, uint32_t> directions; // by relation whose tables of edges a step touches
  for (const gnn_step_t *step = program.steps; step != program.steps + program.num_steps; ++step) {
    if (std::string found = obstacleToNeighbourhoods(library, *step); !found.empty())
      return found;
    if (!isSweep(*step))
      continue;
    const gnn_kernel_t &kernel = library.kernel(step->kernel);
    const uint32_t *end = kernel.access + kernel.num_operands;
    if (std::find(kernel.access, end, uint32_t(GNN_ACCESS_EDGE)) != end &&
        directions.emplace(step->relation, step->direction).first->second != step->direction)
      return "it keeps numbers of edges that are read from both ends";
  }
  for (uint32_t i = 0; i < program.num_results; ++i)
    if (library.tensor(program.results[i]).domain == GNN_DOMAIN_EDGE)
      return "it has outputs of edges";
  return "";
}

std::string obstacleToSamples(const Library &library, const gnn_program_t &program) {
  std::map<uint32_t, uint32_t> directions; // by table of edges that steps make
  for (const gnn_step_t *step = program.steps; step != program.steps + program.num_steps; ++step) {
    if (std::string found = obstacleToSamples(library, *step); !found.empty())
      return found;
    for (uint32_t i = 0; isSweep(*step) && i < step->num_tensors; ++i)
      if (library.kernel(step->kernel).access[i] == GNN_ACCESS_EDGE &&
          library.tensor(step->tensors[i]).role == GNN_ROLE_TEMP &&
          directions.emplace(step->tensors[i], directionOf(*step)).first->second != directionOf(*step))
        return "it keeps numbers of edges that are read from both ends";
  }
  for (const gnn_tensor_info_t &info : library.tensors())
    if (info.role == GNN_ROLE_MASK && info.domain == GNN_DOMAIN_EDGE &&
        library.table().relations[info.type].kind != GNN_RELATION_PAIRS)
      return "its loss is over edges";
  return "";
}

/// Totals that are no more than results do not matter: what they are of is 0 for others.
static bool readsTotals(const Library &library, const gnn_program_t &program) {
  std::set<uint32_t> totals; // and what is computed of them alone
  for (const gnn_step_t *step = program.steps; step != program.steps + program.num_steps; ++step) {
    const uint32_t *outputs = step->tensors + firstOutput(library.table(), *step),
                   *end = step->tensors + step->num_tensors;
    const bool reads = std::any_of(step->tensors, outputs, [&](uint32_t tensor) { return totals.count(tensor) > 0; });
    if (reads && step->row_depth >= 0)
      return true;
    const bool isSum = step->kind == GNN_STEP_MATMUL_TN, isProduct = step->kind == GNN_STEP_MATMUL;
    const uint32_t numTotals = isSum ? 1 : isProduct ? 0 : library.kernel(step->kernel).num_totals;
    totals.insert(reads ? outputs : end - numTotals, end);
  }
  return std::any_of(program.results, program.results + program.num_results, [&](uint32_t result) {
    return library.tensor(result).role == GNN_ROLE_STATE_NEXT && totals.count(result);
  });
}

std::string obstacleToReached(const Library &library, const gnn_program_t &program) {
  if (std::string found = obstacleToSamples(library, program); !found.empty())
    return found;
  for (const gnn_step_t *step = program.steps; step != program.steps + program.num_steps; ++step)
    if (isSweep(*step) && isOfPairs(library, *step))
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
