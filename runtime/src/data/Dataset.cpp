//===- Dataset.cpp - Data sets inside the library --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks that every data set passes, and its features in the form that a model wants.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/Dataset.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Parallel.h"
#include <algorithm>
#include <cctype>
#include <numeric>
#include <set>

using namespace gnn::rt;

namespace {

Span<const int64_t> row(const Tensor &matrix, int64_t i) {
  return matrix.values<int64_t>().slice(size_t(i * matrix.dim(1)), size_t(matrix.dim(1)));
}

int64_t largest(Span<const int64_t> values) {
  constexpr size_t grain = 1 << 16;
  return parallelReduce(
      tbb::blocked_range<size_t>(0, values.size(), grain), int64_t(-1),
      [&](const auto &range, int64_t most) {
        for (size_t i = range.begin(); i < range.end(); ++i)
          most = std::max(most, values[i]);
        return most;
      },
      [](int64_t a, int64_t b) { return std::max(a, b); });
}

/// How many ids from 0 on there must be; 2^63 - 1 stands for one more as well.
int64_t countFor(Span<const int64_t> ids) { return std::min(largest(ids), INT64_MAX - 1) + 1; }

bool isInteger(uint32_t element) { return element >= GNN_I32; }
bool isInteger(const Tensor &tensor) { return isInteger(tensor.element()); }

/// Names are those of a model's inputs.
void checkName(const std::string &name, const std::string &where) {
  bool good = !name.empty() && !std::isdigit(static_cast<unsigned char>(name[0])) &&
              std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
  require(good, GNN_ERROR_DATA, where, ": the feature name '", name, "' is no identifier");
}

/// The names in a map, for messages.
template <class Map> std::string namesOf(const Map &map) {
  std::string names;
  for (const auto &named : map)
    names += (names.empty() ? "" : ", ") + named.first;
  return names.empty() ? "none" : names;
}

/// `labelled` of a data set without a schema whose edges have labels.
constexpr char plainEdges[] = "edge";

/// Null if there is none, or no schema.
const EdgeTable *findRelation(const Dataset &data, const std::string &triple) {
  for (const EdgeTable &relation : data.relations)
    if (relation.triple() == triple)
      return &relation;
  return nullptr;
}

/// None stays none.
Tensor firstRows(const Tensor &table, int64_t count) {
  std::vector<int64_t> rows(size_t(table ? count : 0));
  std::iota(rows.begin(), rows.end(), int64_t(0));
  return table ? table.rowsAt(rows) : Tensor();
}

class Checker {
public:
  explicit Checker(Dataset &data) : data(data) {}

  void run() {
    if (data.hasSchema())
      checkSchema();
    else
      checkPlain();
    checkLabels();
    expect(data.classNames.empty() || int64_t(data.classNames.size()) == data.numClasses, "class_names", "expected ",
           data.numClasses, " names, one for each class, got ", data.classNames.size());
    for (auto &split : data.splits)
      checkSplit(split.first, split.second);
    for (auto &pairs : data.pairs)
      checkPairs(pairs.first + "_pairs", pairs.second);
  }

private:
  template <class... Parts> void expect(bool condition, const std::string &field, const Parts &...parts) const {
    if (!condition)
      fail(GNN_ERROR_DATA, data.describe(field), ": ", parts...);
  }

  void checkPlain() {
    require(data.labelled.empty() || data.labelsEdges(), GNN_ERROR_DATA, data.source, ": 'labelled' is '",
            data.labelled, "', expected ", plainEdges, ", or nothing for vertices");
    if (data.prepared && !data.edgeIndex) { // from edges that were checked
      inferVertices();
      data.numEdgeTypes = data.prepared->numGivenTypes();
    } else {
      require(bool(data.edgeIndex), GNN_ERROR_DATA, data.source, ": there is no edge_index");
      checkEdgeShapes(data.edgeIndex, "edge_index", data.edgeType, "edge_type");
      inferVertices();
      checkEnds(data.edgeIndex, "edge_index", data.numVertices, data.numVertices);
      checkTypes(data.edgeType, data.numEdgeTypes, "edge_type");
    }
    checkFeatures(data.vertexFeatures, "", data.numVertices);
    checkEdgeFeatures(data.edgeFeatures, "", data.numEdges());
    checkKnown(data.known, "edge_index", data.numEdges());
  }

