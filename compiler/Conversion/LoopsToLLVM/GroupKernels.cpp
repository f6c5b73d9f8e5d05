//===- GroupKernels.cpp - Functions that are compiled together ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The group-kernels pass: what is done with functions from here on is done with one group beside the other.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/LoopsToLLVM/LoopsToLLVM.h"
#include "compiler/Kernels/KernelFunction.h"
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
constexpr size_t enoughOps = 2000;

/// Whether kernels call the function (pass `share-math`), and nobody else does.
bool isShared(func::FuncOp function) { return function.isPrivate() && !function.isDeclaration(); }

class GroupKernels : public impl::GroupKernelsBase<GroupKernels> {
public:
  void runOnOperation() override {
    llvm::MapVector<Attribute, SmallVector<func::FuncOp>> byIsa;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (Attribute isa = function->getAttr(KernelFunction::isaAttribute); isa && !isShared(function))
        byIsa[isa].push_back(function);
    SmallVector<Group> groups;
    for (const auto &[isa, functions] : byIsa)
      group(isa, functions, groups);
    // The longest begins first, so that no processor waits long for the last.
    llvm::stable_sort(groups, [](const Group &a, const Group &b) { return a.numOps > b.numOps; });
    for (const Group &group : groups)
      getOperation().push_back(group.functions);
    for (auto function : llvm::make_early_inc_range(getOperation().getOps<func::FuncOp>()))
      if (isShared(function))
        function.erase();
  }

private:
  struct Group {
    size_t numOps = 0;
    ModuleOp functions;
  };

  /// Adds groups of one instruction set. A body and those that have it stay together.
  void group(Attribute isa, ArrayRef<func::FuncOp> functions, SmallVectorImpl<Group> &groups) {
    llvm::MapVector<StringAttr, SmallVector<func::FuncOp>> byBody;
    for (func::FuncOp function : functions) {
      auto other = function->getAttrOfType<FlatSymbolRefAttr>(KernelFunction::bodyAttribute);
      byBody[other ? other.getAttr() : function.getSymNameAttr()].push_back(function);
    }
    size_t numOps = enoughOps;
    for (const auto &[body, sharing] : byBody) {
      if (numOps >= enoughOps) {
        numOps = 0;
        groups.push_back({0, ModuleOp::create(getOperation().getLoc())});
        groups.back().functions->setAttr(KernelFunction::isaAttribute, isa);
      }
      for (func::FuncOp function : sharing)
        numOps += move(function, groups.back().functions);
      groups.back().numOps = numOps;
    }
  }

  /// Gives the number of ops; a group has its own copies of what its functions call.
  size_t move(func::FuncOp function, ModuleOp group) {
    size_t numOps = 0;
    function.walk([&](Operation *op) {
      ++numOps;
      auto call = dyn_cast<func::CallOp>(op);
      if (call && !group.lookupSymbol(call.getCallee()))
        group.push_back(getOperation().lookupSymbol<func::FuncOp>(call.getCallee()).clone());
    });
    function->remove();
    group.push_back(function);
    return numOps;
  }
};

} // namespace

} // namespace gnnc
