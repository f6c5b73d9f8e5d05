//===- Binding.cpp - A library's data over one graph ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/Binding.h"

#include "runtime/src/bind/EdgeCounts.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/HugePages.h"
#include "runtime/src/graph/SortEdges.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace gnn::rt {

namespace {

/// Rows whose weighted mean a loss is, by original ids.
class LossRows {
public:
  /// Without `weights` all rows weigh the same. Both must outlive this.
  LossRows(Span<const int64_t> rows, Span<const double> weights) : rows(rows), weights(weights) {}

  /// For GNN_ROLE_SCALE: 1 by the sum of the weights.
  Tensor scale(const gnn_tensor_info_t &info) const {
    const double sum = weights.size() ? std::accumulate(weights.begin(), weights.end(), 0.0) : double(rows.size());
    return Tensor::of<double>({sum > 0 ? 1.0 / sum : 0.0}, {}).converted(info.element, info.name);
  }

  /// For GNN_ROLE_MASK: the weight of each row of the tables that the loss is over. It is made in the memory of the
  /// `old` one where that has its order, so that there are never two of it.
  Tensor mask(const BoundGraph &graph, const gnn_tensor_info_t &info, const Tensor &old) const {
    const int64_t count = graph.leadingExtent(info);
    for (int64_t row : rows)
      require(row >= 0 && row < count, GNN_ERROR_DATA, info.domain == GNN_DOMAIN_EDGE ? "edge " : "vertex ", row,
              " in a split of ", graph.where(), " is outside 0..", count - 1);
    const bool isReused = old && old.count() == count && !graph.orderOf(info);
    Tensor table = isReused ? old : Tensor::empty(info.element, {count});
    sumInto(table, info.name);
    return graph.inLocalOrder(info, table);
  }

private:
  /// Some rows at a time, as the sums of all would take more memory as doubles than as what they are stored in.
  void sumInto(Tensor &table, const std::string &name) const {
    constexpr int64_t atOnce = int64_t(1) << 20;
    std::vector<size_t> order(rows.size());
    std::iota(order.begin(), order.end(), size_t(0));
    if (table.count() > atOnce) // sums stay in the order of the rows that are given
      std::stable_sort(order.begin(), order.end(),
                       [&](size_t a, size_t b) { return rows[a] / atOnce < rows[b] / atOnce; });
    auto next = order.begin();
    for (int64_t begin = 0; begin < table.count(); begin += atOnce) {
      std::vector<double> sums(size_t(std::min(atOnce, table.count() - begin)), 0.0);
      for (; next != order.end() && rows[*next] < begin + atOnce; ++next)
        sums[size_t(rows[*next] - begin)] += weights.size() ? weights[*next] : 1.0;
      const Tensor piece = Tensor::of(sums).converted(table.element(), name);
      std::memcpy(static_cast<char *>(table.mutableData()) + size_t(begin) * (piece.bytes() / sums.size()),
                  piece.data(), piece.bytes());
    }
  }

  Span<const int64_t> rows;
  Span<const double> weights;
};

} // namespace

Binding::Binding(std::shared_ptr<const Library> opened, const Dims &finished, const std::shared_ptr<const Graph> &graph,
                 const Features &features, bool withTargets, const std::string &where)
    : BoundGraph(std::move(opened), finished, *graph, where), sparse(*this, features), files(*this),
      bound(library().tensors().size()), versions(bound.size()) {
  for (const auto &[relation, matrix] : sparse.byRelation())
    setSparseInput(relation, matrix);
  for (uint32_t i = 0; i < bound.size(); ++i)
    bindTensor(i, features, withTargets);
}

