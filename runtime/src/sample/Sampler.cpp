//===- Sampler.cpp - Which edges a batch sees -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/Sampler.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/program/Library.h"
#include "runtime/src/program/Steps.h"

#include <algorithm>
#include <cmath>

namespace gnn::rt {

namespace {

/// Tells the draws of samples from those of kernels, which have the same key.
constexpr uint64_t ofSamples = 0x73616d706c6573;

/// What all vertices have.
uint64_t seedOf(uint64_t key, uint32_t relation, uint32_t direction) {
  return mix64(key ^ ofSamples) + mix64(2 * uint64_t(relation) + direction + goldenGamma);
}

uint64_t seedOf(uint64_t key, uint32_t relation, uint32_t direction, int64_t vertex) {
  return seedOf(key, relation, direction) + mix64(uint64_t(vertex) + goldenGamma);
}

} // namespace

/// The edges of a row that may be drawn: all, or those that are in a list.
class Sampler::Candidates {
public:
  Candidates(const RowOfEdges &row, const TargetEdges *targets) : first(row.first), number(row.count) {
    if (targets && targets->leaveOut(row, some)) {
      isSome = true;
      number = int64_t(some.size());
    }
  }
  int64_t count() const { return number; }
  /// The place of the i-th.
  int64_t operator[](int64_t i) const { return isSome ? some[size_t(i)] : first + i; }

private:
  int64_t first, number;
  bool isSome = false;
  std::vector<int64_t> some;
};

Sampler::Sampler(const Library &library, const Binding &bound, const gnn_program_t &program, const FanOuts &fanOuts,
                 const Drawing &kind)
    : binding(bound), drawing(kind), limits(library.table().num_relations), weights(limits.size()),
      filed(std::make_shared<FiledEdges>(library, bound, program)) {
  assert((filed->tables().empty() || canDrawOfFiles(drawing)) && "edges by whose ends or numbers others are drawn");
  fanOuts.check(library);
  std::map<std::string, FanOuts::Reading> readings;
  for (const ProgramStep step : library.steps(program)) {
    if (!step.isSweepOver(GNN_RELATION_EDGES))
      continue;
    // Vertices of the rows, or of the cols where gradients flow back, are met at any depth up to theirs.
    std::vector<int64_t> &ofRelation = limits[step->relation];
    for (auto depth = int32_t(ofRelation.size()); depth <= std::min(step->row_depth, step->col_depth); ++depth) {
      ofRelation.push_back(fanOuts.at(step.relation().name, depth));
      readings[step.relation().name] = {ofRelation.size(), step.kernel().name};
    }
  }
  fanOuts.checkLengths(library, readings);
  static_assert(GNN_TO_DESTINATION < 2 && GNN_TO_SOURCE < 2);
  for (uint32_t r = 0; r < limits.size(); ++r) {
    const gnn_relation_t &relation = library.relation(r);
    ends.emplace_back();
    ends[r][GNN_TO_DESTINATION] = relation.source_type;
    ends[r][GNN_TO_SOURCE] = relation.destination_type;
  }
  if (!drawing.weight.empty())
    findWeights(library);
}

void Sampler::findWeights(const Library &library) {
  bool isKnown = false;
  for (uint32_t t = 0; t < library.tensors().size(); ++t) {
    const gnn_tensor_info_t &info = library.tensor(t);
    if (info.role != GNN_ROLE_INPUT || info.domain != GNN_DOMAIN_EDGE || info.name != drawing.weight)
      continue;
    require(binding.dimensions().rowElements(info) == 1, GNN_ERROR_MISMATCH, "edges can't be drawn by ", info.name,
            ", which is no number of each edge");
    Tensor numbers = binding.data(t).onHost().as(GNN_F64, info.name);
    for (int64_t e = 0; e < numbers.count(); ++e)
      require(numberAt(numbers, e) > 0 && std::isfinite(numberAt(numbers, e)), GNN_ERROR_DATA, info.name, " of edge ",
              e, " is ", numberAt(numbers, e), ", by which it can't be drawn: expected a finite number above 0");
    weights[info.type] = std::move(numbers);
    isKnown = true;
  }
  require(isKnown, GNN_ERROR_MISMATCH, library.name(), " reads no input '", drawing.weight,
          "' of edges that they could be drawn by");
}

std::vector<std::pair<uint32_t, uint32_t>> Sampler::rowsForEngines(const gnn_program_t &program) const {
  auto isTooMany = [](int64_t most) { return most < 0 || most > EdgeDraws::mostOfRow; };
  std::vector<std::pair<uint32_t, uint32_t>> all;
  for (const gnn_step_t *step = program.steps; step != program.steps + program.num_steps; ++step) {
    if (step->kind != GNN_STEP_SWEEP || limits[step->relation].empty())
      continue;
    const std::vector<int64_t> &mosts = limits[step->relation];
    if (drawing.isShared || weights[step->relation] || std::any_of(mosts.begin(), mosts.end(), isTooMany))
      return {};
    const std::pair rows(step->relation, directionOf(*step));
    if (std::find(all.begin(), all.end(), rows) == all.end())
      all.push_back(rows);
  }
  return all;
}

bool Sampler::chooseElsewhere(const RowsOfEdges &rows, ChosenEdges &chosen) const {
  if (filed->has(rows.relation)) {
    chooseInFile(rows, chosen);
    return true;
  }
  const std::vector<int64_t> &mosts = limits[rows.relation];
  if (!elsewhere || targets || mosts.empty())
    return false;
  const RowDraw how{seedOf(key, rows.relation, rows.direction), mosts[size_t(rows.depth)], drawing.isRepeated};
  elsewhere->draw(rows, how, chosen);
  return true;
}

void Sampler::choose(const RowOfEdges &row, std::vector<int64_t> &places) const {
  const int64_t most = limits[row.relation].empty() ? FanOuts::all : limits[row.relation][size_t(row.depth)];
  const size_t begin = places.size();
  const Candidates all(row, targets);
  if (most < 0 || all.count() == 0 || (all.count() <= most && !drawing.isRepeated)) {
    for (int64_t i = 0; i < all.count(); ++i)
      places.push_back(all[i]);
    return;
  }
  if (drawing.isShared)
    return chooseShared(row, all, most, places);
  places.resize(begin + size_t(most));
  int64_t *chosen = places.data() + begin;
  const RandomSequence draws(seedOf(key, row.relation, row.direction, row.vertex));
  if (const Tensor &ofEdges = weights[row.relation]) {
    const auto &ids = binding.relation(row.relation).csr(row.direction).edgeIds;
    std::vector<double> here;
    for (int64_t i = 0; i < all.count(); ++i)
      here.push_back(ofEdges.data<double>()[ids[size_t(all[i])]]);
    (drawing.isRepeated ? drawWeightedRepeated : drawWeighted)(draws, here, most, chosen);
  } else {
    (drawing.isRepeated ? drawRepeated : drawUniform)(draws, all.count(), most, chosen);
  }
  for (; chosen != places.data() + places.size(); ++chosen)
    *chosen = all[*chosen];
}

/// Each neighbour has one number in [0, 1) for all who read it, and is seen by those for whom it is small enough. Who
/// would see none sees that with the least: a row that has candidates is never without.
void Sampler::chooseInFile(const RowsOfEdges &rows, ChosenEdges &chosen) const {
  assert(!targets && "edges are left out by their ends");
  const Span<const int64_t> offsets = binding.relation(rows.relation).csr(rows.direction).offsets;
  chosen.clear();
  for (int64_t vertex : rows.vertices) {
    const size_t before = chosen.places.size();
    const int64_t first = offsets[size_t(vertex)], id = rows.order ? rows.order->id[size_t(vertex)] : vertex;
    choose({rows.relation, rows.direction, rows.depth, id, first, offsets[size_t(vertex) + 1] - first}, chosen.places);
    chosen.counts.push_back(uint32_t(chosen.places.size() - before));
  }
  filed->read(rows, chosen);
}

void Sampler::chooseShared(const RowOfEdges &row, const Candidates &all, int64_t most,
                           std::vector<int64_t> &places) const {
  const auto &cols = binding.relation(row.relation).csr(row.direction).cols;
  const VertexOrder *order = binding.order(ends[row.relation][row.direction]);
  const double share = double(most) / double(all.count());
  const size_t begin = places.size();
  double least = 1;
  int64_t at = all[0];
  for (int64_t i = 0; i < all.count(); ++i) {
    const int64_t e = all[i], col = cols[size_t(e)];
    const int64_t id = order ? order->id[size_t(col)] : col;
    const double number = RandomSequence(seedOf(key, row.relation, row.direction, id)).uniform();
    if (number < share)
      places.push_back(e);
    if (number < least) {
      least = number;
      at = e;
    }
  }
  if (places.size() == begin)
    places.push_back(at);
}

} // namespace gnn::rt
