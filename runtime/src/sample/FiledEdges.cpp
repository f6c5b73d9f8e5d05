//===- FiledEdges.cpp - Edges that are drawn of a file --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/FiledEdges.h"

#include "runtime/src/program/Steps.h"
#include "runtime/src/sample/RowReads.h"

#include <algorithm>
#include <numeric>

namespace gnn::rt {

FiledEdges::FiledEdges(const Library &opened, const Binding &bound, const gnn_program_t &program)
    : library(opened), binding(bound) {
  for (const ProgramStep step : library.steps(program)) {
    if (!step.isSweepOver(GNN_RELATION_EDGES) || !has(step->relation) ||
        !numbers.emplace(std::pair(step->relation, directionOf(step)), all.size()).second)
      continue;
    const Relation &relation = binding.relation(step->relation);
    const Buffer<int64_t> &offsets = relation.csr(directionOf(step)).offsets;
    all.push_back({step->relation,
                   directionOf(step),
                   {offsets.data(), offsets.size()},
                   sizeof(uint32_t) + (relation.edgeFile().fields().ids ? sizeof(int64_t) : 0) +
                       (relation.hasTypes() ? sizeof(int32_t) : 0)});
  }
  kept.resize(all.size());
}

Span<const int64_t> FiledEdges::rowsOf(const Table &table, const Neighbourhood &around) const {
  const gnn_relation_t &relation = library.relation(table.relation);
  const size_t rows = around.offsetsOf(table.relation, table.direction).size() - 1;
  return Span<const int64_t>(
             around.verticesOf(table.direction == GNN_TO_SOURCE ? relation.source_type : relation.destination_type))
      .slice(0, rows);
}

size_t FiledEdges::bytesOfReading(int64_t edges) {
  return bytesOfReads(sizeof(int64_t)) + size_t(edges) * (sizeof(Missing) + sizeof(WantedRow) + sizeof(int64_t));
}

template <class T>
void FiledEdges::readField(const Table &table, EdgeFile::Field field, const std::vector<Missing> &missing, T *to) {
  std::vector<WantedRow> wanted;
  wanted.reserve(missing.size());
  for (const Missing &edge : missing)
    wanted.push_back({edge.place, to + edge.number});
  const EdgeFile &file = binding.relation(table.relation).edgeFile();
  readRows(wanted, sizeof(T), FileSystem::real().readsTogether(), [&](Span<const WantedRows> asked) {
    uint64_t bytes = 0;
    for (const WantedRows &rows : asked)
      bytes += uint64_t(rows.count) * sizeof(T);
    numBytes += bytes;
    file.read(table.direction, field, asked);
  });
}

void FiledEdges::readAll(const Table &table, const std::vector<Missing> &missing, bool ids, bool types, uint32_t *cols,
                         int64_t *toIds, int32_t *toTypes) {
  readField(table, EdgeFile::Field::Cols, missing, cols);
  if (types)
    readField(table, EdgeFile::Field::Types, missing, toTypes);
  if (!ids)
    return;
  if (binding.relation(table.relation).hasWideIds())
    return readField(table, EdgeFile::Field::Ids, missing, toIds);
  std::vector<uint32_t> narrow(missing.size());
  std::vector<Missing> there = missing;
  for (size_t i = 0; i < there.size(); ++i)
    there[i].number = i;
  readField(table, EdgeFile::Field::Ids, there, narrow.data());
  for (size_t i = 0; i < missing.size(); ++i)
    toIds[missing[i].number] = narrow[i];
}

void FiledEdges::keep(size_t number, const std::function<bool(int64_t row)> &isKept) {
  constexpr size_t atOnce = size_t(1) << 20; // edges, or those of a row
  const Table &table = all[number];
  const EdgeFields &fields = binding.relation(table.relation).edgeFile().fields();
  Kept &here = kept[number] = Kept();
  const auto rows = int64_t(table.offsets.size()) - 1;
  for (int64_t row = 0; row < rows; ++row)
    if (const int64_t count = table.offsets[size_t(row) + 1] - table.offsets[size_t(row)]; count > 0 && isKept(row)) {
      here.rows.push_back(row);
      here.begins.push_back(here.begins.back() + count);
    }
  const auto edges = size_t(here.begins.back());
  here.cols.resize(edges);
  here.ids.resize(fields.ids ? edges : 0);
  here.types.resize(fields.types ? edges : 0);
  std::vector<Missing> missing;
  auto readPiece = [&] {
    readAll(table, missing, fields.ids, fields.types, here.cols.data(), here.ids.data(), here.types.data());
    missing.clear();
  };
  for (size_t i = 0; i < here.rows.size(); ++i) {
    const int64_t first = table.offsets[size_t(here.rows[i])];
    for (int64_t e = here.begins[i]; e < here.begins[i + 1]; ++e)
      missing.push_back({first + e - here.begins[i], size_t(e)});
    if (missing.size() >= atOnce)
      readPiece();
  }
  readPiece();
}

size_t FiledEdges::keptBytes() const {
  size_t bytes = 0;
  for (size_t t = 0; t < all.size(); ++t)
    bytes += kept[t].rows.size() * rowBytes + kept[t].cols.size() * all[t].edgeBytes;
  return bytes;
}

bool FiledEdges::hasFieldsOf(const RowsOfEdges &rows) const {
  const EdgeFields &fields = binding.relation(rows.relation).edgeFile().fields();
  return (!rows.needsIds || fields.ids) && (!rows.needsTypes || fields.types);
}

void FiledEdges::read(const RowsOfEdges &rows, ChosenEdges &chosen) {
  const size_t number = numbers.at({rows.relation, rows.direction});
  const Table &table = all[number];
  const Kept &here = kept[number];
  chosen.cols.resize(chosen.places.size());
  chosen.ids.resize(rows.needsIds ? chosen.places.size() : 0);
  chosen.types.resize(rows.needsTypes ? chosen.places.size() : 0);
  assert(hasFieldsOf(rows) && "the file has what steps read");
  std::vector<uint32_t> order(chosen.counts.size());
  std::vector<size_t> begins{0};
  std::iota(order.begin(), order.end(), 0u);
  for (uint32_t count : chosen.counts)
    begins.push_back(begins.back() + count);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return rows.vertices[a] < rows.vertices[b]; });
  std::vector<Missing> missing; // ascending, as these rows are: rows are fewer to sort than edges
  uint64_t drawnOf = 0, hits = 0;
  auto at = here.rows.begin();
  for (uint32_t i : order) {
    size_t edge = begins[i];
    const size_t end = begins[i + 1];
    drawnOf += end > edge;
    at = std::lower_bound(at, here.rows.end(), rows.vertices[i]);
    if (at == here.rows.end() || *at != rows.vertices[i]) {
      for (; edge < end; ++edge)
        missing.push_back({chosen.places[edge], edge});
      continue;
    }
    hits += end > edge;
    const int64_t first = table.offsets[size_t(*at)], begin = here.begins[size_t(at - here.rows.begin())];
    for (; edge < end; ++edge) {
      const auto from = size_t(begin + chosen.places[edge] - first);
      chosen.cols[edge] = here.cols[from];
      if (rows.needsIds)
        chosen.ids[edge] = here.ids[from];
      if (rows.needsTypes)
        chosen.types[edge] = here.types[from];
    }
  }
  readAll(table, missing, rows.needsIds, rows.needsTypes, chosen.cols.data(), chosen.ids.data(), chosen.types.data());
  numRows += drawnOf;
  numHits += hits;
}

} // namespace gnn::rt
