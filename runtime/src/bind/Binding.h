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

#include "runtime/src/bind/SchemaMatch.h"
#include "runtime/src/data/Dataset.h"
#include "runtime/src/program/Dims.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gnn::rt {

/// Tables over vertices or edges in the order of original ids, by name: "x", or "Paper.x" for that of one type of
/// vertices or relation. A model's `x` or `Paper.x` of a type Paper is "Paper.x", else "x".
using Features = std::map<std::string, Feature>;

/// Pairs of vertices that are scored; `types` may be empty. Ids are original ones.
struct Pairs {
  std::vector<int64_t> src, dst, types;

  int64_t count() const { return int64_t(src.size()); }
};

/// Whether it is the class of each vertex (or edge).
inline bool isClassTarget(const gnn_tensor_info_t &info) {
  return info.role == GNN_ROLE_TARGET && info.rank == 0 && (info.element == GNN_I32 || info.element == GNN_I64);
}

/// Binds the dimensions that the graph says (numbers of edge types, and of vertices that have parameters) and the
/// widths of the features. Throws GNN_ERROR_MISMATCH for an input that is not among them. `where` names the data in
/// messages ("data set cora").
void bindDims(Dims &dims, const Library &library, const Graph &graph, const Features &features,
              const std::string &where);

/// The table that an input or target of the library, or the weights of a sparse input, is bound to; null if there is
/// none.
const Feature *featureOf(const Library &library, const gnn_tensor_info_t &info, const Features &features);

class Binding {
public:
  /// `dims` are the model's, finished. Inputs of the model must be in `features`, targets only with `withTargets`;
  /// others in it are left alone. Throws GNN_ERROR_MISMATCH for what is missing or of another shape.
  Binding(std::shared_ptr<const Library> library, const Dims &dims, std::shared_ptr<const Graph> graph,
          const Features &features, bool withTargets, const std::string &where);

  /// The model's over this graph.
  const Dims &dimensions() const { return dims; }
  int64_t rows(uint32_t vertexType) const { return vertexRows[vertexType]; }
  const Relation &relation(uint32_t index) const {
    return edges[index] ? edges[index]->relation() : *ownRelations[index];
  }
  /// Edges of all relations of the graph, after the transforms.
  int64_t numEdges() const;
  /// Rows of a table over the edges of a relation.
  int64_t numEdgeIds(uint32_t index) const {
    return released ? released->edgeIds[index] : relation(index).numEdgeIds();
  }
  /// Order of the vertices of a type in tables, null: that of their ids.
  const VertexOrder *order(uint32_t vertexType) const;

  /// Leading extent of a tensor and its size in bytes with it.
  int64_t leadingExtent(const gnn_tensor_info_t &tensor) const;
  size_t rowBytes(uint32_t tensor) const { return rowSizes[tensor]; }
  size_t tensorBytes(uint32_t tensor) const;

  /// The data of an input, target, mask, scale, degree or weights tensor; none for others and for what is not bound.
  const Tensor &data(uint32_t tensor) const { return bound[tensor]; }
  /// The file that an input is in, of which `data` has nothing until `loadPaged`; null for others.
  const NpyFile *paged(uint32_t tensor) const { return files[tensor].get(); }
  /// Its rows [begin, begin + count) in the order of ids, as they would be bound.
  Tensor pagedRows(uint32_t tensor, int64_t begin, int64_t count) const;
  /// For a table over edges, the row of the file that belongs to the edge; -1 for a loop that the model adds.
  int64_t pagedRowOfEdge(uint32_t tensor, int64_t id) const;
  /// The row of a loop that the model adds.
  Tensor rowOfLoop(uint32_t tensor) const;
  /// Whether rows of tables have the bytes of the file, in its order.
  bool isPagedAsItIs(uint32_t tensor) const;
  /// For a table over vertices, calls `body` with rows [begin, end), several consecutive rows at a time.
  void forPagedRows(uint32_t tensor, int64_t begin, int64_t end,
                    const std::function<void(int64_t row, int64_t count, const void *rows)> &body) const;
  void loadPaged(uint32_t tensor);
  /// For a table over vertices, loads rows [begin, end) alone. The other rows are address space without contents, for
  /// which no memory is taken.
  void loadPaged(uint32_t tensor, int64_t begin, int64_t end);
  /// The matrix from which the relation of a sparse input was made.
  const SparseMatrix &sparseInput(uint32_t relation) const { return sparseInputs.at(relation); }
  /// Another number whenever `data(tensor)` has become another table: for who keeps copies.
  uint64_t version(uint32_t tensor) const { return versions[tensor]; }
  /// Takes other inputs over the same graph, as prediction after prediction does; targets stay. False, and nothing is
  /// changed, if a sparse input has entries in other places: executors were prepared for those. Throws as the
  /// constructor does, and changes nothing.
  bool rebind(const Features &features);
  /// Gives the tables of inputs up, until they are bound again.
  void releaseInputs();
  /// Gives up a table that nobody asks for any more.
  void releaseTable(uint32_t tensor) { bound[tensor] = Tensor(); }
  /// Gives up the edges, for whoever has copies: `relation` and `sparseInput` must not be asked for any more.
  void releaseEdges();
  /// How often inputs were bound again: who keeps what was computed from inputs alone looks here whether they are the
  /// same still.
  uint64_t numRebinds() const { return rebinds; }

