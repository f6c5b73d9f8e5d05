//===- Signs.h - Signs that numbers of a field can have ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derives from the ops that compute a field whether its numbers may be negative or positive. A sum whose terms have the
// same sign does not cancel, so algebra over it keeps the accuracy of the expression as it is written.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_TRANSFORMS_SIGNS_H
#define GNNC_DIALECTS_GNN_TRANSFORMS_SIGNS_H

#include "dialects/Gnn/IR/Gnn.h"

namespace gnnc::gnn {

/// The signs that numbers of a field can have. Neither: all are 0. NaN has no sign.
struct Signs {
  bool negative = true, positive = true;

  Signs operator-() const { return {positive, negative}; }
  Signs operator|(Signs other) const { return {negative || other.negative, positive || other.positive}; }
  Signs operator*(Signs other) const {
    return {(negative && other.positive) || (positive && other.negative),
            (positive && other.positive) || (negative && other.negative)};
  }
  /// Whether a number with one of these signs may cancel one of `other`.
  bool cancels(Signs other) const { return (negative && other.positive) || (positive && other.negative); }
};

/// The signs that numbers of the real field `value` can have; both where nothing is known.
Signs signsOf(mlir::Value value);

/// Whether the terms of `op`, a sum or difference, may have opposite signs.
bool mayCancel(mlir::Operation *op);

/// Whether no element of `value` can be below 0.
inline bool isNotNegative(mlir::Value value) { return !signsOf(value).negative; }

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_TRANSFORMS_SIGNS_H