  void checkKnown(const KnownEdges &known, const std::string &field, int64_t edges) const {
    expect(known.empty() || known.count("train"), field, "known_edges has no 'train'");
    int64_t before = 0;
    for (const auto &[split, count] : known) { // "train" is before "val"
      expect(count >= before && count <= edges, field, split, " knows ", count, " of ", edges, " edges, expected ",
             before, " to ", edges);
      before = count;
    }
  }

  void checkSchema() {
    require(!data.relations.empty(), GNN_ERROR_DATA, data.source, ": a schema without relations");
    std::map<std::string, VertexTable *> types;
    for (VertexTable &type : data.vertexTypes) {
      checkName(type.name, data.source);
      require(types.emplace(type.name, &type).second, GNN_ERROR_DATA, data.source, ": two types of vertices '",
              type.name, "'");
      type.count = data.statedVertices(type);
    }
    auto typeOf = [&](const std::string &name, const std::string &what) -> VertexTable & {
      auto found = types.find(name);
      require(found != types.end(), GNN_ERROR_DATA, data.source, ": ", what, ": there is no type of vertices '", name,
              "' (there are: ", namesOf(types), ")");
      return *found->second;
    };
    if (!data.labelled.empty() && !data.labelsEdges())
      typeOf(data.labelled, "labelled");
    require(data.labelled.empty() ? !data.labels && data.splits.empty() : true, GNN_ERROR_DATA, data.source,
            ": labels and splits need 'labelled', the type of vertices or the relation that they are of");
    require(!data.labelsEdges() || findRelation(data, data.labelled), GNN_ERROR_DATA, data.source,
            ": labelled: there is no relation ", data.labelled);
    std::set<std::vector<std::string>> seen;
    for (EdgeTable &relation : data.relations) {
      checkName(relation.name, data.source);
      bool isNew = seen.insert({relation.name, relation.source, relation.destination}).second;
      require(isNew, GNN_ERROR_DATA, data.source, ": two relations ", relation.source, " -", relation.name, "-> ",
              relation.destination);
      if (!relation.prepared)
        checkEdgeShapes(relation.index, relation.name, relation.types, relation.name + " types");
      for (auto [end, name] : {std::pair(0, relation.source), std::pair(1, relation.destination)}) {
        VertexTable &type = typeOf(name, "relation '" + relation.name + "'");
        if (!isCounted(type))
          inferred[type.name] = std::max(inferred[type.name], countFor(row(relation.index, end)));
      }
    }
    for (VertexTable &type : data.vertexTypes) {
      if (!isCounted(type))
        type.count = inferred[type.name];
      require(type.count < int64_t(UINT32_MAX), GNN_ERROR_DATA, data.source, ": ", type.count, " vertices of type ",
              type.name, ", the most is 2^32 - 2");
      checkFeatures(type.features, type.name + ".", type.count);
    }
    for (EdgeTable &relation : data.relations) {
      if (relation.prepared) {
        relation.numTypes = relation.prepared->numGivenTypes();
      } else {
        checkEnds(relation.index, relation.name, types[relation.source]->count, types[relation.destination]->count);
        checkTypes(relation.types, relation.numTypes, relation.name + " types");
      }
      checkEdgeFeatures(relation.features, relation.name + ".", relation.numEdges());
      checkKnown(relation.known, relation.name, relation.numEdges());
    }
    for (const VertexTable &type : data.vertexTypes)
      for (const auto &[name, feature] : type.features)
        data.vertexFeatures[type.name + "." + name] = feature;
    for (const EdgeTable &relation : data.relations)
      for (const auto &[name, feature] : relation.features)
        data.edgeFeatures[relation.name + "." + name] = feature;
    data.numEdgeTypes = 0;
    data.numVertices = data.labelled.empty() || data.labelsEdges() ? 0 : types[data.labelled]->count;
  }

  static bool isCounted(const VertexTable &type) { return type.count >= 0; }

  void checkEdgeShapes(Tensor &edges, const std::string &field, Tensor &types, const std::string &typeField) const {
    requireEdgeIndex(edges.element(), edges.shape(), data.describe(field));
    edges = edges.as(GNN_I64, data.describe(field));
    if (!types)
      return;
    requireEdgeTypes(types.element(), types.shape(), edges.dim(1), data.describe(typeField));
    types = types.as(GNN_I64, data.describe(typeField));
  }