void Binding::bindTensor(uint32_t index, const Features &features, bool withTargets) {
  const gnn_tensor_info_t &info = library().tensor(index);
  const bool isPairTable = info.domain == GNN_DOMAIN_EDGE && isOfPairs(library(), info.type);
  if (countsEdges(info.role)) {
    bound[index] = degrees(info);
    return;
  }
  switch (info.role) {
  case GNN_ROLE_TARGET:
    if (withTargets && !isPairTable) // those come with the pairs
      bound[index] = TableForm(*this, info).of(features);
    return;
  case GNN_ROLE_INPUT: {
    const Feature &feature = requireFeature(library(), info, features, where());
    if (files.leave(index, feature))
      return;
    bound[index] = TableForm(*this, info).of(feature);
    if (info.domain == GNN_DOMAIN_VERTEX && bound[index].device() < 0) // what edges gather
      moveToHugePages(bound[index].data(), bound[index].bytes());
    return;
  }
  case GNN_ROLE_WEIGHTS:
    bound[index] = sparse.weights(*this, info);
    return;
  case GNN_ROLE_MASK:
    bound[index] = Tensor::zeros(info.element, {leadingExtent(info)});
    return;
  case GNN_ROLE_SCALE:
    bound[index] = Tensor::zeros(info.element, {});
    return;
  default:
    return;
  }
}

/// One table serves all tensors with the same degrees.
Tensor Binding::degrees(const gnn_tensor_info_t &info) const {
  for (uint32_t i = 0; i < bound.size(); ++i)
    if (bound[i] && areSameDegrees(library().tensor(i), info))
      return bound[i];
  return degreesOf(*this, info);
}

const Tensor &Binding::lossWeights() const { return bound[size_t(lossMask(library()) - library().tensors().begin())]; }

void Binding::set(uint32_t tensor, Tensor table) {
  bound[tensor] = std::move(table);
  ++versions[tensor];
}

bool Binding::rebind(const Features &features) {
  SparseInputs matrices(*this, features);
  if (!matrices.areRelationsOf(*this))
    return false;
  std::vector<std::pair<uint32_t, Tensor>> tables;
  for (uint32_t i = 0; i < bound.size(); ++i) {
    const gnn_tensor_info_t &info = library().tensor(i);
    if (info.role == GNN_ROLE_INPUT)
      tables.emplace_back(i, TableForm(*this, info).of(features));
    else if (info.role == GNN_ROLE_WEIGHTS)
      tables.emplace_back(i, matrices.weights(*this, info));
  }
  for (auto &[tensor, table] : tables) {
    set(tensor, std::move(table));
    files.forget(tensor);
  }
  sparse = std::move(matrices);
  ++rebinds;
  return true;
}

void Binding::releaseInputs() {
  for (uint32_t i = 0; i < bound.size(); ++i)
    if (const uint32_t role = library().tensor(i).role; role == GNN_ROLE_INPUT || role == GNN_ROLE_WEIGHTS)
      releaseTable(i);
}

void Binding::releaseEdges() {
  BoundGraph::releaseEdges();
  sparse.release();
}

void Binding::setLossRows(Span<const int64_t> rows, Span<const double> weights) {
  const LossRows loss(rows, weights);
  for (uint32_t i = 0; i < bound.size(); ++i) {
    const gnn_tensor_info_t &info = library().tensor(i);
    if (info.role == GNN_ROLE_SCALE)
      set(i, loss.scale(info));
    else if (info.role == GNN_ROLE_MASK)
      set(i, loss.mask(*this, info, bound[i]));
  }
}

void Binding::setPairs(const Pairs &pairs, const std::vector<double> &targets) {
  const EdgeList list = rowsOf(pairs);
  const uint32_t index = *pairsRelation(library());
  const gnn_relation_t &relation = library().relation(index);
  setPairs(sortEdges(list, rows(relation.source_type), rows(relation.destination_type)));
  for (uint32_t i = 0; i < bound.size(); ++i) {
    const gnn_tensor_info_t &info = library().tensor(i);
    if (info.role == GNN_ROLE_TARGET && info.domain == GNN_DOMAIN_EDGE && info.type == index && !targets.empty())
      set(i, TableForm(*this, info).of({Tensor::of(targets), std::nullopt}));
  }
  const gnn_tensor_info_t *mask = lossMask(library());
  if (!mask || mask->domain != GNN_DOMAIN_EDGE || mask->type != index)
    return;
  std::vector<int64_t> all(pairs.src.size());
  std::iota(all.begin(), all.end(), int64_t(0));
  setLossRows({all.data(), all.size()});
}

} // namespace gnn::rt
