//===- Passes.h - Transforms of the gnn dialect -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes.td says what each does.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_TRANSFORMS_PASSES_H
#define GNNC_DIALECTS_GNN_TRANSFORMS_PASSES_H

#include "dialects/Gnn/IR/Gnn.h"
#include "mlir/Pass/Pass.h"

namespace gnnc::gnn {

/// Where a product of what is linear in both ends of edges is computed.
enum class EdgeProducts { Auto, Edges, Vertices };

/// The fields of forward that training keeps for backward: those that make a step fastest, or the least, for tensors
/// that are moved to disk and back in between.
enum class Keep { Fast, Least };

/// Where sums over edges and products with parameters commute: which order libraries have.
enum class Products { Both, First, Last };

#define GEN_PASS_DECL
#include "dialects/Gnn/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "dialects/Gnn/Transforms/Passes.h.inc"

} // namespace gnnc::gnn

#endif // GNNC_DIALECTS_GNN_TRANSFORMS_PASSES_H
