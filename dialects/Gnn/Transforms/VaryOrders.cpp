//===- VaryOrders.cpp - Programs with other orders of sums and products ---===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-vary-orders pass: which order of a sum over edges and a product is cheaper depends on sizes and on how many
// rows are summed and read, which data decides. So @forward gets variants, from which the runtime chooses.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/ProgramVariants.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "dialects/Gnn/Transforms/Reorder.h"
#include "mlir/IR/BuiltinOps.h"

namespace gnnc::gnn {
#define GEN_PASS_DEF_VARYORDERS
#include "dialects/Gnn/Transforms/Passes.h.inc"
} // namespace gnnc::gnn

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

/// At most this many orders are varied, since each doubles the number of programs. gnn-reorder chooses the others.
constexpr size_t mostOrders = 2;

/// How many more elements the product has, if that is known.
std::optional<int64_t> widening(const SumOrder &order) {
  std::optional<DimExpr> difference = order.to.sub(order.from);
  return difference ? difference->constant() : std::nullopt;
}

/// The orders that data decides: those of open sizes. Where sizes are known, only how many more rows are read than
/// summed can speak against them. That is for the sum first, and counts in the first layer, which has by far the most
/// rows.
SmallVector<SumOrder> openOrders(ProgramOp program) {
  SmallVector<SumOrder> open;
  for (auto [index, order] : llvm::enumerate(findOrders(program))) {
    const std::optional<int64_t> wider = widening(order);
    const bool isSumCheaper = wider && *wider >= 0 && order.isSumFirst;
    if (wider ? index == 0 && !isSumCheaper : open.size() < mostOrders)
      open.push_back(order);
  }
  return open;
}

/// Those for which `isSumFirst(index)`.
DictionaryAttr attributeOf(MLIRContext *context, ArrayRef<SumOrder> orders,
                           llvm::function_ref<bool(size_t)> isSumFirst) {
  SmallVector<NamedAttribute> attributes;
  for (auto [index, order] : llvm::enumerate(orders))
    attributes.emplace_back(StringAttr::get(context, order.name()), BoolAttr::get(context, isSumFirst(index)));
  return DictionaryAttr::get(context, attributes);
}

struct VaryOrdersPass : gnn::impl::VaryOrdersBase<VaryOrdersPass> {
  using VaryOrdersBase::VaryOrdersBase;

  void runOnOperation() override {
    SmallVector<ProgramOp> forwards; // one for each form of inputs
    for (auto program : getOperation().getOps<ProgramOp>())
      if (programKind(program.getSymName()) == "forward")
        forwards.push_back(program);
    size_t numPrograms = forwards.size();
    for (ProgramOp forward : forwards)
      vary(forward, numPrograms);
  }

private:
  void vary(ProgramOp forward, size_t &numPrograms) {
    if (products != Products::Both) {
      const bool areLast = products == Products::Last;
      forward->setAttr(ordersName, attributeOf(&getContext(), findOrders(forward), [&](size_t) { return areLast; }));
      return;
    }
    const SmallVector<SumOrder> orders = openOrders(forward);
    OpBuilder builder(forward);
    builder.setInsertionPointAfter(forward);
    for (size_t choice = 0; !orders.empty() && choice < size_t(1) << orders.size(); ++choice) {
      auto variant = cast<ProgramOp>(builder.clone(*forward));
      variant.setSymName(("forward." + Twine(++numPrograms)).str());
      variant->setAttr(ordersName,
                       attributeOf(&getContext(), orders, [&](size_t index) { return choice >> index & 1; }));
      ++numVariants;
    }
  }
};

} // namespace
