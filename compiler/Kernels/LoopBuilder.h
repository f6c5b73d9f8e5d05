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

#ifndef GNNC_KERNELS_LOOPBUILDER_H
#define GNNC_KERNELS_LOOPBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/SaveAndRestore.h"

namespace gnnc {

/// An index: an attribute where it is known now, else a value.
using Index = mlir::OpFoldResult;
using Values = llvm::SmallVector<mlir::Value>;
/// The number that `index` is known to be.
inline std::optional<int64_t> known(Index index) { return mlir::getConstantIntValue(index); }

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

protected:
  mlir::OpBuilder opBuilder;
  mlir::Location location;
};

/// Builds constants, arithmetic and loads.
class ValueBuilder : public LocatedBuilder {
public:
  using LocatedBuilder::LocatedBuilder;

  Index constant(int64_t number) { return opBuilder.getIndexAttr(number); }
  mlir::Value value(Index index);
  mlir::Value number32(uint32_t bits) { return create<mlir::arith::ConstantOp>(opBuilder.getI32IntegerAttr(bits)); }
  mlir::Value number64(uint64_t bits) { return create<mlir::arith::ConstantOp>(opBuilder.getI64IntegerAttr(bits)); }
  mlir::Value truth(bool holds) { return create<mlir::arith::ConstantOp>(opBuilder.getBoolAttr(holds)); }
  mlir::Value isNot(mlir::Value flag) { return create<mlir::arith::XOrIOp>(flag, truth(true)); }
  mlir::Value both(mlir::Value lhs, mlir::Value rhs) { return create<mlir::arith::AndIOp>(lhs, rhs); }
  mlir::Value either(mlir::Value lhs, mlir::Value rhs) { return create<mlir::arith::OrIOp>(lhs, rhs); }
  mlir::Value select(mlir::Value condition, Index then, Index otherwise) {
    return make<mlir::arith::SelectOp>(then, otherwise, condition);
  }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, Index lhs, Index rhs) {
    return make<mlir::arith::CmpIOp>(lhs, rhs, predicate);
  }
  mlir::Value isEqual(Index lhs, Index rhs) { return compare(mlir::arith::CmpIPredicate::eq, lhs, rhs); }
  mlir::Value differ(Index lhs, Index rhs) { return compare(mlir::arith::CmpIPredicate::ne, lhs, rhs); }
  mlir::Value isBelow(Index lhs, Index rhs) { return compare(mlir::arith::CmpIPredicate::ult, lhs, rhs); } // unsigned
  mlir::Value min(Index lhs, Index rhs) { return make<mlir::arith::MinSIOp>(lhs, rhs); }
  mlir::Value max(Index lhs, Index rhs) { return make<mlir::arith::MaxSIOp>(lhs, rhs); }
  mlir::Value minUnsigned(Index lhs, Index rhs) { return make<mlir::arith::MinUIOp>(lhs, rhs); }
  mlir::Value toIndex(mlir::Value integer) { return create<mlir::arith::IndexCastOp>(indexType(), integer); }
  mlir::Value toIndexUnsigned(mlir::Value integer) { return create<mlir::arith::IndexCastUIOp>(indexType(), integer); }
  mlir::Value load(mlir::Value memref, Index index) { return create<mlir::memref::LoadOp>(memref, value(index)); }
  void prefetch(mlir::Value memref, Index index) {
    create<mlir::memref::PrefetchOp>(memref, value(index), /*isWrite=*/false, /*localityHint=*/3, /*isDataCache=*/true);
  }
  // In the current scope, not hoisted as by `LoopBuilder::add`.
  mlir::Value addHere(Index lhs, Index rhs) { return make<mlir::arith::AddIOp>(lhs, rhs); }
  mlir::Value subHere(Index lhs, Index rhs) { return make<mlir::arith::SubIOp>(lhs, rhs); }
  mlir::Value mulHere(Index lhs, Index rhs) { return make<mlir::arith::MulIOp>(lhs, rhs); }

