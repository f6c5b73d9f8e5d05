//===- DataBinding.cpp - A data set as the oracle's bindings --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-interp/DataBinding.h"
#include "compiler/Interpreter/Context.h"
#include "gnn/error.hpp"
#include "runtime/src/train/Pairs.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <random>

using namespace gnn::rt;

namespace gnnc::interp {

std::vector<double> toDoubles(const Tensor &tensor) {
  const Tensor doubles = tensor.element() == GNN_F64 ? tensor : tensor.converted(GNN_F64, "array");
  return {doubles.data<double>(), doubles.data<double>() + doubles.count()};
}

[[noreturn]] static void fail(const std::string &message) { throw gnn::Error(GNN_ERROR_MISMATCH, message); }

namespace {

/// Binds one model; what is bound first says the dimensions that later parts are checked with.
class DataBinder {
public:
  DataBinder(const CheckedModel &model, const Dataset &dataset, const std::string &split, OracleBindings &bindings);

  void run();

private:
  void bindVertices();
  void bindRelation(const gnnc::Relation &relation);
  OracleGraph edgesOf(const EdgeTable &table) const;
  void bindPairs(const gnnc::Relation &relation);
  void bindSparseInput(const Input &input);
  void bindDenseInput(const Input &input);
  void bindClasses();
  void bindMask();

  const VertexTable &vertexTable(const VertexType &type) const;
  const EdgeTable *edgeTable(const gnnc::Relation &relation) const;
  bool isOfPairs(const Input &input) const;
  bool isLabels(const Input &input, const std::string &feature) const;
  std::string ownerOf(const Input &input) const;
  void bindDim(const DimExpr &dim, int64_t extent);
  std::string spell(const gnnc::Relation &relation) const;

