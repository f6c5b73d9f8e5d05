//===- StarToLoops.cpp - Kernels to loops ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/StarToLoops.h"
#include "compiler/Conversion/StarToLoops/KernelEmitter.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace gnnc {
#define GEN_PASS_DEF_STARTOLOOPS
#include "compiler/Conversion/StarToLoops/Passes.h.inc"
} // namespace gnnc

using namespace mlir;

namespace gnnc {

namespace {

class StarToLoops : public impl::StarToLoopsBase<StarToLoops> {
public:
  using StarToLoopsBase::StarToLoopsBase;

  void runOnOperation() override {
    SmallVector<Isa> targets;
    for (const std::string &name : isas) {
      std::optional<Isa> isa = parseIsa(name);
      if (!isa) {
        getOperation().emitError("unknown instruction set `") << name << "`";
        return signalPassFailure();
      }
      targets.push_back(*isa);
    }
    if (targets.empty())
      targets = llvm::to_vector(allIsas());

    if (failed(verifyKernels()))
      return signalPassFailure();
    ExtentTable extents(getOperation());
    for (auto kernel : llvm::to_vector(getOperation().getOps<star::KernelOp>()))
      lowerKernel(kernel, targets, extents);
    extents.store(getOperation());
  }

private:
  /// Compound ops have been decomposed; only what has elements of its own is left in kernels.
  LogicalResult verifyKernels() {
    WalkResult result = getOperation().walk([](Operation *op) {
      if (!op->getParentOfType<star::KernelOp>() || op->hasTrait<OpTrait::IsTerminator>() ||
          isa<gnn::ElementwiseOpInterface, gnn::ConstantOp, gnn::ExtentOp, gnn::EdgeIdOp, gnn::EdgeTypeOp,
              gnn::VertexIdOp, gnn::DropoutMaskOp, gnn::BroadcastOp, gnn::OneHotOp, gnn::ReshapeOp, gnn::SliceOp,
              gnn::ConcatOp, gnn::PadOp, gnn::TransposeOp, gnn::IndexOp, gnn::ReduceOp, gnn::ArgReduceOp, gnn::MatMulOp,
              gnn::MatMulTNOp, gnn::TypedMatMulOp, star::OnlineSoftmaxOp>(op))
        return WalkResult::advance();
      op->emitOpError("cannot stand in a kernel");
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// Builds one function; gives the bytes of scratch memory that it needs.
  DimExpr buildFunction(star::KernelOp kernel, llvm::Twine name, Isa isa, ExtentTable &extents,
                        llvm::function_ref<void(KernelFunction &)> emitBody) {
    KernelFunction function(getOperation(), kernel.getLoc(), (name + isaSuffix(isa)).str(), isa, extents);
    emitBody(function);
    function.finish();
    ++numFunctions;
    return function.scratchBytes();
  }

  void lowerKernel(star::KernelOp kernel, ArrayRef<Isa> targets, ExtentTable &extents) {
    StateLayout layout(kernel);
    if (kernel.isSweep() && takesPasses(kernel, layout)) {
      layout.layOutInPasses();
      DimExpr width = layout.reductions[0].type.getNumElements();
      kernel.setPasses(width.str());
      extents.insert(width);
    }
    SmallVector<DimExpr> scratch;
    auto needs = [&](const DimExpr &bytes) {
      if (!llvm::is_contained(scratch, bytes))
        scratch.push_back(bytes);
    };
    for (Isa isa : targets) {
      if (!kernel.isSweep()) {
        needs(buildFunction(kernel, kernel.getSymName(), isa, extents,
                            [&](KernelFunction &function) { emitMap(kernel, function, isa); }));
        continue;
      }
      needs(buildFunction(kernel, kernel.getSymName(), isa, extents,
                          [&](KernelFunction &function) { emitSweep(kernel, layout, function, isa); }));
      needs(buildFunction(kernel, kernel.getSymName() + ".merge", isa, extents,
                          [&](KernelFunction &function) { emitMerge(kernel, layout, function, isa); }));
    }
    // Polynomials have no maximum: functions of different needs get their sum.
    DimExpr most;
    for (const DimExpr &bytes : scratch)
      most = *most.add(bytes);
    DimExpr state = kernel.isSweep() ? layout.bytes : totalsBytes(kernel);
    kernel.setScratchBytes(most.str());
    kernel.setStateBytes(state.str());
    extents.insert(most);
    extents.insert(state);
  }
};

} // namespace

} // namespace gnnc
