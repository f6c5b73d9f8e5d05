//===- Binding.cpp - A library's data over one graph ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/bind/Binding.h"

#include "runtime/src/bind/EdgeCounts.h"
#include "runtime/src/core/ExactIntegers.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/HugePages.h"
#include "runtime/src/core/Narrow.h"
#include "runtime/src/graph/SortEdges.h"
#include "runtime/src/program/InputForms.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace gnn::rt {

namespace {

/// A copy with the rows in local order (`toLocal`) or in that of ids; rows move as they are, whatever the element.
Tensor permuted(const Tensor &table, const Buffer<int64_t> &idOfLocal, bool toLocal) {
  Tensor result = Tensor::empty(table.element(), table.shape());
  size_t bytes = table.dim(0) ? table.bytes() / size_t(table.dim(0)) : 0;
  auto *from = static_cast<const char *>(table.data());
  auto *to = static_cast<char *>(result.mutableData());
  for (int64_t local = 0; local < table.dim(0); ++local) {
    int64_t id = idOfLocal[size_t(local)];
    std::memcpy(to + bytes * size_t(toLocal ? local : id), from + bytes * size_t(toLocal ? id : local), bytes);
  }
  return result;
}

/// The table that tensor `name` of vertex type or relation `owner` is bound to; null if there is none.
const Feature *findFeature(const Features &features, const std::string &name, const std::string &owner) {
  auto found = features.find(owner + "." + name);
  if (found == features.end())
    found = features.find(name);
  if (found == features.end() && name.rfind(owner + ".", 0) == 0) // data without a schema
    found = features.find(name.substr(owner.size() + 1));
  return found == features.end() ? nullptr : &found->second;
}

const Feature &find(const Library &library, const Features &features, const std::string &name, const std::string &owner,
                    const char *role, const std::string &where) {
  if (const Feature *found = findFeature(features, name, owner))
    return *found;
  std::string known;
  for (const auto &feature : features)
    known += (known.empty() ? "" : ", ") + feature.first;
  fail(GNN_ERROR_MISMATCH, library.name(), " reads the ", role, " '", name, "', which ", where,
       " does not have; it has ", known.empty() ? "none" : known);
}

/// Name of the vertex type or relation that a tensor of the library has rows of.
std::string ownerName(const gnn_library_t &table, const gnn_tensor_info_t &info) {
  if (info.domain == GNN_DOMAIN_PARAM)
    return "";
  return info.domain == GNN_DOMAIN_EDGE ? table.relations[info.type].name : table.vertex_types[info.type].name;
}

std::vector<int64_t> widthOf(const Feature &feature) {
  if (feature.sparse)
    return {feature.sparse->columns()};
  return {feature.shape().begin() + (feature.shape().empty() ? 0 : 1), feature.shape().end()};
}

} // namespace

const Feature *featureOf(const Library &library, const gnn_tensor_info_t &info, const Features &features) {
  const gnn_library_t &table = library.table();
  if (info.role != GNN_ROLE_WEIGHTS)
    return findFeature(features, info.name, ownerName(table, info));
  const gnn_relation_t &relation = table.relations[info.source];
  return findFeature(features, relation.name, table.vertex_types[relation.destination_type].name);
}

