//===- BoundGraph.h - A graph under the schema of a library -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows and relations that a library's programs run over: the graph with the transforms that the model requires, the
// relations that come with data, and the dimensions that follow. Everything that is bound has its shape from here.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_BIND_BOUNDGRAPH_H
#define GNN_BIND_BOUNDGRAPH_H

#include "runtime/src/bind/SchemaMatch.h"
#include "runtime/src/graph/SparseMatrix.h"
#include "runtime/src/program/Dims.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnn::rt {

/// Pairs of vertices that are scored; `types` may be empty. Ids are original ones.
struct Pairs {
  std::vector<int64_t> src, dst, types;

  int64_t count() const { return int64_t(src.size()); }
};

class BoundGraph {
public:
  /// `dims` are the model's, finished; `where` names the data in messages. Throws GNN_ERROR_MISMATCH for what the graph
  /// lacks or has of another size.
  BoundGraph(std::shared_ptr<const Library> library, const Dims &dims, const Graph &graph, const std::string &where);
  BoundGraph(const BoundGraph &) = delete;
  BoundGraph &operator=(BoundGraph &&) = default;

  const Library &library() const { return *opened; }
  const std::string &where() const { return origin; }
  /// The model's over this graph.
  const Dims &dimensions() const { return dims; }
  int64_t rows(uint32_t vertexType) const { return vertexRows[vertexType]; }
  const Relation &relation(uint32_t index) const {
    return edges[index] ? edges[index]->relation() : *ownRelations[index];
  }
  /// The edges of a relation of the graph; null for sparse inputs, and for pairs that the graph does not have.
  const EdgeSet *edgeSet(uint32_t relation) const { return edges[relation].get(); }
  /// Edges of all relations of the graph, after the transforms.
  int64_t numEdges() const;
  /// Rows of a table over the edges of a relation.
  int64_t numEdgeIds(uint32_t index) const {
    return released ? released->edgeIds[index] : relation(index).numEdgeIds();
  }
  /// Order of the vertices of a type in tables, null: that of their ids.
  const VertexOrder *order(uint32_t vertexType) const { return orders[vertexType].get(); }
  /// Order of the rows of a tensor; null: that of ids.
  const VertexOrder *orderOf(const gnn_tensor_info_t &tensor) const {
    return tensor.domain == GNN_DOMAIN_VERTEX ? order(tensor.type) : nullptr;
  }

  /// Leading extent of a tensor and its size in bytes with it.
  int64_t leadingExtent(const gnn_tensor_info_t &tensor) const;
  size_t rowBytes(uint32_t tensor) const { return rowSizes[tensor]; }
  size_t tensorBytes(uint32_t tensor) const;

  /// Pairs by the rows of tables. Throws GNN_ERROR_DATA for an id or type out of range, and GNN_ERROR_MISMATCH if the
  /// library scores no pairs.
  EdgeList rowsOf(const Pairs &pairs) const;
  /// A computed table over vertices in the order of original ids; `table` itself where that is the order already.
  Tensor inOriginalOrder(const gnn_tensor_info_t &info, const Tensor &table) const;
  /// The other way round.
  Tensor inLocalOrder(const gnn_tensor_info_t &info, const Tensor &table) const;

protected:
  /// Makes `entries` the relation of a sparse input, whose rows are in the order of its vertices.
  void setSparseInput(uint32_t relation, const SparseMatrix &entries);
  void setPairs(uint32_t relation, SortedEdges pairs);
  /// Gives up the edges, but those of pairs.
  void releaseEdges();

private:
  void countVertices(const Graph &graph, const SchemaMatch &match);
  void prepareRelations(const Graph &graph, const SchemaMatch &match);
  void checkTypes(uint32_t relation, const EdgeSet &edges) const;

  std::shared_ptr<const Library> opened;
  Dims dims;
  std::string origin;
  std::vector<std::shared_ptr<const EdgeSet>> edges; // [relations]
  std::vector<int64_t> vertexRows;
  std::vector<std::shared_ptr<const VertexOrder>> orders;    // [vertex types]
  std::vector<std::unique_ptr<const Relation>> ownRelations; // [relations], null where `edges` has them
  std::vector<size_t> rowSizes;                              // [tensors]

  struct Counts {
    int64_t edges;
    std::vector<int64_t> edgeIds; // [relations]
  };
  std::optional<Counts> released; // of edges that were given up
};

/// True if a model for `types` types of edges can read those of `edges`, which may have fewer. (The inverse of type r
/// is r + types, so with inverse relations the number is part of the meaning.)
bool fitsTypes(const EdgeSet &edges, const gnn_relation_t &relation, int64_t types);

} // namespace gnn::rt

#endif // GNN_BIND_BOUNDGRAPH_H
