//===- Binding.h - A library's data over one graph --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of a model beside its parameters: the graph with the transforms that the model requires, inputs and targets
// in the compiled element type and shape, degrees, the relations of sparse inputs, and the pairs to be scored.
// Executors take numbers of rows, blocks and pointers from the binding.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_BIND_BINDING_H
#define GNN_BIND_BINDING_H

#include "runtime/src/bind/InputTables.h"

namespace gnn::rt {

class Binding : public BoundGraph {
public:
  /// `dims` are the model's, finished. Inputs of the model must be in `features`, targets only with `withTargets`;
  /// others in it are left alone. Throws GNN_ERROR_MISMATCH for what is missing or of another shape.
  Binding(std::shared_ptr<const Library> library, const Dims &dims, const std::shared_ptr<const Graph> &graph,
          const Features &features, bool withTargets, const std::string &where);

  /// The data of an input, target, mask, scale, degree or weights tensor; none for others and for what is not bound.
  const Tensor &data(uint32_t tensor) const { return bound[tensor]; }
  /// The weight of each row of the tables that the loss is over; 0 for rows that it leaves out.
  const Tensor &lossWeights() const;
  /// Generation of `data(tensor)`; incremented when the table is replaced, so that copies can be invalidated.
  uint64_t version(uint32_t tensor) const { return versions[tensor]; }
  /// Inputs that are in files, of which `data` has nothing until `loadPaged`.
  const PagedTables &paged() const { return files; }
  void loadPaged(uint32_t tensor) { bound[tensor] = files.take(tensor); }
  /// For a table over vertices, loads rows [begin, end) alone: see PagedTables::take.
  void loadPaged(uint32_t tensor, int64_t begin, int64_t end) { bound[tensor] = files.take(tensor, begin, end); }
  const SparseInputs &sparseInputs() const { return sparse; }

  /// Takes other inputs over the same graph, as prediction after prediction does; targets stay. False, and nothing is
  /// changed, if a sparse input has entries in other places: executors were prepared for those. Throws as the
  /// constructor does, and changes nothing. Edges must not have been given up.
  bool rebind(const Features &features);
  /// How often inputs were bound again: who keeps what was computed from inputs alone looks here whether they are the
  /// same still.
  uint64_t numRebinds() const { return rebinds; }
  /// Gives the tables of inputs up, until they are bound again.
  void releaseInputs();
  /// Gives up a table that nobody asks for any more.
  void releaseTable(uint32_t tensor) { bound[tensor] = Tensor(); }
  /// Gives up the edges, for whoever has copies: `relation` and `sparseInputs` must not be asked for any more.
  void releaseEdges();

  /// The loss becomes the mean over these rows of its tables: original ids of vertices, edges or pairs. One that
  /// is there twice counts twice. `weights`: those of the rows in the mean; none: all weigh the same.
  void setLossRows(Span<const int64_t> rows, Span<const double> weights = {});
  /// Makes `pairs` those that are scored, with `targets` for what the model wants to know of them (may be empty), and
  /// the loss the mean over all. Executors want as many pairs each time. Throws as `rowsOf`.
  void setPairs(const Pairs &pairs, const std::vector<double> &targets);
  /// The same of pairs that are sorted, each with an id, without targets or mask: for programs that read neither.
  void setPairs(SortedEdges pairs) { BoundGraph::setPairs(*pairsRelation(library()), std::move(pairs)); }

private:
  void bindTensor(uint32_t index, const Features &features, bool withTargets);
  Tensor degrees(const gnn_tensor_info_t &info) const;
  void set(uint32_t tensor, Tensor table);

  SparseInputs sparse;
  PagedTables files;
  std::vector<Tensor> bound;      // [tensors]
  std::vector<uint64_t> versions; // [tensors]
  uint64_t rebinds = 0;
};

} // namespace gnn::rt

#endif // GNN_BIND_BINDING_H