/// Whether a model for so many types of edges can read those of `edges`, which may have fewer. (The inverse of type r
/// is r + types, so there the number is part of the meaning.)
static bool fitsTypes(const EdgeSet &edges, const gnn_relation_t &relation, int64_t types) {
  int64_t found = edges.numEdgeTypesWith(relation.transforms);
  bool isExact = (edges.transforms() | relation.transforms) & GNN_GRAPH_INVERSE_RELATIONS;
  return edges.numEdges() == 0 || found == types || (found > 0 && found < types && !isExact);
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
    bool isSparse = info.role == GNN_ROLE_WEIGHTS;
    if (!isSparse && info.role != GNN_ROLE_INPUT && info.role != GNN_ROLE_TARGET)
      continue;
    const gnn_relation_t *sparse = isSparse ? &library.relation(info.source) : nullptr;
    std::string name = isSparse ? sparse->name : info.name,
                owner = isSparse ? library.table().vertex_types[sparse->destination_type].name
                                 : ownerName(library.table(), info);
    if (info.role == GNN_ROLE_TARGET && !findFeature(features, name, owner))
      continue;
    std::vector<int64_t> width =
        widthOf(find(library, features, name, owner, isSparse ? "sparse input" : "input", where));
    std::string origin = "width of " + name + " in " + where;
    if (isSparse) {
      int32_t columns = library.table().vertex_types[sparse->source_type].rows;
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

Binding::Binding(std::shared_ptr<const Library> opened, const Dims &finished, std::shared_ptr<const Graph> graph,
                 const Features &features, bool withTargets, const std::string &where)
    : library(std::move(opened)), dims(finished), origin(where), match(*library, *graph, where),
      vertexSets(graph->vertexSets()) {
  prepareVertices();
  prepareRelations(*graph, features);
  const gnn_library_t &table = library->table();
  rowSizes.resize(table.num_tensors);
  bound.resize(table.num_tensors);
  files.resize(table.num_tensors);
  versions.resize(table.num_tensors);
  for (uint32_t i = 0; i < table.num_tensors; ++i) {
    rowSizes[i] = dims.rowBytes(table.tensors[i]);
    bindTensor(i, features, withTargets);
  }
}

void Binding::prepareVertices() {
  const gnn_library_t &table = library->table();
  orders.resize(table.num_vertex_types);
  for (uint32_t t = 0; t < table.num_vertex_types; ++t) {
    const gnn_vertex_type_t &type = table.vertex_types[t];
    int64_t extent = type.rows < 0 ? -1 : dims.extents()[size_t(type.rows)];
    vertexRows.push_back(type.is_table ? extent : vertexSets[size_t(match.vertices[t])].count);
    if (extent >= 0 && extent != vertexRows[t])
      fail(GNN_ERROR_MISMATCH, origin, " has ", vertexRows[t], " vertices of type ", type.name, ", but ",
           library->name(), " has parameters for each of ", extent, ": ", dims.describe());
  }
  dims = dims.over(vertexRows, origin);
}

void Binding::prepareRelations(const Graph &graph, const Features &features) {
  const gnn_library_t &table = library->table();
  edges.resize(table.num_relations);
  ownRelations.resize(table.num_relations);
  for (uint32_t r = 0; r < table.num_relations; ++r) {
    if (match.relations[r] == SchemaMatch::none)
      continue;
    const gnn_relation_t &relation = table.relations[r];
    // Rows of a parameter that has one for each vertex are those of ids.
    bool hasTables = table.vertex_types[relation.source_type].rows >= 0;
    edges[r] = EdgeSet::transformed(graph.relations()[size_t(match.relations[r])].set, relation.transforms,
                                    /*inGivenOrder=*/hasTables);
    checkTypes(r, *edges[r]);
    if (edges[r]->order())
      orders[relation.source_type] = orders[relation.destination_type] = edges[r]->order();
  }
  for (uint32_t r = 0; r < table.num_relations; ++r) // these follow the order of the vertices
    if (isUnread(*library, r))
      ownRelations[r] = std::make_unique<Relation>(EdgeList(), 0, 0, nullptr, nullptr);
    else if (table.relations[r].kind == GNN_RELATION_SPARSE_INPUT)
      prepareSparseInput(r, features);
    else if (!edges[r])
      ownRelations[r] = std::make_unique<Relation>(EdgeList(), vertexRows[table.relations[r].source_type],
                                                   vertexRows[table.relations[r].destination_type], nullptr, nullptr);
}

/// Kernels trust types to be below the extent that they were compiled for.
void Binding::checkTypes(uint32_t index, const EdgeSet &set) const {
  const gnn_relation_t &relation = library->relation(index);
  if (relation.types < 0)
    return;
  int64_t expected = dims.extents()[size_t(relation.types)];
  if (!fitsTypes(set, relation, expected))
    fail(GNN_ERROR_MISMATCH, "the edges of '", relation.name, "' in ", origin, " have ", set.numEdgeTypes(),
         " types, but ", library->name(), " is for ", expected, ": ", dims.describe());
}

void Binding::prepareSparseInput(uint32_t index, const Features &features) {
  SparseMatrix matrix = sparseInput(index, features);
  ownRelations[index] = matrix.relation(orders[library->relation(index).destination_type]);
  sparseInputs.emplace(index, std::move(matrix));
}

SparseMatrix Binding::sparseInput(uint32_t index, const Features &features) const {
  const gnn_relation_t &relation = library->relation(index);
  int64_t rows = vertexRows[relation.destination_type], columns = vertexRows[relation.source_type];
  const Feature &feature = find(*library, features, relation.name,
                                library->table().vertex_types[relation.destination_type].name, "sparse input", origin);
  SparseMatrix matrix =
      feature.sparse ? *feature.sparse : SparseMatrix::fromDense(feature.table().onHost(), relation.name);
  require(matrix.rows() == rows && matrix.columns() == columns, GNN_ERROR_MISMATCH, relation.name, " in ", origin,
          " has shape ", shapeText({matrix.rows(), matrix.columns()}), ", but ", library->name(),
          " over this graph needs ", shapeText({rows, columns}));
  return matrix;
}

const Feature &Binding::inputNamed(const gnn_tensor_info_t &info, const Features &features) const {
  return find(*library, features, info.name, ownerName(library->table(), info), "input", origin);
}

/// What numbers are before they are stored in fewer bits.
static uint32_t computedElement(const gnn_tensor_info_t &info) {
  return isNarrow(info.element) ? uint32_t(GNN_F32) : info.element;
}

Tensor Binding::weights(const gnn_tensor_info_t &info, const SparseMatrix &matrix) const {
  bool normalize = info.flags & GNN_INPUT_ROW_NORMALIZED;
  return (normalize ? matrix.rowNormalized(computedElement(info)) : matrix).convertedTo(info.element).values();
}

void Binding::bindTensor(uint32_t index, const Features &features, bool withTargets) {
  const gnn_tensor_info_t &info = library->tensor(index);
  bool isOfPairs = info.domain == GNN_DOMAIN_EDGE && library->relation(info.type).kind == GNN_RELATION_PAIRS;
  std::string owner = ownerName(library->table(), info);
  switch (info.role) {
  case GNN_ROLE_TARGET:
    if (withTargets && !isOfPairs) // those come with the pairs
      bound[index] = denseTable(info, find(*library, features, info.name, owner, "target", origin));
    return;
  case GNN_ROLE_INPUT:
    if (const Feature &feature = inputNamed(info, features); feature.file && canStayInFile(info)) {
      requireShape(info, info.domain == GNN_DOMAIN_EDGE ? edges[info.type]->extendedShape(feature.shape(), info.name)
                                                        : feature.shape());
      files[index] = feature.file;
      return;
    }
    bound[index] = denseTable(info, inputNamed(info, features));
    if (info.domain == GNN_DOMAIN_VERTEX && bound[index].device() < 0) // what edges gather
      moveToHugePages(bound[index].data(), bound[index].bytes());
    return;
  case GNN_ROLE_WEIGHTS:
    bound[index] = weights(info, sparseInputs.at(uint32_t(info.source)));
    return;
  case GNN_ROLE_DEGREE_IN:
  case GNN_ROLE_DEGREE_OUT:
  case GNN_ROLE_COUNT_IN:
  case GNN_ROLE_COUNT_OUT:
    bound[index] = degrees(info);
    return;
  case GNN_ROLE_MASK:
    bound[index] = Tensor::zeros(info.element, {leadingExtent(info)});
    return;
  case GNN_ROLE_SCALE:
    bound[index] = Tensor::zeros(info.element, {});
    return;
  default:
    return;
  }
}

/// Whether an input in the memory of a GPU can stay there.
bool Binding::isAsItShouldBe(const gnn_tensor_info_t &info, const Tensor &table,
                             const std::vector<int64_t> &shape) const {
  const bool isOrdered = info.domain == GNN_DOMAIN_VERTEX && order(info.type);
  return info.role == GNN_ROLE_INPUT && info.domain != GNN_DOMAIN_EDGE && !isOrdered &&
         !(info.flags & GNN_INPUT_ROW_NORMALIZED) && table.element() == info.element && table.shape() == shape;
}

std::vector<int64_t> Binding::tableShape(const gnn_tensor_info_t &info) const {
  return dims.shapeOf(info, leadingExtent(info));
}

/// A number a row is a row of one.
void Binding::requireShape(const gnn_tensor_info_t &info, const std::vector<int64_t> &shape) const {
  const std::vector<int64_t> expected = tableShape(info);
  const bool isOfNumbers = shape.size() == 1 && info.rank == 1 && expected.back() == 1 && shape[0] == expected[0];
  if (shape != expected && !isOfNumbers)
    fail(GNN_ERROR_MISMATCH, info.name, " in ", origin, " has shape ", shapeText(shape), ", but ", library->name(),
         " over this graph needs ", shapeText(expected), " with ", dims.describe());
}

/// Of vertices, and of edges that are given.
bool Binding::canStayInFile(const gnn_tensor_info_t &info) const {
  return info.domain == GNN_DOMAIN_VERTEX || (info.domain == GNN_DOMAIN_EDGE && edges[info.type]);
}

/// Rows in the element that the library was compiled for.
Tensor Binding::asCompiled(const gnn_tensor_info_t &info, Tensor table) const {
  const uint32_t computed = computedElement(info);
  const std::string what = std::string(info.name) + " in " + origin;
  const bool isReal = table.element() == GNN_F32 || table.element() == GNN_F64;
  const bool normalize = info.flags & GNN_INPUT_ROW_NORMALIZED;
  if (computed == GNN_F32)
    requireExactAsF32(table, what);
  if (table.element() != computed && !(normalize && isReal))
    table = table.converted(computed, what);
  if (normalize)
    table = rowNormalized(table, computed);
  if (info.element != computed) // rounded once
    table = table.converted(info.element, what);
  return table;
}

Tensor Binding::denseTable(const gnn_tensor_info_t &info, const Feature &feature) const {
  const std::vector<int64_t> expected = tableShape(info);
  Tensor table = feature.table();
  if (table.device() >= 0 && isAsItShouldBe(info, table, expected))
    return table;
  table = table.onHost();
  if (info.domain == GNN_DOMAIN_EDGE && edges[info.type])
    table = edges[info.type]->extendEdgeTable(table, info.name);
  requireShape(info, table.shape());
  return inLocalOrder(info, asCompiled(info, table.shape() == expected ? table : table.reshaped(expected)));
}

Tensor Binding::pagedRows(uint32_t tensor, int64_t begin, int64_t count) const {
  const gnn_tensor_info_t &info = library->tensor(tensor);
  std::vector<int64_t> shape = tableShape(info);
  shape[0] = count;
  return asCompiled(info, files[tensor]->rows(begin, count).reshaped(shape));
}

int64_t Binding::pagedRowOfEdge(uint32_t tensor, int64_t id) const {
  const EdgeSet &set = *edges[library->tensor(tensor).type];
  return id < set.numGivenEdges() ? id : set.addedEdges()[size_t(id - set.numGivenEdges())];
}

Tensor Binding::rowOfLoop(uint32_t tensor) const {
  const gnn_tensor_info_t &info = library->tensor(tensor);
  const Tensor one = Tensor::of<bool>({true}, {}).converted(info.element, info.name);
  Tensor row = Tensor::empty(info.element, {int64_t(rowSizes[tensor] / one.bytes())});
  for (size_t at = 0; at < row.bytes(); at += one.bytes())
    std::memcpy(static_cast<char *>(row.mutableData()) + at, one.data(), one.bytes());
  return row;
}

bool Binding::isPagedAsItIs(uint32_t tensor) const {
  const gnn_tensor_info_t &info = library->tensor(tensor);
  const NpyFile &file = *files[tensor];
  return info.domain == GNN_DOMAIN_VERTEX && file.isAsItIs() && file.element() == info.element &&
         !(info.flags & GNN_INPUT_ROW_NORMALIZED) && !order(info.type);
}

void Binding::forPagedRows(uint32_t tensor, int64_t begin, int64_t end,
                           const std::function<void(int64_t row, int64_t count, const void *rows)> &body) const {
  const VertexOrder *vertices = order(library->tensor(tensor).type);
  const size_t bytes = rowSizes[tensor];
  const int64_t firstId = vertices ? 0 : begin, endId = vertices ? leadingExtent(library->tensor(tensor)) : end,
                atOnce = files[tensor]->rowsIn(size_t(4) << 20);
  for (int64_t first = firstId; first < endId; first += atOnce) {
    const Tensor piece = pagedRows(tensor, first, std::min(atOnce, endId - first));
    auto *from = static_cast<const char *>(piece.data());
    if (!vertices) {
      body(first, piece.dim(0), from);
      continue;
    }
    for (int64_t i = 0; i < piece.dim(0); ++i)
      if (const int64_t row = vertices->local[size_t(first + i)]; row >= begin && row < end)
        body(row, 1, from + size_t(i) * bytes);
  }
}

void Binding::loadPaged(uint32_t tensor) {
  const gnn_tensor_info_t &info = library->tensor(tensor);
  if (info.domain == GNN_DOMAIN_VERTEX)
    return loadPaged(tensor, 0, leadingExtent(info));
  bound[tensor] = denseTable(info, {files[tensor]->rows(0, files[tensor]->shape()[0]), std::nullopt});
  files[tensor] = nullptr;
}

void Binding::loadPaged(uint32_t tensor, int64_t begin, int64_t end) {
  const gnn_tensor_info_t &info = library->tensor(tensor);
  Tensor table = Tensor::empty(info.element, tableShape(info));
  auto *to = static_cast<char *>(table.mutableData());
  const size_t bytes = rowSizes[tensor];
  forPagedRows(tensor, begin, end, [=](int64_t row, int64_t count, const void *rows) {
    std::memcpy(to + size_t(row) * bytes, rows, size_t(count) * bytes);
  });
  bound[tensor] = std::move(table);
  files[tensor] = nullptr;
}

/// Of each vertex; with a shape, of each vertex and type of edges. Over the whole graph a vertex sees all of its edges,
/// so its count is its degree: one table serves both.
Tensor Binding::degrees(const gnn_tensor_info_t &info) const {
  auto isToDestination = [](uint32_t role) { return role == GNN_ROLE_DEGREE_IN || role == GNN_ROLE_COUNT_IN; };
  for (uint32_t i = 0; i < bound.size() && info.rank == 0; ++i)
    if (const gnn_tensor_info_t &other = library->tensor(i); bound[i] && countsEdges(other.role) && other.rank == 0)
      if (isToDestination(other.role) == isToDestination(info.role) && other.source == info.source &&
          other.element == info.element)
        return bound[i];
  const uint32_t direction = isToDestination(info.role) ? GNN_TO_DESTINATION : GNN_TO_SOURCE;
  if (info.rank > 0)
    return degreesByType(info, direction);
  const Csr &csr = relation(uint32_t(info.source)).csr(direction);
  return countEdges({csr.offsets.data(), csr.offsets.size()}, info.element);
}

Tensor Binding::degreesByType(const gnn_tensor_info_t &info, uint32_t direction) const {
  const Relation &edges = relation(uint32_t(info.source));
  require(edges.hasTypes() || edges.numEdges() == 0, GNN_ERROR_MISMATCH, library->name(),
          " counts edges by type, but the edges in ", origin, " have no types");
  const Buffer<int64_t> &offsets = edges.csr(direction).offsets;
  EdgeTypeCounts counts(int64_t(offsets.size()) - 1, dims.rowElements(info));
  size_t row = 0;
  edges.forPieces(direction, 0, edges.numEdges(), [&](const EdgePiece &piece) {
    for (int64_t e = piece.begin; e < piece.end; ++e) {
      while (offsets[row + 1] <= e)
        ++row;
      counts.add(int64_t(row), piece.types[e - piece.begin]);
    }
  });
  return counts.table(info.element);
}

void Binding::set(uint32_t tensor, Tensor table) {
  bound[tensor] = std::move(table);
  ++versions[tensor];
}

bool Binding::rebind(const Features &features) {
  std::map<uint32_t, SparseMatrix> matrices;
  for (const auto &known : sparseInputs) {
    SparseMatrix matrix = sparseInput(known.first, features);
    if (!matrix.isRelation(*ownRelations[known.first]))
      return false;
    matrices.emplace(known.first, std::move(matrix));
  }
  std::vector<std::pair<uint32_t, Tensor>> tables;
  for (uint32_t i = 0; i < bound.size(); ++i) {
    const gnn_tensor_info_t &info = library->tensor(i);
    if (info.role == GNN_ROLE_INPUT)
      tables.emplace_back(i, denseTable(info, inputNamed(info, features)));
    else if (info.role == GNN_ROLE_WEIGHTS)
      tables.emplace_back(i, weights(info, matrices.at(uint32_t(info.source))));
  }
  for (auto &[tensor, table] : tables) {
    set(tensor, std::move(table));
    files[tensor] = nullptr;
  }
  sparseInputs = std::move(matrices);
  ++rebinds;
  return true;
}

void Binding::releaseInputs() {
  for (uint32_t i = 0; i < bound.size(); ++i)
    if (const uint32_t role = library->tensor(i).role; role == GNN_ROLE_INPUT || role == GNN_ROLE_WEIGHTS)
      bound[i] = Tensor();
}

const gnn_tensor_info_t *Binding::lossMask() const {
  for (const gnn_tensor_info_t &info : library->tensors())
    if (info.role == GNN_ROLE_MASK)
      return &info;
  return nullptr;
}

/// Of each row of a table the sum of its weights, or how often it is there: some at a time, as all would take more
/// memory as doubles than as what they are stored in.
static void sumWeights(Span<const int64_t> rows, Span<const double> weights, Tensor &table, const std::string &name) {
  constexpr int64_t atOnce = int64_t(1) << 20;
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t(0));
  if (table.count() > atOnce) // sums stay in the order of the rows that are given
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return rows[a] / atOnce < rows[b] / atOnce; });
  auto next = order.begin();
  for (int64_t begin = 0; begin < table.count(); begin += atOnce) {
    std::vector<double> sums(size_t(std::min(atOnce, table.count() - begin)), 0.0);
    for (; next != order.end() && rows[*next] < begin + atOnce; ++next)
      sums[size_t(rows[*next] - begin)] += weights.size() ? weights[*next] : 1.0;
    const Tensor piece = Tensor::of(sums).converted(table.element(), name);
    std::memcpy(static_cast<char *>(table.mutableData()) + size_t(begin) * (piece.bytes() / sums.size()), piece.data(),
                piece.bytes());
  }
}

