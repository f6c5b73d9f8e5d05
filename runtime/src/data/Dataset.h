//===- Dataset.h - Data sets inside the library ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph's edge lists with features, labels and splits. `Dataset::finish` checks all of it, whoever made it; loading,
// importing and generating end there.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_DATASET_H
#define GNN_DATA_DATASET_H

#include "gnn/dataset.h"
#include "runtime/src/core/Tensor.h"
#include "runtime/src/graph/Graph.h"
#include "runtime/src/graph/PagedEdges.h"
#include "runtime/src/graph/SparseMatrix.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/io/NpyFile.h"
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace gnn::rt {

/// A feature of vertices or edges: dense [rows, …], or of vertices sparse, or dense in a file that is read by rows.
struct Feature {
  Tensor dense;
  std::optional<SparseMatrix> sparse;
  std::shared_ptr<const NpyFile> file = nullptr;

  /// Of the dense table, wherever it is.
  const std::vector<int64_t> &shape() const { return file ? file->shape() : dense.shape(); }
  int64_t rows() const { return sparse ? sparse->rows() : shape()[0]; }
  bool hasRows() const { return sparse || !shape().empty(); }
  /// All of it in memory, expanded if it is sparse.
  Tensor table() const { return sparse ? sparse->toDense() : file ? file->rows(0, rows()) : dense; }
};

/// One type of vertices of a data set with a schema.
struct VertexTable {
  std::string name;
  int64_t count = -1; // -1 before finish(): the rows of a feature, else what the edges need
  std::map<std::string, Feature> features;
  std::function<FileBytes()> readIds = nullptr; // the user's ids of its vertices, a line for each; or none
};

/// "train", "val": how many of the first edges are known then. In a split without an entry all edges are known.
using KnownEdges = std::map<std::string, int64_t>;

/// One relation of a data set with a schema.
struct EdgeTable {
  std::string name;
  std::string source, destination;                   // types of vertices
  Tensor index;                                      // i64 [2, edges]
  Tensor types;                                      // i64 [edges], or none
  int64_t numTypes = -1;                             // -1 before finish(): the largest + 1; 0: none
  std::map<std::string, Feature> features;           // none is sparse
  std::shared_ptr<const EdgeSet> prepared = nullptr; // instead of index and types, where they were not read
  KnownEdges known = {};

  int64_t numEdges() const { return prepared ? prepared->numGivenEdges() : index.dim(1); }
  std::string triple() const { return source + ":" + name + ":" + destination; }
};

/// Most data sets have one type of vertices and one list of edges, which the fields describe directly. One with a
/// schema has `vertexTypes` and `relations` instead of edges and types; its features are found here too after finish(),
/// as "Paper.x"; its labels and splits are those of what is `labelled`: a type of vertices, or
/// "SOURCE:NAME:DESTINATION" for the edges of a relation. Without a schema they are of the vertices, or of the edges
/// where `labelled` is "edge".
struct Dataset {
  std::string name;
  std::string source;        // folder or file: how errors name the data set
  int64_t numVertices = -1;  // -1 before finish(): the rows of labels or features, else the largest id + 1
  int64_t numClasses = -1;   // -1 before finish(): the largest label + 1; 0: labels are no classes
  int64_t numEdgeTypes = -1; // -1 before finish(): the largest type + 1; 0: no types
  Tensor edgeIndex;          // i64 [2, edges]: sources, destinations
  Tensor edgeType;           // i64 [edges], or none
  std::shared_ptr<const EdgeSet> prepared; // where the two were not read, or beside them: see loadPrepared
  std::map<std::string, Feature> vertexFeatures;
  std::map<std::string, Feature> edgeFeatures; // [edges, …] in the order of edgeIndex, none sparse
  KnownEdges known;                            // without a schema
  Tensor labels;                            // [vertices, …], or none; i64 [vertices] for classes, -1 where unlabelled
  std::function<FileBytes()> readIds;       // what the user calls the vertices, a line for each; or none
  std::vector<std::string> classNames;      // what the user calls the classes, or none
  std::map<std::string, std::string> files; // field -> the file it was read from
  std::map<std::string, Tensor> splits;     // "train", "val", "test": i64 ids of vertices or edges
  std::map<std::string, Tensor> pairs;      // the same for links: i64 [any, 2] or [any, 3], see docs/data-formats.md
  std::vector<VertexTable> vertexTypes;     // with a schema: at least one
  std::vector<EdgeTable> relations;         // with a schema: at least one
  std::string labelled;                     // see above; numVertices counts a type of vertices

  /// Fills what is -1 and checks everything; throws a data error that names the file, the field, and expected and got.
  void finish();

  /// The vertices that there are whatever the edges say, before finish(); -1: that is not known. With a schema those of
  /// a type.
  int64_t statedVertices() const;
  int64_t statedVertices(const VertexTable &type) const;

  /// How errors name a field: its file if there is one.
  std::string describe(const std::string &field) const;
  bool hasSchema() const { return !vertexTypes.empty(); }
  /// Whether labels and splits are those of edges.
  bool labelsEdges() const;
  /// The vertices or edges that labels and splits are of, after finish().
  int64_t numLabelled() const;
  /// Whether fewer edges are known in some splits than in others.
  bool dividesEdges() const;
  /// The data set with the edges that are known in a split, their features and, where edges have them, their labels and
  /// splits. Edges and their features must be in memory.
  Dataset knownTo(const std::string &split) const;
  /// Of all types and relations.
  int64_t totalVertices() const;
  int64_t numEdges() const;
  std::shared_ptr<const Graph> graph(uint32_t transforms, uint32_t order = GNN_ORDER_GIVEN) const;
  /// The graph, and the data set has no edges afterwards: while large ones are sorted their list is gone.
  std::shared_ptr<const Graph> takeGraph(uint32_t transforms = 0, uint32_t order = GNN_ORDER_GIVEN);
  /// The feature expanded, or compressed. Throws a mismatch with the names that exist if there is none of this name.
  Tensor denseVertexFeature(const std::string &feature) const;
  SparseMatrix sparseVertexFeature(const std::string &feature) const;
  Tensor edgeFeature(const std::string &feature) const;
  /// What a model of links is trained and evaluated on: `pairs`, with the edges themselves where no "train" is given.
  std::map<std::string, Tensor> pairSplits() const;
  /// Throws a mismatch where they were not read; `what` says what needs them.
  void requireEdges(const char *what) const;
  /// "train", "val" or "test"; throws a mismatch if absent.
  const Tensor &split(const std::string &which) const;
  /// The type of vertices of this name. Throws an argument error with the names that exist if there is none.
  const VertexTable &vertexType(const std::string &name) const;
};

/// Throw a data error that names the file, `where`, unless it has edges, or the types of so many edges.
void requireEdgeIndex(uint32_t element, const std::vector<int64_t> &shape, const std::string &where);
void requireEdgeTypes(uint32_t element, const std::vector<int64_t> &shape, int64_t edges, const std::string &where);

/// Loads a folder (docs/data-formats.md).
std::shared_ptr<Dataset> loadDataset(const std::string &folder);
/// Which dense features `openPaged` leaves in files: those of vertices, or those of vertices and edges.
enum class LeftInFiles { OfVertices, OfAll };
/// Loads a folder without some of its features. With `edges` these are prepared outside of memory if the number of
/// vertices is known without them; those of a schema only as they are given.
std::shared_ptr<Dataset> openPaged(const std::string &folder, LeftInFiles features, const PagingOptions *edges);
/// Whether edges are read as they are given where the graph prepared of them is kept: links train on them as pairs.
enum class GivenEdges { Left, Read };
/// Loads a folder whose graph is kept in it, prepared: from there if it is, else the edges are read and prepared, and
/// the graph is written. Throws for a schema, whose graph is not kept.
std::shared_ptr<Dataset> loadPrepared(const std::string &folder, uint32_t transforms, uint32_t order,
                                      GivenEdges given = GivenEdges::Left);
/// A table that is made while it is written: `make` gives its elements [first, first + count), row-major.
struct MadeTable {
  uint32_t element;
  std::vector<int64_t> shape;
  std::function<void(int64_t first, int64_t count, void *to)> make;
};
/// Those of a data set that does not have them in memory. They are not checked.
struct MadeTables {
  std::optional<MadeTable> edgeIndex;
  std::map<std::string, MadeTable> vertexFeatures;
};
/// Texts of files, by their names.
using TextFiles = std::map<std::string, std::string>;
/// Writes the folder's files, and `others`, all together: an error leaves what was there, and what a crash cut short is
/// refused when it is read. Makes the folder if it is absent.
void saveDataset(const Dataset &dataset, const std::string &folder, const TextFiles &others = {},
                 FileSystem &files = FileSystem::real(), const MadeTables &made = {});

} // namespace gnn::rt

struct gnn_dataset_t {
  std::shared_ptr<const gnn::rt::Dataset> value;
};

#endif // GNN_DATA_DATASET_H
