//===- KernelElements.h - Ops that may stand in a kernel --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of the ops that the generator has code for. Plans read the traits of an op instead of its class.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_KERNELELEMENTS_H
#define GNNC_CONVERSION_STARTOLOOPS_KERNELELEMENTS_H

#include "compiler/Conversion/StarToLoops/FieldEmitter.h"

namespace gnnc {

/// What an op reads of the row and the edge that are being computed, beside its operands.
enum class PositionRead { None, Vertex, Edge };

/// How many elements of a result read an element of an operand.
enum class OperandUse { One, Several, All };

struct ElementTraits {
  bool isPointwise = false;      // an element is computed from elements of operands at the same coordinates
  bool takesKnownPoints = false; // can be unrolled over dimensions that are open but have bounds
  bool canBeDealt = false; // a thread that has an element has, or finds in memory, the elements it is computed from
  bool isFold = false;     // folds a dimension of an operand
  bool isScalar = false;   // elements are computed one at a time, not as vectors
  bool isFree = false;     // a constant or a copy of an element, never worth keeping
  bool isStored = false;   // results with dimensions are computed once, into memory
  bool readsVertexIds = false;
  PositionRead reads = PositionRead::None;
  OperandUse use = OperandUse::One; // of the first two operands
  unsigned maxVectors = ~0u;        // fields of more vectors are not worth unrolling the op

  void setPointwise(PositionRead position = PositionRead::None) {
    isPointwise = takesKnownPoints = canBeDealt = true;
    reads = position;
  }
};

/// Fields side by side along a dimension of the field that they make up.
struct FieldParts {
  struct Part {
    mlir::Value field;
    DimExpr offset;
  };
  unsigned dim = 0;
  llvm::SmallVector<Part, 2> parts;
  bool hasGaps = false; // elements that no part has are 0
};

} // namespace gnnc

#include "compiler/Conversion/StarToLoops/KernelElements.h.inc"

namespace gnnc {

/// The traits of `op`; those of no op, if it may not stand in a kernel.
ElementTraits traitsOf(mlir::Operation *op);
/// Attaches the interface to the ops of the dialects `gnn` and `star`.
void registerKernelElements(mlir::DialectRegistry &registry);

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_KERNELELEMENTS_H
