//===- VertexNames.cpp - The user's ids of vertices -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/VertexNames.h"
#include "runtime/src/core/Guard.h"
#include <algorithm>

using namespace gnn::rt;

VertexNames::VertexNames(const Dataset &data, const std::string &type) : source(data.source), type(type) {
  require(!data.hasSchema() || !type.empty(), GNN_ERROR_ARGUMENT, source,
          ": the data set has several types of vertices, expected the name of one");
  const VertexTable *table = type.empty() ? nullptr : &data.vertexType(type);
  const auto &readIds = table ? table->readIds : data.readIds;
  count = table ? table->count : data.numVertices;
  if (readIds)
    file = readIds();
  else
    for (int64_t vertex = 0; vertex < count; ++vertex)
      numbers += std::to_string(vertex) + "\n";
  const Span<const char> text = readIds ? file.span() : Span<const char>(numbers.data(), numbers.size());
  for (size_t at = 0; at < text.size();) {
    const size_t end = size_t(std::find(text.begin() + at, text.end(), '\n') - text.begin());
    lines.emplace_back(text.data() + at, end - at);
    at = end + 1;
  }
  require(int64_t(lines.size()) == count, GNN_ERROR_DATA, source, ": ", lines.size(),
          " ids, expected a line for each of ", count, " vertices", type.empty() ? "" : " of type " + type);
  vertices.reserve(lines.size());
  for (size_t vertex = 0; vertex < lines.size(); ++vertex)
    require(vertices.emplace(lines[vertex], int64_t(vertex)).second, GNN_ERROR_DATA, source, ": the id '",
            lines[vertex], "' is there twice");
}

std::string_view VertexNames::of(int64_t vertex) const {
  require(vertex >= 0 && vertex < count, GNN_ERROR_ARGUMENT, source, ": there is no vertex ", vertex,
          ", expected 0 to ", count - 1);
  return lines[size_t(vertex)];
}

std::optional<int64_t> VertexNames::tryFind(std::string_view id) const {
  const auto found = vertices.find(id);
  return found == vertices.end() ? std::nullopt : std::optional(found->second);
}

int64_t VertexNames::find(std::string_view id) const {
  const std::optional<int64_t> vertex = tryFind(id);
  require(vertex.has_value(), GNN_ERROR_MISMATCH, source, " has no vertex '", id, "'",
          type.empty() ? "" : " of type " + type);
  return *vertex;
}
