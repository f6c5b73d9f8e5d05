//===- StarToLoops.cpp - Kernels to loops ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/KernelEmitter.h"
#include "compiler/Kernels/Passes.h"
#include "compiler/Kernels/SharedBodies.h"
#include "compiler/Kernels/SweepPlan.h"
#include "dialects/Star/Analysis/KernelFamilies.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace gnnc {
#define GEN_PASS_DEF_STARTOLOOPS
#include "compiler/Kernels/Passes.h.inc"
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

    if (failed(verifyKernels(getOperation())))
      return signalPassFailure();
    bodies = {};
    functionsOf.clear();
    families.emplace(getOperation());
    ExtentTable extents(getOperation());
    for (auto kernel : llvm::to_vector(getOperation().getOps<star::KernelOp>()))
      if (star::KernelOp first = families->first(kernel); first != kernel)
        declareFunctions(kernel, first);
      else
        lowerKernel(kernel, targets, extents);
    extents.store(getOperation());
  }

private:
  /// Builds one function; gives the bytes of scratch memory that it needs.
  DimExpr buildFunction(star::KernelOp kernel, llvm::Twine name, Isa isa, ExtentTable &extents,
                        llvm::function_ref<void(KernelFunction &)> emitBody) {
    auto builder = OpBuilder::atBlockEnd(getOperation().getBody());
    Type index = builder.getIndexType();
    auto func = builder.create<func::FuncOp>(kernel.getLoc(), (name + isaSuffix(isa)).str(),
                                             builder.getFunctionType({index, index}, {}));
    func->setAttr(KernelFunction::isaAttribute, builder.getStringAttr(isaName(isa)));
    func.addEntryBlock();
    setConstants(func, kernel);
    KernelFunction function(func, Machine::of(isa), extents, poisons);
    function.setParameters(families->parameters(kernel));
    emitBody(function);
    function.finish();
    ++numFunctions;
    bodies.share(func);
    functionsOf[kernel].push_back(func);
    return function.scratchBytes();
  }

  /// Says which numbers the function gives its body.
  void setConstants(func::FuncOp function, star::KernelOp kernel) {
    SmallVector<Attribute> numbers = llvm::map_to_vector(
        families->parameters(kernel), [](Operation *op) -> Attribute { return star::KernelFamilies::numberOf(op); });
    if (!numbers.empty())
      function->setAttr(KernelFunction::constantsAttribute, ArrayAttr::get(&getContext(), numbers));
  }

  /// Gives `kernel` functions that have the bodies of those of `first`, which is of the same family.
  void declareFunctions(star::KernelOp kernel, star::KernelOp first) {
    auto builder = OpBuilder::atBlockEnd(getOperation().getBody());
    for (func::FuncOp other : functionsOf.lookup(first)) {
      std::string name = (kernel.getSymName() + other.getSymName().drop_front(first.getSymName().size())).str();
      auto function = builder.create<func::FuncOp>(kernel.getLoc(), name, other.getFunctionType());
      function.setPrivate(); // as are all functions without a body
      function.setAllArgAttrs(other.getAllArgAttrs());
      function->setAttr(KernelFunction::isaAttribute, other->getAttr(KernelFunction::isaAttribute));
      Attribute body = other->getAttr(KernelFunction::bodyAttribute);
      function->setAttr(KernelFunction::bodyAttribute, body ? body : FlatSymbolRefAttr::get(other));
      setConstants(function, kernel);
      ++numOfFamilies;
    }
    kernel.setScratchBytesAttr(first.getScratchBytesAttr());
    kernel.setStateBytesAttr(first.getStateBytesAttr());
    kernel.setPassesAttr(first.getPassesAttr());
  }

  void lowerKernel(star::KernelOp kernel, ArrayRef<Isa> targets, ExtentTable &extents) {
    StateLayout layout(kernel);
    if (hasStates(kernel) && takesPasses(kernel, layout)) {
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
      needs(buildFunction(kernel, kernel.getSymName(), isa, extents,
                          [&](KernelFunction &function) { emitKernel(kernel, layout, function); }));
      if (hasStates(kernel))
        needs(buildFunction(kernel, kernel.getSymName() + ".merge", isa, extents,
                            [&](KernelFunction &function) { emitMerge(kernel, layout, function); }));
    }
    // Polynomials have no maximum: functions of different needs get their sum.
    DimExpr most;
    for (const DimExpr &bytes : scratch)
      most = *most.add(bytes);
    DimExpr state = hasStates(kernel) ? layout.bytes : totalsBytes(kernel);
    kernel.setScratchBytes(most.str());
    kernel.setStateBytes(state.str());
    extents.insert(most);
    extents.insert(state);
  }

  SharedBodies bodies;
  std::optional<star::KernelFamilies> families;
  llvm::DenseMap<star::KernelOp, SmallVector<func::FuncOp>> functionsOf;
};

} // namespace

} // namespace gnnc
