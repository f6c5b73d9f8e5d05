//===- SchemaMatch.cpp - A model's types in a graph -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/SchemaMatch.h"

#include "runtime/src/core/Guard.h"

namespace gnn::rt {

namespace {

template <class Items> std::string namesOf(const Items &items) {
  std::string names;
  for (const auto &item : items)
    names += (names.empty() ? "" : ", ") + item.name;
  return names;
}

class Matcher {
public:
  Matcher(const Library &library, const Graph &graph, const std::string &where, SchemaMatch &match)
      : table(library.table()), graph(graph), where(where), match(match) {}

  void run() {
    for (uint32_t t = 0; t < table.num_vertex_types; ++t)
      match.vertices.push_back(table.vertex_types[t].is_table ? SchemaMatch::none : vertexSet(t));
    for (uint32_t r = 0; r < table.num_relations; ++r)
      match.relations.push_back(relation(table.relations[r]));
  }

private:
  int32_t vertexSet(uint32_t type) const {
    int64_t numTypes = 0;
    for (uint32_t t = 0; t < table.num_vertex_types; ++t)
      numTypes += !table.vertex_types[t].is_table;
    if (numTypes == 1 && graph.vertexSets().size() == 1)
      return 0;
    for (size_t i = 0; i < graph.vertexSets().size(); ++i)
      if (graph.vertexSets()[i].name == table.vertex_types[type].name)
        return int32_t(i);
    fail(GNN_ERROR_MISMATCH, table.name, " reads vertices of type '", table.vertex_types[type].name, "', which ", where,
         " does not have; it has ", namesOf(graph.vertexSets()));
  }

  int32_t relation(const gnn_relation_t &wanted) const {
    if (wanted.kind == GNN_RELATION_SPARSE_INPUT)
      return SchemaMatch::none;
    int64_t numRelations = 0;
    for (uint32_t r = 0; r < table.num_relations; ++r)
      numRelations += table.relations[r].kind == GNN_RELATION_EDGES;
    bool isOnly = wanted.kind == GNN_RELATION_EDGES && numRelations == 1 && graph.relations().size() == 1;
    int32_t source = match.vertices[wanted.source_type], destination = match.vertices[wanted.destination_type];
    bool isNamed = false;
    for (size_t i = 0; i < graph.relations().size(); ++i) {
      const Graph::Edges &edges = graph.relations()[i];
      if (!isOnly && edges.name != wanted.name)
        continue;
      isNamed = true;
      if (int32_t(edges.source) == source && int32_t(edges.destination) == destination)
        return int32_t(i);
    }
    if (wanted.kind == GNN_RELATION_PAIRS && !isNamed)
      return SchemaMatch::none;
    fail(GNN_ERROR_MISMATCH, table.name, " reads the relation ", graph.vertexSets()[size_t(source)].name, " -",
         wanted.name, "-> ", graph.vertexSets()[size_t(destination)].name, ", which ", where,
         isNamed ? " has between other types" : " does not have; it has " + namesOf(graph.relations()));
  }

  const gnn_library_t &table;
  const Graph &graph;
  const std::string &where;
  SchemaMatch &match;
};

} // namespace

SchemaMatch::SchemaMatch(const Library &library, const Graph &graph, const std::string &where) {
  Matcher(library, graph, where, *this).run();
}

} // namespace gnn::rt
