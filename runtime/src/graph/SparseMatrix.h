//===- SparseMatrix.h - Sparse feature matrices ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sparse [rows, columns] matrix of features in CSR, checked when made, and its use as a relation columns -> vertices.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_SPARSEMATRIX_H
#define GNN_GRAPH_SPARSEMATRIX_H

#include "runtime/src/core/Tensor.h"
#include "runtime/src/graph/Relation.h"
#include <string>

namespace gnn::rt {

class SparseMatrix {
public:
  /// `indptr` i64 [rows + 1] from 0 up to nnz, never falling; `indices` i32 or i64 [nnz] in [0, columns); `values` f32
  /// or f64 [nnz]. `what` names the matrix in errors. Several entries for one position are legal and mean their sum.
  SparseMatrix(int64_t rows, int64_t columns, Tensor indptr, Tensor indices, Tensor values, const std::string &what);
  /// The same from arrays as files have them: `shape` [2], integers of any width; values that are integers become f32.
  static SparseMatrix fromArrays(const Tensor &indptr, const Tensor &indices, const Tensor &values, const Tensor &shape,
                                 const std::string &what);
  /// The nonzeros of a dense f32 or f64 [rows, columns] matrix.
  static SparseMatrix fromDense(const Tensor &dense, const std::string &what);

  int64_t rows() const { return numRows; }
  int64_t columns() const { return numColumns; }
  int64_t nonzeros() const { return entryValues.count(); }
  const Tensor &indptrTensor() const { return rowStarts; }     // i64 [rows + 1]
  const Tensor &indicesTensor() const { return entryColumns; } // i32 [nnz]
  Span<const int64_t> indptr() const { return rowStarts.values<int64_t>(); }
  Span<const int32_t> indices() const { return entryColumns.values<int32_t>(); }
  /// [nnz], f32 or f64: also the table over the edges of the relation, which has ids in the order of the entries.
  const Tensor &values() const { return entryValues; }

  SparseMatrix convertedTo(uint32_t element) const;
  /// Each row divided by its sum, in f64, then rounded to `element`, f32 or f64; rows whose sum is 0 stay.
  SparseMatrix rowNormalized(uint32_t element) const;
  Tensor toDense() const;
  /// Columns -> vertices, one edge per entry with the entry's position as its id. `order` is that of the graph's
  /// vertices, or null.
  std::unique_ptr<const Relation> relation(std::shared_ptr<const VertexOrder> order) const;
  /// Whether `relation`, which was made of a matrix, would be that of this one too: all entries are in the same places
  /// and in the same order; values may differ. Reads all of them, as they may have changed where they lie.
  bool isRelation(const Relation &relation) const;

private:
  SparseMatrix() = default;

  int64_t numRows = 0, numColumns = 0;
  Tensor rowStarts, entryColumns, entryValues;
};

/// The same of a dense f32 or f64 matrix.
Tensor rowNormalized(const Tensor &dense, uint32_t element);

} // namespace gnn::rt

#endif // GNN_GRAPH_SPARSEMATRIX_H
