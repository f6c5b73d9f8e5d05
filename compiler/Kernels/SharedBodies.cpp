//===- SharedBodies.cpp - Code that several kernels have ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/SharedBodies.h"
#include "compiler/Kernels/KernelFunction.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace gnnc {

/// A hash of `op` with its attributes and types, but without its operands.
static llvm::hash_code hashOfOp(Operation *op) {
  return OperationEquivalence::computeHash(op, OperationEquivalence::ignoreHashValue,
                                           OperationEquivalence::ignoreHashValue,
                                           OperationEquivalence::IgnoreLocations);
}

static llvm::hash_code hashOf(func::FuncOp function) {
  llvm::hash_code hash = hash_value(function.getFunctionType());
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { hash = llvm::hash_combine(hash, hashOfOp(op)); });
  return hash;
}

/// Whether functions do the same. The operands of a sum or a product may be in either order, which has the same bits.
static bool haveEqualBodies(func::FuncOp function, func::FuncOp other) {
  llvm::DenseMap<Value, Value> counterparts;
  auto isSame = [&](Value value, Value ofOther) { return success(counterparts.lookup(value) == ofOther); };
  auto areSame = [&](ValueRange values, ValueRange ofOther) {
    auto inOrder = [&](auto order) {
      return llvm::all_of_zip(values, order, [&](Value a, Value b) { return succeeded(isSame(a, b)); });
    };
    return success(values.size() == ofOther.size() && (inOrder(ofOther) || inOrder(llvm::reverse(ofOther))));
  };
  return OperationEquivalence::isRegionEquivalentTo(
      &function.getBody(), &other.getBody(), isSame, [&](Value value, Value ofOther) { counterparts[value] = ofOther; },
      OperationEquivalence::IgnoreLocations, areSame);
}

void SharedBodies::share(func::FuncOp function) {
  SmallVector<func::FuncOp, 1> &others = known[hashOf(function)];
  auto isEqual = [&](func::FuncOp other) {
    return other.getFunctionType() == function.getFunctionType() &&
           other->getAttr(KernelFunction::isaAttribute) == function->getAttr(KernelFunction::isaAttribute) &&
           haveEqualBodies(other, function);
  };
  auto *same = llvm::find_if(others, isEqual);
  if (same == others.end()) {
    others.push_back(function);
    return;
  }
  function.eraseBody();
  function.setPrivate(); // as are all functions without a body
  function->setAttr(KernelFunction::bodyAttribute, FlatSymbolRefAttr::get(*same));
}

} // namespace gnnc
