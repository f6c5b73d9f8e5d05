//===- Differentiate.cpp - Programs with gradients ------------------------===//
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

/// True if a program takes a number of its results from a random mask or from its own batch, or updates states.
bool isOtherInTraining(ProgramOp program) {
  auto roles = program.getReturn().getRoles().getAsRange<ResultAttr>();
  return !program.getBody().getOps<DropoutMaskOp>().empty() || !program.getBody().getOps<TrainingOp>().empty() ||
         llvm::any_of(roles, [](ResultAttr result) { return result.getRole() == ResultRole::State; });
}

/// True if a program reads the nonzeros of an input that another program reads as a table.
bool readsOtherForm(ProgramOp program) {
  DictionaryAttr inputs = inputsOf(program);
  return inputs && llvm::any_of(inputs, [](NamedAttribute input) {
           return cast<StringAttr>(input.getValue()).getValue() == "sparse";
         });
}

/// Turns a copy of @forward into @train, @vjp or @vjp_train.
class Differentiator {
public:
  explicit Differentiator(ProgramOp program) : program(program), builder(program.getReturn()), adjoint(builder) {}

  /// Gradients of the loss by the parameters.
  LogicalResult train(Value vertexLoss) {
    FieldType number = fieldOf(vertexLoss);
    Value mask = OpBuilder::atBlockBegin(&program.getBody().front()).create<LossMaskOp>(vertexLoss.getLoc(), number);
    if (failed(findWanted(/*ofInputs=*/false)))
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
    addResult(loss, ResultRole::Loss, "loss");
    addGradients(gradientsByParameter());
    addResults(ResultRole::State);
    setReturn();
    return success();
  }

  /// The outputs, then gradients by parameters and inputs of the sum of all outputs, each times its cotangent.
  LogicalResult pullBack(bool withStates) {
    if (failed(findWanted(/*ofInputs=*/true)))
      return failure();
    ReturnOp end = program.getReturn();
    for (unsigned index = 0; index < end.getNumOperands(); ++index) {
      Value output = end.getOperand(index);
      if (end.getRole(index).getRole() != ResultRole::Output || !adjoint.wants(output))
        continue;
      adjoint.loc = output.getLoc();
      adjoint.addTo(output, adjoint.make<CotangentOp>(fieldOf(output), end.getRole(index).getName()));
    }
    propagate();
    addResults(ResultRole::Output);
    addGradients(gradientsByParameter());
    addGradients(gradientsByInput());
    if (withStates)
      addResults(ResultRole::State);
    setReturn();
    return success();
  }

private:
  using Gradients = llvm::MapVector<StringRef, Value>;

  /// A real input of vertices or edges. The numbers of a sparse input are those of a matrix, and have no gradient.
  static bool isDifferentiableInput(Operation *op) {
    auto input = dyn_cast<InputOp>(op);
    if (!input || !fieldOf(input.getResult()).isReal())
      return false;
    FieldType type = fieldOf(input.getResult());
    ModelAttr model = ModelAttr::of(op);
    return !type.isEdge() || !model || !model.getRelations()[type.getId()].getSparseInput();
  }

  /// Gradients are asked for of the parameters, perhaps of inputs, and of all that real numbers come from them through.
  LogicalResult findWanted(bool ofInputs) {
    for (Operation &op : program.getBody().front().without_terminator())
      forward.push_back(&op);
    for (Operation *op : forward) {
      bool flows = llvm::any_of(op->getOperands(), [&](Value operand) { return adjoint.wants(operand); });
      const bool isLeaf = isa<ParamOp>(op) || (ofInputs && isDifferentiableInput(op));
      if (!fieldOf(op->getResult(0)).isReal() || isa<StopGradientOp>(op) || !(flows || isLeaf))
        continue;
      if (flows && !isa<DifferentiableOpInterface>(op))
        return op->emitOpError("has no adjoint, but its operands depend on parameters")
               << (ofInputs ? " or inputs" : "");
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

  void addResult(Value value, ResultRole role, StringRef name) {
    results.push_back(value);
    roles.push_back(ResultAttr::get(program.getContext(), role, name));
  }

  /// Those results of @forward that have this role.
  void addResults(ResultRole role) {
    ReturnOp end = program.getReturn();
    for (unsigned index = 0; index < end.getNumOperands(); ++index)
      if (end.getRole(index).getRole() == role)
        addResult(end.getOperand(index), role, end.getRole(index).getName());
  }

  void addGradients(const Gradients &gradients) {
    for (auto &[name, gradient] : gradients)
      addResult(gradient, ResultRole::Gradient, name);
  }

  void setReturn() {
    ReturnOp old = program.getReturn();
    builder.create<ReturnOp>(old.getLoc(), results, builder.getArrayAttr(roles));
    old.erase();
  }

  /// 0 for a leaf that no result depends on.
  Value gradientOf(Value leaf) {
    Value gradient = adjoint.gradientOf(leaf);
    return gradient ? gradient : adjoint.make<ConstantOp>(fieldOf(leaf), 0.0).getResult();
  }

  /// In the order of the model's table.
  Gradients gradientsByParameter() {
    Gradients gradients;
    if (ModelAttr model = ModelAttr::of(program))
      for (ParameterAttr param : model.getParams())
        if (!param.getState())
          gradients[param.getName()] = adjoint.make<ConstantOp>(param.getType(), 0.0);
    for (Operation *op : forward)
      if (auto param = dyn_cast<ParamOp>(op))
        gradients[param.getName()] = gradientOf(param.getResult());
    return gradients;
  }

  /// Likewise.
  Gradients gradientsByInput() {
    Gradients gradients;
    if (ModelAttr model = ModelAttr::of(program))
      for (InputAttr input : declaredInputs(model))
        gradients[input.getName()] = {};
    for (Operation *op : forward)
      if (isDifferentiableInput(op))
        gradients[cast<InputOp>(op).getName()] = gradientOf(op->getResult(0));
    gradients.remove_if([](auto &each) { return !each.second; }); // without a gradient
    return gradients;
  }

  ProgramOp program;
  SmallVector<Operation *> forward;
  OpBuilder builder;
  AdjointBuilder adjoint;
  SmallVector<Value> results;
  SmallVector<Attribute> roles;
};

struct DifferentiatePass : gnn::impl::DifferentiateBase<DifferentiatePass> {
  using DifferentiateBase::DifferentiateBase;

  void runOnOperation() override {
    for (auto program : llvm::to_vector(getOperation().getOps<ProgramOp>())) {
      if (programKind(program.getSymName()) != "forward")
        continue;
      if (vjp && !readsOtherForm(program)) {
        derive(program, "vjp", /*training=*/false);
        if (isOtherInTraining(program))
          derive(program, "vjp_train", /*training=*/true);
      }
      if (findVertexLoss(program))
        derive(program, "train", /*training=*/true);
    }
  }

  void derive(ProgramOp forward, StringRef kind, bool training) {
    OpBuilder builder(forward);
    builder.setInsertionPointAfter(forward);
    auto program = cast<ProgramOp>(builder.clone(*forward));
    program.setSymName(variantName(kind, forward.getSymName()));
    setTraining(program, training);
    Differentiator differentiator(program);
    if (failed(kind == "train" ? differentiator.train(findVertexLoss(program)) : differentiator.pullBack(training)))
      signalPassFailure();
  }
};

} // namespace
