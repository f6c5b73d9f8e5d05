//===- PreparedEdges.h - Prepared edges in files ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sorting the edges of a large graph takes longer than reading what comes out: both directions, the order of vertices
// and the ids of edges that transforms added, as a safetensors file (docs/dev/runtime.md). A file is as untrusted as
// any other: its checksum finds damage, and every index in it is checked before a kernel uses it.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_PREPAREDEDGES_H
#define GNN_GRAPH_PREPAREDEDGES_H

#include "runtime/src/graph/EdgeSet.h"
#include "runtime/src/io/FileSystem.h"

#include <memory>
#include <string>

namespace gnn::rt {

/// Atomic (see atomicWrite). `stamp` says what the edges were made from.
void writePrepared(const std::string &path, const EdgeSet &set, const std::string &stamp,
                   FileSystem &files = FileSystem::real());

/// The set in the file, which shares its memory; null if it has another stamp or is of another version of the format.
/// Throws a data error that names the file and what is wrong with it.
std::shared_ptr<const EdgeSet> parsePrepared(const FileBytes &bytes, const std::string &file, const std::string &stamp);

} // namespace gnn::rt

#endif // GNN_GRAPH_PREPAREDEDGES_H
