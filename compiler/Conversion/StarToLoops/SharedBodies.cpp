//===- SharedBodies.cpp - Equal functions once ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SharedBodies.h"
#include "compiler/Conversion/StarToLoops/KernelFunction.h"
#include "mlir/IR/OperationSupport.h"

using namespace mlir;

namespace gnnc {

/// Of ops, their attributes and types, not of what they are computed from.
static llvm::hash_code hashOf(func::FuncOp function) {
  llvm::hash_code hash = hash_value(function.getFunctionType());
  function.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) {
    hash = llvm::hash_combine(hash, OperationEquivalence::computeHash(op, OperationEquivalence::ignoreHashValue,
                                                                      OperationEquivalence::ignoreHashValue,
                                                                      OperationEquivalence::IgnoreLocations));
  });
  return hash;
}

void SharedBodies::share(func::FuncOp function) {
  SmallVector<func::FuncOp, 1> &others = known[hashOf(function)];
  auto isEqual = [&](func::FuncOp other) {
    return other.getFunctionType() == function.getFunctionType() &&
           other->getAttr(KernelFunction::isaAttribute) == function->getAttr(KernelFunction::isaAttribute) &&
           OperationEquivalence::isRegionEquivalentTo(&other.getBody(), &function.getBody(),
                                                      OperationEquivalence::IgnoreLocations);
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
