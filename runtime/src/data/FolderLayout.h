//===- FolderLayout.h - Which file of a folder is what ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of a data set folder, found by convention or listed by its dataset.json (docs/data-formats.md).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_FOLDERLAYOUT_H
#define GNN_DATA_FOLDERLAYOUT_H

#include "runtime/src/core/Span.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gnn::rt {

/// One dense file, or the four of a sparse matrix.
struct FeatureFiles {
  std::string dense;
  std::string indptr, indices, values, shape;

  bool isSparse() const { return dense.empty(); }
};

/// A type of vertices and a relation of a schema.
struct VertexTypeLayout {
  std::string name;
  int64_t count = -1; // -1: not said
  std::map<std::string, FeatureFiles> features;
  std::string ids = ""; // a text file with a line for each vertex: what the user calls it
};
struct RelationLayout {
  std::string name, source, destination, edgeIndex, edgeType;
  int64_t numTypes = -1; // -1: not said
  std::map<std::string, std::string> features;
  std::map<std::string, int64_t> known = {}; // edges, by split
};

/// File names are relative to the folder; empty: there is none.
struct FolderLayout {
  std::string name;
  int64_t numVertices = -1, numClasses = -1, numEdgeTypes = -1; // -1: not said
  std::string edgeIndex, edgeType, labels;
  std::map<std::string, FeatureFiles> vertex;
  std::map<std::string, std::string> edge;
  std::map<std::string, std::string> split, pairs;
  std::string ids;                           // a text file with a line for each vertex: what the user calls it
  std::vector<std::string> classNames;       // what the user calls the classes
  std::vector<VertexTypeLayout> vertexTypes; // with a schema, in the order of their names
  std::vector<RelationLayout> relations;
  std::string labelled;
  std::map<std::string, int64_t> known; // edges, by split; without a schema
};

/// From the text of dataset.json; `file` names it in errors. Unknown keys and paths that lead out of the folder are
/// refused.
FolderLayout parseLayout(Span<const char> text, const std::string &file);
/// From the names of the files in the folder.
FolderLayout conventionalLayout(const std::vector<std::string> &names, const std::string &folder);
/// The text of dataset.json.
std::string layoutText(const FolderLayout &layout);
/// One that is refused: that of a folder whose files are being replaced.
constexpr char incompleteLayout[] = "{\"incomplete\": true}\n";

/// The conventional files of a feature: x.npy, x_indptr.npy, …; vertex_h.npy, … for one called h.
FeatureFiles conventionalFeature(const std::string &name, bool sparse);

} // namespace gnn::rt

#endif // GNN_DATA_FOLDERLAYOUT_H
