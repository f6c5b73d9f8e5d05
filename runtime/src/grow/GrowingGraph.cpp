//===- GrowingGraph.cpp - A graph that is read while it grows -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/grow/GrowingGraph.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

namespace {

constexpr int64_t mostVertices = int64_t(UINT32_MAX) - 1;
constexpr int64_t leastRoom = 1024;

/// How many more there is room for than there are; `asked`: 0 for the default.
int64_t roomBesidePresent(const GrowthOptions &options, int64_t asked, int64_t present) {
  return options.isFixed && asked ? asked : std::max({asked, present / 8, leastRoom});
}

size_t bytesOfRow(const Tensor &table) {
  const std::vector<int64_t> row(table.shape().begin() + 1, table.shape().end());
  return size_t(countElements(row, table.element())) * elementBytes(table.element());
}

/// The first `rows` rows, and room for others.
Tensor withRoom(const Tensor &table, int64_t rows, int64_t room) {
  std::vector<int64_t> shape = table.shape();
  shape[0] = room;
  Tensor result = Tensor::empty(table.element(), std::move(shape));
  std::memcpy(result.mutableData(), table.data(), size_t(rows) * bytesOfRow(table));
  return result;
}

/// The edges of a relation as they were given, one after the other.
struct GivenList {
  GivenList(const EdgeSet &set, const AppendedEdges &appended)
      : src(size_t(set.numGivenEdges() + appended.count())), dst(src.size()),
        types(set.numGivenTypes() ? src.size() : 0) {
    const Csr &csr = set.relation().csr(GNN_TO_DESTINATION);
    for (int64_t row = 0; row < csr.numRows(); ++row)
      for (auto e = size_t(csr.offsets[size_t(row)]); e < size_t(csr.offsets[size_t(row) + 1]); ++e)
        put(csr.edgeIds[e], csr.cols[e], row, csr.types.empty() ? 0 : csr.types[e]);
    for (int64_t e = 0; e < appended.count(); ++e)
      put(set.numGivenEdges() + e, appended.end(e, GNN_TO_SOURCE), appended.end(e, GNN_TO_DESTINATION),
          appended.type(e));
  }

  void put(int64_t id, int64_t source, int64_t destination, int64_t type) {
    src[size_t(id)] = source;
    dst[size_t(id)] = destination;
    if (!types.empty())
      types[size_t(id)] = type;
  }

  std::vector<int64_t> src, dst, types;
};

} // namespace

GrowingGraph::GrowingGraph(std::vector<VertexSet> vertices, const std::vector<EdgeSpec> &edges,
                           const Features &features, const GrowthOptions &wanted)
    : given(std::make_shared<const GrowthOptions>(wanted)), options(*given), epoch(std::make_shared<GraphEpoch>()) {
  epoch->options = given;
  require(options.storedBytes >= 0, GNN_ERROR_ARGUMENT, "stored rows of ", options.storedBytes, " bytes");
  require(options.vertices >= 0 && options.edges >= 0, GNN_ERROR_ARGUMENT, "room for ", options.vertices,
          " vertices and ", options.edges, " edges");
  Snapshot first{nullptr, {}, std::vector<int64_t>(edges.size(), 0), 0, life};
  for (VertexSet &set : vertices) {
    require(set.count >= 0 && set.count <= mostVertices, GNN_ERROR_ARGUMENT, "the number of vertices is ", set.count,
            ", expected 0 to 2^32 - 2");
    first.vertices.push_back(set.count);
    set.count = roomFor(set.count);
  }
  for (const EdgeSpec &spec : edges) {
    const std::string where = "relation '" + spec.name + "': ";
    require(spec.source < vertices.size() && spec.destination < vertices.size(), GNN_ERROR_ARGUMENT, where,
            "an end is no type of vertices");
    checkEdgeIds(spec.src, first.vertices[spec.source], "source", where);
    checkEdgeIds(spec.dst, first.vertices[spec.destination], "destination", where);
    mostEdges.push_back(
        int64_t(spec.src.size()) +
        std::min(roomBesidePresent(options, options.edges, int64_t(spec.src.size())), AppendedEdges::most));
  }
  epoch->graph = Graph::fromSchema(std::move(vertices), edges);
  for (const auto &[name, feature] : features) {
    const size_t type = typeOf(name);
    require(!feature.sparse && !feature.file, GNN_ERROR_ARGUMENT, name,
            " is sparse: a graph that grows has dense features");
    const Tensor table = feature.dense.onHost();
    require(table.rank() >= 1 && table.dim(0) == first.vertices[type], GNN_ERROR_MISMATCH, name, " has the shape ",
            shapeText(table.shape()), ", expected a row for each of the ", first.vertices[type], " vertices");
    epoch->features[name].dense = withRoom(table, table.dim(0), epoch->graph->vertexSets()[type].count);
  }
  for (size_t r = 0; r < edges.size(); ++r) {
    const Graph::Edges &of = epoch->graph->relations()[r];
    epoch->appended.push_back(std::make_unique<AppendedEdges>(
        roomBeside(of.set->numGivenEdges(), r), of.set->relation().numSources(), of.set->relation().numDestinations()));
  }
  first.epoch = epoch;
  current = std::make_shared<const Snapshot>(std::move(first));
}