void Binding::setLossRows(Span<const int64_t> rows, Span<const double> weights) {
  double together = double(rows.size());
  if (weights.size())
    together = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (uint32_t i = 0; i < bound.size(); ++i) {
    const gnn_tensor_info_t &info = library->tensor(i);
    if (info.role == GNN_ROLE_SCALE)
      set(i, Tensor::of<double>({together > 0 ? 1.0 / together : 0.0}, {}).converted(info.element, info.name));
    if (info.role != GNN_ROLE_MASK)
      continue;
    const int64_t count = leadingExtent(info);
    for (int64_t row : rows)
      require(row >= 0 && row < count, GNN_ERROR_DATA, info.domain == GNN_DOMAIN_EDGE ? "edge " : "vertex ", row,
              " in a split of ", origin, " is outside 0..", count - 1);
    const bool isOrdered = info.domain == GNN_DOMAIN_VERTEX && order(info.type);
    const bool isThere = bound[i] && bound[i].count() == count && !isOrdered; // then there are never two of it
    Tensor mask = isThere ? bound[i] : Tensor::empty(info.element, {count});
    sumWeights(rows, weights, mask, info.name);
    set(i, inLocalOrder(info, mask));
  }
}

std::optional<uint32_t> Binding::pairsRelation() const {
  for (uint32_t r = 0; r < library->table().num_relations; ++r)
    if (isOfPairs(*library, r))
      return r;
  return std::nullopt;
}