  void checkEnds(const Tensor &edges, const std::string &field, int64_t sources, int64_t destinations) const {
    std::string where = data.describe(field) + ": ";
    checkEdgeIds(row(edges, 0), sources, "source", where);
    checkEdgeIds(row(edges, 1), destinations, "destination", where);
  }

  void inferVertices() {
    data.numVertices = data.statedVertices();
    if (data.numVertices < 0 && data.prepared)
      data.numVertices = data.prepared->relation().numDestinations();
    if (data.numVertices < 0) {
      data.numVertices = countFor(data.edgeIndex.values<int64_t>());
      for (const auto &pairs : data.pairs)
        if (isPairTable(pairs.second) && pairs.second.dim(1) == 2) // of typed ones a column is no id
          data.numVertices = std::max(data.numVertices,
                                      countFor(pairs.second.as(GNN_I64, data.describe(pairs.first)).values<int64_t>()));
    }
    require(data.numVertices < int64_t(UINT32_MAX), GNN_ERROR_DATA, data.source, ": ", data.numVertices,
            " vertices, the most is 2^32 - 2");
  }

  void checkTypes(const Tensor &types, int64_t &count, const std::string &field) const {
    if (!types) {
      expect(count <= 0, field, "edge types are announced, but there are none");
      count = 0;
      return;
    }
    if (count < 0)
      count = std::max<int64_t>(countFor(types.values<int64_t>()), 1);
    expect(count > 0 && count <= maxEdgeTypes, field, count, " types");
    checkEdgeIds(types.values<int64_t>(), count, "type", data.describe(field) + ": ");
  }

  void checkFeatures(const std::map<std::string, Feature> &features, const std::string &prefix, int64_t rows) const {
    for (const auto &[name, feature] : features) {
      checkName(name, data.describe(prefix + name));
      expect(feature.hasRows(), prefix + name, "a scalar, expected a row for each vertex");
      expect(feature.rows() == rows, prefix + name, "expected ", rows, " rows, one for each vertex, got ",
             feature.rows());
    }
  }

  void checkEdgeFeatures(const std::map<std::string, Feature> &features, const std::string &prefix,
                         int64_t edges) const {
    for (const auto &[name, feature] : features) {
      checkName(name, data.describe(prefix + name));
      expect(feature.hasRows() && feature.rows() == edges, prefix + name, "expected ", edges,
             " rows, one for each edge, got the shape ", shapeText(feature.shape()));
    }
  }

  static bool isPairTable(const Tensor &table) {
    return table.rank() == 2 && (table.dim(1) == 2 || table.dim(1) == 3) && isInteger(table) &&
           table.element() != GNN_BOOL;
  }

  /// Ends of pairs under a schema are of the types that the model names, so their bounds are checked with it.
  void checkPairs(const std::string &field, Tensor &table) const {
    expect(isPairTable(table), field, "expected integers [pairs, 2] or [pairs, 3], got ", elementName(table.element()),
           " ", shapeText(table.shape()));
    table = table.as(GNN_I64, data.describe(field));
    Span<const int64_t> values = table.values<int64_t>();
    for (size_t i = 0; i < values.size(); ++i) {
      int64_t column = int64_t(i) % table.dim(1);
      bool isType = table.dim(1) == 3 && column == 1;
      int64_t bound = data.hasSchema() ? INT64_MAX : isType ? data.numEdgeTypes : data.numVertices;
      expect(values[i] >= 0 && values[i] < bound, field, "pair ", int64_t(i) / table.dim(1), ": ",
             isType ? "type " : "vertex ", values[i], " is out of range, expected 0 <= ", isType ? "type" : "vertex",
             " < ", bound);
    }
  }

  /// A row of labels and splits, for messages.
  const char *rowName() const { return data.labelsEdges() ? "edge" : "vertex"; }

