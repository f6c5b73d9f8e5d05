//===- CachedRows.cpp - Rows that a cache may have ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/CachedRows.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/program/Steps.h"

#include <algorithm>

namespace gnn::rt {

/// Draws as the sampler does, and counts.
class CachedRows::Draws : public EdgeChooser {
public:
  Draws(const CachedRows &rows, CountedReads &counted) : rows(rows), counted(counted) {}

  void choose(const RowOfEdges &row, std::vector<int64_t> &places) const override {
    const size_t before = places.size();
    rows.sampler.choose(row, places);
    const VertexOrder *order = rows.binding.order(rows.rowTypes[row.relation][row.direction]);
    const int64_t local = order ? int64_t(order->local[size_t(row.vertex)]) : row.vertex;
    const size_t at = rows.edgeTables.at({row.relation, row.direction}) + size_t(local);
    counted.edges[at] += uint32_t(places.size() - before);
    uint32_t &transactions = counted.transactions[at];
    ++transactions; // where the row begins and ends
    for (const size_t width : rows.widths[row.relation]) {
      const auto inLine = int64_t(CachedRowSizes::lineBytes / width);
      for (size_t i = before; i < places.size(); ++i) // ascending
        transactions += i == before || places[i] / inLine != places[i - 1] / inLine;
    }
  }

private:
  const CachedRows &rows;
  CountedReads &counted;
};

CachedRows::CachedRows(const Library &library, const Binding &bound, const gnn_program_t &program, const Sampler &kind)
    : binding(bound), sampler(kind), around(library, bound, program), widths(library.table().num_relations) {
  static_assert(GNN_TO_DESTINATION < 2 && GNN_TO_SOURCE < 2);
  for (uint32_t r = 0; r < widths.size(); ++r) {
    const gnn_relation_t &relation = library.relation(r);
    rowTypes.emplace_back();
    rowTypes[r][GNN_TO_DESTINATION] = relation.destination_type;
    rowTypes[r][GNN_TO_SOURCE] = relation.source_type;
  }
  auto needsIds = [&](const gnn_step_t &of) { // some sweep over the same edges
    return library.steps(program).any([&](const ProgramStep &step) {
      return step.isSweep() && step->relation == of.relation && directionOf(step) == directionOf(of) &&
             step.needs(GNN_KERNEL_EDGE_ID);
    });
  };
  for (const ProgramStep step : library.steps(program)) {
    if (!step.isSweep())
      continue;
    const gnn_relation_t &relation = step.relation();
    require(relation.kind != GNN_RELATION_SPARSE_INPUT, GNN_ERROR_MISMATCH, library.name(), " reads ", relation.name,
            " as a sparse input: caches have rows of dense ones (--inputs dense)");
    const uint32_t direction = directionOf(step);
    if (!edgeTables.emplace(std::make_pair(step->relation, direction), bytes.edges.size()).second)
      continue;
    const Csr &csr = binding.relation(step->relation).csr(direction);
    std::vector<size_t> &arrays = widths[step->relation];
    arrays = {sizeof csr.cols[0]};
    if (!csr.types.empty())
      arrays.push_back(sizeof csr.types[0]);
    if (needsIds(step))
      arrays.push_back(csr.edgeIds.wide.empty() ? sizeof(uint32_t) : sizeof(int64_t));
    size_t ofEdge = 0;
    for (size_t width : arrays)
      ofEdge += width;
    for (int64_t row = 0; row < csr.numRows(); ++row)
      bytes.edges.push_back(sizeof(int64_t) + size_t(csr.degree(row)) * ofEdge);
  }
  for (const gnn_use_t &use : usesIn(program)) {
    const gnn_tensor_info_t &info = library.tensor(use.tensor);
    if (info.role != GNN_ROLE_INPUT || info.domain != GNN_DOMAIN_VERTEX || use.accesses & 1u << GNN_ACCESS_WHOLE)
      continue;
    featureTables.push_back({info.type, std::max(use.depth, 0), bytes.features.size()});
    bytes.features.resize(bytes.features.size() + size_t(binding.leadingExtent(info)),
                          uint32_t(binding.rowBytes(use.tensor)));
  }
  require(std::max(bytes.edges.size(), bytes.features.size()) <= UINT32_MAX, GNN_ERROR_MEMORY, library.name(),
          " reads more than 2^32 rows: caches are planned for fewer");
}

std::vector<size_t> CachedRows::firstOfFeatures() const {
  std::vector<size_t> first;
  for (const Features &table : featureTables)
    first.push_back(table.first);
  return first;
}

std::vector<CachedRows::EdgeRows> CachedRows::tablesOfEdges() const {
  std::vector<EdgeRows> tables;
  for (const auto &[rows, first] : edgeTables)
    tables.push_back({first, rows.first, rows.second});
  std::sort(tables.begin(), tables.end(), [](const EdgeRows &a, const EdgeRows &b) { return a.first < b.first; });
  return tables;
}

CountedReads CachedRows::none() const {
  return {0, std::vector<uint32_t>(bytes.edges.size(), 0), std::vector<uint32_t>(bytes.edges.size(), 0),
          std::vector<uint32_t>(bytes.features.size(), 0)};
}

void CachedRows::add(uint32_t vertexType, Span<const int64_t> seeds, uint64_t stepKey, CountedReads &to) {
  sampler.begin(stepKey);
  const Draws draws(*this, to);
  around.expand(vertexType, seeds, &draws);
  for (const Features &table : featureTables) {
    const std::vector<int64_t> &met = around.verticesOf(table.type);
    for (int64_t i = 0; i < around.rows(table.depth, table.type); ++i)
      ++to.features[table.first + size_t(met[size_t(i)])];
  }
}

} // namespace gnn::rt
