//===- Features.h - The tables that a library reads -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_BIND_FEATURES_H
#define GNN_BIND_FEATURES_H

#include "runtime/src/data/Dataset.h"
#include "runtime/src/program/Dims.h"

#include <map>
#include <string>

namespace gnn::rt {

/// Tables over vertices or edges in the order of original ids, by name: "x", or "Paper.x" for that of one type of
/// vertices or relation. A model's `x` or `Paper.x` of a type Paper is "Paper.x", else "x".
using Features = std::map<std::string, Feature>;

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
/// The same; throws GNN_ERROR_MISMATCH, with the names that exist, if there is none.
const Feature &requireFeature(const Library &library, const gnn_tensor_info_t &info, const Features &features,
                              const std::string &where);

} // namespace gnn::rt

#endif // GNN_BIND_FEATURES_H