namespace {

template <class To>
Buffer<To> checkedIds(const std::vector<int64_t> &ids, int64_t bound, const char *what, const std::string &where,
                      const VertexOrder *order) {
  Buffer<To> result(ids.size());
  for (size_t i = 0; i < ids.size(); ++i) {
    require(ids[i] >= 0 && ids[i] < bound, GNN_ERROR_DATA, "pair ", i, " of ", where, ": ", what, " ", ids[i],
            " is out of range, expected 0 <= ", what, " < ", bound);
    result[i] = To(order ? int64_t(order->local[size_t(ids[i])]) : ids[i]);
  }
  return result;
}

} // namespace

EdgeList Binding::rowsOfPairs(const Pairs &pairs) const {
  std::optional<uint32_t> index = pairsRelation();
  require(index.has_value(), GNN_ERROR_MISMATCH, library->name(), " scores no pairs");
  const gnn_relation_t &relation = library->relation(*index);
  EdgeList list;
  list.src = checkedIds<uint32_t>(pairs.src, rows(relation.source_type), "source", origin, order(relation.source_type));
  list.dst = checkedIds<uint32_t>(pairs.dst, rows(relation.destination_type), "destination", origin,
                                  order(relation.destination_type));
  if (relation.types >= 0) {
    require(pairs.types.size() == pairs.src.size(), GNN_ERROR_MISMATCH, library->name(),
            " reads the types of pairs, but ", origin, " has none");
    list.type = checkedIds<int32_t>(pairs.types, dims.extents()[size_t(relation.types)], "type", origin, nullptr);
  }
  return list;
}

