//===- Pipelines.cpp - Stages of the compiler -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Pipelines/Pipelines.h"
#include "compiler/Conversion/GnnToStar/GnnToStar.h"
#include "compiler/Conversion/GpuToNVVM/GpuToNVVM.h"
#include "compiler/Conversion/LoopsToLLVM/LoopsToLLVM.h"
#include "compiler/Conversion/MathExpansion/MathExpansion.h"
#include "compiler/Kernels/Passes.h"
#include "compiler/Target/CPU/KernelTranslation.h"
#include "compiler/Target/GPU/PtxEmitter.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "dialects/Star/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"

using namespace gnnc;

void gnnc::registerDialects(mlir::DialectRegistry &registry) {
  registry.insert<gnn::GnnDialect, star::StarDialect, mlir::arith::ArithDialect, mlir::func::FuncDialect,
                  mlir::gpu::GPUDialect, mlir::LLVM::LLVMDialect, mlir::math::MathDialect, mlir::memref::MemRefDialect,
                  mlir::NVVM::NVVMDialect, mlir::scf::SCFDialect, mlir::vector::VectorDialect>();
  registerKernelElements(registry);
  registerKernelTranslation(registry);
  registerDeviceTranslation(registry);
}

void gnnc::registerPasses() {
  gnn::registerGnnPasses();
  registerGnnToStarPasses();
  registerGpuToNVVMPasses();
  registerLoopsToLLVMPasses();
  registerMathExpansionPasses();
  registerKernelsPasses();
  star::registerStarPasses();
  mlir::registerCanonicalizerPass();
  mlir::registerCSEPass();
}

void gnnc::populateSimplificationPipeline(mlir::OpPassManager &manager, gnn::EdgeProducts edgeProducts,
                                          gnn::Products products, bool vjp) {
  manager.addPass(createSeparateTotals({vjp})); // before equal ones are merged
  mlir::OpPassManager &program = manager.nest<gnn::ProgramOp>();
  program.addPass(mlir::createCanonicalizerPass());
  program.addPass(mlir::createCSEPass());
  program.addPass(gnn::createTypedProducts());
  program.addPass(gnn::createDistribute({edgeProducts}));
  program.addPass(gnn::createHoist());
  program.addPass(mlir::createCSEPass()); // gnn-reorder moves what has one use only
  manager.addPass(gnn::createVaryOrders({products}));
  mlir::OpPassManager &variant = manager.nest<gnn::ProgramOp>();
  variant.addPass(gnn::createReorder());
  variant.addPass(mlir::createCanonicalizerPass());
  variant.addPass(mlir::createCSEPass());
}

void gnnc::populateDifferentiationPipeline(mlir::OpPassManager &manager, gnn::Keep keep, bool vjp) {
  manager.addPass(gnn::createDifferentiate({vjp}));
  manager.addPass(gnn::createDerivePrograms());
  mlir::OpPassManager &program = manager.nest<gnn::ProgramOp>();
  program.addPass(gnn::createDecompose());
  program.addPass(mlir::createCanonicalizerPass());
  program.addPass(mlir::createCSEPass());
  program.addPass(gnn::createHoist());
  program.addPass(mlir::createCSEPass()); // the next two move what has one use only
  program.addPass(gnn::createTypedProducts());
  program.addPass(gnn::createReorder());
  program.addPass(mlir::createCanonicalizerPass());
  program.addPass(mlir::createCSEPass());
  program.addPass(gnn::createContractSums({keep}));
  program.addPass(gnn::createFuseSoftmax());
  program.addPass(mlir::createCanonicalizerPass());
  program.addPass(gnn::createPlan({keep}));
  program.addPass(gnn::createSeparateResults()); // as gnn-plan: equal subexpressions would undo it
  manager.addPass(gnn::createMergeVariants());
}

void gnnc::populateFusionPipeline(mlir::OpPassManager &manager, gnn::Keep keep) {
  manager.addPass(createGnnToStar({/*fuse=*/true, keep}));
}

void gnnc::populateKernelPipeline(mlir::OpPassManager &manager, star::Storage reals, bool roundsProducts) {
  manager.addPass(star::createOutlineKernels({reals}));
  if (roundsProducts)
    manager.addPass(star::createRoundProducts());
}

void gnnc::populateLoopsPipeline(mlir::OpPassManager &manager, llvm::ArrayRef<Isa> isas, bool poisons) {
  std::vector<std::string> names;
  for (Isa isa : isas)
    names.push_back(isaName(isa).str());
  manager.addPass(createStarToLoops({names, poisons}));
  manager.addPass(createShareMath());
  manager.addNestedPass<mlir::func::FuncOp>(createMathExpansion());
  manager.addNestedPass<mlir::func::FuncOp>(mlir::createCSEPass());
}

void gnnc::populateDevicePipeline(mlir::OpPassManager &manager) {
  manager.addPass(star::createMapThreads());
  manager.addPass(createStarToGpu());
  mlir::OpPassManager &functions = manager.nest<mlir::gpu::GPUModuleOp>().nest<mlir::gpu::GPUFuncOp>();
  functions.addPass(createMathExpansion());
  functions.addPass(mlir::createCanonicalizerPass());
  functions.addPass(mlir::createCSEPass());
}

void gnnc::populateNVVMPipeline(mlir::OpPassManager &manager) {
  manager.addNestedPass<mlir::gpu::GPUModuleOp>(createGpuToNVVM());
}

void gnnc::populateLLVMPipeline(mlir::OpPassManager &manager) {
  manager.addPass(createGroupKernels());
  manager.addNestedPass<mlir::ModuleOp>(createLoopsToLLVM());
}