protected:
  template <typename Op, typename... Before> mlir::Value make(Index lhs, Index rhs, Before... before) {
    mlir::Value left = value(lhs), right = value(rhs);
    return create<Op>(before..., left, right);
  }
};

class LoopBuilder : public ValueBuilder, private mlir::OpBuilder::Listener {
public:
  using Body = llvm::function_ref<Values(mlir::Value iv, mlir::ValueRange carried)>;
  using Branch = llvm::function_ref<Values()>;

  /// Builds at the end of `entry`, which is scope 0.
  LoopBuilder(mlir::Location loc, mlir::Block *entry);

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
  Values forLoop(Index from, Index to, Index step, mlir::ValueRange initial, Body body);
  void forLoop(Index from, Index to, Index step, llvm::function_ref<void(mlir::Value)> body);
  Values branch(mlir::Value condition, mlir::TypeRange types, Branch then, Branch otherwise);
  /// The results of `then` where `condition` holds, else `otherwise`.
  Values branch(mlir::Value condition, Branch then, mlir::ValueRange otherwise) {
    return branch(condition, otherwise.getTypes(), then, [&] { return llvm::to_vector(otherwise); });
  }
  /// The value of `then` where `condition` holds, else that of `otherwise`.
  mlir::Value choose(mlir::Value condition, mlir::Type type, llvm::function_ref<mlir::Value()> then,
                     llvm::function_ref<mlir::Value()> otherwise) {
    return branch(
        condition, type, [&] { return Values{then()}; }, [&] { return Values{otherwise()}; })[0];
  }
  void branch(
      mlir::Value condition, llvm::function_ref<void()> then, llvm::function_ref<void()> otherwise = [] {});

  // Arithmetic on indices, done now where possible, else in the outermost scope that has the operands. Divisions are
  // unsigned.
  Index add(Index lhs, Index rhs) { return combine<mlir::arith::AddIOp>(lhs, rhs, std::plus<int64_t>(), 0, 0); }
  Index sub(Index lhs, Index rhs) { return combine<mlir::arith::SubIOp>(lhs, rhs, std::minus<int64_t>(), 0); }
  Index mul(Index lhs, Index rhs) {
    return known(lhs) == 0 || known(rhs) == 0
               ? constant(0)
               : combine<mlir::arith::MulIOp>(lhs, rhs, std::multiplies<int64_t>(), 1, 1);
  }
  Index div(Index lhs, Index rhs) { return combine<mlir::arith::DivUIOp>(lhs, rhs, std::divides<int64_t>(), 1); }
  Index rem(Index lhs, Index rhs) {
    return known(rhs) == 1 ? constant(0) : combine<mlir::arith::RemUIOp>(lhs, rhs, std::modulus<int64_t>());
  }

  /// Builds additions that may be fused with the multiplications whose results they take. Only folds over edges and
  /// products of matrices are such: anything else may be computed anew in another kernel, where it has to have the same
  /// bits (the winner of a maximum is found by equality, and the product of the others by a division). So sums on edges
  /// say that they are fused by an op of its own (`FieldEmitter::stepReduce`).
  template <typename Build> auto fused(Build build) {
    llvm::SaveAndRestore<bool> inside(fusesAdditions, true);
    return build();
  }

private:
  /// The result of `compute` if both are known; `lhs` if `rhs` is `neutralRight`, or `rhs` if `lhs` is `neutralLeft`;
  /// else an op in the outermost scope that has both.
  template <typename Op, typename Compute>
  Index combine(Index lhs, Index rhs, Compute compute, std::optional<int64_t> neutralRight = {},
                std::optional<int64_t> neutralLeft = {}) {
    auto left = known(lhs), right = known(rhs);
    if (left && right)
      return constant(compute(*left, *right));
    if (left && left == neutralLeft)
      return rhs;
    if (right && right == neutralRight)
      return lhs;
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

} // namespace gnnc

#endif // GNNC_KERNELS_LOOPBUILDER_H
