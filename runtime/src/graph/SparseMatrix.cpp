//===- SparseMatrix.cpp - Sparse feature matrices --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks and conversions of CSR matrices.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/graph/SparseMatrix.h"
#include "runtime/src/core/ExactIntegers.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Parallel.h"
#include <algorithm>

using namespace gnn::rt;

namespace {

void checkIndptr(Span<const int64_t> indptr, int64_t nonzeros, const std::string &what) {
  require(indptr[0] == 0, GNN_ERROR_DATA, what, ": indptr begins with ", indptr[0], ", expected 0");
  for (size_t row = 1; row < indptr.size(); ++row)
    require(indptr[row] >= indptr[row - 1], GNN_ERROR_DATA, what, ": indptr falls from ", indptr[row - 1], " to ",
            indptr[row], " at row ", row - 1);
  require(indptr[indptr.size() - 1] == nonzeros, GNN_ERROR_DATA, what, ": indptr ends with ", indptr[indptr.size() - 1],
          ", expected the number of values, ", nonzeros);
}

/// Calls `body` with a null pointer to the real type of `element`, f32 or f64.
template <class Body> void withReal(uint32_t element, const std::string &what, Body &&body) {
  if (element == GNN_F32)
    return body(static_cast<float *>(nullptr));
  require(element == GNN_F64, GNN_ERROR_MISMATCH, what, " has elements of ", elementName(element),
          ", expected f32 or f64");
  body(static_cast<double *>(nullptr));
}

template <class From, class To> void divideBySum(const From *begin, const From *end, To *to) {
  double sum = 0;
  for (const From *value = begin; value != end; ++value)
    sum += double(*value);
  for (const From *value = begin; value != end; ++value)
    *to++ = To(sum != 0 ? double(*value) / sum : double(*value));
}

/// Rows of numbers, of which row i begins at `beginOf(i)`, divided in f64 and then rounded to `element`.
template <class BeginOf>
Tensor dividedRows(const Tensor &values, uint32_t element, int64_t rows, const std::string &what, BeginOf &&beginOf) {
  Tensor result = Tensor::empty(element, values.shape());
  withReal(values.element(), what, [&](auto *from) {
    withReal(element, what, [&](auto *to) {
      const auto *given = values.data<std::remove_pointer_t<decltype(from)>>();
      auto *divided = result.mutableData<std::remove_pointer_t<decltype(to)>>();
      for (int64_t row = 0; row < rows; ++row)
        divideBySum(given + beginOf(row), given + beginOf(row + 1), divided + beginOf(row));
    });
  });
  return result;
}

void checkMatrix(const Tensor &dense, const std::string &what) {
  require(dense.rank() == 2, GNN_ERROR_MISMATCH, what, " has the shape ", shapeText(dense.shape()),
          ", expected [rows, columns]");
}

} // namespace

SparseMatrix::SparseMatrix(int64_t rows, int64_t columns, Tensor indptr, Tensor indices, Tensor values,
                           const std::string &what)
    : numRows(rows), numColumns(columns), rowStarts(std::move(indptr)), entryValues(std::move(values)) {
  require(rows >= 0 && rows < int64_t(UINT32_MAX) && columns >= 0 && columns <= INT32_MAX, GNN_ERROR_DATA, what,
          ": the shape is [", rows, ", ", columns, "]");
  require(rowStarts.element() == GNN_I64 && rowStarts.rank() == 1 && rowStarts.count() == rows + 1, GNN_ERROR_DATA,
          what, ": indptr is ", elementName(rowStarts.element()), " ", shapeText(rowStarts.shape()), ", expected i64 [",
          rows + 1, "]");
  require(entryValues.rank() == 1 && entryValues.element() <= GNN_F64, GNN_ERROR_DATA, what, ": values are ",
          elementName(entryValues.element()), " ", shapeText(entryValues.shape()), ", expected f32 or f64 [nonzeros]");
  bool integers = indices.element() == GNN_I32 || indices.element() == GNN_I64;
  require(integers && indices.shape() == entryValues.shape(), GNN_ERROR_DATA, what, ": indices are ",
          elementName(indices.element()), " ", shapeText(indices.shape()), ", expected i32 or i64 ",
          shapeText(entryValues.shape()));
  checkIndptr(this->indptr(), entryValues.count(), what);
  entryColumns = indices.as(GNN_I32, what + ": indices");
  Span<const int32_t> column = this->indices();
  bool isInside = true; // without a branch, as inference checks what it is given each time
  for (size_t i = 0; i < column.size(); ++i)
    isInside &= column[i] >= 0 && column[i] < columns;
  for (size_t i = 0; !isInside && i < column.size(); ++i)
    require(column[i] >= 0 && column[i] < columns, GNN_ERROR_DATA, what, ": index ", i, " is ", column[i],
            ", expected 0 <= index < ", columns);
}

