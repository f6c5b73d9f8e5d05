//===- Pipelines.cpp - Stages of the compiler -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Conversion/GnnToStar/GnnToStar.h"
#include "dialects/Star/Transforms/Passes.h"
#include "mlir/Transforms/Passes.h"

using namespace gnnc;

void gnnc::registerDialects(mlir::DialectRegistry &registry) { registry.insert<gnn::GnnDialect, star::StarDialect>(); }

void gnnc::registerPasses() {
  registerGnnToStarPasses();
  star::registerStarPasses();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
}

void gnnc::populateFusionPipeline(mlir::OpPassManager &manager) { manager.addPass(createGnnToStar()); }

void gnnc::populateKernelPipeline(mlir::OpPassManager &manager) { manager.addPass(star::createOutlineKernels()); }