  void checkLabels() {
    Tensor &labels = data.labels;
    if (!labels) {
      data.numClasses = std::max<int64_t>(data.numClasses, 0);
      return;
    }
    const int64_t rows = data.numLabelled();
    expect(labels.rank() > 0 && labels.dim(0) == rows, "labels", "expected ", rows, " rows, one for each ", rowName(),
           ", got the shape ", shapeText(labels.shape()));
    bool classes = isInteger(labels) && labels.count() == rows;
    expect(classes || data.numClasses <= 0, "labels", data.numClasses, " classes are announced, expected integers [",
           rows, "], got ", elementName(labels.element()), " ", shapeText(labels.shape()));
    if (!classes) {
      data.numClasses = 0;
      return;
    }
    labels = labels.as(GNN_I64, data.describe("labels")).reshaped({rows});
    Span<const int64_t> values = labels.values<int64_t>();
    const bool areCounted = data.numClasses < 0;
    if (areCounted)
      data.numClasses = countFor(values);
    expect(data.numClasses <= INT32_MAX, "labels", data.numClasses, " classes, the most is 2^31 - 1");
    constexpr int64_t few = int64_t(1) << 16, mostForVertex = 10;
    const int64_t labelled = std::count_if(values.begin(), values.end(), [](int64_t label) { return label >= 0; });
    expect(!areCounted || data.numClasses <= few || data.numClasses / mostForVertex <= labelled, "labels",
           data.numClasses - 1, " is the largest label of ", labelled, " labelled ",
           data.labelsEdges() ? "edges" : "vertices", ": is it a class? They are numbered from 0 on");
    for (size_t v = 0; v < values.size(); ++v)
      expect(values[v] >= -1 && values[v] < data.numClasses, "labels", rowName(), " ", v, ": label ", values[v],
             " is out of range, expected -1 (no label) or 0 <= label < ", data.numClasses);
  }

  /// A mask becomes the ids where it is true.
  void checkSplit(const std::string &name, Tensor &ids) {
    const int64_t rows = data.numLabelled();
    bool mask = ids.element() == GNN_BOOL && ids.rank() == 1 && ids.dim(0) == rows;
    expect(ids.rank() == 1 && isInteger(ids) && (mask || ids.element() != GNN_BOOL), name, "expected ", rowName(),
           " ids or bool [", rows, "], got ", elementName(ids.element()), " ", shapeText(ids.shape()));
    if (mask) {
      std::vector<int64_t> chosen;
      for (int64_t v = 0; v < rows; ++v)
        if (ids.data<bool>()[v])
          chosen.push_back(v);
      ids = Tensor::of(chosen);
    } else {
      ids = ids.as(GNN_I64, data.describe(name));
    }
    std::vector<bool> seen(static_cast<size_t>(rows));
    Span<const int64_t> values = ids.values<int64_t>();
    const bool isMaskOfNumbers = int64_t(values.size()) == rows && values.size() > 2 &&
                                 std::all_of(values.begin(), values.end(), [](int64_t v) { return v == 0 || v == 1; });
    expect(!isMaskOfNumbers, name, "looks like a mask, 0 or 1 for each ", rowName(), ": masks are saved as bool");
    for (size_t i = 0; i < values.size(); ++i) {
      int64_t v = values[i];
      expect(v >= 0 && v < rows, name, "entry ", i, ": ", rowName(), " ", v,
             " is out of range, expected 0 <= ", rowName(), " < ", rows);
      expect(!seen[size_t(v)], name, "entry ", i, ": ", rowName(), " ", v, " occurs twice");
      seen[size_t(v)] = true;
      bool unlabelled = data.numClasses > 0 && data.labels && data.labels.data<int64_t>()[v] < 0;
      expect(!unlabelled, name, "entry ", i, ": ", rowName(), " ", v, " has no label");
    }
  }

  Dataset &data;
  std::map<std::string, int64_t> inferred; // numbers of vertices that edges need, by type
};

} // namespace

void gnn::rt::requireEdgeIndex(uint32_t element, const std::vector<int64_t> &shape, const std::string &where) {
  require(shape.size() == 2 && shape[0] == 2 && isInteger(element) && element != GNN_BOOL, GNN_ERROR_DATA, where,
          ": expected integers [2, edges], got ", elementName(element), " ", shapeText(shape),
          shape.size() == 2 && shape[1] == 2 && isInteger(element) && element != GNN_BOOL
              ? ": save its transpose, edge_index.T"
              : "");
}

