//===- VertexNames.h - The user's ids of vertices ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_VERTEXNAMES_H
#define GNN_DATA_VERTEXNAMES_H

#include "runtime/src/data/Dataset.h"
#include <string_view>
#include <unordered_map>

namespace gnn::rt {

/// The user's id of each vertex of a type, in both directions. Vertices of a data set without ids are called by their
/// numbers.
class VertexNames {
public:
  /// `type` is empty for a data set without a schema. Throws an argument error for an unknown type, a data error unless
  /// the file of ids has a line for each vertex, all different.
  VertexNames(const Dataset &data, const std::string &type);
  VertexNames(const VertexNames &) = delete; // views refer to members
  VertexNames &operator=(const VertexNames &) = delete;

  int64_t size() const { return count; }
  /// Throws an argument error if there is no such vertex.
  std::string_view of(int64_t vertex) const;
  /// Throws a mismatch if no vertex has this id.
  int64_t find(std::string_view id) const;
  std::optional<int64_t> tryFind(std::string_view id) const;

private:
  const std::string source, type; // of the data set, for messages
  int64_t count = 0;
  FileBytes file;
  std::string numbers;                 // the text of the ids where there is no file
  std::vector<std::string_view> lines; // of the file or of `numbers`
  std::unordered_map<std::string_view, int64_t> vertices;
};

} // namespace gnn::rt

struct gnn_vertex_ids_t {
  gnn_vertex_ids_t(const gnn::rt::Dataset &data, const std::string &type) : value(data, type) {}

  gnn::rt::VertexNames value;
};

#endif // GNN_DATA_VERTEXNAMES_H