SparseMatrix SparseMatrix::fromArrays(const Tensor &indptr, const Tensor &indices, const Tensor &values,
                                      const Tensor &shape, const std::string &what) {
  Tensor extents = shape.as(GNN_I64, what + ": shape");
  require(extents.rank() == 1 && extents.count() == 2, GNN_ERROR_DATA, what, ": the shape has itself the shape ",
          shapeText(extents.shape()), ", expected the two extents of a matrix");
  bool reals = values.element() <= GNN_F64;
  requireExactAsF32(values, what + ": values");
  return SparseMatrix(extents.data<int64_t>()[0], extents.data<int64_t>()[1], indptr.as(GNN_I64, what + ": indptr"),
                      indices, reals ? values : values.converted(GNN_F32, what + ": values"), what);
}

SparseMatrix SparseMatrix::fromDense(const Tensor &dense, const std::string &what) {
  checkMatrix(dense, what);
  int64_t rows = dense.dim(0), columns = dense.dim(1);
  std::vector<int64_t> indptr(1, 0);
  std::vector<int32_t> indices;
  Tensor values;
  withReal(dense.element(), what, [&](auto *tag) {
    using Real = std::remove_pointer_t<decltype(tag)>;
    std::vector<Real> nonzero;
    const Real *value = dense.data<Real>();
    for (int64_t row = 0; row < rows; ++row) {
      for (int64_t column = 0; column < columns; ++column, ++value)
        if (*value != 0) {
          indices.push_back(int32_t(column));
          nonzero.push_back(*value);
        }
      indptr.push_back(int64_t(nonzero.size()));
    }
    values = Tensor::of(nonzero);
  });
  return SparseMatrix(rows, columns, Tensor::of(indptr), Tensor::of(indices), values, what);
}

SparseMatrix SparseMatrix::convertedTo(uint32_t element) const {
  SparseMatrix result = *this;
  result.entryValues = entryValues.as(element, "sparse values");
  return result;
}

SparseMatrix SparseMatrix::rowNormalized(uint32_t element) const {
  SparseMatrix result = *this;
  result.entryValues =
      dividedRows(entryValues, element, numRows, "sparse values", [&](int64_t row) { return indptr()[row]; });
  return result;
}

Tensor SparseMatrix::toDense() const {
  Tensor result = Tensor::empty(entryValues.element(), {numRows, numColumns});
  withReal(entryValues.element(), "sparse values", [&](auto *tag) {
    using Real = std::remove_pointer_t<decltype(tag)>;
    const Real *value = entryValues.data<Real>();
    Real *dense = result.mutableData<Real>();
    parallelFor(tbb::blocked_range<int64_t>(0, numRows, 64), [&](const tbb::blocked_range<int64_t> &range) {
      for (int64_t row = range.begin(); row < range.end(); ++row) {
        Real *to = dense + row * numColumns;
        std::fill_n(to, numColumns, Real(0));
        for (int64_t i = indptr()[row]; i < indptr()[row + 1]; ++i)
          to[indices()[i]] += value[i];
      }
    });
  });
  return result;
}

std::unique_ptr<const Relation> SparseMatrix::relation(std::shared_ptr<const VertexOrder> order) const {
  EdgeList edges;
  edges.src = Buffer<uint32_t>(nonzeros());
  edges.dst = Buffer<uint32_t>(nonzeros());
  std::copy(indices().begin(), indices().end(), edges.src.begin());
  for (int64_t row = 0; row < numRows; ++row)
    std::fill(edges.dst.begin() + indptr()[row], edges.dst.begin() + indptr()[row + 1],
              order ? order->local[row] : uint32_t(row));
  return std::make_unique<Relation>(edges, numColumns, numRows, nullptr, std::move(order));
}

bool SparseMatrix::isRelation(const Relation &relation) const {
  const Csr &csr = relation.csr(GNN_TO_DESTINATION);
  if (relation.numDestinations() != numRows || relation.numSources() != numColumns || relation.numEdges() != nonzeros())
    return false;
  const int64_t *ids = relation.block(GNN_TO_DESTINATION).row_id, *starts = indptr().data();
  const int32_t *columns = indices().data();
  for (int64_t local = 0; local < numRows; ++local) {
    const int64_t row = ids ? ids[local] : local;
    if (csr.degree(local) != starts[row + 1] - starts[row])
      return false;
    for (int64_t e = csr.offsets[size_t(local)]; e < csr.offsets[size_t(local) + 1]; ++e)
      if (uint32_t(columns[csr.edgeIds[size_t(e)]]) != csr.cols[size_t(e)])
        return false;
  }
  return true; // with rows of the same lengths entries have the same ids
}

Tensor gnn::rt::rowNormalized(const Tensor &dense, uint32_t element) {
  checkMatrix(dense, "the feature matrix");
  return dividedRows(dense, element, dense.dim(0), "the feature matrix",
                     [&](int64_t row) { return row * dense.dim(1); });
}
