//===- Elements.cpp - Elementwise gnn ops on one element ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of each elementwise op, as arith and math ops on scalars or vectors, and costs.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/ElementBuilder.h"
#include "dialects/Gnn/IR/TypeRules.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

ElementCost gnnc::gnn::costOf(Operation *op) {
  if (isa<DropoutMaskOp>(op))
    return ElementCost::Transcendental;
  auto elementwise = dyn_cast<ElementwiseOpInterface>(op);
  return elementwise ? elementwise.getElementFacts().cost : ElementCost::Simple;
}

#define GNN_ELEMENT(OP, EXPRESSION)                                                                                    \
  Value OP::buildElement(OpBuilder &builder, Location loc, ValueRange x) {                                             \
    ElementBuilder element(builder, loc);                                                                              \
    return EXPRESSION;                                                                                                 \
  }

GNN_ELEMENT(ExpOp, element.make<math::ExpOp>(x[0]))
GNN_ELEMENT(LogOp, element.make<math::LogOp>(x[0]))
GNN_ELEMENT(SqrtOp, element.make<math::SqrtOp>(x[0]))
GNN_ELEMENT(TanhOp, element.make<math::TanhOp>(x[0]))
GNN_ELEMENT(ErfOp, element.make<math::ErfOp>(x[0]))
GNN_ELEMENT(SinOp, element.make<math::SinOp>(x[0]))
GNN_ELEMENT(CosOp, element.make<math::CosOp>(x[0]))
GNN_ELEMENT(Log1pOp, element.make<math::Log1pOp>(x[0]))
GNN_ELEMENT(Expm1Op, element.make<math::ExpM1Op>(x[0]))
GNN_ELEMENT(FloorOp, element.make<math::FloorOp>(x[0]))
GNN_ELEMENT(CeilOp, element.make<math::CeilOp>(x[0]))
GNN_ELEMENT(RoundOp, element.make<math::RoundOp>(x[0]))
GNN_ELEMENT(NotOp, element.make<arith::XOrIOp>(x[0], element.constant(x[0], 1)))
GNN_ELEMENT(CastOp, element.cast(x[0], fieldOf(getResult()).getElement()))
GNN_ELEMENT(RsqrtOp, element.make<arith::DivFOp>(element.constant(x[0], 1), element.make<math::SqrtOp>(x[0])))
GNN_ELEMENT(PowOp, element.make<math::PowFOp>(x[0], x[1]))
GNN_ELEMENT(Atan2Op, element.make<math::Atan2Op>(x[0], x[1]))
GNN_ELEMENT(AndOp, element.make<arith::AndIOp>(x[0], x[1]))
GNN_ELEMENT(OrOp, element.make<arith::OrIOp>(x[0], x[1]))
GNN_ELEMENT(SelectOp, element.select(x[0], x[1], x[2]))
GNN_ELEMENT(AddOp, (element.byElement<arith::AddFOp, arith::AddIOp>(x[0], x[1])))
GNN_ELEMENT(SubOp, (element.byElement<arith::SubFOp, arith::SubIOp>(x[0], x[1])))
GNN_ELEMENT(MulOp, (element.byElement<arith::MulFOp, arith::MulIOp>(x[0], x[1])))
GNN_ELEMENT(DivOp, (element.byElement<arith::DivFOp, arith::DivSIOp>(x[0], x[1])))
GNN_ELEMENT(MaximumOp, (element.byElement<arith::MaximumFOp, arith::MaxSIOp>(x[0], x[1])))
GNN_ELEMENT(MinimumOp, (element.byElement<arith::MinimumFOp, arith::MinSIOp>(x[0], x[1])))

#undef GNN_ELEMENT

Value CopyOp::buildElement(OpBuilder &, Location, ValueRange x) { return x[0]; }

Value NegOp::buildElement(OpBuilder &builder, Location loc, ValueRange x) {
  ElementBuilder element(builder, loc);
  if (ElementBuilder::isFloat(x[0]))
    return element.make<arith::NegFOp>(x[0]);
  return element.make<arith::SubIOp>(element.constant(x[0], 0), x[0]);
}

Value AbsOp::buildElement(OpBuilder &builder, Location loc, ValueRange x) {
  return ElementBuilder(builder, loc).byElement<math::AbsFOp, math::AbsIOp>(x[0]);
}

Value SigmoidOp::buildElement(OpBuilder &builder, Location loc, ValueRange x) {
  ElementBuilder element(builder, loc);
  Value one = element.constant(x[0], 1);
  return element.make<arith::DivFOp>(
      one, element.make<arith::AddFOp>(one, element.make<math::ExpOp>(element.make<arith::NegFOp>(x[0]))));
}

Value SignOp::buildElement(OpBuilder &builder, Location loc, ValueRange x) {
  ElementBuilder element(builder, loc);
  Value zero = element.constant(x[0], 0);
  Value notAbove =
      element.select(element.compare(arith::CmpFPredicate::OLT, x[0], zero), element.constant(x[0], -1), zero);
  return element.select(element.compare(arith::CmpFPredicate::OGT, x[0], zero), element.constant(x[0], 1), notAbove);
}

Value CompareOp::buildElement(OpBuilder &builder, Location loc, ValueRange x) {
  using arith::CmpFPredicate, arith::CmpIPredicate;
  static constexpr CmpFPredicate floats[] = {CmpFPredicate::OEQ, CmpFPredicate::UNE, CmpFPredicate::OLT,
                                             CmpFPredicate::OLE, CmpFPredicate::OGT, CmpFPredicate::OGE};
  static constexpr CmpIPredicate signedIntegers[] = {CmpIPredicate::eq,  CmpIPredicate::ne,  CmpIPredicate::slt,
                                                     CmpIPredicate::sle, CmpIPredicate::sgt, CmpIPredicate::sge};
  static constexpr CmpIPredicate bools[] = {CmpIPredicate::eq,  CmpIPredicate::ne,  CmpIPredicate::ult,
                                            CmpIPredicate::ule, CmpIPredicate::ugt, CmpIPredicate::uge};
  ElementBuilder element(builder, loc);
  auto index = static_cast<unsigned>(getPredicate());
  if (ElementBuilder::isFloat(x[0]))
    return element.compare(floats[index], x[0], x[1]);
  bool isBool = getElementTypeOrSelf(x[0]).isInteger(1);
  return element.compare(isBool ? bools[index] : signedIntegers[index], x[0], x[1]);
}
