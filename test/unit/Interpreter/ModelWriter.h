//===- ModelWriter.h - Checked models by hand -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the few values that a test of the oracle is about, without a source text.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_UNIT_INTERPRETER_MODELWRITER_H
#define GNNC_TEST_UNIT_INTERPRETER_MODELWRITER_H

#include "compiler/Interpreter/Interpreter.h"
#include <algorithm>
#include <utility>

namespace gnnc::test {

class ModelWriter {
public:
  ModelWriter() {
    model.vertexTypes.resize(1);
    model.vertexTypes[0].name = "vertex";
    model.relations.resize(1);
    model.relations[0].name = "edges";
  }

  CheckedModel model;

  unsigned add(ValueKind kind, ValueType type, std::vector<unsigned> operands = {}) {
    Value value{};
    value.kind = kind;
    value.type = std::move(type);
    value.operands = std::move(operands);
    model.values.push_back(value);
    return model.values.size() - 1;
  }
  Value &last() { return model.values.back(); }
  const ValueType &type(unsigned id) const { return model.values[id].type; }

  unsigned named(ValueKind kind, std::string name, GraphKind graphKind, Shape shape,
                 ElementKind element = ElementKind::Real) {
    unsigned id = add(kind, {graphKind, 0, std::move(shape), element});
    last().name = std::move(name);
    return id;
  }
  unsigned input(std::string name, Shape shape, GraphKind kind = GraphKind::V) {
    return named(ValueKind::Input, std::move(name), kind, std::move(shape));
  }
  unsigned param(std::string name, Shape shape) {
    return named(ValueKind::Param, std::move(name), GraphKind::P, std::move(shape));
  }
  unsigned constant(double number, Shape shape = {}) {
    unsigned id = add(ValueKind::Constant, {GraphKind::P, 0, std::move(shape), ElementKind::Real});
    last().number = number;
    return id;
  }

  unsigned unary(ValueKind kind, unsigned x) { return add(kind, type(x), {x}); }
  unsigned binary(ValueKind kind, unsigned x, unsigned y, ElementKind element = ElementKind::Real) {
    ValueType result = type(x);
    result.kind = join(type(x).kind, type(y).kind);
    result.element = element;
    return add(kind, result, {x, y});
  }
  unsigned compare(ValueKind kind, unsigned x, unsigned y) { return binary(kind, x, y, ElementKind::Bool); }
  unsigned reshaped(ValueKind kind, std::vector<unsigned> operands, Shape shape, std::vector<unsigned> dims = {}) {
    ValueType result = type(operands[0]);
    for (unsigned operand : operands)
      result.kind = join(result.kind, type(operand).kind);
    result.shape = std::move(shape);
    unsigned id = add(kind, result, std::move(operands));
    last().dims = std::move(dims);
    return id;
  }
  unsigned reduce(Reduction reduction, unsigned x, unsigned dim) {
    Shape shape = type(x).shape;
    shape.erase(shape.begin() + dim);
    unsigned id = reshaped(ValueKind::Reduce, {x}, shape, {dim});
    last().reduction = reduction;
    return id;
  }

  unsigned source(unsigned x, unsigned relation = 0) { return read(ValueKind::ReadSource, GraphKind::S, x, relation); }
  unsigned destination(unsigned x, unsigned relation = 0) {
    return read(ValueKind::ReadDestination, GraphKind::D, x, relation);
  }
  unsigned aggregate(Reduction reduction, std::vector<unsigned> operands, End toward = End::Destination,
                     unsigned relation = 0) {
    ValueType result;
    if (reduction != Reduction::Count)
      result = type(operands[0]);
    result.kind = GraphKind::V;
    result.type =
        toward == End::Destination ? model.relations[relation].destinationType : model.relations[relation].sourceType;
    unsigned id = add(ValueKind::Aggregate, result, operands);
    last().reduction = reduction;
    last().relation = relation;
    last().toward = toward;
    last().filtered = operands.size() == (reduction == Reduction::Count ? 1 : 2);
    return id;
  }
  unsigned softmax(std::vector<unsigned> operands, End toward = End::Destination) {
    ValueType result = type(operands[0]);
    result.kind = GraphKind::E;
    unsigned id = add(ValueKind::Softmax, result, operands);
    last().toward = toward;
    last().filtered = operands.size() == 2;
    return id;
  }

