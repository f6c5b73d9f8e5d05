//===- KernelElements.h - Ops that may stand in a kernel --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The interface of the ops that the generator has code for. Plans read the traits of an op instead of its class.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_KERNELELEMENTS_H
#define GNNC_KERNELS_KERNELELEMENTS_H

#include "compiler/Kernels/FieldEmitter.h"

namespace gnnc {

/// The part of the position, the row or edge that is being computed, that an op reads beside its operands.
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

#include "compiler/Kernels/KernelElements.h.inc"

namespace gnnc {

/// The traits of `op`; those of no op, if it may not stand in a kernel.
ElementTraits traitsOf(mlir::Operation *op);

//===----------------------------------------------------------------------===//
// Models of ops: `setTraits` and `emitElement` of each op stand side by side
//===----------------------------------------------------------------------===//

inline void setParts(FieldParts &, mlir::Operation *) {}

/// Implements the interface by the functions `setTraits`, `setParts` and `emitElement` that take an `Op`.
template <typename Op> struct ElementModel : KernelElementInterface::ExternalModel<ElementModel<Op>, Op> {
  mlir::Value buildElement(mlir::Operation *op, FieldEmitter &fields, mlir::Value field, const Point &point) const {
    if constexpr (std::is_same_v<Op, star::OnlineSoftmaxOp>)
      return emitElement(fields, llvm::cast<Op>(op), field, point);
    else
      return emitElement(fields, llvm::cast<Op>(op), point);
  }
  ElementTraits getTraits(mlir::Operation *op) const {
    ElementTraits traits;
    setTraits(traits, llvm::cast<Op>(op));
    return traits;
  }
  FieldParts getParts(mlir::Operation *op) const {
    FieldParts all;
    setParts(all, llvm::cast<Op>(op));
    return all;
  }
};

template <typename... Ops> void attachElementModels(mlir::MLIRContext &context) {
  (Ops::template attachInterface<ElementModel<Ops>>(context), ...);
}

/// Known coordinates as indices.
inline llvm::SmallVector<Index, 3> indices(LoopBuilder &b, llvm::ArrayRef<int64_t> coords) {
  return llvm::map_to_vector<3>(coords, [&](int64_t coord) { return b.constant(coord); });
}
/// `pick` at the entry of `table` that the integer `field` names; 0 if it has no such entry.
mlir::Value whereInside(FieldEmitter &fields, mlir::Value field, gnn::FieldType table, const Point &point,
                        llvm::function_ref<mlir::Value(Index)> pick);
/// Whether `field` is an input of its region, not the result of a reduction.
bool isInput(mlir::Value field);

void attachShapeOps(mlir::MLIRContext &context);
void attachFoldOps(mlir::MLIRContext &context);
void attachIdOps(mlir::MLIRContext &context);

} // namespace gnnc

#endif // GNNC_KERNELS_KERNELELEMENTS_H
