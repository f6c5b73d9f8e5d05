//===- Context.h - A model bound to data ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of a model and its bindings that both evaluation and differentiation read: extents, and the edges of each
// row in canonical order.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_INTERPRETER_CONTEXT_H
#define GNNC_INTERPRETER_CONTEXT_H

#include "compiler/Interpreter/Interpreter.h"
#include <array>
#include <optional>

namespace gnnc {

/// Value of a dimension, if every name in it is bound: by `bindings`, by -D or by its default.
std::optional<int64_t> evaluateDim(const CheckedModel &model, const OracleBindings &bindings, const DimExpr &dim);

/// The mixer that random numbers are made of (docs/dev/abi.md, "Random numbers").
uint64_t mix64(uint64_t z);

class OracleContext {
public:
  OracleContext(const CheckedModel &model, const OracleBindings &bindings);

  const CheckedModel &model;
  const OracleBindings &bindings;

  /// A field of zeros with the rows and shape of `type`.
  OracleField zeros(const ValueType &type) const;
  int64_t numVertices(unsigned vertexType) const;
  const OracleGraph &relation(unsigned index) const { return bindings.relations[index]; }

  /// Moves the numbers of value `index`, or of its gradient, by what rounding costs according to `bindings.rounding`.
  /// The error of each number is relative to its magnitude, or to that in `magnitudes`.
  void round(size_t index, bool isGradient, std::vector<double> &numbers,
             const std::vector<double> *magnitudes = nullptr) const;
  /// The factor by which the mean of element `element` of row `row` is rounded where a gradient computes it anew.
  double roundingOfMean(int64_t row, int64_t element) const;

  /// The type of an edge, or -1 if it has none in [0, types). Any type is one where the model does not say how many.
  int64_t edgeType(unsigned relation, int64_t edge) const;

  /// The vertices that `total`, a value of the model, goes over, of `count` vertices of its type.
  std::vector<int64_t> verticesOf(const Value &total, int64_t count) const;

  /// Ids of the edges that every row of a relation is seen with, rows being the vertices at `end`: by the vertex at the
  /// other end, then by id.
  using EdgeRows = std::vector<std::vector<int64_t>>;
  const EdgeRows &rows(unsigned relation, End end) const { return edgeRows[relation][end == End::Source]; }

private:
  std::vector<std::array<EdgeRows, 2>> edgeRows;
};

/// Whether edge `edge` takes part: true unless the value is filtered and its filter is false there.
bool passesFilter(const Value &value, const OracleValues &values, int64_t edge);

/// The row of a table of `count` rows that element 0 of row `row` of an index field names, or none.
std::optional<int64_t> indexAt(const OracleField &index, int64_t row, int64_t count);

/// For each element of a row of the result of a `Broadcast`, the operand's element that it repeats.
std::vector<int64_t> broadcastSources(const Value &value, const OracleField &operand, const OracleField &result);

/// For each element of a row of the result of a `Transpose` of `operand`, the operand's element that it is.
std::vector<int64_t> transposeSources(const Value &value, const OracleField &operand);

/// A shape seen from dimension `dim`: [outer, extent, inner].
struct Around {
  int64_t outer = 1, extent = 1, inner = 1;
};
Around around(const std::vector<int64_t> &shape, unsigned dim);

/// The mask of a `DropoutMask`, by the integer arithmetic of docs/dev/abi.md, "Random numbers".
OracleField drawDropoutMask(const OracleContext &context, const Value &value);

/// The dimension a `Reduce`, or the edges an `Aggregate`, of kind Max or Min selects: true if `candidate` beats `best`.
/// NaN beats every number.
bool beats(Reduction reduction, double candidate, double best);

} // namespace gnnc

#endif // GNNC_INTERPRETER_CONTEXT_H
