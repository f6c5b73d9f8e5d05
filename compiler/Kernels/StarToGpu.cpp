//===- StarToGpu.cpp - Kernels to device functions ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/KernelEmitter.h"
#include "compiler/Kernels/Passes.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace gnnc {
#define GEN_PASS_DEF_STARTOGPU
#include "compiler/Kernels/Passes.h.inc"
} // namespace gnnc

using namespace mlir;

namespace gnnc {

namespace {

class StarToGpu : public impl::StarToGpuBase<StarToGpu> {
public:
  void runOnOperation() override {
    if (failed(verifyKernels(getOperation())))
      return signalPassFailure();
    OpBuilder builder = OpBuilder::atBlockEnd(getOperation().getBody());
    device = builder.create<gpu::GPUModuleOp>(getOperation().getLoc(), deviceModuleName);
    ExtentTable extents(getOperation());
    for (auto kernel : getOperation().getOps<star::KernelOp>()) {
      if (!kernel.getMapping()) {
        kernel.emitError("has no mapping to threads (star-map-threads)");
        return signalPassFailure();
      }
      lowerKernel(kernel, extents);
    }
    extents.store(getOperation());
  }

private:
  void buildFunction(star::KernelOp kernel, const Twine &name, star::MappingAttr mapping, const DimExpr &stateBytes,
                     ExtentTable &extents, llvm::function_ref<void(KernelFunction &)> emitBody) {
    OpBuilder builder(device.getBody()->getTerminator());
    Type index = builder.getIndexType();
    auto func =
        builder.create<gpu::GPUFuncOp>(kernel.getLoc(), name.str(), builder.getFunctionType({index, index}, {}));
    func->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), builder.getUnitAttr());
    KernelFunction function(func, Machine::device(mapping.getThreads()), extents);
    emitBody(function);
    function.finish();
    func->setAttr(mappingAttribute, mapping);
    func->setAttr(scratchBytesAttribute, builder.getStringAttr(function.scratchBytes().str()));
    func->setAttr(stateBytesAttribute, builder.getStringAttr(stateBytes.str()));
    func->setAttr(sharedBytesAttribute, builder.getStringAttr(function.sharedBytes().str()));
    extents.insert(function.scratchBytes());
    extents.insert(function.sharedBytes());
    extents.insert(stateBytes);
    ++numFunctions;
  }

  void lowerKernel(star::KernelOp kernel, ExtentTable &extents) {
    star::MappingAttr mapping = *kernel.getMapping();
    StateLayout layout(kernel);
    DimExpr state = hasStates(kernel) ? layout.bytes : totalsBytes(kernel);
    buildFunction(kernel, kernel.getSymName(), mapping, state, extents,
                  [&](KernelFunction &function) { emitKernel(kernel, layout, function); });
    if (hasStates(kernel))
      buildFunction(kernel, kernel.getSymName() + mergeSuffix, mapping, state, extents,
                    [&](KernelFunction &function) { emitMerge(kernel, layout, function); });
  }

  gpu::GPUModuleOp device;
};

} // namespace

} // namespace gnnc