/// The type of vertices that a feature is of.
size_t GrowingGraph::typeOf(const std::string &feature) const {
  const std::vector<VertexSet> &sets = epoch->graph->vertexSets();
  for (size_t type = 0; type < sets.size(); ++type)
    if (feature.rfind(sets[type].name + ".", 0) == 0)
      return type;
  require(sets.size() == 1, GNN_ERROR_ARGUMENT, "which vertices is ", feature, " of? With several types its name is ",
          sets[0].name, ".", feature, " or the like");
  return 0;
}

size_t GrowingGraph::findRelation(const EdgeSpec &edges) const {
  const std::vector<Graph::Edges> &relations = epoch->graph->relations();
  for (size_t r = 0; r < relations.size(); ++r)
    if (relations[r].name == edges.name && relations[r].source == edges.source &&
        relations[r].destination == edges.destination)
      return r;
  fail(GNN_ERROR_ARGUMENT, "the graph has no relation '", edges.name, "' from type ", edges.source, " to type ",
       edges.destination, " of its vertices");
}

int64_t GrowingGraph::roomFor(int64_t vertices) const {
  return vertices + std::min(roomBesidePresent(options, options.vertices, vertices), mostVertices - vertices);
}

/// For edges that are appended to so many.
int64_t GrowingGraph::roomBeside(int64_t edges, size_t relation) const {
  return options.isFixed ? mostEdges[relation] - edges
                         : std::min(roomBesidePresent(options, options.edges, edges), AppendedEdges::most);
}

std::shared_ptr<const Snapshot> GrowingGraph::snapshot() const {
  std::lock_guard<std::mutex> lock(publishing);
  return current;
}

/// Checks what can be wrong with it.
Snapshot GrowingGraph::grownBy(const Growth &growth) const {
  Snapshot next = *current; // which nobody else writes
  const std::vector<VertexSet> &sets = epoch->graph->vertexSets();
  for (const VertexSet &more : growth.vertices) {
    size_t type = 0;
    while (type < sets.size() && sets[type].name != more.name)
      ++type;
    require(type < sets.size(), GNN_ERROR_ARGUMENT, "the graph has no vertices of type '", more.name, "'");
    require(more.count >= 0 && more.count <= mostVertices - next.vertices[type], GNN_ERROR_ARGUMENT, more.count,
            " vertices are appended to ", next.vertices[type], ", expected 0 to 2^32 - 2 in all");
    next.vertices[type] += more.count;
  }
  checkRows(growth, next);
  for (const EdgeSpec &edges : growth.edges) {
    checkEdges(edges, next);
    next.appended[findRelation(edges)] += int64_t(edges.src.size());
  }
  return next;
}

void GrowingGraph::checkRows(const Growth &growth, const Snapshot &next) const {
  for (const auto &[name, rows] : growth.rows)
    require(epoch->features.count(name) > 0, GNN_ERROR_ARGUMENT, "the graph has no feature ", name);
  for (const auto &[name, feature] : epoch->features) {
    const size_t type = typeOf(name);
    std::vector<int64_t> expected = feature.dense.shape();
    expected[0] = next.vertices[type] - current->vertices[type];
    auto given = growth.rows.find(name);
    if (given == growth.rows.end()) {
      require(expected[0] == 0, GNN_ERROR_ARGUMENT, expected[0], " vertices are appended without ", name);
      continue;
    }
    const Tensor &rows = given->second.dense;
    require(bool(rows), GNN_ERROR_ARGUMENT, name, " is sparse: a graph that grows has dense features");
    require(rows.element() == feature.dense.element() && rows.shape() == expected, GNN_ERROR_MISMATCH, name,
            " of what is appended is ", elementName(rows.element()), " ", shapeText(rows.shape()), ", expected ",
            elementName(feature.dense.element()), " ", shapeText(expected));
  }
}

void GrowingGraph::checkEdges(const EdgeSpec &edges, const Snapshot &next) const {
  const Graph::Edges &of = epoch->graph->relations()[findRelation(edges)];
  const std::string where = "relation '" + of.name + "': ";
  const uint32_t numTypes = of.set->numGivenTypes();
  require(edges.src.size() == edges.dst.size(), GNN_ERROR_ARGUMENT, where, edges.src.size(), " sources for ",
          edges.dst.size(), " destinations");
  require(edges.types.size() == (numTypes ? edges.src.size() : 0), GNN_ERROR_ARGUMENT, where, edges.types.size(),
          " types for ", edges.src.size(), " edges of ", numTypes, " types");
  require(edges.numTypes == 0 || edges.numTypes == numTypes, GNN_ERROR_ARGUMENT, where, edges.numTypes,
          " types of edges, but the graph has ", numTypes);
  checkEdgeIds(edges.src, next.vertices[of.source], "source", where);
  checkEdgeIds(edges.dst, next.vertices[of.destination], "destination", where);
  checkEdgeIds(edges.types, numTypes, "type", where);
}

