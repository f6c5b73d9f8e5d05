//===- SweepBounds.cpp - Sweeps over few elements of open dimensions ------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Open dimensions are mostly small: heads of attention, their features. Where states are in memory, the loop over the
// edges of a segment has a version for each of some bounds, in which it has states in registers. Bits do not depend on
// the version: an element is computed by the same operations in each, in the same order.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/StarToLoops/SweepEmitter.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

/// Whether `op` can be computed at points whose coordinates are known, while its dimensions are open.
static bool isOfPoints(Operation &op) {
  if (auto reduce = dyn_cast<gnn::ReduceOp>(op))
    return reduce.getDim() + 1 == fieldType(reduce.getOperand()).getRank();
  if (auto index = dyn_cast<IndexOp>(op))
    return isa<BlockArgument>(index.getTable());
  return isa<ElementwiseOpInterface, gnn::ConstantOp, ExtentOp, EdgeIdOp, EdgeTypeOp, VertexIdOp, DropoutMaskOp,
             gnn::BroadcastOp, star::OnlineSoftmaxOp>(op) ||
         op.hasTrait<OpTrait::IsTerminator>();
}

/// Plans a version for each of 1, 2, 4 and 8 rows of an open dimension that has another inside of it, of as many
/// elements as states have registers for. Loops over the elements of few rows alone cost little.
void SweepEmitter::planBounds() {
  constexpr int64_t maxElements = 64, maxRows = 8;
  auto isInBits = [](star::OperandAttr operand) { return operand.getStorage() == star::Storage::Bits; };
  Block &step = kernel.getStep().front();
  if (function.machine().isDevice || !function.machine().hasMasks || !layout.selectors.empty() ||
      llvm::any_of(kernel.getInputs().getAsRange<star::OperandAttr>(), isInBits) || !contribute.getEdges().empty() ||
      !llvm::all_of(step, isOfPoints))
    return;
  SmallVector<FieldType> types;
  for (BlockArgument argument : step.getArguments())
    if (!argument.use_empty())
      types.push_back(fieldType(argument));
  for (Operation &op : step)
    for (Value result : op.getResults())
      types.push_back(fieldType(result));
  SmallVector<DimExpr> outer, inner; // open ones
  auto add = [](SmallVector<DimExpr> &dims, const DimExpr &dim) {
    if (!dim.constant() && !llvm::is_contained(dims, dim))
      dims.push_back(dim);
  };
  for (FieldType type : types)
    for (unsigned i = 0; i + 1 < type.getRank(); ++i)
      add(outer, type.getDim(i));
  for (FieldType type : types)
    if (type.getRank() > 0 && !llvm::is_contained(outer, type.getDim(type.getRank() - 1)))
      add(inner, type.getDim(type.getRank() - 1));
  if (outer.size() != 1)
    return;
  auto plan = [&](int64_t rows, int64_t elements) {
    Bounds bounds{{{outer[0], rows}}};
    for (const DimExpr &dim : inner)
      bounds.dims.push_back({dim, elements});
    if (fitsRegisters(bounds))
      fewElements.push_back(bounds);
  };
  const int64_t lanes = fields.points.getMaxLanes();
  for (int64_t rows = 1; rows <= maxRows; rows *= 2) {
    if (rows == 4 && lanes < maxElements / rows) // three heads of seven: a vector each, not two
      plan(rows, lanes);
    plan(rows, maxElements / rows);
  }
}

/// Folds edges of one segment into the states in memory: in the first version that the sizes of the model allow.
void SweepEmitter::foldInMemory(Value from, Value to) {
  std::function<void(ArrayRef<Bounds>)> choose = [&](ArrayRef<Bounds> left) {
    if (left.empty()) {
      llvm::SaveAndRestore<int64_t> several(fields.points.vectorsAtOnce, 4);
      foldEdges(from, to, {},
                {[] {},
                 [&](ValueRange) {
                   stepPlan.emit(fields, Rate::Edge, stepSinks());
                   return SmallVector<Value>();
                 }});
      return;
    }
    Value isWithin = b.at(0, [&]() -> Value {
      Value all;
      for (const auto &[dim, most] : left.front().dims) {
        Value holds = b.create<arith::CmpIOp>(arith::CmpIPredicate::ule, b.value(function.extent(dim)),
                                              b.value(b.constant(most)));
        all = all ? b.create<arith::AndIOp>(all, holds) : holds;
      }
      return all;
    });
    b.branch(
        isWithin, [&] { foldWithin(left.front(), from, to); }, [&] { choose(left.drop_front()); });
  };
  choose(fewElements);
}

/// Folds edges of one segment, in registers, where no open dimension has more elements than `bounds` allow.
void SweepEmitter::foldWithin(const Bounds &bounds, Value from, Value to) {
  llvm::SaveAndRestore<bool> unrolled(fields.points.unrolled, true);
  llvm::SaveAndRestore<Bounds> within(fields.points.bounds, bounds);
  llvm::SaveAndRestore<unsigned> outermost(fields.outermost, b.top());
  auto inMemory = fields.runningMax;
  SmallVector<Part> parts;
  SmallVector<Value> carried;
  for (auto [index, reduction] : llvm::enumerate(layout.reductions))
    for (const Point &point : fields.points.all(reduction.contributed)) {
      parts.push_back({unsigned(index), point});
      carried.append(states.load(segments, index, point));
    }
  carried = foldEdges(from, to, carried, {[] {}, [&](ValueRange state) { return stepParts(parts, state); }});
  for (auto [index, part] : llvm::enumerate(parts))
    states.store(segments, part.reduction, part.point, stateOf(parts, index, carried));
  fields.runningMax = inMemory;
}

} // namespace gnnc
