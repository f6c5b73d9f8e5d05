//===- SeenEdges.cpp - Edges that a sample has ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/sample/SeenEdges.h"

#include "runtime/src/program/Steps.h"

namespace gnn::rt {

SeenEdges::SeenEdges(const Library &library, const Binding &binding, const gnn_program_t &program,
                     const EdgeChooser *chooser, const std::vector<int64_t> &seeds)
    : isLimited(chooser != nullptr) {
  if (chooser)
    seeAll(library, binding, program, *chooser, {{lossMask(library) ? lossMask(library)->type : 0, seeds}});
}

SeenEdges::SeenEdges(const Library &library, const Binding &binding, const gnn_program_t &program,
                     const EdgeChooser *chooser, const Pairs &pairs)
    : isLimited(chooser != nullptr) {
  if (!chooser)
    return;
  const gnn_relation_t &relation = library.relation(*pairsRelation(library));
  Rows ends;
  for (auto [type, ids] : {std::pair(relation.source_type, &pairs.src), {relation.destination_type, &pairs.dst}})
    ends[type].insert(ends[type].end(), ids->begin(), ids->end());
  for (auto &[type, ids] : ends) {
    const std::set<int64_t> once(ids.begin(), ids.end());
    ids.assign(once.begin(), once.end());
  }
  seeAll(library, binding, program, *chooser, ends);
}

void SeenEdges::seeAll(const Library &library, const Binding &binding, const gnn_program_t &program,
                       const EdgeChooser &chooser, Rows fresh) {
  int32_t depths = 0;
  for (const ProgramStep step : library.steps(program))
    if (step.isSweep() && !step.isSweepOver(GNN_RELATION_PAIRS)) {
      int32_t &rows = deepest.emplace(Place(step->relation, directionOf(step)), 0).first->second;
      rows = std::max(rows, isBack(step) ? step->col_depth : step->row_depth);
      depths = std::max(depths, rows);
    }
  std::map<uint32_t, std::set<int64_t>> met; // by vertex type
  for (int32_t depth = 0; depth <= depths; ++depth) {
    for (const auto &[type, rows] : fresh)
      met[type].insert(rows.begin(), rows.end());
    Rows next;
    for (auto [place, rowDepth] : deepest) {
      const gnn_relation_t &relation = library.relation(place.first);
      const bool toSource = place.second == GNN_TO_SOURCE;
      const uint32_t colType = toSource ? relation.destination_type : relation.source_type;
      for (int64_t row : fresh[toSource ? relation.source_type : relation.destination_type])
        if (depth <= rowDepth) {
          see(binding, place, depth, row, chooser);
          for (int64_t col : cols[place][row])
            if (!met[colType].count(col))
              next[colType].push_back(col);
        }
    }
    for (auto &[type, rows] : next) {
      const std::set<int64_t> once(rows.begin(), rows.end());
      rows.assign(once.begin(), once.end());
    }
    fresh = next;
  }
}

void SeenEdges::see(const Binding &binding, Place place, int32_t depth, int64_t row, const EdgeChooser &chooser) {
  const Csr &csr = binding.relation(place.first).csr(place.second);
  std::vector<int64_t> chosen;
  chooser.choose({place.first, place.second, depth, row, csr.offsets[size_t(row)], csr.degree(row)}, chosen);
  std::vector<int64_t> &ends = cols[place][row];
  for (int64_t edge : chosen) {
    seen[place].insert(csr.edgeIds[size_t(edge)]);
    ends.push_back(csr.cols[size_t(edge)]);
  }
}

bool SeenEdges::isFollowed(uint32_t relation, uint32_t direction, int64_t row) const {
  auto place = cols.find({relation, direction});
  return place != cols.end() && place->second.count(row) > 0;
}

bool SeenEdges::has(uint32_t relation, uint32_t direction, int64_t edgeId) const {
  auto place = seen.find({relation, direction});
  return areAll() || (place != seen.end() && place->second.count(edgeId) > 0);
}

} // namespace gnn::rt
