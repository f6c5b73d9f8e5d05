//===- Dims.h - Values of a library's dimensions ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Open dimensions get their values from data, weights or the user, in any order; two sources that disagree are an error
// that names both. When all are known the library's extents become numbers. What a model does with numbers of vertices
// is no dimension of it: each graph that it runs over has its own, and with them its own extents (`over`).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAM_DIMS_H
#define GNN_PROGRAM_DIMS_H

#include "runtime/src/program/Library.h"

#include <string>
#include <vector>

namespace gnn::rt {

class Dims {
public:
  explicit Dims(std::shared_ptr<const Library> library);

  /// Gives dimension `name` a value; `origin` says where it comes from ("-D in=64", "feature x of cora"). Throws
  /// GNN_ERROR_ARGUMENT for an unknown name, GNN_ERROR_MISMATCH for a value that contradicts.
  void bind(const std::string &name, int64_t value, const std::string &origin);
  /// An extent is known to be `value`: binds the dimension that it is, or is checked by `finish` if it is an
  /// expression.
  void bindExtent(uint32_t extent, int64_t value, const std::string &origin);

  /// Fills in the defaults of the source and evaluates all extents. Throws GNN_ERROR_MISMATCH for a dimension that
  /// nothing binds and for an extent that is negative, too large or other than it is known to be; then nothing is
  /// changed.
  void finish();
  /// The value of a dimension; throws GNN_ERROR_MISMATCH while it is open, GNN_ERROR_ARGUMENT for an unknown name.
  int64_t value(const std::string &name) const;
  /// The value of an extent, if all dimensions in it have theirs; defaults count after `finish`.
  std::optional<int64_t> known(uint32_t extent) const;
  /// The value that the source gives as default for an extent that is a single dimension, used if nothing else binds
  /// it.
  std::optional<int64_t> fallback(uint32_t extent) const;
  /// Whether an extent is the number of vertices of a graph, which the model leaves open.
  bool isOfGraph(uint32_t extent) const;
  /// The same of a dimension.
  bool isDimOfGraph(uint32_t dim) const { return ofGraph[dim]; }
  /// A model's finished dimensions over a graph with so many vertices of each type ([vertex types]): all extents are
  /// numbers.
  Dims over(const std::vector<int64_t> &vertices, const std::string &origin) const;
  bool finished() const { return !extentValues.empty() || library->table().num_extents == 0; }

  /// After `finish`; -1 for those of a graph, but `over` one.
  const std::vector<int64_t> &extents() const { return extentValues; }
  std::vector<int64_t> shapeOf(const gnn_tensor_info_t &tensor) const;
  /// The shape of a table with `rows` rows; a tensor that has no leading extent is the same for any.
  std::vector<int64_t> shapeOf(const gnn_tensor_info_t &tensor, int64_t rows) const;
  /// Elements of one row of a tensor: the product of its shape.
  int64_t rowElements(const gnn_tensor_info_t &tensor) const;
  /// Bytes of one row of a tensor.
  size_t rowBytes(const gnn_tensor_info_t &tensor) const;

  /// The known values, as `name = value (origin), ...`.
  std::string describe() const;

private:
  struct Fact {
    uint32_t extent;
    int64_t value;
    std::string origin;
  };

  uint32_t indexOf(const std::string &name, const std::string &origin) const;
  void bindIndex(uint32_t dim, int64_t value, const std::string &origin);
  void fillIn();
  /// The dimension that an extent is, if it is one.
  std::optional<uint32_t> singleDim(uint32_t extent) const;
  void findGraphDims();
  bool isKnown(uint32_t extent) const;
  void evaluateAll();
  int64_t evaluate(uint32_t extent) const;
  void checkFact(const Fact &fact) const;
  std::string spell(uint32_t extent) const;

  std::shared_ptr<const Library> library;
  std::vector<int64_t> values; // -1: not yet known
  std::vector<std::string> origins;
  std::vector<bool> ofGraph; // whether a dimension is the number of vertices of a graph
  std::vector<Fact> facts;   // about extents that are not a single dimension
  std::vector<int64_t> extentValues;
};

} // namespace gnn::rt

#endif // GNN_PROGRAM_DIMS_H
