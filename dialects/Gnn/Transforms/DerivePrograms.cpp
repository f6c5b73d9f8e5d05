//===- DerivePrograms.cpp - Inference and evaluation programs -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-derive-programs pass: what @forward is without dropout.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/Depth.h"
#include "dialects/Gnn/IR/FieldBuilder.h"
#include "dialects/Gnn/IR/ProgramVariants.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "dialects/Gnn/Transforms/TrainingFlag.h"
#include "mlir/IR/BuiltinOps.h"

namespace gnnc::gnn {
#define GEN_PASS_DEF_DERIVEPROGRAMS
#include "dialects/Gnn/Transforms/Passes.h.inc"
} // namespace gnnc::gnn

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

/// 1 where the largest logit is that of the target class, in the loss's element type.
Value buildCorrect(OpBuilder &builder, CrossEntropyOp loss) {
  FieldBuilder field(builder, loss.getLoc());
  Value label = loss.getTarget();
  FieldType type = fieldOf(label).withElement(builder.getI64Type());
  Value prediction = field.make<ArgReduceOp>(Extremum::Max, loss.getPrediction(), 0);
  Value equal = field.compare(Predicate::Eq, prediction, field.make<CastOp>(type, label));
  return field.make<CastOp>(loss.getResult().getType(), equal);
}

/// The first loss of a weighted sum of losses, if it is one of classes.
CrossEntropyOp firstOfClasses(Value loss) {
  Operation *op = loss.getDefiningOp();
  while (isa_and_nonnull<AddOp, SubOp, MulOp, DivOp>(op)) {
    const bool isFactor = op->getOperand(0).getDefiningOp<ConstantOp>() != nullptr;
    op = op->getOperand(isFactor).getDefiningOp();
  }
  return dyn_cast_or_null<CrossEntropyOp>(op);
}

/// Reduces the results of `program` to those with role Output, and with the loss to that and the correctness of
/// predictions.
void setResults(ProgramOp program, bool withLoss) {
  ReturnOp old = program.getReturn();
  OpBuilder builder(old);
  SmallVector<Value> results;
  SmallVector<Attribute> roles;
  for (unsigned index = 0; index < old.getNumOperands(); ++index) {
    bool isLoss = old.getRole(index).getRole() == ResultRole::VertexLoss;
    if (old.getRole(index).getRole() != ResultRole::Output && !(isLoss && withLoss))
      continue;
    Value value = old.getOperand(index);
    results.push_back(value);
    roles.push_back(old.getRole(index));
    if (CrossEntropyOp loss = isLoss ? firstOfClasses(value) : CrossEntropyOp()) {
      results.push_back(buildCorrect(builder, loss));
      roles.push_back(ResultAttr::get(program.getContext(), ResultRole::Correct, "correct"));
    }
  }
  builder.create<ReturnOp>(old.getLoc(), results, builder.getArrayAttr(roles));
  old.erase();
}

/// Programs other than `@train` go over all vertices.
void dropDepths(ProgramOp program) {
  for (auto total : program.getBody().getOps<TotalOp>())
    total->removeAttr(depthAttribute);
}

struct DeriveProgramsPass : gnn::impl::DeriveProgramsBase<DeriveProgramsPass> {
  void runOnOperation() override {
    for (auto program : llvm::to_vector(getOperation().getOps<ProgramOp>()))
      if (programKind(program.getSymName()) == "forward")
        deriveFrom(program);
  }

  static void deriveFrom(ProgramOp forward) {
    OpBuilder builder(forward);
    bool hasLoss = llvm::any_of(forward.getReturn().getRoles().getAsRange<ResultAttr>(),
                                [](ResultAttr result) { return result.getRole() == ResultRole::VertexLoss; });
    derive(builder, forward, "infer", false);
    if (hasLoss)
      derive(builder, forward, "evaluate", true);
    forward.erase();
  }

  static void derive(OpBuilder &builder, ProgramOp forward, StringRef name, bool withLoss) {
    auto program = cast<ProgramOp>(builder.clone(*forward));
    program.setSymName(variantName(name, forward.getSymName()));
    dropDepths(program);
    setTraining(program, false);
    setResults(program, withLoss);
  }
};

} // namespace