void Binding::setPairs(const Pairs &pairs, const std::vector<double> &targets) {
  const EdgeList list = rowsOfPairs(pairs);
  const uint32_t index = *pairsRelation();
  const gnn_relation_t &relation = library->relation(index);
  setPairs(sortEdges(list, rows(relation.source_type), rows(relation.destination_type)));
  for (uint32_t i = 0; i < bound.size(); ++i) {
    const gnn_tensor_info_t &info = library->tensor(i);
    if (info.role == GNN_ROLE_TARGET && info.domain == GNN_DOMAIN_EDGE && info.type == index && !targets.empty())
      set(i, denseTable(info, {Tensor::of(targets), std::nullopt}));
  }
  const gnn_tensor_info_t *mask = lossMask();
  if (!mask || mask->domain != GNN_DOMAIN_EDGE || mask->type != index)
    return;
  std::vector<int64_t> all(pairs.src.size());
  std::iota(all.begin(), all.end(), int64_t(0));
  setLossRows({all.data(), all.size()});
}

void Binding::setPairs(SortedEdges pairs) {
  const uint32_t index = *pairsRelation();
  const gnn_relation_t &relation = library->relation(index);
  const int64_t count = pairs.byDestination.offsets.end()[-1];
  if (released)
    released->edgeIds[index] = count;
  edges[index] = nullptr;
  ownRelations[index] = std::make_unique<Relation>(std::move(pairs), count, orders[relation.source_type],
                                                   orders[relation.destination_type]);
}

