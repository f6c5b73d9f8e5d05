//===- Dims.cpp - Values of a library's dimensions ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/Dims.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Tensor.h"

namespace gnn::rt {

Dims::Dims(std::shared_ptr<const Library> opened) : library(std::move(opened)) {
  const gnn_library_t &table = library->table();
  values.assign(table.num_dims, -1);
  origins.resize(table.num_dims);
  findGraphDims();
  for (uint32_t i = 0; i < table.num_dims; ++i)
    if (table.dims[i].fixed >= 0) {
      values[i] = table.dims[i].fixed;
      origins[i] = "compiled into " + library->path();
    }
}

/// Numbers of vertices, but of those that have parameters: a model has as many rows as it has learned.
void Dims::findGraphDims() {
  const gnn_library_t &table = library->table();
  ofGraph.assign(table.num_dims, false);
  for (uint32_t t = 0; t < table.num_vertex_types; ++t)
    if (const gnn_vertex_type_t &type = table.vertex_types[t]; !type.is_table && type.rows >= 0)
      if (auto dim = singleDim(uint32_t(type.rows)))
        ofGraph[*dim] = true;
  for (const gnn_tensor_info_t &info : library->tensors())
    for (uint32_t d = 0; d < info.rank && (info.role == GNN_ROLE_PARAM || info.role == GNN_ROLE_STATE); ++d)
      if (auto dim = singleDim(info.shape[d]))
        ofGraph[*dim] = false;
}

bool Dims::isOfGraph(uint32_t extent) const {
  auto dim = singleDim(extent);
  return dim && ofGraph[*dim];
}

uint32_t Dims::indexOf(const std::string &name, const std::string &origin) const {
  if (auto dim = library->findDim(name); dim && !ofGraph[*dim])
    return *dim;
  std::string known;
  for (uint32_t i = 0; i < values.size(); ++i)
    if (!ofGraph[i])
      known += (known.empty() ? "" : ", ") + std::string(library->table().dims[i].name);
  fail(GNN_ERROR_ARGUMENT, origin, ": ", library->name(), " has no dimension '", name, "'; it has ", known);
}

void Dims::bind(const std::string &name, int64_t value, const std::string &origin) {
  bindIndex(indexOf(name, origin), value, origin);
}

int64_t Dims::value(const std::string &name) const {
  int64_t known = values[indexOf(name, "dimension asked for")];
  require(known >= 0, GNN_ERROR_MISMATCH, "dimension '", name, "' of ", library->name(), " is still open");
  return known;
}

void Dims::bindIndex(uint32_t dim, int64_t value, const std::string &origin) {
  const char *name = library->table().dims[dim].name;
  require(value >= 0, GNN_ERROR_ARGUMENT, origin, ": dimension '", name, "' cannot be ", value);
  if (values[dim] == value)
    return;
  require(values[dim] < 0, GNN_ERROR_MISMATCH, "dimension '", name, "' is ", values[dim], " (", origins[dim],
          ") but also ", value, " (", origin, ")");
  require(!finished(), GNN_ERROR_ARGUMENT, origin, ": the dimensions are already in use");
  origins[dim] = origin;
  values[dim] = value;
}

std::optional<uint32_t> Dims::singleDim(uint32_t extent) const {
  const gnn_extent_t &e = library->table().extents[extent];
  if (e.num_terms == 1 && e.terms[0].coefficient == 1 && e.terms[0].num_factors == 1)
    return e.terms[0].factors[0];
  return std::nullopt;
}

std::optional<int64_t> Dims::known(uint32_t extent) const {
  if (finished() && extentValues[extent] >= 0)
    return extentValues[extent];
  if (!isKnown(extent))
    return std::nullopt;
  const int64_t value = evaluate(extent);
  return value >= 0 ? std::optional(value) : std::nullopt; // finish() refuses the others
}

std::optional<int64_t> Dims::fallback(uint32_t extent) const {
  auto dim = singleDim(extent);
  if (!dim || library->table().dims[*dim].fallback < 0)
    return std::nullopt;
  return library->table().dims[*dim].fallback;
}

void Dims::bindExtent(uint32_t extent, int64_t value, const std::string &origin) {
  if (auto dim = singleDim(extent))
    return bindIndex(*dim, value, origin);
  Fact fact{extent, value, origin};
  if (finished())
    return checkFact(fact);
  facts.push_back(fact);
}

void Dims::finish() {
  if (finished())
    return;
  Dims whole = *this;
  whole.fillIn();
  *this = std::move(whole);
}

void Dims::fillIn() {
  for (uint32_t i = 0; i < values.size(); ++i) {
    const gnn_dim_t &dim = library->table().dims[i];
    if (values[i] >= 0 || ofGraph[i])
      continue;
    if (dim.fallback < 0)
      fail(GNN_ERROR_MISMATCH, "dimension '", dim.name, "' of ", library->name(),
           " is open and nothing gives it a value; known are ", describe());
    values[i] = dim.fallback;
    origins[i] = "default of " + library->name();
  }
  evaluateAll();
  for (const Fact &fact : facts)
    checkFact(fact);
}

void Dims::evaluateAll() {
  std::vector<int64_t> result(library->table().num_extents, -1);
  for (uint32_t i = 0; i < result.size(); ++i) {
    if (!isKnown(i))
      continue;
    result[i] = evaluate(i);
    if (result[i] < 0)
      fail(GNN_ERROR_MISMATCH, library->name(), " needs ", spell(i), " to be no less than 0; known are ", describe());
  }
  extentValues = std::move(result);
}

Dims Dims::over(const std::vector<int64_t> &vertices, const std::string &origin) const {
  Dims result = *this;
  for (uint32_t t = 0; t < library->table().num_vertex_types; ++t) {
    const gnn_vertex_type_t &type = library->table().vertex_types[t];
    if (type.rows < 0 || !isOfGraph(uint32_t(type.rows)))
      continue;
    const uint32_t dim = *singleDim(uint32_t(type.rows));
    result.values[dim] = vertices[t];
    result.origins[dim] = std::string("vertices of type ") + type.name + " in " + origin;
  }
  result.evaluateAll();
  return result;
}

bool Dims::isKnown(uint32_t extent) const {
  const gnn_extent_t &e = library->table().extents[extent];
  for (uint32_t t = 0; t < e.num_terms; ++t)
    for (uint32_t f = 0; f < e.terms[t].num_factors; ++f)
      if (values[e.terms[t].factors[f]] < 0)
        return false;
  return true;
}

int64_t Dims::evaluate(uint32_t extent) const {
  const gnn_extent_t &e = library->table().extents[extent];
  int64_t sum = 0;
  bool overflow = false;
  for (uint32_t t = 0; t < e.num_terms; ++t) {
    int64_t product = e.terms[t].coefficient;
    for (uint32_t f = 0; f < e.terms[t].num_factors; ++f)
      overflow |= __builtin_mul_overflow(product, values[e.terms[t].factors[f]], &product);
    overflow |= __builtin_add_overflow(sum, product, &sum);
  }
  if (overflow)
    fail(GNN_ERROR_MISMATCH, "the extent ", spell(extent), " of ", library->name(), " is too large with ", describe());
  return sum;
}

void Dims::checkFact(const Fact &fact) const {
  if (extentValues[fact.extent] != fact.value)
    fail(GNN_ERROR_MISMATCH, fact.origin, " is ", fact.value, ", but ", library->name(), " needs ", spell(fact.extent),
         " = ", extentValues[fact.extent], "; known are ", describe());
}

std::string Dims::spell(uint32_t extent) const {
  const gnn_extent_t &e = library->table().extents[extent];
  std::string text;
  for (uint32_t t = 0; t < e.num_terms; ++t) {
    text += t ? " + " : "";
    if (e.terms[t].coefficient != 1 || e.terms[t].num_factors == 0)
      text += std::to_string(e.terms[t].coefficient) + (e.terms[t].num_factors ? " * " : "");
    for (uint32_t f = 0; f < e.terms[t].num_factors; ++f)
      text += (f ? " * " : "") + std::string(library->table().dims[e.terms[t].factors[f]].name);
  }
  return text.empty() ? "0" : text;
}

std::vector<int64_t> Dims::shapeOf(const gnn_tensor_info_t &tensor) const {
  std::vector<int64_t> shape(tensor.rank);
  for (uint32_t d = 0; d < tensor.rank; ++d)
    shape[d] = extentValues[tensor.shape[d]];
  return shape;
}

std::vector<int64_t> Dims::shapeOf(const gnn_tensor_info_t &tensor, int64_t rows) const {
  std::vector<int64_t> shape = shapeOf(tensor);
  if (tensor.domain != GNN_DOMAIN_PARAM)
    shape.insert(shape.begin(), rows);
  return shape;
}

int64_t Dims::rowElements(const gnn_tensor_info_t &tensor) const {
  int64_t product = 1;
  for (int64_t extent : shapeOf(tensor))
    if (__builtin_mul_overflow(product, extent, &product))
      fail(GNN_ERROR_MISMATCH, tensor.name, " is too large with ", describe());
  return product;
}

size_t Dims::rowBytes(const gnn_tensor_info_t &tensor) const {
  int64_t elements = rowElements(tensor);
  if (tensor.element != GNN_BITS)
    return size_t(elements) * elementBytes(tensor.element);
  constexpr int64_t unitBits = 16, unitBytes = 2;
  int64_t run = extentValues[tensor.shape[tensor.rank - 1]];
  return run == 0 ? 0 : size_t(elements / run * ((run + unitBits - 1) / unitBits) * unitBytes);
}

std::string Dims::describe() const {
  std::string text;
  for (uint32_t i = 0; i < values.size(); ++i)
    if (values[i] >= 0)
      text += (text.empty() ? "" : ", ") + std::string(library->table().dims[i].name) + " = " +
              std::to_string(values[i]) + " (" + origins[i] + ")";
  return text.empty() ? "none" : text;
}

} // namespace gnn::rt
