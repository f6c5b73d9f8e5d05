//===- ElementFacts.h - Facts about elementwise ops -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every elementwise op states these facts in its definition (Gnn_Facts in GnnOpBase.td).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_IR_ELEMENTFACTS_H
#define GNNC_DIALECTS_GNN_IR_ELEMENTFACTS_H

#include <cstdint>

namespace mlir {
class Operation;
} // namespace mlir

namespace gnnc::gnn {

/// The time that one element takes.
enum class ElementCost {
  Simple,         ///< an instruction or two
  Division,       ///< an instruction that takes as long as several
  SquareRoot,     ///< a square root: an instruction that takes as long as many
  Transcendental, ///< some forty instructions, or a call of libm
};

/// The sign of a result.
enum class ElementSign {
  Any,
  NotNegative,
  OfOperand, ///< the sign of the first operand, or 0
};

struct ElementFacts {
  ElementCost cost;
  ElementSign sign = ElementSign::Any;
  bool isZeroAtZero = false;     ///< the result is 0 where every operand is 0
  bool hasInfiniteSlope = false; ///< a derivative may be infinite, or NaN, at finite operands
};

/// The cost of an element of `op`, an elementwise op or a dropout mask. Every other op is `Simple`.
ElementCost costOf(mlir::Operation *op);

/// The number of floating-point operations that an element of this cost counts as.
constexpr int64_t flopsOf(ElementCost cost) { return cost >= ElementCost::SquareRoot ? 16 : 1; }

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_IR_ELEMENTFACTS_H
