//===- CostModel.cpp - Estimated widths of fields -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/Transforms/CostModel.h"
#include "dialects/Gnn/IR/TypeRules.h"
#include "llvm/ADT/DenseSet.h"

using namespace gnnc;
using namespace gnnc::gnn;

namespace {
constexpr int64_t inputWidth = 512, otherWidth = 16;
} // namespace

CostModel::CostModel(ModelAttr model) : model(model) {
  if (!model)
    return;
  for (InputAttr input : model.getInputs())
    for (mlir::StringAttr dim : input.getType().getDims())
      inputDims.insert(dim.getValue());
}

int64_t CostModel::dimension(llvm::StringRef name) const {
  if (model)
    for (DimensionAttr dim : model.getDimensions())
      if (dim.getName() == name && (dim.getFixed() >= 0 || dim.getFallback() >= 0))
        return dim.getFixed() >= 0 ? dim.getFixed() : dim.getFallback();
  return inputDims.contains(name) ? inputWidth : otherWidth;
}

int64_t CostModel::width(FieldType type) const {
  auto size = type.getNumElements().substitute(
      [&](llvm::StringRef name) -> std::optional<DimExpr> { return DimExpr(dimension(name)); });
  return size ? size->constant().value_or(inputWidth) : inputWidth;
}

int64_t CostModel::bytes(FieldType type) const {
  return width(type) * std::max<int64_t>(type.getElement().getIntOrFloatBitWidth() / 8, 1);
}

int64_t CostModel::keptBytes(FieldType type) const {
  return type.getElement().isInteger(1) ? (width(type) + 7) / 8 : bytes(type);
}

/// Later operands first: the parameter of a layer is found before the layers below are searched.
namespace {

/// Whether `value` is computed from a result of an op that `isSought`.
bool dependsOn(mlir::Value value, llvm::function_ref<bool(mlir::Operation *)> isSought) {
  llvm::SmallVector<mlir::Operation *> pending = {value.getDefiningOp()};
  llvm::DenseSet<mlir::Operation *> seen;
  while (!pending.empty()) {
    mlir::Operation *op = pending.pop_back_val();
    if (isSought(op))
      return true;
    if (seen.insert(op).second)
      for (mlir::Value operand : op->getOperands())
        pending.push_back(operand.getDefiningOp());
  }
  return false;
}

} // namespace

bool gnnc::gnn::dependsOnParameter(mlir::Value value) {
  return dependsOn(value, [](mlir::Operation *op) { return llvm::isa<ParamOp>(op); });
}

bool gnnc::gnn::dependsOnLoss(mlir::Value value) {
  return dependsOn(value, [](mlir::Operation *op) { return llvm::isa<LossMaskOp, CotangentOp>(op); });
}

bool gnnc::gnn::isSummedIntoTable(AggregateOp op) {
  constexpr int64_t few = 8;
  if (!llvm::isa<SumAttr>(op.getAggregator()) || !op.getBy() || op.getResult().use_empty())
    return false;
  FieldType type = fieldOf(op.getResult());
  const int64_t entries = type.getDim(0).constant().value_or(INT64_MAX);
  return type.isReal() && (entries == 1 || entries > few) &&
         llvm::all_of(op.getResult().getUsers(), [](mlir::Operation *user) {
           auto total = llvm::dyn_cast<TotalOp>(user);
           return total && llvm::isa<SumAttr>(total.getAggregator()) && !total.getOnes();
         });
}

bool gnnc::gnn::changesBetweenSteps(mlir::Value value) {
  return dependsOn(value, [](mlir::Operation *op) { return llvm::isa<ParamOp, DropoutMaskOp>(op); });
}
