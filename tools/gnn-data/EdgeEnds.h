//===- EdgeEnds.h - Which columns are the ends of edges ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_EDGEENDS_H
#define GNN_TOOLS_DATA_EDGEENDS_H

#include "tools/gnn-data/Table.h"
#include "tools/gnn-data/TableOptions.h"
#include <optional>

namespace gnn::data_tool {

struct EdgeEnds {
  size_t source = 0, target = 1; // columns
  std::optional<size_t> index;   // the column of a data frame's index, which says nothing of edges
  bool areByPosition = false;    // neither names nor the user say it
};

/// The columns that the user names, else those that are called after the types that edges relate, else those with names
/// of ends, else the first two where that cannot mislead. Throws a data error where it might, or where the sample is of
/// another format: an adjacency matrix, METIS'.
EdgeEnds endsOf(const Table &table, const EdgeOptions &options);

/// Throws a data error if the first of `numRows` rows seems to be no edge: it says how many vertices there are and how
/// many rows follow.
void refuseCounts(const Table &table, const EdgeOptions &options, uint64_t numRows);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_EDGEENDS_H