void Binding::releaseEdges() {
  Counts counts{numEdges(), {}};
  for (uint32_t r = 0; r < edges.size(); ++r)
    counts.edgeIds.push_back(numEdgeIds(r));
  released = std::move(counts);
  std::fill(edges.begin(), edges.end(), nullptr);
  for (uint32_t r = 0; r < ownRelations.size(); ++r)
    if (!isOfPairs(*library, r)) // which come anew
      ownRelations[r].reset();
  sparseInputs.clear();
}

int64_t Binding::numEdges() const {
  if (released)
    return released->edges;
  int64_t count = 0;
  for (uint32_t r = 0; r < edges.size(); ++r)
    if (edges[r])
      count += edges[r]->numEdges();
  return count;
}

const VertexOrder *Binding::order(uint32_t vertexType) const { return orders[vertexType].get(); }

int64_t Binding::leadingExtent(const gnn_tensor_info_t &tensor) const {
  if (tensor.domain == GNN_DOMAIN_VERTEX)
    return vertexRows[tensor.type];
  return tensor.domain == GNN_DOMAIN_EDGE ? numEdgeIds(tensor.type) : 1;
}

size_t Binding::tensorBytes(uint32_t tensor) const {
  size_t bytes = 0;
  require(!__builtin_mul_overflow(size_t(leadingExtent(library->tensor(tensor))), rowSizes[tensor], &bytes),
          GNN_ERROR_MEMORY, library->tensor(tensor).name, " is too large");
  return bytes;
}

