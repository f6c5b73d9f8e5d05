//===- Binding.h - A library's data over one graph --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a model needs besides parameters: the graph with the transforms that it asks for, its inputs and targets in the
// element type and shape compiled, degrees, and the relations that sparse inputs are. Executors take row counts, blocks
// and pointers from here.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_BINDING_H
#define GNN_EXEC_BINDING_H

#include "runtime/src/data/Dataset.h"
#include "runtime/src/exec/Dims.h"

#include <map>
#include <string>
#include <vector>

namespace gnn::rt {

/// Tables over vertices or edges in the order of original ids, by name.
using Features = std::map<std::string, Feature>;

/// Binds the dimensions that the widths of the features say. Throws GNN_ERROR_MISMATCH for an input that is not among
/// them. `where` names the data in messages ("data set cora").
void bindDims(Dims &dims, const Library &library, const Features &features, const std::string &where);

class Binding {
public:
  /// `dims` must be finished. Inputs of the model must be in `features`, targets only with `withTargets`; others in it
  /// are left alone. Throws GNN_ERROR_MISMATCH for what is missing or of another shape.
  Binding(std::shared_ptr<const Library> library, const Dims &dims, std::shared_ptr<const Graph> graph,
          const Features &features, bool withTargets, const std::string &where);

  int64_t rows(uint32_t vertexType) const { return vertexRows[vertexType]; }
  const Relation &relation(uint32_t index) const { return *relations[index]; }
  const Graph &graph() const { return *transformed; }
  /// Order of the vertices of a type in tables, null: that of their ids.
  const VertexOrder *order(uint32_t vertexType) const;

  /// Leading extent of a tensor and its size in bytes with it.
  int64_t leadingExtent(const gnn_tensor_info_t &tensor) const;
  size_t rowBytes(uint32_t tensor) const { return rowSizes[tensor]; }
  size_t tensorBytes(uint32_t tensor) const;

  /// The data of an input, target, mask, scale, degree or weights tensor; none for others and for what is not bound.
  const Tensor &data(uint32_t tensor) const { return bound[tensor]; }
  /// Makes a dense input another table of the same shape (prediction after prediction over one graph).
  void rebind(uint32_t tensor, const Feature &feature);

  /// The loss becomes the mean over `vertices` (original ids).
  void setLossVertices(Span<const int64_t> vertices);

  /// A computed table over vertices in the order of original ids; `table` itself where that is the order already.
  Tensor inOriginalOrder(const gnn_tensor_info_t &info, const Tensor &table) const;

  const std::string &where() const { return origin; }

private:
  void prepareRelations(const Features &features);
  void bindTensor(uint32_t index, const Features &features, bool withTargets);
  Tensor denseTable(const gnn_tensor_info_t &info, const Feature &feature) const;
  Tensor degrees(const gnn_tensor_info_t &info) const;
  Tensor inLocalOrder(const gnn_tensor_info_t &info, const Tensor &table) const;

  std::shared_ptr<const Library> library;
  const Dims &dims;
  std::shared_ptr<const Graph> transformed;
  std::string origin;
  std::vector<int64_t> vertexRows;
  std::vector<const Relation *> relations;
  std::map<uint32_t, SparseMatrix> sparseInputs; // by relation
  std::vector<std::unique_ptr<const Relation>> sparseRelations;
  std::vector<size_t> rowSizes; // [tensors]
  std::vector<Tensor> bound;    // [tensors]
};

} // namespace gnn::rt

#endif // GNN_EXEC_BINDING_H
