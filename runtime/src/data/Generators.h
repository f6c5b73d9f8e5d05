//===- Generators.h - Data sets from nothing -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The karate club and seeded random graphs; kinds and options are described in gnn/dataset.h. The same options give the
// same data set everywhere.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_GENERATORS_H
#define GNN_DATA_GENERATORS_H

#include "runtime/src/data/Dataset.h"

namespace gnn::rt {

/// Zeros in `options` are the defaults of `kind`. Throws an argument error for an unknown kind or impossible numbers.
Dataset generateDataset(const std::string &kind, gnn_generate_options_t options);
struct GeneratedCounts {
  int64_t vertices, edges; // of all types and relations
};
/// Writes the same data set to a folder as saveDataset does. Edges and features of random graphs are never in memory as
/// a whole: that is about 32 bytes a vertex.
GeneratedCounts generateFolder(const std::string &kind, gnn_generate_options_t options, const std::string &folder);

/// Zachary's karate club (1977).
Dataset karateClub();
/// Classes of vertices that only the types of edges tell.
Dataset relationalGraph(const gnn_generate_options_t &options);
/// Links that follow from groups of entities; val and test are pairs.
Dataset knowledgeGraph(const gnn_generate_options_t &options);
/// Small graphs of two classes: types Atom and Molecule, relations bond and of.
Dataset moleculeGraphs(const gnn_generate_options_t &options);

} // namespace gnn::rt

#endif // GNN_DATA_GENERATORS_H