void gnn::rt::requireEdgeTypes(uint32_t element, const std::vector<int64_t> &shape, int64_t edges,
                               const std::string &where) {
  require(shape.size() == 1 && shape[0] == edges && isInteger(element), GNN_ERROR_DATA, where, ": expected integers [",
          edges, "], got ", elementName(element), " ", shapeText(shape));
}

void Dataset::finish() { Checker(*this).run(); }

int64_t Dataset::statedVertices() const {
  if (numVertices >= 0)
    return numVertices;
  if (labels && labels.rank() > 0 && !labelsEdges())
    return labels.dim(0);
  for (const auto &[name, feature] : vertexFeatures)
    if (feature.hasRows())
      return feature.rows();
  return -1;
}

int64_t Dataset::statedVertices(const VertexTable &type) const {
  if (type.count >= 0)
    return type.count;
  for (const auto &[name, feature] : type.features)
    if (feature.hasRows())
      return feature.rows();
  return type.name == labelled && labels && labels.rank() > 0 ? labels.dim(0) : -1;
}

bool Dataset::labelsEdges() const { return labelled == plainEdges ? !hasSchema() : labelled.find(':') < labelled.npos; }

int64_t Dataset::numLabelled() const {
  const EdgeTable *relation = findRelation(*this, labelled);
  return !labelsEdges() ? numVertices : relation ? relation->numEdges() : numEdges();
}

bool Dataset::dividesEdges() const {
  return !known.empty() || std::any_of(relations.begin(), relations.end(),
                                       [](const EdgeTable &relation) { return !relation.known.empty(); });
}

Dataset Dataset::knownTo(const std::string &split) const {
  Dataset part = *this;
  const auto limit = [&](KnownEdges &known, Tensor &index, Tensor &types, std::map<std::string, Feature> &features,
                         const std::string &prefix, bool isLabelled) {
    const auto found = known.find(split);
    if (found == known.end())
      return;
    const int64_t count = found->second;
    known.clear(); // all of those that are left
    Tensor first = Tensor::empty(GNN_I64, {2, count});
    for (int64_t end = 0; end < 2; ++end)
      std::copy_n(row(index, end).begin(), count, first.mutableData<int64_t>() + end * count);
    index = first;
    types = firstRows(types, count);
    for (auto &[name, feature] : features) {
      feature.dense = firstRows(feature.dense, count);
      part.edgeFeatures[prefix + name] = feature;
    }
    if (!isLabelled)
      return;
    part.labels = firstRows(part.labels, count);
    for (auto &[name, ids] : part.splits) {
      std::vector<int64_t> left;
      for (int64_t id : ids.values<int64_t>())
        if (id < count)
          left.push_back(id);
      ids = Tensor::of(left);
    }
  };
  if (!hasSchema())
    limit(part.known, part.edgeIndex, part.edgeType, part.edgeFeatures, "", labelsEdges());
  for (EdgeTable &relation : part.relations)
    limit(relation.known, relation.index, relation.types, relation.features, relation.name + ".",
          relation.triple() == labelled);
  return part;
}

std::string Dataset::describe(const std::string &field) const {
  auto file = files.find(field);
  return file == files.end() ? source + ": " + field : source + "/" + file->second;
}

int64_t Dataset::totalVertices() const {
  int64_t count = hasSchema() ? 0 : numVertices;
  for (const VertexTable &type : vertexTypes)
    count += type.count;
  return count;
}

int64_t Dataset::numEdges() const {
  int64_t count = edgeIndex ? edgeIndex.dim(1) : prepared ? prepared->numGivenEdges() : 0;
  for (const EdgeTable &relation : relations)
    count += relation.numEdges();
  return count;
}

