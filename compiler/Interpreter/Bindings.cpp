//===- Bindings.cpp - What the source leaves open -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graph transforms and the checks of `OracleBindings` against a model.
//
//===----------------------------------------------------------------------===//

#include "compiler/Interpreter/Context.h"
#include <set>
#include <tuple>
#include <utility>

namespace gnnc {

static void addEdge(OracleGraph &graph, int64_t src, int64_t dst, int64_t from, int64_t type) {
  if (graph.types.size() == graph.src.size())
    graph.types.push_back(type);
  if (graph.leavesOutEdges())
    graph.ids.push_back(graph.allIds++);
  graph.src.push_back(src);
  graph.dst.push_back(dst);
  graph.addedFrom.push_back(from);
}

/// For each type separately, the first edges from u to v have the edges from v to u as counterparts; the others get a
/// new edge as counterpart.
static void addReverseEdges(OracleGraph &graph) {
  std::map<std::tuple<int64_t, int64_t, int64_t>, int64_t> counterparts;
  const size_t numEdges = graph.src.size();
  auto typeOf = [&](size_t i) { return graph.types.empty() ? int64_t(0) : graph.types[i]; };
  for (size_t i = 0; i < numEdges; ++i)
    ++counterparts[{typeOf(i), graph.dst[i], graph.src[i]}];
  for (size_t i = 0; i < numEdges; ++i)
    if (graph.src[i] != graph.dst[i] && --counterparts[{typeOf(i), graph.src[i], graph.dst[i]}] < 0)
      addEdge(graph, graph.dst[i], graph.src[i], i, typeOf(i));
}

/// The inverse of an edge that symmetry added has the features of the edge that this one mirrors.
static void addInverseEdges(OracleGraph &graph) {
  const size_t numEdges = graph.src.size(), given = numEdges - graph.addedFrom.size();
  for (size_t i = 0; i < numEdges; ++i)
    addEdge(graph, graph.dst[i], graph.src[i], i < given ? i : graph.addedFrom[i - given],
            graph.types[i] + graph.numTypes);
  graph.numTypes *= 2;
}

static void addSelfLoops(OracleGraph &graph, int64_t numVertices) {
  std::vector<bool> hasLoop(numVertices, false);
  for (size_t i = 0; i < graph.src.size(); ++i)
    if (graph.src[i] == graph.dst[i])
      hasLoop[graph.dst[i]] = true;
  for (int64_t v = 0; v < numVertices; ++v)
    if (!hasLoop[v])
      addEdge(graph, v, v, /*from=*/-1, /*type=*/-1);
}

/// Leaves out all other edges. Those that are kept keep their ids.
static void keepEdges(OracleGraph &graph, llvm::function_ref<bool(size_t edge)> isKept) {
  OracleGraph kept;
  for (size_t i = 0; i < graph.src.size(); ++i) {
    if (!isKept(i))
      continue;
    kept.src.push_back(graph.src[i]);
    kept.dst.push_back(graph.dst[i]);
    kept.ids.push_back(graph.idOf(int64_t(i)));
    if (!graph.types.empty())
      kept.types.push_back(graph.types[i]);
  }
  graph.allIds = graph.numIds();
  graph.src = std::move(kept.src);
  graph.dst = std::move(kept.dst);
  graph.types = std::move(kept.types);
  graph.ids = std::move(kept.ids);
}

/// The last loop of each vertex that has one.
static std::map<int64_t, size_t> findLastLoops(const OracleGraph &graph) {
  std::map<int64_t, size_t> lastLoops;
  for (size_t i = 0; i < graph.src.size(); ++i)
    if (graph.src[i] == graph.dst[i])
      lastLoops[graph.src[i]] = i;
  return lastLoops;
}

static void leaveOutRepeatedLoops(OracleGraph &graph) {
  std::map<int64_t, size_t> lastLoops = findLastLoops(graph);
  keepEdges(graph, [&](size_t i) { return graph.src[i] != graph.dst[i] || lastLoops[graph.src[i]] == i; });
}

static void tellLoopsApart(OracleGraph &graph, int64_t numVertices) {
  std::map<int64_t, size_t> lastLoops = findLastLoops(graph);
  graph.types.clear();
  for (size_t i = 0; i < graph.src.size(); ++i)
    graph.types.push_back(int64_t(graph.src[i] != graph.dst[i]   ? EdgeKind::NoLoop
                                  : lastLoops[graph.src[i]] == i ? EdgeKind::LastLoop
                                                                 : EdgeKind::EarlierLoop));
  for (int64_t v = 0; v < numVertices; ++v)
    if (!lastLoops.count(v))
      addEdge(graph, v, v, /*from=*/-1, int64_t(EdgeKind::AddedLoop));
}

OracleGraph transformGraph(OracleGraph graph, int64_t numVertices, const GraphTransforms &transforms) {
  if (transforms.symmetric)
    addReverseEdges(graph);
  if (transforms.inverseRelations)
    addInverseEdges(graph);
  if (transforms.loopKinds) {
    tellLoopsApart(graph, numVertices);
    return graph;
  }
  if (transforms.marksLoops && graph.types.empty()) {
    graph.types.assign(graph.src.size(), 0);
    graph.numTypes = std::max<int64_t>(graph.numTypes, 1);
  }
  if (transforms.noLoops)
    keepEdges(graph, [&](size_t i) { return graph.src[i] != graph.dst[i]; });
  if (transforms.oneLoop)
    leaveOutRepeatedLoops(graph);
  if (transforms.addsLoops())
    addSelfLoops(graph, numVertices);
  return graph;
}

std::vector<double> extendEdges(const OracleGraph &graph, std::vector<double> table, int64_t rowSize) {
  for (int64_t from : graph.addedFrom)
    for (int64_t i = 0; i < rowSize; ++i)
      table.push_back(from < 0 ? 1.0 : table[from * rowSize + i]);
  if (!graph.leavesOutEdges())
    return table;
  std::vector<double> kept;
  for (int64_t id : graph.ids)
    kept.insert(kept.end(), table.begin() + id * rowSize, table.begin() + (id + 1) * rowSize);
  return kept;
}

static std::string checkDims(const CheckedModel &model, const OracleBindings &bindings) {
  std::vector<DimExpr> needed;
  for (const Value &value : model.values)
    needed.insert(needed.end(), value.type.shape.begin(), value.type.shape.end());
  for (const VertexType &type : model.vertexTypes)
    if (type.isColumns)
      needed.push_back(type.rows);
  for (const Relation &relation : model.relations)
    needed.push_back(relation.types);
  for (const DimExpr &dim : needed) {
    std::optional<int64_t> extent = evaluateDim(model, bindings, dim);
    if (!extent)
      return "dimension `" + dim.str() + "` is not bound";
    if (*extent < 0)
      return "dimension `" + dim.str() + "` is " + std::to_string(*extent);
  }
  for (const Value &value : model.values) {
    if (value.kind != ValueKind::Slice)
      continue;
    const DimExpr &whole = model.values[value.operands[0]].type.shape[value.dims[0]],
                  &part = value.type.shape[value.dims[0]];
    const std::optional<int64_t> offset = evaluateDim(model, bindings, value.offset);
    const int64_t size = *evaluateDim(model, bindings, part), extent = *evaluateDim(model, bindings, whole);
    if (!offset || *offset < 0 || size < 1 || *offset > extent - size)
      return "the range of `" + part.str() + "` entries from `" + value.offset.str() +
             "` on lies outside of the dimension `" + whole.str() + "`, which is " + std::to_string(extent);
  }
  return "";
}

static std::string checkEnds(const CheckedModel &model, const OracleBindings &bindings, size_t index) {
  const Relation &relation = model.relations[index];
  const OracleGraph &graph = bindings.relations[index];
  auto count = [&](unsigned type) {
    const VertexType &vertices = model.vertexTypes[type];
    return vertices.isColumns ? *evaluateDim(model, bindings, vertices.rows) : bindings.numVertices[type];
  };
  if (graph.src.size() != graph.dst.size())
    return "relation `" + relation.name + "` has edges without two ends";
  for (size_t edge = 0; edge < graph.src.size(); ++edge)
    if (graph.src[edge] < 0 || graph.src[edge] >= count(relation.sourceType) || graph.dst[edge] < 0 ||
        graph.dst[edge] >= count(relation.destinationType))
      return "edge " + std::to_string(edge) + " of relation `" + relation.name + "` leaves the graph";
  return "";
}

static std::string checkRelations(const CheckedModel &model, const OracleBindings &bindings) {
  if (bindings.relations.size() != model.relations.size())
    return "the model has " + std::to_string(model.relations.size()) + " relations, the data " +
           std::to_string(bindings.relations.size());
  for (size_t i = 0; i < model.relations.size(); ++i) {
    const std::string error = checkEnds(model, bindings, i);
    if (!error.empty())
      return error;
    if (model.relations[i].isTyped && bindings.relations[i].types.size() != bindings.relations[i].src.size())
      return "relation `" + model.relations[i].name + "` has " + std::to_string(bindings.relations[i].types.size()) +
             " edge types for " + std::to_string(bindings.relations[i].src.size()) + " edges";
  }
  return "";
}

static std::string checkArray(const std::map<std::string, std::vector<double>> &arrays, const std::string &name,
                              int64_t expected) {
  auto found = arrays.find(name);
  if (found == arrays.end())
    return "`" + name + "` is not bound";
  if (int64_t(found->second.size()) != expected)
    return "`" + name + "` has " + std::to_string(found->second.size()) + " elements, expected " +
           std::to_string(expected);
  return "";
}

static std::string checkMask(const CheckedModel &model, const OracleContext &context) {
  const size_t given = context.bindings.mask.size();
  if (given == 0 || model.loss < 0)
    return "";
  const int64_t rows = context.zeros(model.values[model.loss].type).rows;
  if (int64_t(given) != rows)
    return "the loss mask has " + std::to_string(given) + " elements, expected " + std::to_string(rows);
  return "";
}

std::string checkBindings(const CheckedModel &model, const OracleBindings &bindings, bool withTargets) {
  if (bindings.numVertices.size() < model.vertexTypes.size() &&
      !model.vertexTypes[bindings.numVertices.size()].isColumns)
    return "the number of vertices of `" + model.vertexTypes[bindings.numVertices.size()].name + "` is not bound";
  std::string error = checkDims(model, bindings);
  if (error.empty())
    error = checkRelations(model, bindings);
  if (!error.empty())
    return error;
  OracleContext context(model, bindings);
  for (const Value &value : model.values) {
    const bool isParam = value.kind == ValueKind::Param || value.kind == ValueKind::State;
    const bool isTarget = value.kind == ValueKind::Target;
    if (!isParam && value.kind != ValueKind::Input && !(isTarget && withTargets))
      continue;
    error = checkArray(isParam ? bindings.params : bindings.inputs, value.name, context.zeros(value.type).data.size());
    if (!error.empty())
      return error;
  }
  return checkMask(model, context);
}

} // namespace gnnc