  const CheckedModel &model;
  const Dataset &dataset;
  const std::string &split;
  OracleBindings &bindings;
  std::vector<VertexTable> vertexTables; // of the data, which without a schema are one type of vertices
  std::vector<EdgeTable> edgeTables;     // and one relation
};

} // namespace

DataBinder::DataBinder(const CheckedModel &model, const Dataset &dataset, const std::string &split,
                       OracleBindings &bindings)
    : model(model), dataset(dataset), split(split), bindings(bindings), vertexTables(dataset.vertexTypes),
      edgeTables(dataset.relations) {
  if (dataset.hasSchema())
    return;
  vertexTables.push_back({"vertex", dataset.numVertices, {}});
  edgeTables.push_back({"edge", "vertex", "vertex", dataset.edgeIndex, dataset.edgeType, dataset.numEdgeTypes, {}});
}

void DataBinder::run() {
  bindVertices();
  for (const gnnc::Relation &relation : model.relations)
    bindRelation(relation);
  for (const Input &input : model.inputs) {
    if (input.sparse)
      bindSparseInput(input);
    else
      bindDenseInput(input);
  }
  bindClasses();
  bindMask();
}

/// A dimension whose extent the data says, if it is a single name that nothing has bound.
void DataBinder::bindDim(const DimExpr &dim, int64_t extent) {
  for (const Dimension &named : model.dims)
    if (named.fixed < 0 && dim == DimExpr::name(named.name))
      bindings.dims.insert({named.name, extent});
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

template <class Tables> static std::string namesOf(const Tables &tables) {
  std::string names;
  for (const auto &table : tables)
    names += (names.empty() ? "" : ", ") + table.name;
  return names;
}

/// By name, or the only one.
const VertexTable &DataBinder::vertexTable(const VertexType &type) const {
  const bool isOnly = llvm::count_if(model.vertexTypes, [](const VertexType &each) { return !each.isColumns; }) == 1;
  if (isOnly && vertexTables.size() == 1)
    return vertexTables.front();
  auto found = llvm::find_if(vertexTables, [&](const VertexTable &table) { return table.name == type.name; });
  if (found == vertexTables.end())
    fail("the model reads vertices of type `" + type.name + "`; " + dataset.source + " has " + namesOf(vertexTables));
  return *found;
}

void DataBinder::bindVertices() {
  for (const VertexType &type : model.vertexTypes)
    if (!type.isColumns)
      bindings.numVertices.push_back(vertexTable(type).count);
}

/// By name and ends, or the only one by its ends; null if there is none.
const EdgeTable *DataBinder::edgeTable(const gnnc::Relation &relation) const {
  const bool isOnly =
      !relation.isPairs && edgeTables.size() == 1 && llvm::count_if(model.relations, [](const gnnc::Relation &each) {
                                                       return !each.isPairs && !each.isSparseInput;
                                                     }) == 1;
  const std::string &source = vertexTable(model.vertexTypes[relation.sourceType]).name;
  const std::string &destination = vertexTable(model.vertexTypes[relation.destinationType]).name;
  for (const EdgeTable &table : edgeTables)
    if ((isOnly || table.name == relation.name) && table.source == source && table.destination == destination)
      return &table;
  return nullptr;
}

std::string DataBinder::spell(const gnnc::Relation &relation) const {
  return "`" + model.vertexTypes[relation.sourceType].name + " -" + relation.name + "-> " +
         model.vertexTypes[relation.destinationType].name + "`";
}

OracleGraph DataBinder::edgesOf(const EdgeTable &table) const {
  OracleGraph graph;
  const int64_t numEdges = table.numEdges();
  const int64_t *ends = table.index.data<int64_t>();
  graph.src.assign(ends, ends + numEdges);
  graph.dst.assign(ends + numEdges, ends + 2 * numEdges);
  if (table.types) {
    graph.types.assign(table.types.data<int64_t>(), table.types.data<int64_t>() + numEdges);
    graph.numTypes = table.numTypes;
  }
  return graph;
}

void DataBinder::bindRelation(const gnnc::Relation &relation) {
  if (relation.isSparseInput) {
    bindings.relations.emplace_back();
    return;
  }
  const EdgeTable *table = edgeTable(relation);
  if (!table && relation.isPairs)
    return bindPairs(relation);
  if (!table)
    fail("the model reads the relation " + spell(relation) + "; " + dataset.source + " has " + namesOf(edgeTables));
  OracleGraph given = edgesOf(*table);
  const bool readsTypes = relation.isTyped && !relation.transforms.marksLoops && !relation.transforms.loopKinds;
  if (given.numTypes == 0 && (readsTypes || relation.transforms.inverseRelations))
    fail("the model asks for the types of the edges of " + spell(relation) + ", which have none in " + dataset.source);
  bindings.relations.push_back(
      transformGraph(std::move(given), bindings.numVertices[relation.destinationType], relation.transforms));
  bindDim(relation.types, bindings.relations.back().numTypes);
}

/// The true pairs of the split.
void DataBinder::bindPairs(const gnnc::Relation &relation) {
  const std::string which = split.empty() ? "train" : split;
  const std::map<std::string, Tensor> splits = dataset.pairSplits();
  auto found = splits.find(which);
  if (found == splits.end())
    fail(dataset.source + " has no pairs '" + which + "'");
  const Pairs pairs = pairsOf(found->second, which + " in " + dataset.source);
  if (pairs.types.empty() && relation.isTyped)
    fail("the model reads the types of the pairs `" + relation.name + "`, which have none in " + dataset.source);
  OracleGraph &graph = bindings.relations.emplace_back();
  graph.src = pairs.src;
  graph.dst = pairs.dst;
  graph.types = pairs.types;
  graph.numTypes = dataset.numEdgeTypes;
  bindDim(relation.types, dataset.numEdgeTypes);
}

//===----------------------------------------------------------------------===//
// Inputs and targets
//===----------------------------------------------------------------------===//

/// Name of the vertex type or relation that has a value of `input` for each of its own.
std::string DataBinder::ownerOf(const Input &input) const {
  if (input.sparse)
    return model.vertexTypes[model.relations[input.relation].destinationType].name;
  return input.type.kind == GraphKind::E ? model.relations[input.type.type].name
                                         : model.vertexTypes[input.type.type].name;
}

/// What the data calls the input `name` of `owner`: with or without the owner.
template <class Features>
static std::string featureName(const Features &features, const std::string &name, const std::string &owner) {
  const std::string prefix = owner + ".";
  if (features.count(prefix + name))
    return prefix + name;
  const bool isPlain =
      !features.count(name) && name.rfind(prefix, 0) == 0 && features.count(name.substr(prefix.size()));
  return isPlain ? name.substr(prefix.size()) : name;
}

bool DataBinder::isOfPairs(const Input &input) const {
  return input.type.kind == GraphKind::E && model.relations[input.type.type].isPairs &&
         !edgeTable(model.relations[input.type.type]);
}

bool DataBinder::isLabels(const Input &input, const std::string &feature) const {
  const bool isOfLabelled = dataset.labels && input.isTarget && input.type.kind == GraphKind::V &&
                            (vertexTables.size() == 1 || model.vertexTypes[input.type.type].name == dataset.labelled);
  return isOfLabelled && !dataset.vertexFeatures.count(feature);
}

void DataBinder::bindSparseInput(const Input &input) {
  const std::string feature = featureName(dataset.vertexFeatures, input.name, ownerOf(input));
  const SparseMatrix matrix = dataset.sparseVertexFeature(feature);
  OracleGraph &incidence = bindings.relations[input.relation];
  incidence.src.assign(matrix.indices().begin(), matrix.indices().end());
  for (int64_t vertex = 0; vertex < matrix.rows(); ++vertex)
    incidence.dst.insert(incidence.dst.end(), matrix.indptr()[vertex + 1] - matrix.indptr()[vertex], vertex);
  bindings.inputs[input.name] = toDoubles(matrix.values());
  const DimExpr &columns = model.vertexTypes[model.relations[input.relation].sourceType].rows;
  bindDim(columns, matrix.columns());
  const std::optional<int64_t> wanted = evaluateDim(model, bindings, columns);
  if (wanted && *wanted != matrix.columns())
    fail("`" + input.name + "` has " + std::to_string(matrix.columns()) + " columns, expected " +
         std::to_string(*wanted));
}

void DataBinder::bindDenseInput(const Input &input) {
  if (isOfPairs(input)) {
    if (!input.isTarget)
      fail(dataset.source + " has no features of the pairs, `" + input.name + "`");
    bindings.inputs[input.name].assign(bindings.relations[input.type.type].src.size(), 1.0);
    return;
  }
  const bool ofEdges = input.type.kind == GraphKind::E;
  const std::string feature = ofEdges ? featureName(dataset.edgeFeatures, input.name, ownerOf(input))
                                      : featureName(dataset.vertexFeatures, input.name, ownerOf(input));
  const Tensor table = isLabels(input, feature) ? dataset.labels
                       : ofEdges                ? dataset.edgeFeature(feature)
                                                : dataset.denseVertexFeature(feature);
  int64_t rowSize = 1;
  for (size_t i = 1; i < table.rank(); ++i)
    rowSize *= table.dim(i);
  for (size_t i = 0; i < input.type.shape.size() && i + 1 < table.rank(); ++i)
    bindDim(input.type.shape[i], table.dim(i + 1));
  std::vector<double> numbers = toDoubles(table);
  bindings.inputs[input.name] = ofEdges ? extendEdges(bindings.relations[input.type.type], numbers, rowSize) : numbers;
}

/// The classes of the data are those of the logits.
void DataBinder::bindClasses() {
  for (const Value &value : model.values)
    if (value.kind == ValueKind::CrossEntropy && dataset.numClasses > 0)
      bindDim(model.values[value.operands[0]].type.shape[0], dataset.numClasses);
}

/// Of a loss of vertices: the vertices of the split, or all that have a label.
void DataBinder::bindMask() {
  if (model.loss < 0 || model.values[model.loss].type.kind != GraphKind::V)
    return;
  const unsigned type = model.values[model.loss].type.type;
  if (!split.empty()) {
    if (vertexTables.size() > 1 && model.vertexTypes[type].name != dataset.labelled)
      fail("the loss is of `" + model.vertexTypes[type].name + "`, the splits of " + dataset.source + " of `" +
           dataset.labelled + "`");
    bindings.mask.assign(bindings.numVertices[type], 0.0);
    for (int64_t vertex : dataset.split(split).values<int64_t>())
      bindings.mask[vertex] = 1;
  } else if (model.values[model.loss].kind == ValueKind::CrossEntropy) {
    const Value &target = model.values[model.values[model.loss].operands[1]];
    for (double label : bindings.inputs.at(target.name))
      bindings.mask.push_back(label >= 0);
  }
}

void bindData(const CheckedModel &model, const Dataset &dataset, const std::string &split, OracleBindings &bindings) {
  DataBinder(model, dataset, split, bindings).run();
}

void drawMissingParameters(const CheckedModel &model, uint64_t seed, OracleBindings &bindings) {
  std::mt19937_64 engine(seed);
  for (const Parameter &param : model.params) {
    int64_t size = 1;
    for (const DimExpr &dim : param.shape) {
      const std::optional<int64_t> extent = evaluateDim(model, bindings, dim);
      if (!extent)
        fail("dimension '" + dim.str() + "' is not bound: give it with -D");
      size *= *extent;
    }
    std::vector<double> numbers(size);
    for (double &x : numbers)
      x = double(engine() >> 11) * 0x1p-53 - 0.5;
    bindings.params.insert({param.name, numbers});
  }
}

} // namespace gnnc::interp
