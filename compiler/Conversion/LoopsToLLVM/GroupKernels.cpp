//===- GroupKernels.cpp - Functions that are compiled together ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The group-kernels pass: what is done with functions from here on is done with one group beside the other.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/LoopsToLLVM/LoopsToLLVM.h"
#include "compiler/Conversion/StarToLoops/KernelFunction.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace gnnc {
#define GEN_PASS_DEF_GROUPKERNELS
#include "compiler/Conversion/LoopsToLLVM/Passes.h.inc"
} // namespace gnnc

using namespace mlir;

namespace gnnc {

namespace {

/// Enough work for a group, in operations: a fraction of what a small model has, and many times what it costs to begin
/// with another group.
constexpr size_t enoughOps = 4000;

size_t numOps(func::FuncOp function) {
  size_t number = 0;
  function.walk([&](Operation *) { ++number; });
  return number;
}

class GroupKernels : public impl::GroupKernelsBase<GroupKernels> {
public:
  void runOnOperation() override {
    llvm::MapVector<Attribute, SmallVector<func::FuncOp>> byIsa;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (Attribute isa = function->getAttr(KernelFunction::isaAttribute))
        byIsa[isa].push_back(function);
    for (const auto &[isa, functions] : byIsa)
      group(isa, functions);
  }

private:
  /// A body and those that have it stay together.
  void group(Attribute isa, ArrayRef<func::FuncOp> functions) {
    llvm::MapVector<StringAttr, SmallVector<func::FuncOp>> byBody;
    for (func::FuncOp function : functions) {
      auto other = function->getAttrOfType<FlatSymbolRefAttr>(KernelFunction::bodyAttribute);
      byBody[other ? other.getAttr() : function.getSymNameAttr()].push_back(function);
    }
    ModuleOp together;
    size_t work = 0;
    for (const auto &[body, sharing] : byBody) {
      if (!together || work >= enoughOps) {
        together = ModuleOp::create(getOperation().getLoc());
        together->setAttr(KernelFunction::isaAttribute, isa);
        getOperation().push_back(together);
        work = 0;
      }
      for (func::FuncOp function : sharing) {
        work += numOps(function);
        function->remove();
        together.push_back(function);
      }
    }
  }
};

} // namespace

} // namespace gnnc
