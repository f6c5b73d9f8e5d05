//===- SharedBodies.cpp - Code that several kernels have ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/SharedBodies.h"
#include "compiler/Kernels/KernelFunction.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// A hash of `op` with its attributes and types, but without its operands.
static llvm::hash_code hashOfOp(Operation *op) {
  return OperationEquivalence::computeHash(op, OperationEquivalence::ignoreHashValue,
                                           OperationEquivalence::ignoreHashValue,
                                           OperationEquivalence::IgnoreLocations);
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

/// Fewer kernels that are alike keep code of their own, in which their numbers are known.
static constexpr size_t minKernels = 4;

/// Whether `user` takes as long with a number that is known only when the code runs. A maximum of a known number needs
/// no test for NaN, a power may be a product, and so may be a division by a power of two.
static bool takesAnyNumber(Operation *user, Value constant, const APFloat &number) {
  if (isa<gnn::BroadcastOp>(user))
    return llvm::all_of(user->getUsers(),
                        [&](Operation *next) { return takesAnyNumber(next, user->getResult(0), number); });
  if (auto quotient = dyn_cast<DivOp>(user))
    return quotient.getRhs() != constant || !number.getExactInverse(nullptr);
  return isa<AddOp, SubOp, MulOp, CompareOp, SelectOp>(user);
}

static bool mayBeArgument(gnn::ConstantOp constant) {
  auto number = dyn_cast<FloatAttr>(constant.getValue());
  return number && llvm::all_of(constant->getUsers(),
                                [&](Operation *user) { return takesAnyNumber(user, constant, number.getValue()); });
}

static SmallVector<Operation *> candidates(star::KernelOp kernel) {
  SmallVector<Operation *> ops;
  kernel.walk([&](Operation *op) {
    auto constant = dyn_cast<gnn::ConstantOp>(op);
    if (isa<DropoutMaskOp>(op) || (constant && mayBeArgument(constant)))
      ops.push_back(op);
  });
  return ops;
}

TypedAttr KernelFamilies::numberOf(Operation *parameter) {
  if (auto mask = dyn_cast<DropoutMaskOp>(parameter))
    return mask.getSiteAttr();
  return cast<gnn::ConstantOp>(parameter).getValue();
}

/// Kernels of a family have the same hash: it leaves out the numbers in which they may differ, and which ops use which
/// results.
static llvm::hash_code hashOf(star::KernelOp kernel) {
  llvm::hash_code hash =
      llvm::hash_combine(kernel.getKind(), kernel.getInputs(), kernel.getOutputs(), kernel.getAggregators());
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<star::KernelOp>(op))
      return;
    hash = isa<gnn::ConstantOp, DropoutMaskOp>(op) ? llvm::hash_combine(hash, op->getName(), op->getResultTypes())
                                                   : llvm::hash_combine(hash, hashOfOp(op));
  });
  return hash;
}

/// The kernel without its name and the numbers that may be arguments.
static std::string textOf(star::KernelOp kernel) {
  star::KernelOp copy = kernel.clone();
  copy.setSymName("");
  for (Operation *op : candidates(copy))
    if (auto mask = dyn_cast<DropoutMaskOp>(op))
      mask.setSite(0);
    else
      op->setAttr("value", FloatAttr::get(cast<FloatAttr>(KernelFamilies::numberOf(op)).getType(), 0));
  std::string text;
  llvm::raw_string_ostream stream(text);
  copy->print(stream, OpPrintingFlags().printGenericOpForm().useLocalScope());
  copy.erase();
  return text;
}

KernelFamilies::KernelFamilies(ModuleOp module) {
  llvm::DenseMap<llvm::hash_code, SmallVector<star::KernelOp>> alike;
  for (auto kernel : module.getOps<star::KernelOp>())
    alike[hashOf(kernel)].push_back(kernel);
  for (const auto &[hash, kernels] : alike) {
    if (kernels.size() < minKernels)
      continue;
    llvm::StringMap<SmallVector<star::KernelOp>> families;
    for (star::KernelOp kernel : kernels)
      families[textOf(kernel)].push_back(kernel);
    for (const auto &family : families)
      if (family.getValue().size() >= minKernels)
        add(family.getValue());
  }
}

void KernelFamilies::add(ArrayRef<star::KernelOp> kernels) {
  SmallVector<SmallVector<Operation *>> ops = llvm::map_to_vector(kernels, candidates);
  for (auto [kernel, ofKernel] : llvm::zip_equal(kernels, ops)) {
    firsts[kernel] = kernels.front();
    for (auto [i, op] : llvm::enumerate(ofKernel))
      if (llvm::any_of(ops, [&, i = i](const auto &others) { return numberOf(others[i]) != numberOf(ops.front()[i]); }))
        parametersOf[kernel].push_back(op);
  }
}

star::KernelOp KernelFamilies::first(star::KernelOp kernel) const {
  star::KernelOp first = firsts.lookup(kernel);
  return first ? first : kernel;
}

ArrayRef<Operation *> KernelFamilies::parameters(star::KernelOp kernel) const {
  auto parameters = parametersOf.find(kernel);
  return parameters == parametersOf.end() ? ArrayRef<Operation *>() : parameters->second;
}

//===----------------------------------------------------------------------===//
// Equal bodies
//===----------------------------------------------------------------------===//

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