bool GrowingGraph::hasRoom(const Snapshot &next) const {
  bool has = true;
  for (size_t type = 0; type < next.vertices.size(); ++type) {
    const VertexSet &set = epoch->graph->vertexSets()[type];
    has &= next.vertices[type] <= set.count;
    require(!options.isFixed || has, GNN_ERROR_MEMORY, "there is room for ", set.count, " vertices of type '", set.name,
            "', not for ", next.vertices[type]);
  }
  for (size_t r = 0; r < next.appended.size(); ++r) {
    has &= next.appended[r] <= epoch->appended[r]->room();
    require(!options.isFixed || has, GNN_ERROR_MEMORY, "there is room for ", mostEdges[r], " edges of the relation '",
            epoch->graph->relations()[r].name, "', not for ", next.numEdges(r));
    require(next.appended[r] <= AppendedEdges::most, GNN_ERROR_MEMORY, next.appended[r],
            " edges are appended at once, expected at most 2^32 - 2");
  }
  return has;
}

/// Another epoch, of the present graph, in which there is room for what comes next.
std::shared_ptr<GraphEpoch> GrowingGraph::prepared(Snapshot &next) const {
  auto made = std::make_shared<GraphEpoch>();
  made->options = given;
  made->number = epoch->number + 1;
  made->preparedMoment = current->number;
  std::vector<VertexSet> sets = epoch->graph->vertexSets();
  for (size_t type = 0; type < sets.size(); ++type)
    if (next.vertices[type] > sets[type].count)
      sets[type].count = roomFor(next.vertices[type]);
  std::vector<GivenList> lists;
  std::vector<EdgeSpec> specs;
  for (size_t r = 0; r < epoch->appended.size(); ++r) {
    const Graph::Edges &of = epoch->graph->relations()[r];
    lists.emplace_back(*of.set, *epoch->appended[r]);
    const GivenList &list = lists.back(); // whose arrays stay where they are when it moves
    specs.push_back({of.name, of.source, of.destination, list.src, list.dst, list.types, of.set->numGivenTypes()});
    next.appended[r] -= epoch->appended[r]->count();
  }
  made->graph = Graph::fromSchema(sets, specs);
  for (size_t r = 0; r < specs.size(); ++r)
    made->appended.push_back(
        std::make_unique<AppendedEdges>(std::max(roomBeside(int64_t(specs[r].src.size()), r), next.appended[r]),
                                        sets[specs[r].source].count, sets[specs[r].destination].count));
  for (const auto &[name, feature] : epoch->features) {
    const size_t type = typeOf(name);
    const int64_t room = sets[type].count;
    // Where there is room still, both epochs have the same table: what snapshots see of it does not change.
    made->features[name].dense =
        feature.dense.dim(0) == room ? feature.dense : withRoom(feature.dense, current->vertices[type], room);
  }
  next.epoch = made;
  return made;
}

void GrowingGraph::append(const Growth &growth) {
  std::lock_guard<std::mutex> alone(growing);
  Snapshot next = grownBy(growth);
  ++next.number;
  std::shared_ptr<GraphEpoch> to = hasRoom(next) ? epoch : prepared(next);
  Features rows = growth.rows;
  for (auto &[name, feature] : rows)
    feature.dense = feature.dense.onHost();
  auto published = std::make_shared<const Snapshot>(std::move(next));
  // From here on nothing fails.
  for (const auto &[name, feature] : rows) {
    Tensor &table = to->features.at(name).dense;
    std::memcpy(static_cast<char *>(table.mutableData()) + size_t(current->vertices[typeOf(name)]) * bytesOfRow(table),
                feature.dense.data(), feature.dense.bytes());
  }
  for (const EdgeSpec &edges : growth.edges) {
    AppendedEdges &list = *to->appended[findRelation(edges)];
    for (size_t i = 0; i < edges.src.size(); ++i)
      list.append(uint32_t(edges.src[i]), uint32_t(edges.dst[i]), edges.types.empty() ? 0 : int32_t(edges.types[i]));
  }
  publish(std::move(to), std::move(published));
}

void GrowingGraph::compact() {
  std::lock_guard<std::mutex> alone(growing);
  Snapshot next = *current;
  if (std::all_of(next.appended.begin(), next.appended.end(), [](int64_t count) { return count == 0; }))
    return;
  std::shared_ptr<GraphEpoch> to = prepared(next);
  publish(std::move(to), std::make_shared<const Snapshot>(std::move(next)));
}

void GrowingGraph::publish(std::shared_ptr<GraphEpoch> from, std::shared_ptr<const Snapshot> next) noexcept {
  epoch = std::move(from);
  std::lock_guard<std::mutex> lock(publishing);
  current.swap(next);
}

} // namespace gnn::rt