  /// One more vertex type.
  unsigned vertexType(std::string name) {
    model.vertexTypes.emplace_back();
    model.vertexTypes.back().name = std::move(name);
    return model.vertexTypes.size() - 1;
  }
  /// The columns of a sparse input.
  unsigned columns(std::string name, DimExpr count) {
    unsigned id = vertexType(std::move(name));
    model.vertexTypes[id].isColumns = true;
    model.vertexTypes[id].rows = count;
    return id;
  }
  unsigned relation(std::string name, unsigned sourceType, unsigned destinationType, DimExpr types = DimExpr(0)) {
    model.relations.emplace_back();
    model.relations.back().name = std::move(name);
    model.relations.back().sourceType = sourceType;
    model.relations.back().destinationType = destinationType;
    model.relations.back().types = types;
    return model.relations.size() - 1;
  }
  unsigned sparseRelation(std::string name, DimExpr columnCount) {
    unsigned id = relation(name, columns(name, columnCount), 0);
    model.relations[id].isSparseInput = true;
    return id;
  }
  unsigned edgeType(unsigned relation = 0) {
    unsigned id = add(ValueKind::EdgeType, {GraphKind::E, relation, {}, ElementKind::I32});
    last().relation = relation;
    return id;
  }
  /// The aggregation of the same, for each edge type of its relation.
  unsigned aggregateByType(Reduction reduction, std::vector<unsigned> operands, End toward = End::Destination) {
    unsigned id = aggregate(reduction, std::move(operands), toward);
    last().type.shape.insert(last().type.shape.begin(), model.relations[0].types);
    last().byType = true;
    return id;
  }
  unsigned total(Reduction reduction, unsigned x) {
    ValueType result = type(x);
    result.kind = GraphKind::P;
    unsigned id = add(ValueKind::Total, result, {x});
    last().reduction = reduction;
    return id;
  }
  unsigned index(unsigned table, unsigned i) {
    Shape shape = type(table).shape;
    shape.erase(shape.begin());
    return reshaped(ValueKind::Index, {table, i}, shape);
  }

  void output(std::string name, unsigned value) { model.outputs.push_back({std::move(name), value, ""}); }
  /// sum over everything of value * value, as outputs so that each element has a gradient of its own.
  void outputSquares(unsigned value) { output("squares", binary(ValueKind::Mul, value, value)); }

private:
  static GraphKind join(GraphKind a, GraphKind b) {
    if (a == b || b == GraphKind::P)
      return a;
    return a == GraphKind::P ? b : GraphKind::E;
  }
  unsigned read(ValueKind kind, GraphKind graphKind, unsigned x, unsigned relation) {
    ValueType result = type(x);
    result.kind = graphKind;
    result.type = relation;
    unsigned id = add(kind, result, {x});
    last().relation = relation;
    return id;
  }
};

inline OracleGraph graphOf(std::vector<int64_t> src, std::vector<int64_t> dst) {
  OracleGraph graph;
  graph.src = std::move(src);
  graph.dst = std::move(dst);
  return graph;
}

/// Edges 0 -> 1, 2 -> 1, 1 -> 0, 2 -> 1 (twice), 3 -> 3; nothing enters 2, nothing leaves 0 but to 1, 4 is isolated.
inline OracleBindings smallGraph() {
  OracleBindings bindings;
  bindings.numVertices = {5};
  bindings.relations = {graphOf({0, 2, 1, 2, 3}, {1, 1, 0, 1, 3})};
  return bindings;
}

/// Numbers without a pattern, in (-1, 1), none near 0.
inline std::vector<double> numbers(size_t count, uint64_t seed = 1) {
  std::vector<double> result;
  for (uint64_t i = 0; i < count; ++i) {
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15 + seed * 0xd1342543de82ef95;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9;
    double unit = double(x >> 11) / 9007199254740992.0;
    result.push_back(x >> 7 & 1 ? 0.05 + 0.9 * unit : -0.05 - 0.9 * unit);
  }
  return result;
}

} // namespace gnnc::test

#endif // GNNC_TEST_UNIT_INTERPRETER_MODELWRITER_H