  /// Type of vertices or relation of the tables that the loss is over; domain and type of the mask.
  const gnn_tensor_info_t *lossMask() const;
  /// The loss becomes the mean over these rows of its tables: original ids of vertices, edges or pairs. `weights`:
  /// those of the rows in the mean; none: all weigh the same.
  void setLossRows(Span<const int64_t> rows, Span<const double> weights = {});

  /// The relation of pairs that the model scores, if it does.
  std::optional<uint32_t> pairsRelation() const;
  /// Pairs by the rows of tables. Throws GNN_ERROR_DATA for an id or type out of range.
  EdgeList rowsOfPairs(const Pairs &pairs) const;
  /// Makes `pairs` those that are scored, with `targets` for what the model wants to know of them (may be empty), and
  /// the loss the mean over all. Executors want as many pairs each time. Throws as `rowsOfPairs`.
  void setPairs(const Pairs &pairs, const std::vector<double> &targets);
  /// The same of pairs that are sorted, each with an id, without targets or mask: for programs that read neither.
  void setPairs(SortedEdges pairs);

  /// A computed table over vertices in the order of original ids; `table` itself where that is the order already.
  Tensor inOriginalOrder(const gnn_tensor_info_t &info, const Tensor &table) const;
  /// The other way round.
  Tensor inLocalOrder(const gnn_tensor_info_t &info, const Tensor &table) const;

  /// The edges of a relation of the graph that the caller gave; transforms may have added others.
  int64_t numGivenEdges(uint32_t relation) const { return edges[relation]->numGivenEdges(); }
  /// For the edges that were given, the sums of the rows of a computed table over edges: of the edge and of those that
  /// mirror it.
  Tensor ofGivenEdges(const gnn_tensor_info_t &info, const Tensor &table) const;

  const std::string &where() const { return origin; }

private:
  void prepareVertices();
  void prepareRelations(const Graph &graph, const Features &features);
  void prepareSparseInput(uint32_t relation, const Features &features);
  SparseMatrix sparseInput(uint32_t relation, const Features &features) const;
  const Feature &inputNamed(const gnn_tensor_info_t &info, const Features &features) const;
  Tensor weights(const gnn_tensor_info_t &info, const SparseMatrix &matrix) const;
  void checkTypes(uint32_t relation, const EdgeSet &edges) const;
  void bindTensor(uint32_t index, const Features &features, bool withTargets);
  void set(uint32_t tensor, Tensor table);
  bool isAsItShouldBe(const gnn_tensor_info_t &info, const Tensor &table, const std::vector<int64_t> &shape) const;
  Tensor denseTable(const gnn_tensor_info_t &info, const Feature &feature) const;
  std::vector<int64_t> tableShape(const gnn_tensor_info_t &info) const;
  void requireShape(const gnn_tensor_info_t &info, const std::vector<int64_t> &shape) const;
  bool canStayInFile(const gnn_tensor_info_t &info) const;
  Tensor asCompiled(const gnn_tensor_info_t &info, Tensor table) const;
  Tensor degrees(const gnn_tensor_info_t &info) const;
  Tensor degreesByType(const gnn_tensor_info_t &info, uint32_t direction) const;

  std::shared_ptr<const Library> library;
  Dims dims;
  std::string origin;
  SchemaMatch match;
  std::vector<VertexSet> vertexSets;                 // of the graph
  std::vector<std::shared_ptr<const EdgeSet>> edges; // [relations], null for sparse inputs and pairs set here
  std::vector<int64_t> vertexRows;
  std::vector<std::shared_ptr<const VertexOrder>> orders;    // [vertex types]
  std::map<uint32_t, SparseMatrix> sparseInputs;             // by relation
  std::vector<std::unique_ptr<const Relation>> ownRelations; // [relations], null where `edges` has them
  std::vector<size_t> rowSizes;                              // [tensors]
  std::vector<Tensor> bound;                                 // [tensors]
  std::vector<std::shared_ptr<const NpyFile>> files;         // [tensors] null for what is in `bound`
  std::vector<uint64_t> versions;                            // [tensors]
  uint64_t rebinds = 0;

  struct Counts {
    int64_t edges;
    std::vector<int64_t> edgeIds; // [relations]
  };
  std::optional<Counts> released; // of edges that were given up
};

} // namespace gnn::rt

#endif // GNN_BIND_BINDING_H
