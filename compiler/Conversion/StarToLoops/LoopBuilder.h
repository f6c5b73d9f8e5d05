//===- LoopBuilder.h - Loops and where to put what they repeat --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds structured control flow inside out: while the body of a loop is being built, ops that need nothing of it can
// still be put before it, in the scope of an enclosing block. So each value is computed as rarely as its operands
// allow, without a later pass.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_LOOPBUILDER_H
#define GNNC_CONVERSION_STARTOLOOPS_LOOPBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/SaveAndRestore.h"

namespace gnnc {

/// An index: an attribute where it is known now, else a value.
using Index = mlir::OpFoldResult;

/// Builds ops at one location.
class LocatedBuilder {
public:
  LocatedBuilder(mlir::Location loc) : opBuilder(loc.getContext()), location(loc) {}

  mlir::OpBuilder &builder() { return opBuilder; }
  mlir::Location loc() const { return location; }
  template <typename Op, typename... Args> auto create(Args &&...args) {
    return opBuilder.create<Op>(location, std::forward<Args>(args)...);
  }
  mlir::Type i1() { return opBuilder.getI1Type(); }
  mlir::Type i8() { return opBuilder.getIntegerType(8); }
  mlir::Type i32() { return opBuilder.getI32Type(); }
  mlir::Type i64() { return opBuilder.getI64Type(); }
  mlir::Type indexType() { return opBuilder.getIndexType(); }

  Index constant(int64_t number) { return opBuilder.getIndexAttr(number); }
  mlir::Value value(Index index);
  mlir::Value truth(bool holds) { return create<mlir::arith::ConstantOp>(opBuilder.getBoolAttr(holds)); }
  mlir::Value isNot(mlir::Value flag) { return create<mlir::arith::XOrIOp>(flag, truth(true)); }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, Index lhs, Index rhs) {
    return make<mlir::arith::CmpIOp>(lhs, rhs, predicate);
  }
  mlir::Value min(Index lhs, Index rhs) { return make<mlir::arith::MinSIOp>(lhs, rhs); }
  mlir::Value max(Index lhs, Index rhs) { return make<mlir::arith::MaxSIOp>(lhs, rhs); }
  mlir::Value minUnsigned(Index lhs, Index rhs) { return make<mlir::arith::MinUIOp>(lhs, rhs); }
  mlir::Value toIndex(mlir::Value integer) { return create<mlir::arith::IndexCastOp>(indexType(), integer); }

protected:
  template <typename Op, typename... Before> mlir::Value make(Index lhs, Index rhs, Before... before) {
    mlir::Value left = value(lhs), right = value(rhs);
    return create<Op>(before..., left, right);
  }

  mlir::OpBuilder opBuilder;
  mlir::Location location;
};

class LoopBuilder : public LocatedBuilder, private mlir::OpBuilder::Listener {
public:
  using Body = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value iv, mlir::ValueRange carried)>;
  using Branch = llvm::function_ref<llvm::SmallVector<mlir::Value>()>;

  /// Builds at the end of `entry`, which is scope 0.
  LoopBuilder(mlir::Location loc, mlir::Block *entry);
  ~LoopBuilder() override;

  /// The innermost scope.
  unsigned top() const { return scopes.size() - 1; }
  /// The scope whose block defines `value`; 0 for constants.
  unsigned scopeOf(mlir::Value value) const;
  unsigned scopeOf(Index index) const;
  /// The scope of an open block, or none.
  std::optional<unsigned> scopeOf(mlir::Block *block) const;
  mlir::Block *block(unsigned scope) const { return scopes[scope].block; }
  /// Calls `build` with `scope` as the innermost, before what is being built inside of it.
  template <typename Build> auto at(unsigned scope, Build build) {
    if (scope == top())
      return build();
    mlir::OpBuilder::InsertionGuard guard(opBuilder);
    opBuilder.setInsertionPoint(scopes[scope].inner);
    llvm::SmallVector<Scope> all = scopes;
    scopes.truncate(scope + 1);
    auto result = build();
    scopes = all;
    return result;
  }

  /// `scf.for` from `from` to `to`; gives what the last iteration yields.
  llvm::SmallVector<mlir::Value> forLoop(Index from, Index to, Index step, mlir::ValueRange initial, Body body);
  void forLoop(Index from, Index to, Index step, llvm::function_ref<void(mlir::Value)> body);
  llvm::SmallVector<mlir::Value> branch(mlir::Value condition, mlir::TypeRange types, Branch then, Branch otherwise);
  /// The value of `then` where `condition` holds, else that of `otherwise`.
  mlir::Value choose(mlir::Value condition, mlir::Type type, llvm::function_ref<mlir::Value()> then,
                     llvm::function_ref<mlir::Value()> otherwise) {
    return branch(
        condition, type, [&] { return llvm::SmallVector<mlir::Value>{then()}; },
        [&] { return llvm::SmallVector<mlir::Value>{otherwise()}; })[0];
  }
  void branch(
      mlir::Value condition, llvm::function_ref<void()> then, llvm::function_ref<void()> otherwise = [] {});

  // Arithmetic on indices, done now where possible, else in the outermost scope that has the operands.
  Index add(Index lhs, Index rhs);
  Index sub(Index lhs, Index rhs);
  Index mul(Index lhs, Index rhs);
  Index div(Index lhs, Index rhs); // unsigned, as `rem`
  Index rem(Index lhs, Index rhs);

  /// Builds additions that may be fused with the multiplications whose results they take. Only folds over edges and
  /// products of matrices are such: anything else may be computed anew in another kernel, where it has to have the same
  /// bits (the winner of a maximum is found by equality, and the product of the others by a division). So sums on edges
  /// say that they are fused by an op of its own (`FieldEmitter::stepReduce`).
  template <typename Build> auto fused(Build build) {
    llvm::SaveAndRestore<bool> inside(fusesAdditions, true);
    return build();
  }

private:
  /// `lhs` and `rhs` in the outermost scope that has both.
  template <typename Op> Index hoisted(Index lhs, Index rhs) {
    return at(std::max(scopeOf(lhs), scopeOf(rhs)), [&] { return Index(make<Op>(lhs, rhs)); });
  }

  struct Scope {
    mlir::Block *block;
    mlir::Operation *inner; // in `block`, and open
  };

  void inScope(mlir::Block *block, mlir::Operation *inner, llvm::function_ref<void()> build);
  void notifyOperationInserted(mlir::Operation *op, mlir::OpBuilder::InsertPoint previous) override;

  bool fusesAdditions = false;
  llvm::SmallVector<Scope> scopes;
};

/// The number that `index` is known to be.
std::optional<int64_t> known(Index index);

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_LOOPBUILDER_H
