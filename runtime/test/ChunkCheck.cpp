//===- ChunkCheck.cpp - Chunks against the whole graph --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkCheck.h"
#include "runtime/src/core/Random.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

using namespace gnn::rt;

namespace {

const uint64_t key = stepKey(11, 3);

/// Whether a sweep of `program` folds edges into a table, such as the gradient of a parameter of edges: a row in pieces
/// is added to it piece by piece.
bool foldsIntoTables(const Library &library, const gnn_program_t &program) {
  return std::any_of(program.steps, program.steps + program.num_steps, [&](const gnn_step_t &step) {
    return step.kind == GNN_STEP_SWEEP && library.kernel(step.kernel).num_totals > 0;
  });
}

struct Comparison {
  double largest = 0, difference = 0; // of absolute values

  void add(const Tensor &whole, const char *chunked, int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      bool isDouble = whole.element() == GNN_F64;
      double a = isDouble ? whole.data<double>()[i] : double(whole.data<float>()[i]);
      double b =
          isDouble ? reinterpret_cast<const double *>(chunked)[i] : double(reinterpret_cast<const float *>(chunked)[i]);
      largest = std::max(largest, std::abs(a));
      difference = std::max(difference, std::isfinite(b) ? std::abs(a - b) : INFINITY);
    }
  }
};

} // namespace

ChunkComparison::ChunkComparison(Model &compared, std::shared_ptr<const Graph> graph, const Features &features,
                                 Span<const int64_t> rows, const gnn_program_t &compiled)
    : model(compared), program(compiled), lossVertices(rows.begin(), rows.end()),
      binding(model.library(), model.dims(), std::move(graph), features, /*withTargets=*/true, "test data"),
      executor(model.executor(binding, program)) {
  binding.setLossRows(lossVertices);
  executor->run(key);
}

ChunkDifference ChunkComparison::difference(const ChunkPlan &plan) const {
  ChunkExecutor chunks(model.engine(), *model.library(), binding.dimensions(), binding, program, plan, lossVertices);
  for (uint32_t parameter : model.parameters())
    chunks.place(parameter, model.parameter(parameter));
  chunks.run(key);
  const RowsByDepth rows(*model.library(), binding, program, lossVertices,
                         SeenEdges(*model.library(), binding, program, plan.chooser, lossVertices));
  ChunkDifference result;
  std::map<uint32_t, Comparison> comparisons; // gradients are one vector, other results by themselves
  for (uint32_t i = 0; i < program.num_results; ++i) {
    const Tensor &whole = executor->result(i);
    const std::vector<char> &chunked = chunks.table(program.results[i]);
    result.isSameBits &= std::memcmp(whole.data(), chunked.data(), whole.bytes()) == 0;
    if (whole.element() != GNN_F32 && whole.element() != GNN_F64)
      continue;
    const gnn_tensor_info_t &info = model.library()->tensor(program.results[i]);
    Comparison &comparison = comparisons[info.role == GNN_ROLE_GRAD ? UINT32_MAX : i];
    if (plan.kind == ChunkPlan::Seeds && info.domain == GNN_DOMAIN_EDGE)
      continue; // edges elsewhere have no values
    if (plan.kind != ChunkPlan::Seeds || info.domain != GNN_DOMAIN_VERTEX) {
      comparison.add(whole, chunked.data(), 0, whole.count());
      continue;
    }
    const int64_t width = whole.count() / std::max<int64_t>(binding.rows(info.type), 1);
    for (int64_t row : rows.at(0, info.type))
      comparison.add(whole, chunked.data(), row * width, (row + 1) * width);
  }
  for (const auto &[group, comparison] : comparisons)
    result.largest = std::max(result.largest, comparison.difference / std::max(comparison.largest, 1e-30));
  return result;
}

std::vector<std::string> checkChunks(Model &model, std::shared_ptr<const Graph> graph, const Features &features,
                                     Span<const int64_t> lossVertices) {
  const char *const names[] = {"grid", "sampled", "hub segments", "seeds"};
  double tolerance = model.library()->table().real == GNN_F64 ? 1e-12 : 1e-5;
  std::vector<std::string> failures;
  bool isTyped = std::any_of(graph->relations().begin(), graph->relations().end(),
                             [](const Graph::Edges &edges) { return edges.set->numEdgeTypes() > 0; });
  for (uint32_t kind : {GNN_PROGRAM_INFER, GNN_PROGRAM_TRAIN, GNN_PROGRAM_EVALUATE}) {
    const gnn_program_t *program = model.library()->program(kind);
    if (!program)
      continue;
    ChunkComparison comparison(model, graph, features, lossVertices, *program);
    auto check = [&](const ChunkPlan &plan, bool needsSameBits) {
      ChunkDifference found = comparison.difference(plan);
      if (needsSameBits ? found.isSameBits : found.largest <= tolerance)
        return;
      std::ostringstream line;
      line << "@" << program->name << ", " << names[plan.kind] << " of " << plan.parts
           << (plan.permutationSeed ? ", permuted" : "") << ": " << (needsSameBits ? "other bits, " : "")
           << "relative difference " << found.largest;
      failures.push_back(line.str());
    };
    check({ChunkPlan::Seeds, 1, 0}, /*needsSameBits=*/false);
    for (auto [how, parts] : {std::pair(ChunkPlan::Grid, 1),
                              {ChunkPlan::Grid, 2},
                              {ChunkPlan::Grid, 3},
                              {ChunkPlan::Grid, 7},
                              {ChunkPlan::Sampled, 5},
                              {ChunkPlan::HubSegments, 2}}) {
      check({how, parts, 0},
            how != ChunkPlan::Grid || parts == 1 || !(isTyped || foldsIntoTables(*model.library(), *program)));
      if (kind != GNN_PROGRAM_EVALUATE) // a permutation may turn the one prediction that is closest to a tie
        check({how, parts, uint64_t(parts) + 1}, /*needsSameBits=*/false);
    }
  }
  return failures;
}
