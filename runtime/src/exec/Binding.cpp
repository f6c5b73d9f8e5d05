//===- Binding.cpp - A library's data over one graph ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Binding.h"

#include "runtime/src/core/Guard.h"

#include <cstring>

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

const Feature &find(const Library &library, const Features &features, const std::string &name, const char *role,
                    const std::string &where) {
  auto found = features.find(name);
  if (found != features.end())
    return found->second;
  std::string known;
  for (const auto &feature : features)
    known += (known.empty() ? "" : ", ") + feature.first;
  fail(GNN_ERROR_MISMATCH, library.name(), " reads the ", role, " '", name, "', which ", where,
       " does not have; it has ", known.empty() ? "none" : known);
}

std::vector<int64_t> widthOf(const Feature &feature) {
  if (feature.sparse)
    return {feature.sparse->columns()};
  return {feature.dense.shape().begin() + (feature.dense.rank() ? 1 : 0), feature.dense.shape().end()};
}

} // namespace

void bindDims(Dims &dims, const Library &library, const Features &features, const std::string &where) {
  for (const gnn_tensor_info_t &info : library.tensors()) {
    bool isSparse = info.role == GNN_ROLE_WEIGHTS;
    if (!isSparse && info.role != GNN_ROLE_INPUT && info.role != GNN_ROLE_TARGET)
      continue;
    std::string name = isSparse ? library.table().relations[info.source].name : info.name;
    if (info.role == GNN_ROLE_TARGET && !features.count(name))
      continue;
    std::vector<int64_t> width = widthOf(find(library, features, name, isSparse ? "sparse input" : "input", where));
    std::string origin = "width of " + name + " in " + where;
    if (isSparse) {
      int32_t columns = library.table().vertex_types[library.table().relations[info.source].source_type].rows;
      if (width.size() == 1 && columns >= 0)
        dims.bindExtent(uint32_t(columns), width[0], origin);
      continue;
    }
    require(width.size() == info.rank, GNN_ERROR_MISMATCH, name, " in ", where, " has rows of shape ", shapeText(width),
            ", but ", library.name(), " reads ", info.rank, " dimensions a row");
    for (uint32_t d = 0; d < info.rank; ++d)
      dims.bindExtent(info.shape[d], width[d], origin);
  }
}

Binding::Binding(std::shared_ptr<const Library> opened, const Dims &finished, std::shared_ptr<const Graph> graph,
                 const Features &features, bool withTargets, const std::string &where)
    : library(std::move(opened)), dims(finished), origin(where) {
  const gnn_library_t &table = library->table();
  uint32_t transforms = 0;
  for (uint32_t r = 0; r < table.num_relations; ++r)
    if (table.relations[r].kind == GNN_RELATION_EDGES)
      transforms |= table.relations[r].transforms;
  transformed = Graph::transformed(std::move(graph), transforms);
  vertexRows.resize(table.num_vertex_types);
  for (uint32_t t = 0; t < table.num_vertex_types; ++t)
    vertexRows[t] = table.vertex_types[t].is_table ? dims.extents()[size_t(table.vertex_types[t].rows)]
                                                   : transformed->numVertices();
  prepareRelations(features);
  rowSizes.resize(table.num_tensors);
  bound.resize(table.num_tensors);
  for (uint32_t i = 0; i < table.num_tensors; ++i) {
    rowSizes[i] = size_t(dims.rowElements(table.tensors[i])) * elementBytes(table.tensors[i].element);
    bindTensor(i, features, withTargets);
  }
}

void Binding::prepareRelations(const Features &features) {
  const gnn_library_t &table = library->table();
  for (uint32_t r = 0; r < table.num_relations; ++r) {
    const gnn_relation_t &relation = table.relations[r];
    if (relation.kind != GNN_RELATION_SPARSE_INPUT) {
      relations.push_back(&transformed->relation());
      continue;
    }
    const Feature &feature = find(*library, features, relation.name, "sparse input", origin);
    SparseMatrix matrix = feature.sparse ? *feature.sparse : SparseMatrix::fromDense(feature.dense, relation.name);
    require(matrix.rows() == vertexRows[relation.destination_type] &&
                matrix.columns() == vertexRows[relation.source_type],
            GNN_ERROR_MISMATCH, relation.name, " in ", origin, " has shape ",
            shapeText({matrix.rows(), matrix.columns()}), ", but ", library->name(), " over this graph needs ",
            shapeText({vertexRows[relation.destination_type], vertexRows[relation.source_type]}));
    sparseRelations.push_back(std::make_unique<Relation>(matrix.relation(transformed->order())));
    relations.push_back(sparseRelations.back().get());
    sparseInputs.emplace(r, std::move(matrix));
  }
}