std::shared_ptr<const Graph> Dataset::graph(uint32_t transforms, uint32_t order) const {
  requireEdges("another graph");
  if (hasSchema()) {
    require(transforms == 0 && order == GNN_ORDER_GIVEN, GNN_ERROR_ARGUMENT, source,
            ": the graph of a schema is neither transformed nor ordered");
    std::vector<VertexSet> vertices;
    auto indexOf = [&](const std::string &type) {
      return uint32_t(std::find_if(vertices.begin(), vertices.end(), [&](auto &set) { return set.name == type; }) -
                      vertices.begin());
    };
    for (const VertexTable &type : vertexTypes)
      vertices.push_back({type.name, type.count});
    std::vector<EdgeSpec> edges;
    for (const EdgeTable &relation : relations) {
      edges.emplace_back();
      edges.back().name = relation.name;
      edges.back().source = indexOf(relation.source);
      edges.back().destination = indexOf(relation.destination);
      edges.back().prepared = relation.prepared;
      if (relation.prepared)
        continue;
      edges.back().src = row(relation.index, 0);
      edges.back().dst = row(relation.index, 1);
      edges.back().numTypes = uint32_t(relation.numTypes);
      if (relation.types)
        edges.back().types = relation.types.values<int64_t>();
    }
    return Graph::fromSchema(std::move(vertices), edges);
  }
  EdgeOptions options;
  options.transforms = transforms;
  options.order = order;
  options.numTypes = uint32_t(numEdgeTypes);
  if (edgeType)
    options.edgeTypes = edgeType.values<int64_t>();
  return Graph::fromEdges(row(edgeIndex, 0), row(edgeIndex, 1), numVertices, options);
}

void Dataset::requireEdges(const char *what) const {
  require(edgeIndex || !prepared, GNN_ERROR_MISMATCH, source, ": ", what,
          " needs the edges as they are given, but the data set was loaded with its prepared graph instead of them");
}

std::shared_ptr<const Graph> Dataset::takeGraph(uint32_t transforms, uint32_t order) {
  if (hasSchema()) {
    std::shared_ptr<const Graph> result = graph(transforms, order);
    relations.clear();
    return result;
  }
  Tensor index = std::move(edgeIndex), types = std::move(edgeType);
  edgeIndex = edgeType = Tensor();
  EdgeOptions options;
  options.numTypes = uint32_t(numEdgeTypes);
  if (types)
    options.edgeTypes = types.values<int64_t>();
  options.transforms = transforms;
  options.order = order;
  options.onCopied = [&] { index = types = Tensor(); };
  return Graph::fromEdges(row(index, 0), row(index, 1), numVertices, options);
}

std::map<std::string, Tensor> Dataset::pairSplits() const {
  std::map<std::string, Tensor> result = pairs;
  if (result.count("train") || hasSchema())
    return result;
  requireEdges("training on the edges as pairs");
  int64_t columns = edgeType ? 3 : 2;
  Tensor train = Tensor::empty(GNN_I64, {numEdges(), columns});
  int64_t *to = train.mutableData<int64_t>();
  for (int64_t e = 0; e < numEdges(); ++e) {
    *to++ = row(edgeIndex, 0)[size_t(e)];
    if (edgeType)
      *to++ = edgeType.data<int64_t>()[e];
    *to++ = row(edgeIndex, 1)[size_t(e)];
  }
  result["train"] = train;
  return result;
}

namespace {

template <class Map>
const typename Map::mapped_type &find(const Map &map, const std::string &name, const Dataset &data, const char *kind) {
  auto found = map.find(name);
  require(found != map.end(), GNN_ERROR_MISMATCH, data.source, ": the data set has no ", kind, " '", name,
          "' (it has: ", namesOf(map), ")");
  return found->second;
}

} // namespace

Tensor Dataset::denseVertexFeature(const std::string &feature) const {
  return find(vertexFeatures, feature, *this, "vertex feature").table();
}

SparseMatrix Dataset::sparseVertexFeature(const std::string &feature) const {
  const Feature &found = find(vertexFeatures, feature, *this, "vertex feature");
  return found.sparse ? *found.sparse : SparseMatrix::fromDense(found.table(), describe(feature));
}

Tensor Dataset::edgeFeature(const std::string &feature) const {
  return find(edgeFeatures, feature, *this, "edge feature").table();
}

const Tensor &Dataset::split(const std::string &which) const { return find(splits, which, *this, "split"); }

const VertexTable &Dataset::vertexType(const std::string &name) const {
  std::string known;
  for (const VertexTable &type : vertexTypes) {
    if (type.name == name)
      return type;
    known += (known.empty() ? "" : ", ") + type.name;
  }
  fail(GNN_ERROR_ARGUMENT, source, ": there is no type of vertices '", name,
       "' (there are: ", known.empty() ? "none" : known, ")");
}
