//===- GraphTables.cpp - Whole graphs in tables ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/GraphTables.h"
#include "tools/gnn-data/EdgeEnds.h"
#include "tools/gnn-data/ImportTables.h"
#include "tools/gnn-data/JoinedTable.h"
#include <algorithm>

using namespace gnn::data_tool;
using gnn::rt::require;

namespace {

template <class Own> std::unique_ptr<Table> tableOf(const Own &own, const ImportOptions &options, GraphmlPart part) {
  return openTable(own.file, formOf(own, options), part);
}

bool hasColumn(const Table &table, const std::string &column) {
  return std::count(table.columns().begin(), table.columns().end(), column) > 0;
}

/// The key with the graph's column before it. The columns of both are no features.
void join(std::string &key, const std::string &graph, std::vector<std::string> &dropped) {
  if (JoinedTable::partsOf(key).first == graph) { // of a specification
    dropped.push_back(JoinedTable::partsOf(key).second);
    return;
  }
  dropped.push_back(key);
  key = JoinedTable::nameOf(graph, key);
}

class GraphTables {
public:
  GraphTables(TableOptions &tables, const ImportOptions &options) : tables(tables), options(options) {
    const size_t dot = options.graphId.find('.');
    for (const VertexOptions &own : tables.vertices)
      if (dot != std::string::npos && own.type == options.graphId.substr(0, dot)) {
        type = own.type;
        column = options.graphId.substr(dot + 1);
        return;
      }
    column = options.graphId;
  }

  void add() {
    VertexOptions &vertices = tableOfVertices();
    const std::unique_ptr<Table> table = tableOf(vertices, options, GraphmlPart::Nodes);
    require(hasColumn(*table, column), GNN_ERROR_ARGUMENT, "--graph-id ", options.graphId, ": ", vertices.file,
            " has no column '", column, "'");
    require(column.find('+') == column.npos, GNN_ERROR_ARGUMENT, "--graph-id ", options.graphId,
            ": a column of graphs has no + in its name: rename it");
    if (vertices.id.empty())
      vertices.id = table->columns()[columnOfKeys(*table, vertices)];
    require(vertices.id != column, GNN_ERROR_ARGUMENT, "--graph-id ", options.graphId,
            ": this column has the ids of vertices: another one says which graph each belongs to");
    bool areLocal = false;
    for (EdgeOptions &edges : tables.edges)
      if (edges.source == vertices.type && edges.destination == vertices.type)
        areLocal = joinEnds(edges) || areLocal;
    if (areLocal) {
      for (const EdgeOptions &edges : tables.edges)
        require(isJoined(edges) || (edges.source != vertices.type && edges.destination != vertices.type),
                GNN_ERROR_DATA, edges.file, ": there is no column '", column,
                "', which other tables of edges have: expected it in all of them, or in none");
      join(vertices.id, column, vertices.dropped);
    }
    vertices.dropped.push_back(column);
    EdgeOptions of;
    of.source = vertices.type;
    of.relation = graphRelation;
    of.destination = graphType;
    of.file = vertices.file;
    of.part = GraphmlPart::Nodes;
    of.sourceColumn = vertices.id;
    of.targetColumn = column;
    of.isOfGraphs = true;
    of.rejected = vertices.rejected; // rows of the same file
    for (const std::string &name : table->columns())
      if (name != column && name != vertices.id)
        of.dropped.push_back(name);
    tables.edges.push_back(std::move(of));
  }

private:
  VertexOptions &tableOfVertices() {
    VertexOptions *found = nullptr;
    for (VertexOptions &own : tables.vertices) {
      if (!type.empty() ? own.type != type
                        : own.type == graphType || !hasColumn(*tableOf(own, options, GraphmlPart::Nodes), column))
        continue;
      require(!found, GNN_ERROR_ARGUMENT, "--graph-id ", options.graphId, ": expected one of ",
              found ? found->type : "", ".", column, ", ", own.type, ".", column);
      found = &own;
    }
    require(found, GNN_ERROR_ARGUMENT, "--graph-id ", options.graphId, ": no table of vertices has a column '", column,
            "', which names the graph of each: --vertices FILE gives one");
    return *found;
  }

  bool isJoined(const EdgeOptions &edges) const { return JoinedTable::partsOf(edges.sourceColumn).first == column; }

  bool joinEnds(EdgeOptions &edges) {
    const std::unique_ptr<Table> table = tableOf(edges, options, edges.part);
    if (!hasColumn(*table, column))
      return false;
    const EdgeEnds ends = endsOf(*table, edges);
    edges.sourceColumn = table->columns()[ends.source];
    edges.targetColumn = table->columns()[ends.target];
    for (std::string *end : {&edges.sourceColumn, &edges.targetColumn}) {
      require(*end != column, GNN_ERROR_DATA, edges.file, ": the column '", column,
              "' names graphs, and would be an end of edges: ", edges.sayEnds());
      join(*end, column, edges.dropped);
    }
    edges.dropped.push_back(column);
    return true;
  }

  TableOptions &tables;
  const ImportOptions &options;
  std::string type, column; // no type: the only one that has the column
};

} // namespace

void gnn::data_tool::nameTablesOfGraphs(TableOptions &tables) {
  for (VertexOptions &own : tables.vertices)
    if (own.type.empty())
      own.type = "Vertex";
  for (EdgeOptions &own : tables.edges)
    if (own.relation.empty()) {
      own.source = own.destination = "Vertex";
      own.relation = "link";
    }
}

void gnn::data_tool::addGraphs(TableOptions &tables, const ImportOptions &options) {
  GraphTables(tables, options).add();
}

std::vector<int64_t> gnn::data_tool::graphsOf(const rt::Tensor &of, int64_t count) {
  std::vector<int64_t> graphs(size_t(count), -1);
  for (int64_t i = 0; i < of.dim(1); ++i)
    graphs[size_t(of.data<int64_t>()[i])] = of.data<int64_t>()[of.dim(1) + i];
  return graphs;
}

void gnn::data_tool::requireOneGraph(const rt::Tensor &index, const std::vector<int64_t> &graphs, const VertexIds &ids,
                                     const std::string &file) {
  const auto graphOf = [&](int64_t vertex) {
    require(graphs[size_t(vertex)] >= 0, GNN_ERROR_DATA, file, ": '", ids.name(vertex),
            "' has edges but belongs to no graph: is its row left out?");
    return graphs[size_t(vertex)];
  };
  const int64_t count = index.dim(1), *sources = index.data<int64_t>(), *destinations = sources + count;
  for (int64_t edge = 0; edge < count; ++edge)
    require(graphOf(sources[edge]) == graphOf(destinations[edge]), GNN_ERROR_DATA, file, ": the edge from '",
            ids.name(sources[edge]), "' to '", ids.name(destinations[edge]), "' is between two graphs");
}
