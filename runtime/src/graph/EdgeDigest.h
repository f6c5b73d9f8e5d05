//===- EdgeDigest.h - Which edges they are ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_EDGEDIGEST_H
#define GNN_GRAPH_EDGEDIGEST_H

#include "runtime/src/core/Random.h"

#include <optional>

namespace gnn::rt {

/// Digest of an edge between the vertices with these ids. The digest of a list is the sum over its edges, since the
/// order of edges depends on how the list was prepared.
inline uint64_t digestOfEdge(int64_t src, int64_t dst, int64_t id, std::optional<int32_t> type) {
  const uint64_t edge = mix64(mix64(uint64_t(src) + goldenGamma * uint64_t(id + 1)) + uint64_t(dst));
  return type ? mix64(edge + uint64_t(*type)) : edge;
}

} // namespace gnn::rt

#endif // GNN_GRAPH_EDGEDIGEST_H
