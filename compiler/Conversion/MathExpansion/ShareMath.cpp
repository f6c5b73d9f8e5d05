//===- ShareMath.cpp - Functions of transcendentals -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The share-math pass: LLVM's time for a function grows faster than its size, and a transcendental is some forty ops.
//
//===----------------------------------------------------------------------===//

#include "compiler/Conversion/MathExpansion/MathExpansion.h"
#include "compiler/Target/CPU/Isa.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/TypeSwitch.h"

namespace gnnc {
#define GEN_PASS_DEF_SHAREMATH
#include "compiler/Conversion/MathExpansion/Passes.h.inc"
} // namespace gnnc

using namespace mlir;

namespace gnnc {

namespace {

using Kind = std::pair<OperationName, Type>;

bool isTranscendental(Operation *op) {
  return TypeSwitch<Operation *, bool>(op)
#define TRANSCENDENTAL(OP, LIBM) .Case([](math::OP) { return true; })
#include "compiler/Conversion/MathExpansion/Transcendentals.def"
      .Default([](Operation *) { return false; });
}

/// `math.exp.8xf32.v3`, of the kind's name and type.
std::string nameOf(Kind kind, Isa isa) {
  std::string name;
  llvm::raw_string_ostream stream(name);
  stream << kind.first << ".";
  if (auto vector = dyn_cast<VectorType>(kind.second))
    for (int64_t size : vector.getShape())
      stream << size << "x";
  stream << getElementTypeOrSelf(kind.second) << isaSuffix(isa);
  return name;
}

class ShareMath : public impl::ShareMathBase<ShareMath> {
public:
  using ShareMathBase::ShareMathBase;

  void runOnOperation() override {
    for (auto function : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (auto name = function->getAttrOfType<StringAttr>("star.isa"))
        if (std::optional<Isa> isa = parseIsa(name))
          share(function, *isa);
  }

private:
  void share(func::FuncOp user, Isa isa) {
    llvm::MapVector<Kind, SmallVector<Operation *>> uses;
    user.walk([&](Operation *op) {
      if (isTranscendental(op))
        uses[{op->getName(), op->getResult(0).getType()}].push_back(op);
    });
    for (auto &[kind, ops] : uses) {
      if (ops.size() <= limit)
        continue;
      func::FuncOp function = functionOf(ops.front(), nameOf(kind, isa), user->getAttr("star.isa"));
      for (Operation *op : ops) {
        OpBuilder builder(op);
        op->replaceAllUsesWith(builder.create<func::CallOp>(op->getLoc(), function, op->getOperands()));
        op->erase();
      }
      numShared += ops.size();
    }
  }

  /// The function that does what `op` does.
  func::FuncOp functionOf(Operation *op, StringRef name, Attribute isa) {
    if (auto known = getOperation().lookupSymbol<func::FuncOp>(name))
      return known;
    auto builder = OpBuilder::atBlockEnd(getOperation().getBody());
    auto type = builder.getFunctionType(op->getOperandTypes(), op->getResultTypes());
    auto function = builder.create<func::FuncOp>(getOperation().getLoc(), name, type);
    function.setPrivate();
    function->setAttr("star.isa", isa);
    Block *block = function.addEntryBlock();
    builder.setInsertionPointToStart(block);
    IRMapping operands;
    operands.map(op->getOperands(), block->getArguments());
    Operation *copy = builder.clone(*op, operands);
    copy->setLoc(getOperation().getLoc());
    builder.create<func::ReturnOp>(copy->getLoc(), copy->getResults());
    return function;
  }
};

} // namespace

} // namespace gnnc
