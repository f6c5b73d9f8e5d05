//===- Differentiate.cpp - The training program ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-differentiate pass: reverse mode over the list of ops of @forward (Seastar, section 5.2).
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/AdjointBuilder.h"
#include "dialects/Gnn/IR/ProgramVariants.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "dialects/Gnn/Transforms/TrainingFlag.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"

namespace gnnc::gnn {
#define GEN_PASS_DEF_DIFFERENTIATE
#include "dialects/Gnn/Transforms/Passes.h.inc"
} // namespace gnnc::gnn

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

/// The loss of each vertex that `program` returns, or null.
Value findVertexLoss(ProgramOp program) {
  ReturnOp result = program.getReturn();
  for (unsigned index = 0; index < result.getNumOperands(); ++index)
    if (result.getRole(index).getRole() == ResultRole::VertexLoss)
      return result.getOperand(index);
  return {};
}

/// Turns a copy of @forward into @train.
class Differentiator {
public:
  explicit Differentiator(ProgramOp program) : program(program), builder(program.getReturn()), adjoint(builder) {}

  LogicalResult run(Value vertexLoss) {
    FieldType number = fieldOf(vertexLoss);
    Value mask = OpBuilder::atBlockBegin(&program.getBody().front()).create<LossMaskOp>(vertexLoss.getLoc(), number);
    for (Operation &op : program.getBody().front().without_terminator())
      forward.push_back(&op);
    if (failed(findWanted()))
      return failure();
    adjoint.loc = vertexLoss.getLoc();
    Value scale = adjoint.make<LossScaleOp>(number.withKind(GraphKind::P, 0));
    Value weight = adjoint.mul(mask, scale);
    // Where the weight is 0, a NaN, like the loss of an unknown label, reaches neither the sum nor the gradient.
    Value counts = adjoint.compare(Predicate::Ne, mask, adjoint.constant(mask, 0));
    Value loss = adjoint.sumToParameter(adjoint.mul(adjoint.where(counts, vertexLoss), weight));
    adjoint.addTo(vertexLoss, weight,
                  Condition{counts, /*holds=*/true, number.isVertex() ? Reach::Row : Reach::Element,
                            /*isApplied=*/true});
    propagate();
    returnGradients(loss);
    return success();
  }

private:
  /// Gradients are asked for of the parameters and of all that real numbers come from them through.
  LogicalResult findWanted() {
    for (Operation *op : forward) {
      bool flows = llvm::any_of(op->getOperands(), [&](Value operand) { return adjoint.wants(operand); });
      if (!fieldOf(op->getResult(0)).isReal() || isa<StopGradientOp>(op) || !(flows || isa<ParamOp>(op)))
        continue;
      if (flows && !isa<DifferentiableOpInterface>(op))
        return op->emitOpError("has no adjoint, but its operands depend on parameters");
      adjoint.setWanted(op->getResult(0));
    }
    return success();
  }

  /// In reverse order every use of a value comes before the value: its gradient is complete when its turn comes.
  void propagate() {
    for (Operation *op : llvm::reverse(forward))
      if (auto differentiable = dyn_cast<DifferentiableOpInterface>(op))
        adjoint.propagate(differentiable);
  }

  void returnGradients(Value loss) {
    MLIRContext *context = program.getContext();
    SmallVector<Value> results = {loss};
    SmallVector<Attribute> roles = {ResultAttr::get(context, ResultRole::Loss, "loss")};
    for (auto &[name, gradient] : gradientsByParameter()) {
      results.push_back(gradient);
      roles.push_back(ResultAttr::get(context, ResultRole::Gradient, name));
    }
    ReturnOp old = program.getReturn();
    for (unsigned index = 0; index < old.getNumOperands(); ++index)
      if (old.getRole(index).getRole() == ResultRole::State) {
        results.push_back(old.getOperand(index));
        roles.push_back(old.getRole(index));
      }
    builder.create<ReturnOp>(old.getLoc(), results, builder.getArrayAttr(roles));
    old.erase();
  }

  /// In the order of the model's table; 0 for a parameter that the loss does not depend on.
  llvm::MapVector<StringRef, Value> gradientsByParameter() {
    llvm::MapVector<StringRef, Value> gradients;
    if (ModelAttr model = ModelAttr::of(program))
      for (ParameterAttr param : model.getParams())
        if (!param.getState())
          gradients[param.getName()] = adjoint.make<ConstantOp>(param.getType(), 0.0);
    for (Operation *op : forward)
      if (auto param = dyn_cast<ParamOp>(op)) {
        Value gradient = adjoint.gradientOf(param.getResult());
        gradients[param.getName()] =
            gradient ? gradient : adjoint.make<ConstantOp>(fieldOf(param.getResult()), 0.0).getResult();
      }
    return gradients;
  }

  ProgramOp program;
  SmallVector<Operation *> forward;
  OpBuilder builder;
  AdjointBuilder adjoint;
};

struct DifferentiatePass : gnn::impl::DifferentiateBase<DifferentiatePass> {
  void runOnOperation() override {
    for (auto program : llvm::to_vector(getOperation().getOps<ProgramOp>()))
      if (programKind(program.getSymName()) == "forward" && findVertexLoss(program))
        differentiate(program);
  }

  void differentiate(ProgramOp forward) {
    OpBuilder builder(forward);
    builder.setInsertionPointAfter(forward);
    auto train = cast<ProgramOp>(builder.clone(*forward));
    train.setSymName(variantName("train", forward.getSymName()));
    setTraining(train, true);
    if (failed(Differentiator(train).run(findVertexLoss(train))))
      signalPassFailure();
  }
};

} // namespace
