//===- LoopBuilder.cpp - Loops and where to put what they repeat ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/LoopBuilder.h"

using namespace mlir;

namespace gnnc {

LoopBuilder::LoopBuilder(Location loc, Block *entry) : ValueBuilder(loc) {
  opBuilder.setListener(this);
  opBuilder.setInsertionPointToEnd(entry);
  scopes.push_back({entry, nullptr});
}

unsigned LoopBuilder::scopeOf(Value value) const {
  if (value.getDefiningOp<arith::ConstantOp>())
    return 0;
  std::optional<unsigned> scope = scopeOf(value.getParentBlock());
  assert(scope && "a value of a block that is closed");
  return *scope;
}

std::optional<unsigned> LoopBuilder::scopeOf(Block *block) const {
  for (unsigned scope = scopes.size(); scope-- > 0;)
    if (scopes[scope].block == block)
      return scope;
  return std::nullopt;
}

unsigned LoopBuilder::scopeOf(Index index) const {
  auto value = dyn_cast<Value>(index);
  return value ? scopeOf(value) : 0;
}

void LoopBuilder::inScope(Block *block, Operation *inner, llvm::function_ref<void()> build) {
  OpBuilder::InsertionGuard guard(opBuilder);
  Operation *enclosing = scopes.back().inner;
  scopes.back().inner = inner;
  scopes.push_back({block, nullptr});
  opBuilder.setInsertionPointToEnd(block);
  build();
  scopes.pop_back();
  scopes.back().inner = enclosing;
}

Values LoopBuilder::forLoop(Index from, Index to, Index step, ValueRange initial, Body body) {
  auto loop = create<scf::ForOp>(value(from), value(to), value(step), initial);
  Block *block = loop.getBody();
  if (initial.empty())
    block->getTerminator()->erase();
  inScope(block, loop, [&] { create<scf::YieldOp>(body(loop.getInductionVar(), loop.getRegionIterArgs())); });
  return llvm::to_vector_of<Value>(loop.getResults());
}

void LoopBuilder::forLoop(Index from, Index to, Index step, llvm::function_ref<void(Value)> body) {
  forLoop(from, to, step, {}, [&](Value iv, ValueRange) {
    body(iv);
    return Values();
  });
}

Values LoopBuilder::branch(Value condition, TypeRange types, Branch then, Branch otherwise) {
  auto branch = create<scf::IfOp>(types, condition, /*addThenBlock=*/true, /*addElseBlock=*/true);
  inScope(branch.thenBlock(), branch, [&] { create<scf::YieldOp>(then()); });
  inScope(branch.elseBlock(), branch, [&] { create<scf::YieldOp>(otherwise()); });
  return llvm::to_vector_of<Value>(branch.getResults());
}

void LoopBuilder::branch(Value condition, llvm::function_ref<void()> then, llvm::function_ref<void()> otherwise) {
  auto without = [](llvm::function_ref<void()> build) {
    return [build]() -> Values {
      build();
      return {};
    };
  };
  branch(condition, TypeRange(), without(then), without(otherwise));
}

Value ValueBuilder::value(Index index) {
  if (auto number = dyn_cast<Attribute>(index))
    return create<arith::ConstantIndexOp>(cast<IntegerAttr>(number).getInt());
  return cast<Value>(index);
}

void LoopBuilder::notifyOperationInserted(Operation *op, OpBuilder::InsertPoint) {
  if (isa<arith::MulFOp>(op) || (fusesAdditions && isa<arith::AddFOp>(op)))
    op->setAttr("fastmath", arith::FastMathFlagsAttr::get(op->getContext(), arith::FastMathFlags::contract));
}

} // namespace gnnc
