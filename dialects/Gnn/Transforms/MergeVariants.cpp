//===- MergeVariants.cpp - Each program once ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gnn-merge-variants pass: of variants that have become the same program the first one stays.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/ProgramVariants.h"
#include "dialects/Gnn/Transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include <map>
#include <tuple>

namespace gnnc::gnn {
#define GEN_PASS_DEF_MERGEVARIANTS
#include "dialects/Gnn/Transforms/Passes.h.inc"
} // namespace gnnc::gnn

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

namespace {

/// Numbers what programs compute: values have one number if the same ops make them of the same leaves, in whatever
/// order these stand.
class Numbering {
public:
  /// The numbers of the results of a program, and the roles of the results.
  std::pair<std::vector<unsigned>, Attribute> of(ProgramOp program) {
    DenseMap<Value, unsigned> numbers;
    for (Operation &op : program.getBody().front().without_terminator()) {
      const unsigned number = numberOf(op, numbersOf(op.getOperands(), numbers));
      for (OpResult result : op.getResults())
        numbers[result] = number + result.getResultNumber();
    }
    ReturnOp end = program.getReturn();
    return {numbersOf(end.getOperands(), numbers), end.getRoles()};
  }

private:
  using Key =
      std::tuple<void *, void *, std::vector<void *>, std::vector<unsigned>>; // name, attributes, types, operands

  static std::vector<unsigned> numbersOf(ValueRange values, const DenseMap<Value, unsigned> &numbers) {
    std::vector<unsigned> found;
    for (Value value : values)
      found.push_back(numbers.lookup(value));
    return found;
  }

  /// The number of the first result of `op`, whose operands have the numbers `operands`.
  unsigned numberOf(Operation &op, std::vector<unsigned> operands) {
    std::vector<void *> types;
    for (Type type : op.getResultTypes())
      types.push_back(const_cast<void *>(type.getAsOpaquePointer()));
    Key key{op.getName().getAsOpaquePointer(), const_cast<void *>(op.getAttrDictionary().getAsOpaquePointer()),
            std::move(types), std::move(operands)};
    auto [known, isNew] = firstNumbers.emplace(std::move(key), next);
    if (isNew)
      next += op.getNumResults();
    return known->second;
  }

  std::map<Key, unsigned> firstNumbers;
  unsigned next = 0;
};

struct MergeVariantsPass : gnn::impl::MergeVariantsBase<MergeVariantsPass> {
  void runOnOperation() override {
    Numbering numbering;
    auto isSame = [&](ProgramOp a, ProgramOp b) { return numbering.of(a) == numbering.of(b); };
    llvm::StringMap<SmallVector<ProgramOp>> kept; // by kind
    for (auto program : llvm::make_early_inc_range(getOperation().getOps<ProgramOp>())) {
      SmallVector<ProgramOp> &others = kept[programKind(program.getSymName())];
      auto *same = llvm::find_if(others, [&](ProgramOp other) { return isSame(program, other); });
      if (same == others.end()) {
        others.push_back(program);
        continue;
      }
      if (!ordersOf(*same)) // those that sizes say
        (*same)->setAttr(ordersName, ordersOf(program));
      program.erase();
      ++numMerged;
    }
    for (auto &[kind, programs] : kept)
      for (auto [index, program] : llvm::enumerate(programs))
        program.setSymName(index > 0 ? (kind + "." + Twine(index + 1)).str() : kind.str());
    for (auto &[kind, programs] : kept)
      if (programs.size() == 1)
        for (StringRef name : {ordersName, inputsName})
          programs.front()->removeAttr(name);
  }
};

} // namespace
