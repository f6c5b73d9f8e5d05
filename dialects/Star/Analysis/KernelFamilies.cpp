//===- KernelFamilies.cpp - Kernels that differ in numbers alone ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/Analysis/KernelFamilies.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc::star {

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

static SmallVector<Operation *> candidates(KernelOp kernel) {
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

/// The kernel without its name and the numbers that may be arguments.
static std::string textOf(KernelOp kernel) {
  KernelOp copy = kernel.clone();
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
  llvm::StringMap<SmallVector<KernelOp>> alike;
  for (auto kernel : module.getOps<KernelOp>())
    alike[textOf(kernel)].push_back(kernel);
  for (const auto &family : alike)
    if (family.getValue().size() >= minKernels)
      add(family.getValue());
}

void KernelFamilies::add(ArrayRef<KernelOp> kernels) {
  SmallVector<SmallVector<Operation *>> ops = llvm::map_to_vector(kernels, candidates);
  for (auto [kernel, ofKernel] : llvm::zip_equal(kernels, ops)) {
    firsts[kernel] = kernels.front();
    for (auto [i, op] : llvm::enumerate(ofKernel))
      if (llvm::any_of(ops, [&, i = i](const auto &others) { return numberOf(others[i]) != numberOf(ops.front()[i]); }))
        parametersOf[kernel].push_back(op);
  }
}

KernelOp KernelFamilies::first(KernelOp kernel) const {
  KernelOp first = firsts.lookup(kernel);
  return first ? first : kernel;
}

ArrayRef<Operation *> KernelFamilies::parameters(KernelOp kernel) const {
  auto parameters = parametersOf.find(kernel);
  return parameters == parametersOf.end() ? ArrayRef<Operation *>() : parameters->second;
}

} // namespace gnnc::star
