//===- Features.cpp - The tables that a library reads ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/Features.h"

#include "runtime/src/bind/BoundGraph.h"
#include "runtime/src/core/Guard.h"

namespace gnn::rt {

namespace {

struct TableName {
  std::string name, owner; // that of the vertex type or relation that the table has rows of
};

TableName nameOf(const Library &library, const gnn_tensor_info_t &info) {
  const gnn_library_t &table = library.table();
  if (info.role == GNN_ROLE_WEIGHTS) {
    const gnn_relation_t &relation = table.relations[info.source];
    return {relation.name, table.vertex_types[relation.destination_type].name};
  }
  if (info.domain == GNN_DOMAIN_PARAM)
    return {info.name, ""};
  return {info.name,
          info.domain == GNN_DOMAIN_EDGE ? table.relations[info.type].name : table.vertex_types[info.type].name};
}

const char *roleName(const gnn_tensor_info_t &info) {
  return info.role == GNN_ROLE_WEIGHTS ? "sparse input" : info.role == GNN_ROLE_TARGET ? "target" : "input";
}

std::vector<int64_t> widthOf(const Feature &feature) {
  if (feature.sparse)
    return {feature.sparse->columns()};
  return {feature.shape().begin() + (feature.shape().empty() ? 0 : 1), feature.shape().end()};
}

} // namespace

const Feature *featureOf(const Library &library, const gnn_tensor_info_t &info, const Features &features) {
  const auto [name, owner] = nameOf(library, info);
  auto found = features.find(owner + "." + name);
  if (found == features.end())
    found = features.find(name);
  if (found == features.end() && name.rfind(owner + ".", 0) == 0) // data without a schema
    found = features.find(name.substr(owner.size() + 1));
  return found == features.end() ? nullptr : &found->second;
}

const Feature &requireFeature(const Library &library, const gnn_tensor_info_t &info, const Features &features,
                              const std::string &where) {
  if (const Feature *found = featureOf(library, info, features))
    return *found;
  std::string known;
  for (const auto &feature : features)
    known += (known.empty() ? "" : ", ") + feature.first;
  fail(GNN_ERROR_MISMATCH, library.name(), " reads the ", roleName(info), " '", nameOf(library, info).name, "', which ",
       where, " does not have; it has ", known.empty() ? "none" : known);
}

static void bindGraphDims(Dims &dims, const Library &library, const Graph &graph, const std::string &where) {
  const gnn_library_t &table = library.table();
  SchemaMatch match(library, graph, where);
  for (uint32_t t = 0; t < table.num_vertex_types; ++t)
    if (!table.vertex_types[t].is_table && table.vertex_types[t].rows >= 0 &&
        !dims.isOfGraph(uint32_t(table.vertex_types[t].rows)))
      dims.bindExtent(uint32_t(table.vertex_types[t].rows), graph.vertexSets()[size_t(match.vertices[t])].count,
                      std::string("vertices of type ") + table.vertex_types[t].name + " in " + where);
  for (uint32_t r = 0; r < table.num_relations; ++r) {
    const gnn_relation_t &relation = table.relations[r];
    if (relation.types < 0 || match.relations[r] == SchemaMatch::none)
      continue;
    const EdgeSet &edges = *graph.relations()[size_t(match.relations[r])].set;
    uint32_t types = edges.numEdgeTypesWith(relation.transforms);
    auto known = dims.known(uint32_t(relation.types));
    if (known && fitsTypes(edges, relation, *known))
      continue;
    require(types > 0, GNN_ERROR_MISMATCH, library.name(), " reads the types of the edges of '", relation.name,
            "', which have none in ", where);
    dims.bindExtent(uint32_t(relation.types), types,
                    std::string("types of the edges of '") + relation.name + "' in " + where);
  }
}

void bindDims(Dims &dims, const Library &library, const Graph &graph, const Features &features,
              const std::string &where) {
  bindGraphDims(dims, library, graph, where);
  for (const gnn_tensor_info_t &info : library.tensors()) {
    const bool isSparse = info.role == GNN_ROLE_WEIGHTS, isTarget = info.role == GNN_ROLE_TARGET;
    if ((!isSparse && !isTarget && info.role != GNN_ROLE_INPUT) || (isTarget && !featureOf(library, info, features)))
      continue;
    std::vector<int64_t> width = widthOf(requireFeature(library, info, features, where));
    const std::string name = nameOf(library, info).name, origin = "width of " + name + " in " + where;
    if (isSparse) {
      const int32_t columns = library.table().vertex_types[library.relation(info.source).source_type].rows;
      if (width.size() == 1 && columns >= 0)
        dims.bindExtent(uint32_t(columns), width[0], origin);
      continue;
    }
    if (width.empty() && info.rank == 1) // a number a row, as a row of one
      width = {1};
    require(width.size() == info.rank, GNN_ERROR_MISMATCH, name, " in ", where, " has rows of shape ", shapeText(width),
            ", but ", library.name(), " reads ", info.rank, " dimensions a row",
            isClassTarget(info) ? ": classes are one whole number a row, the argmax of such a row" : "");
    for (uint32_t d = 0; d < info.rank; ++d)
      dims.bindExtent(info.shape[d], width[d], origin);
  }
}

} // namespace gnn::rt
