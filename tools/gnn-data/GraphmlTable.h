//===- GraphmlTable.h - Nodes or edges of GraphML ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file is read once for its nodes and once for its edges, each time in bounded memory.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_GRAPHMLTABLE_H
#define GNN_TOOLS_DATA_GRAPHMLTABLE_H

#include "tools/gnn-data/Table.h"
#include <memory>

namespace gnn::data_tool {

enum class GraphmlPart { Nodes, Edges };

/// Nodes have the columns `id` and what their keys are called, edges `source`, `target` and the same. A file may have
/// one graph (Brandes et al. 2002), without hyperedges or graphs in nodes; a document type, whose entities may grow
/// without end, is an error.
class GraphmlTable : public Table {
public:
  /// Reads what is before the graph. Throws an I/O or a data error.
  GraphmlTable(const std::string &path, GraphmlPart part);
  ~GraphmlTable() override;

  bool isText(size_t column) const override;

private:
  bool read() override;

  class Reader;
  std::unique_ptr<Reader> reader;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_GRAPHMLTABLE_H
