//===- KernelMemory.cpp - What kernels have in memory ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/Analysis/KernelMemory.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc::star {

Type storageType(Type element) { return element.isInteger(1) ? IntegerType::get(element.getContext(), 8) : element; }
unsigned storageBytes(Type element) { return storageType(element).getIntOrFloatBitWidth() / 8; }

Type storedElement(OperandAttr operand) {
  switch (operand.getStorage()) {
  case Storage::Elements:
  case Storage::Bits:
    break;
  case Storage::Bf16:
    return IntegerType::get(operand.getContext(), 16);
  case Storage::F16:
    return Float16Type::get(operand.getContext());
  }
  return operand.getType().getElement();
}

unsigned selectorOf(std::vector<Selector> &selectors, Value by, const DimExpr &entries) {
  auto found = llvm::find_if(
      selectors, [&](const Selector &selector) { return selector.by == by && selector.entries == entries; });
  if (found == selectors.end())
    found = selectors.insert(found, {by, entries});
  return found - selectors.begin();
}

Value argOf(Value result) {
  auto argument = cast<BlockArgument>(result);
  return argument.getOwner()->getArgument(argument.getArgNumber() + 1);
}

static DimExpr alignedBytes(const DimExpr &count, Type element) {
  if (auto number = count.constant())
    return DimExpr(llvm::alignTo(*number * storageBytes(element), 8));
  return *count.mul(DimExpr(8));
}

StateLayout::StateLayout(KernelOp kernel) {
  if (!kernel.isSweep() || kernel.isOfTotals())
    return;
  for (unsigned i = 0; i < kernel.getAggregators().size(); ++i) {
    Reduction reduction;
    reduction.aggregator = kernel.getAggregator(i);
    reduction.softmaxSum = llvm::dyn_cast<SoftmaxSumAttr>(reduction.aggregator);
    reduction.result = kernel.getReduction(i);
    reduction.type = reduction.contributed = cast<FieldType>(reduction.result.getType());
    if (Value by = kernel.getContribute().getBy(i)) {
      reduction.contributed = entryType(reduction.type);
      reduction.selector = selectorOf(selectors, by, reduction.type.getDim(0));
    }
    reduction.keepsArg = reduction.aggregator.tracksArg() && !argOf(reduction.result).use_empty();
    reduction.componentTypes = reduction.aggregator.getStateTypes(reduction.type.getElement());
    reduction.identity = reduction.aggregator.getIdentity(reduction.type.getElement());
    for (Type component : reduction.componentTypes) {
      DimExpr size = alignedBytes(reduction.type.getNumElements(), component);
      reduction.totalOffset.push_back(bytes);
      reduction.segmentOffset.push_back(*bytes.add(size));
      bytes = *reduction.segmentOffset.back().add(size);
    }
    reductions.push_back(reduction);
  }
  for (bool sums : {true, false})
    for (auto [index, reduction] : llvm::enumerate(reductions))
      if (sums == static_cast<bool>(reduction.softmaxSum))
        mergeOrder.push_back(index);
}

void StateLayout::layOutInPasses() {
  inPasses = true;
  int64_t elementBytes = 0;
  for (const Reduction &reduction : reductions)
    for (Type component : reduction.componentTypes)
      elementBytes = std::max<int64_t>(elementBytes, storageBytes(component));
  int64_t at = 0;
  for (Reduction &reduction : reductions)
    for (auto [total, segment] : llvm::zip_equal(reduction.totalOffset, reduction.segmentOffset)) {
      total = DimExpr(at);
      segment = DimExpr(at + elementBytes);
      at += 2 * elementBytes;
    }
  bytes = DimExpr(at);
}

/// A total with the entries of its first dimension, and one more.
static DimExpr withSpare(FieldType type) { return *type.getNumElements().add(entryType(type).getNumElements()); }

DimExpr totalOffset(KernelOp kernel, unsigned output) {
  DimExpr bytes;
  for (unsigned i = kernel.getNumRowOutputs(); i < output; ++i) {
    FieldType type = kernel.getOutput(i).getType();
    DimExpr count = kernel.isSweep() ? withSpare(type) : type.getNumElements();
    bytes = *bytes.add(*count.mul(DimExpr(storageBytes(type.getElement()))));
  }
  return bytes;
}

DimExpr totalsBytes(KernelOp kernel) { return totalOffset(kernel, kernel.getOutputs().size()); }

int64_t hotColumns(KernelOp kernel) {
  ScheduleAttr schedule = kernel.getScheduleAttr();
  return schedule && hasInput(kernel, Access::Col) ? schedule.getHot() : 0;
}

DimExpr hotBytes(KernelOp kernel) {
  DimExpr bytes;
  for (OperandAttr input : inputsOf(kernel))
    if (input.getAccess() == Access::Col) {
      int64_t elementBytes = storageBytes(storedElement(input));
      bytes = *bytes.add(*input.getType().getNumElements().mul(DimExpr(hotColumns(kernel) * elementBytes)));
    }
  return bytes;
}

} // namespace gnnc::star