Tensor Binding::inLocalOrder(const gnn_tensor_info_t &info, const Tensor &table) const {
  const VertexOrder *vertices = info.domain == GNN_DOMAIN_VERTEX ? order(info.type) : nullptr;
  return vertices ? permuted(table, vertices->id, /*toLocal=*/true) : table;
}

Tensor Binding::inOriginalOrder(const gnn_tensor_info_t &info, const Tensor &table) const {
  const VertexOrder *vertices = info.domain == GNN_DOMAIN_VERTEX ? order(info.type) : nullptr;
  return vertices ? permuted(table, vertices->id, /*toLocal=*/false) : table;
}

template <class Number> static void addRow(char *to, const char *from, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof(Number); ++i)
    reinterpret_cast<Number *>(to)[i] += reinterpret_cast<const Number *>(from)[i];
}

Tensor Binding::ofGivenEdges(const gnn_tensor_info_t &info, const Tensor &table) const {
  const EdgeSet &set = *edges[info.type];
  std::vector<int64_t> shape = table.shape();
  shape[0] = set.numGivenEdges();
  Tensor sums = Tensor::empty(table.element(), std::move(shape));
  auto *to = static_cast<char *>(sums.mutableData());
  const auto *from = static_cast<const char *>(table.data());
  std::memcpy(to, from, sums.bytes());
  const size_t bytes = dims.rowBytes(info);
  for (int64_t added = 0; added < int64_t(set.addedEdges().size()); ++added)
    if (const int64_t origin = set.addedEdges()[size_t(added)]; origin >= 0)
      (info.element == GNN_F64 ? addRow<double> : addRow<float>)(to + size_t(origin) * bytes,
                                                                 from + sums.bytes() + size_t(added) * bytes, bytes);
  return sums;
}

} // namespace gnn::rt