void Binding::bindTensor(uint32_t index, const Features &features, bool withTargets) {
  const gnn_tensor_info_t &info = library->tensor(index);
  switch (info.role) {
  case GNN_ROLE_TARGET:
    if (withTargets)
      bound[index] = denseTable(info, find(*library, features, info.name, "target", origin));
    return;
  case GNN_ROLE_INPUT:
    bound[index] = denseTable(info, find(*library, features, info.name, "input", origin));
    return;
  case GNN_ROLE_WEIGHTS: {
    const SparseMatrix &matrix = sparseInputs.at(uint32_t(info.source));
    bool normalize = info.flags & GNN_INPUT_ROW_NORMALIZED;
    bound[index] = (normalize ? matrix.rowNormalized() : matrix).convertedTo(info.element).values();
    return;
  }
  case GNN_ROLE_DEGREE_IN:
  case GNN_ROLE_DEGREE_OUT:
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

Tensor Binding::denseTable(const gnn_tensor_info_t &info, const Feature &feature) const {
  Tensor table = feature.sparse ? feature.sparse->toDense() : feature.dense;
  if (info.domain == GNN_DOMAIN_EDGE && info.type == 0)
    table = transformed->extendEdgeTable(table, info.name);
  std::vector<int64_t> expected = dims.shapeOf(info);
  if (info.domain != GNN_DOMAIN_PARAM)
    expected.insert(expected.begin(), leadingExtent(info));
  require(table.shape() == expected, GNN_ERROR_MISMATCH, info.name, " in ", origin, " has shape ",
          shapeText(table.shape()), ", but ", library->name(), " over this graph needs ", shapeText(expected), " with ",
          dims.describe());
  if (table.element() != info.element)
    table = table.converted(info.element, std::string(info.name) + " in " + origin);
  if (info.flags & GNN_INPUT_ROW_NORMALIZED)
    table = rowNormalized(table);
  return inLocalOrder(info, table);
}

Tensor Binding::degrees(const gnn_tensor_info_t &info) const {
  const Csr &csr =
      relation(uint32_t(info.source)).csr(info.role == GNN_ROLE_DEGREE_IN ? GNN_TO_DESTINATION : GNN_TO_SOURCE);
  Tensor result = Tensor::empty(GNN_I64, {csr.numRows()});
  for (int64_t row = 0; row < csr.numRows(); ++row)
    result.mutableData<int64_t>()[row] = csr.degree(row);
  return info.element == GNN_I64 ? result : result.converted(info.element, info.name);
}

void Binding::rebind(uint32_t tensor, const Feature &feature) {
  bound[tensor] = denseTable(library->tensor(tensor), feature);
}

void Binding::setLossVertices(Span<const int64_t> vertices) {
  for (uint32_t i = 0; i < bound.size(); ++i) {
    const gnn_tensor_info_t &info = library->tensor(i);
    if (info.role == GNN_ROLE_SCALE) {
      double scale = vertices.size() ? 1.0 / double(vertices.size()) : 0.0;
      if (info.element == GNN_F64)
        *bound[i].mutableData<double>() = scale;
      else
        *bound[i].mutableData<float>() = float(scale);
    }
    if (info.role != GNN_ROLE_MASK)
      continue;
    std::vector<double> mask(size_t(leadingExtent(info)), 0.0);
    for (int64_t vertex : vertices) {
      require(vertex >= 0 && vertex < int64_t(mask.size()), GNN_ERROR_DATA, "vertex ", vertex, " in a split of ",
              origin, " is outside 0..", int64_t(mask.size()) - 1);
      mask[size_t(vertex)] += 1.0;
    }
    Tensor table = Tensor::of(mask);
    bound[i] = inLocalOrder(info, info.element == GNN_F64 ? table : table.converted(info.element, info.name));
  }
}

const VertexOrder *Binding::order(uint32_t vertexType) const {
  return library->table().vertex_types[vertexType].is_table ? nullptr : transformed->order().get();
}

int64_t Binding::leadingExtent(const gnn_tensor_info_t &tensor) const {
  if (tensor.domain == GNN_DOMAIN_VERTEX)
    return vertexRows[tensor.type];
  return tensor.domain == GNN_DOMAIN_EDGE ? relation(tensor.type).numEdgeIds() : 1;
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

} // namespace gnn::rt
