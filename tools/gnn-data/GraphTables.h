//===- GraphTables.h - Whole graphs in tables -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --graph-id names the column of a table of vertices that says to which graph each belongs. The types and relations are
// those of a folder of TUDataset.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_GRAPHTABLES_H
#define GNN_TOOLS_DATA_GRAPHTABLES_H

#include "runtime/src/data/Dataset.h"
#include "tools/gnn-data/TableOptions.h"
#include "tools/gnn-data/VertexIds.h"

namespace gnn::data_tool {

constexpr char graphType[] = "Graph", graphRelation[] = "of";

/// Names the tables without names: Vertex, and Vertex:link:Vertex.
void nameTablesOfGraphs(TableOptions &tables);

/// Adds the relation TYPE:of:Graph, which is read from the table of TYPE. Where a table of edges between vertices of
/// TYPE has the column too, ids are those of the vertices in one graph: keys have two columns. Throws an argument error
/// if no table of vertices, or more than one, has the column.
void addGraphs(TableOptions &tables, const ImportOptions &options);

/// The graph of each of `count` vertices, -1 where it has none; `of` is the index of TYPE:of:Graph.
std::vector<int64_t> graphsOf(const rt::Tensor &of, int64_t count);

/// Throws a data error if an edge of the [2, edges] `index` is between vertices of two graphs, or of none.
void requireOneGraph(const rt::Tensor &index, const std::vector<int64_t> &graphs, const VertexIds &ids,
                     const std::string &file);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_GRAPHTABLES_H
