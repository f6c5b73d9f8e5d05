//===- Depth.h - Which vertices of a sample totals are over -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a training step over a sample a total goes over the vertices that are at most some number of steps along edges
// away from the seeds: its depth. `gnn.total` declares it in the attribute `depth`. So do the op that takes the
// gradient of the total back to these vertices, its spread, and the step that has the one or the other.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_IR_DEPTH_H
#define GNNC_DIALECTS_GNN_IR_DEPTH_H

#include "dialects/Gnn/IR/Gnn.h"
#include <optional>

namespace gnnc::gnn {

inline constexpr llvm::StringLiteral depthAttribute = "depth";

/// The depth that `op` declares, if any.
inline std::optional<int> declaredDepth(mlir::Operation *op) {
  auto depth = op->getAttrOfType<mlir::IntegerAttr>(depthAttribute);
  return depth ? std::optional(int(depth.getInt())) : std::nullopt;
}

inline void declareDepth(mlir::Operation *op, std::optional<int> depth) {
  if (depth)
    op->setAttr(depthAttribute, mlir::Builder(op->getContext()).getI64IntegerAttr(*depth));
}

/// Whether `op` is the spread of a total's gradient: its operand at each vertex that the total is over, 0 at others. In
/// kernels the attribute is there without a number, as steps of all depths share them.
inline bool isSpread(mlir::Operation *op) { return llvm::isa<AddOp>(op) && op->hasAttr(depthAttribute); }

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_IR_DEPTH_H
