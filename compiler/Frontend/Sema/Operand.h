//===- Operand.h - Results of expressions -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand is the result of evaluating an expression: a number, or a value of the model with its shape and, for a
// field of edges, the edges that it has a value for.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_FRONTEND_SEMA_OPERAND_H
#define GNNC_FRONTEND_SEMA_OPERAND_H

#include "compiler/Frontend/CheckedModel.h"
#include <optional>

namespace gnnc {

/// The edges that an edge field has a value for (law 3).
struct EdgeSet {
  unsigned relation = 0;
  std::optional<End> toward;    // the end that groups the edges; none: any (inputs of edges, results of edge bodies)
  Loops loops = Loops::Given;   // among the edges
  std::vector<unsigned> filter; // structural numbers of the conditions, sorted
  std::optional<unsigned> filterValue; // their conjunction, an edge value
  std::optional<DimExpr> byType;       // `e.type == r`: the dimension of r; aggregations give a row for each edge type
  std::string spelling;                // `u -> v if e.weight > 0`
  llvm::SMRange range;
};

/// The result of evaluating an expression.
struct Operand {
  enum class Tag {
    Error,  // reported already: whatever uses it stays silent
    Number, // a number that is known when the model is compiled
    Truth,  // the same of true and false
    Field,  // `id`, of any graph kind
    Sparse, // a sparse input, maybe scaled: `id` is the E value of its nonzeros
  };
  Tag tag = Tag::Error;
  double number = 0;
  bool isInteger = false;
  bool truth = false;
  unsigned id = 0;
  Shape shape;                     // in the dimension names of the current frame
  std::vector<std::string> labels; // of a layer's result: what the layer calls the dimensions of `shape`
  const EdgeSet *edges = nullptr;  // Field of kind S, D, E
  std::optional<double> uniform;   // of what stands for a value that is left out: each of its elements
  llvm::SMRange range;
  llvm::SMRange origin; // where the name that it was read by is defined

  bool isError() const { return tag == Tag::Error; }
  bool isNumber() const { return tag == Tag::Number; }
  bool isTruth() const { return tag == Tag::Truth; }
  bool isConstant() const { return isNumber() || isTruth(); }
  bool isField() const { return tag == Tag::Field; }
  bool isSparse() const { return tag == Tag::Sparse; }
  /// True if this is the constant that an input of edges is where a call leaves it out.
  bool isLeftOut() const { return edges && uniform; }
};

bool isFloat(ElementKind element);
bool isInteger(ElementKind element);
Operand fieldOperand(unsigned id, Shape shape, const EdgeSet *edges, llvm::SMRange range);
Operand numberOperand(double number, bool isInteger, llvm::SMRange range);
Operand truthOperand(bool truth, llvm::SMRange range);

} // namespace gnnc

#endif // GNNC_FRONTEND_SEMA_OPERAND_H
