//===- Pipelines.h - Stages of the compiler ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One populate function for each stage, and what tools register. Between stages the IR can be printed (`gnnc --emit`,
// `--dump-phases`).
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_PIPELINES_PIPELINES_H
#define GNNC_PIPELINES_PIPELINES_H

#include "compiler/Target/CPU/Isa.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "dialects/Star/IR/Star.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/PassManager.h"

namespace gnnc {

/// Our dialects and those that they are lowered to.
void registerDialects(mlir::DialectRegistry &registry);
/// Our passes, and of MLIR's those that tests of ours need.
void registerPasses();

/// The forward program made cheaper: algebra, common subexpressions, hoisting, the order of aggregations and products;
/// with variants in the orders that data decides on, if `products` come in both. `vjp`: outputs will be differentiated.
void populateSimplificationPipeline(mlir::OpPassManager &manager,
                                    gnn::EdgeProducts edgeProducts = gnn::EdgeProducts::Auto,
                                    gnn::Products products = gnn::Products::Both, bool vjp = false);
/// @forward becomes @infer, @evaluate and @train and, with `vjp`, @vjp and @vjp_train, of simple ops only; backward has
/// what it recomputes.
void populateDifferentiationPipeline(mlir::OpPassManager &manager, gnn::Keep keep = gnn::Keep::Fast, bool vjp = false);
/// gnn to star: fusion.
void populateFusionPipeline(mlir::OpPassManager &manager, gnn::Keep keep = gnn::Keep::Fast);
/// Kernels apart from programs. `reals`: how several f32 of a vertex or an edge are stored. `roundsProducts`: dense
/// products are of bf16.
void populateKernelPipeline(mlir::OpPassManager &manager, star::Storage reals = star::Storage::Elements,
                            bool roundsProducts = false);
/// Functions of kernels as loops over memory, for each of `isas`. With `poisons`, numbers that nothing may depend on
/// are NaN.
void populateLoopsPipeline(mlir::OpPassManager &manager, llvm::ArrayRef<Isa> isas, bool poisons = false);
/// Device functions of kernels, in the module's `gpu.module`; and the same in the llvm and nvvm dialects.
void populateDevicePipeline(mlir::OpPassManager &manager);
void populateNVVMPipeline(mlir::OpPassManager &manager);
/// Functions of kernels in the llvm dialect, in modules that are compiled one beside the other.
void populateLLVMPipeline(mlir::OpPassManager &manager);

} // namespace gnnc

#endif // GNNC_PIPELINES_PIPELINES_H
