//===- InputTables.h - How a library reads inputs ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables that inputs of a library become over a graph: in memory, as the edges of relations, or in files.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_BIND_INPUTTABLES_H
#define GNN_BIND_INPUTTABLES_H

#include "runtime/src/bind/BoundGraph.h"
#include "runtime/src/bind/Features.h"
#include "runtime/src/core/Narrow.h"

#include <functional>

namespace gnn::rt {

/// The element, shape and order of rows that a library was compiled to read a table in.
class TableForm {
public:
  /// Both must outlive this.
  TableForm(const BoundGraph &graph, const gnn_tensor_info_t &info) : graph(graph), info(info) {}

  std::vector<int64_t> shape() const { return graph.dimensions().shapeOf(info, graph.leadingExtent(info)); }
  /// Throws GNN_ERROR_MISMATCH for a table of another shape. A number a row is a row of one.
  void requireShape(const std::vector<int64_t> &found) const;
  /// Rows in the element that they are read in, normalized where the model wants that.
  Tensor converted(Tensor rows) const;
  /// The table of a feature whose rows are those of ids, as it is bound. One that is in the memory of a GPU stays there
  /// if it has this form already.
  Tensor of(const Feature &feature) const;
  Tensor of(const Features &features) const {
    return of(requireFeature(graph.library(), info, features, graph.where()));
  }
  /// The element of numbers before they are stored in fewer bits.
  uint32_t computedElement() const { return isNarrow(info.element) ? uint32_t(GNN_F32) : info.element; }

private:
  bool hasForm(const Tensor &table) const;

  const BoundGraph &graph;
  const gnn_tensor_info_t &info;
};

/// The matrices whose nonzeros are the edges of relations from their columns to vertices.
class SparseInputs {
public:
  /// Throws GNN_ERROR_MISMATCH for an input that is missing or of another shape.
  SparseInputs(const BoundGraph &graph, const Features &features);

  const std::map<uint32_t, SparseMatrix> &byRelation() const { return matrices; }
  /// The matrix from which the relation of a weights tensor was made.
  const SparseMatrix &of(const gnn_tensor_info_t &weights) const { return matrices.at(uint32_t(weights.source)); }
  /// The numbers of the edges, as they are bound.
  Tensor weights(const BoundGraph &graph, const gnn_tensor_info_t &info) const;
  /// True if every relation of `graph` has its edges where these matrices have nonzeros.
  bool areRelationsOf(const BoundGraph &graph) const;
  void release() { matrices.clear(); }

private:
  std::map<uint32_t, SparseMatrix> matrices;
};

/// Tables of inputs that are read from the files of the data, some rows at a time, until somebody takes all of one.
class PagedTables {
public:
  /// `graph` must outlive this.
  explicit PagedTables(const BoundGraph &graph) : graph(graph), files(graph.library().tensors().size()) {}
  /// Takes the files of others; the graph is to become theirs.
  PagedTables &operator=(PagedTables &&others) {
    files = std::move(others.files);
    return *this;
  }

  /// Leaves an input in its file, or returns false: if the feature has none, or its rows can't be found there. Throws
  /// GNN_ERROR_MISMATCH for a file of another shape.
  bool leave(uint32_t tensor, const Feature &feature);
  /// The file that an input is in; null for others.
  const NpyFile *file(uint32_t tensor) const { return files[tensor].get(); }
  /// True if rows of the table have the bytes of the file, in its order.
  bool isSameInFile(uint32_t tensor) const;
  /// Rows [begin, begin + count) in the order of ids, as they would be bound.
  Tensor rows(uint32_t tensor, int64_t begin, int64_t count) const;
  /// For a table over vertices, calls `body` with rows [begin, end), several consecutive rows at a time.
  void forRows(uint32_t tensor, int64_t begin, int64_t end,
               const std::function<void(int64_t row, int64_t count, const void *rows)> &body) const;
  /// For a table over edges, the row of the file that belongs to the edge; -1 for a loop that the model adds.
  int64_t rowOfEdge(uint32_t tensor, int64_t id) const;
  /// The row of a loop that the model adds.
  Tensor rowOfLoop(uint32_t tensor) const;

  /// The table in memory, as it would be bound; its file is forgotten.
  Tensor take(uint32_t tensor);
  /// For a table over vertices, its rows [begin, end) alone. The other rows are address space without contents, for
  /// which no memory is taken.
  Tensor take(uint32_t tensor, int64_t begin, int64_t end);
  void forget(uint32_t tensor) { files[tensor] = nullptr; }

private:
  const gnn_tensor_info_t &info(uint32_t tensor) const { return graph.library().tensor(tensor); }
  TableForm form(uint32_t tensor) const { return {graph, info(tensor)}; }

  const BoundGraph &graph;
  std::vector<std::shared_ptr<const NpyFile>> files; // [tensors]
};

} // namespace gnn::rt

#endif // GNN_BIND_INPUTTABLES_H
