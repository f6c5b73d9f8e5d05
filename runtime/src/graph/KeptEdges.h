//===- KeptEdges.h - Edges prepared outside of memory, kept -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Edges sorted by pagedEdges, kept in a file so that the next run need not sort. The file is written and read in
// pieces. Like any other file it is untrusted, so it is checked when it is opened. Edges are later read from it where
// they are needed, and must still be the same.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPH_KEPTEDGES_H
#define GNN_GRAPH_KEPTEDGES_H

#include "runtime/src/graph/PagedEdges.h"

namespace gnn::rt {

/// Atomic (see AtomicFiles). `set` was made by pagedEdges with these options; `stamp` says what of.
void writeKept(const std::string &path, const EdgeSet &set, const PagingOptions &options, const std::string &stamp,
               FileSystem &files = FileSystem::real());

/// The set in the file, as pagedEdges would make it with these options; null if the file has another stamp or other
/// fields, or is of another version of the format. Throws a data error that names the file and what is wrong with it.
std::shared_ptr<const EdgeSet> readKept(const std::string &path, const PagingOptions &options, const std::string &stamp,
                                        FileSystem &files = FileSystem::real());

} // namespace gnn::rt

#endif // GNN_GRAPH_KEPTEDGES_H
