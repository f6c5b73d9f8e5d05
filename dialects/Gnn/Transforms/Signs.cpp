//===- Signs.cpp - Signs that numbers of a field can have -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/Transforms/Signs.h"
#include "dialects/Gnn/IR/FieldBuilder.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

constexpr Signs notNegative{/*negative=*/false, /*positive=*/true};

Signs signsOf(Value value, unsigned depth);

/// The signs of `branch`, which `choice` gives where its condition is `holds`: a ReLU chooses x where x is above 0.
Signs ofBranch(SelectOp choice, Value branch, bool holds, unsigned depth) {
  Signs signs = signsOf(branch, depth);
  auto compare = choice.getCondition().getDefiningOp<CompareOp>();
  std::optional<double> limit = compare && compare.getLhs() == branch ? numberOf(compare.getRhs()) : std::nullopt;
  if (!limit)
    return signs;
  const Predicate predicate = compare.getPredicate();
  const bool isAbove = predicate == Predicate::Gt || predicate == Predicate::Ge;
  const bool isBelow = predicate == Predicate::Lt || predicate == Predicate::Le;
  if ((holds ? isAbove : isBelow) && *limit >= 0)
    signs.negative = false;
  if ((holds ? isBelow : isAbove) && *limit <= 0)
    signs.positive = false;
  return signs;
}

/// Folds keep the signs of what they fold; 0, which a fold of nothing gives, has none.
Signs ofFold(AggregatorInterface aggregator, Value folded, unsigned depth) {
  Signs signs = signsOf(folded, depth);
  if (isa<SumAttr, MaxAttr, MinAttr>(aggregator))
    return signs;
  return isa<ProdAttr>(aggregator) && !signs.negative ? notNegative : Signs();
}

/// The logarithm of 1 and more, as in a softplus, is not negative.
bool isOneOrMore(Value value, unsigned depth) {
  auto sum = value.getDefiningOp<AddOp>();
  if (!sum)
    return numberOf(value).value_or(0) >= 1;
  return llvm::any_of(llvm::seq(0, 2), [&](unsigned one) {
    return numberOf(sum->getOperand(one)).value_or(0) >= 1 && !signsOf(sum->getOperand(1 - one), depth).negative;
  });
}

Signs signsOf(Value value, unsigned depth) {
  Operation *op = value.getDefiningOp();
  if (std::optional<double> number = numberOf(value))
    return {*number<0, *number> 0};
  if (depth == 0)
    return {};
  auto operand = [&](unsigned index) { return signsOf(op->getOperand(index), depth - 1); };
  return TypeSwitch<Operation *, Signs>(op)
      .Case<SoftmaxOp, DegreeOp, CountOp, DropoutMaskOp, OneHotOp, ExtentOp>([](auto) { return notNegative; })
      .Case<StopGradientOp, BroadcastOp, ReshapeOp, SliceOp, PadOp, TransposeOp, ReadSourceOp, ReadDestinationOp,
            IndexOp, TableRowsOp>([&](auto) { return operand(0); })
      .Case(
          [&](CastOp cast) { return fieldOf(cast.getOperand()).getElement().isInteger(1) ? notNegative : operand(0); })
      .Case([&](NegOp) { return -operand(0); })
      .Case([&](AddOp) { return operand(0) | operand(1); })
      .Case([&](SubOp) { return operand(0) | -operand(1); })
      .Case([&](MulOp product) { return product.getLhs() == product.getRhs() ? notNegative : operand(0) * operand(1); })
      .Case([&](DivOp) { return operand(0) * operand(1); })
      .Case([&](MaximumOp) {
        Signs lhs = operand(0), rhs = operand(1);
        return Signs{lhs.negative && rhs.negative, lhs.positive || rhs.positive};
      })
      .Case([&](MinimumOp) {
        Signs lhs = operand(0), rhs = operand(1);
        return Signs{lhs.negative || rhs.negative, lhs.positive && rhs.positive};
      })
      .Case([&](PowOp) { return operand(0).negative ? Signs() : notNegative; })
      .Case([&](LogOp log) { return isOneOrMore(log.getOperand(), depth - 1) ? notNegative : Signs(); })
      .Case([&](ConcatOp concat) {
        Signs signs{false, false};
        for (Value part : concat.getOperands())
          signs = signs | signsOf(part, depth - 1);
        return signs;
      })
      .Case([&](SelectOp choice) {
        return ofBranch(choice, choice.getThen(), /*holds=*/true, depth - 1) |
               ofBranch(choice, choice.getOtherwise(), /*holds=*/false, depth - 1);
      })
      .Case<ReduceOp, AggregateOp, TotalOp>(
          [&](auto fold) { return ofFold(fold.getAggregator(), fold.getOperand(), depth - 1); })
      .Case([&](ElementwiseOpInterface function) {
        switch (function.getElementFacts().sign) {
        case ElementSign::NotNegative:
          return notNegative;
        case ElementSign::OfOperand:
          return operand(0);
        case ElementSign::Any:
          return Signs();
        }
        llvm_unreachable("the switch has every sign");
      })
      .Default([](Operation *) { return Signs(); });
}

} // namespace

/// Ops with two operands double the work at each level.
Signs gnnc::gnn::signsOf(Value value) { return ::signsOf(value, /*depth=*/12); }

bool gnnc::gnn::mayCancel(Operation *op) {
  Signs rhs = signsOf(op->getOperand(1));
  return signsOf(op->getOperand(0)).cancels(isa<SubOp>(op) ? -rhs : rhs);
}
