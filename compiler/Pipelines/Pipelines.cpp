//===- Pipelines.cpp - Stages of the compiler -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Conversion/GnnToStar/GnnToStar.h"
#include "compiler/Conversion/MathExpansion/MathExpansion.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "dialects/Star/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"

using namespace gnnc;

void gnnc::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<gnn::GnnDialect, star::StarDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect, mlir::math::MathDialect,
                  mlir::memref::MemRefDialect, mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
}

void gnnc::registerPasses() {
  gnn::registerGnnPasses();
  registerGnnToStarPasses();
  registerMathExpansionPasses();
  star::registerStarPasses();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
}

void gnnc::populateSimplificationPipeline(mlir::OpPassManager &manager) {
  mlir::OpPassManager &program = manager.nest<gnn::ProgramOp>();
  program.addPass(mlir::createCanonicalizerPass());
  program.addPass(mlir::createCSEPass());
  program.addPass(gnn::createHoist());
  program.addPass(mlir::createCSEPass()); // gnn-reorder moves what has one use only
  program.addPass(gnn::createReorder());
  program.addPass(mlir::createCanonicalizerPass());
  program.addPass(mlir::createCSEPass());
}

void gnnc::populateDifferentiationPipeline(mlir::OpPassManager &manager) {
  manager.addPass(gnn::createDifferentiate());
  manager.addPass(gnn::createDerivePrograms());
  mlir::OpPassManager &program = manager.nest<gnn::ProgramOp>();
  program.addPass(gnn::createDecompose());
  program.addPass(mlir::createCanonicalizerPass());
  program.addPass(mlir::createCSEPass());
  program.addPass(gnn::createHoist());
  program.addPass(mlir::createCanonicalizerPass());
  program.addPass(mlir::createCSEPass());
  program.addPass(gnn::createPlan()); // last: equal subexpressions would undo it
}

void gnnc::populateFusionPipeline(mlir::OpPassManager &manager) { manager.addPass(createGnnToStar()); }

void gnnc::populateKernelPipeline(mlir::OpPassManager &manager) { manager.addPass(star::createOutlineKernels()); }
