//===- GraphShape.cpp - A graph of which sizes alone are known ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/GraphShape.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>

namespace gnn::train_tool {

using namespace rt;

/// So that sums of hundreds of tables, sent by all ranks, can still be counted.
static constexpr uint64_t mostBytes = uint64_t(1) << 48;

GraphShape::GraphShape(const Library &library, const Dims &finished, const std::vector<int64_t> &vertices,
                       std::vector<int64_t> edges)
    : opened(library), dims(finished.over(vertices, "the shape")), relationEdges(std::move(edges)) {
  const gnn_library_t &table = library.table();
  for (uint32_t type = 0; type < table.num_vertex_types; ++type) {
    const gnn_vertex_type_t &of = table.vertex_types[type];
    vertexRows.push_back(of.is_table ? dims.extents()[size_t(of.rows)] : vertices[type]);
  }
  for (uint32_t t = 0; t < table.num_tensors; ++t) {
    const gnn_tensor_info_t &info = library.tensor(t);
    const int64_t leading = info.domain == GNN_DOMAIN_VERTEX ? rows(info.type)
                            : info.domain == GNN_DOMAIN_EDGE ? this->edges(info.type)
                                                             : 1;
    constexpr unsigned mostElementBytes = 8;
    uint64_t bytes = mostBytes;
    if (const auto elements = uint64_t(dims.rowElements(info)); elements < mostBytes / mostElementBytes) {
      rowSizes.push_back(dims.rowBytes(info));
      if (__builtin_mul_overflow(uint64_t(leading), uint64_t(rowSizes.back()), &bytes))
        bytes = mostBytes;
    }
    require(bytes < mostBytes, GNN_ERROR_MISMATCH, info.name, " of ", library.name(), " takes ", mostBytes >> 40,
            " TB or more, with ", leading, leading == 1 ? " row" : " rows", " and ", dims.describe());
    tableSizes.push_back(bytes);
  }
}

int64_t GraphShape::numIntervals(uint32_t type, int64_t parts) const {
  return opened.isTable(type) ? 1 : std::clamp<int64_t>(parts, 1, std::max<int64_t>(rows(type), 1));
}

int64_t GraphShape::intervalRows(uint32_t type, int64_t parts) const {
  const int64_t count = numIntervals(type, parts);
  return (rows(type) + count - 1) / count;
}

uint32_t GraphShape::rowType(const Residents::Edges &edges) const {
  const gnn_relation_t &relation = opened.relation(edges.first);
  return edges.second == GNN_TO_DESTINATION ? relation.destination_type : relation.source_type;
}

int64_t GraphShape::rankEdges(const Residents::Edges &of, int ranks) const {
  const int64_t count = numIntervals(rowType(of), ranks);
  return (edges(of.first) + count - 1) / count;
}

size_t GraphShape::edgeBytes(const Residents::Edges &of) const {
  bool hasIds = false, hasTypes = false;
  for (const gnn_program_t *program : opened.firstPrograms())
    for (const ProgramStep step : opened.steps(*program)) {
      if (!step.isSweep() || Residents::Edges{step->relation, step->direction} != of)
        continue;
      hasIds |= step.needsEdgeIds();
      hasTypes |= step.needs(GNN_KERNEL_EDGE_TYPE);
    }
  const size_t idBytes = edges(of.first) > int64_t(UINT32_MAX) ? sizeof(int64_t) : sizeof(uint32_t);
  return sizeof(uint32_t) + (hasIds ? idBytes : 0) + (hasTypes ? sizeof(int32_t) : 0);
}

} // namespace gnn::train_tool
