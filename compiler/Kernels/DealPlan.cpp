//===- DealPlan.cpp - Which fields threads have in registers --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/KernelElements.h"
#include "compiler/Kernels/SweepPlan.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

static auto dimsOf(ArrayRef<FieldType> types) {
  return llvm::map_range(types, [](FieldType type) { return type.getDims(); });
}

namespace {

class DealPlanner {
public:
  DealPlanner(star::KernelOp kernel, const Machine &machine)
      : kernel(kernel), shape(VectorShape::of(kernel, machine)), threads(machine.threads) {}

  std::optional<DealPlan> plan(bool withEnd);

private:
  int64_t numVectors(FieldType type) const;
  bool mayTakeParts();
  int64_t numKept(FieldType widest);
  int64_t partsOf(FieldType widest);

  star::KernelOp kernel;
  VectorShape shape;
  int64_t threads; // of a group
};

} // namespace

/// Those that are dealt out: runs of the last dimension take a power of two of them.
int64_t DealPlanner::numVectors(FieldType type) const {
  const int64_t last = *type.getDim(type.getRank() - 1).constant();
  return *type.getNumElements().constant() / last * llvm::PowerOf2Ceil(last / shape.lanes(type));
}

std::optional<DealPlan> DealPlanner::plan(bool withEnd) {
  SmallVector<Block *> blocks;
  SmallVector<FieldType> held;
  if (star::ContributeOp contribute = kernel.getContribute()) {
    blocks.push_back(&kernel.getStep().front());
    for (Value value : contribute->getOperands())
      held.push_back(fieldType(value));
  }
  if (withEnd) {
    blocks.push_back(&kernel.getEnd().front());
    for (Value value : kernel.getYield().getValues())
      held.push_back(fieldType(value));
  }
  SmallVector<FieldType> reduced;
  for (Block *block : blocks)
    for (auto reduce : block->getOps<gnn::ReduceOp>())
      reduced.push_back(fieldType(reduce.getOperand()));
  held.append(reduced);
  if (held.empty())
    return std::nullopt;
  SmallVector<FieldType> widest = {
      *llvm::max_element(held, [](FieldType left, FieldType right) { return left.getRank() < right.getRank(); })};
  for (FieldType type : held)
    if (widest[0].getRank() == 1 && type.getRank() == 1 && !llvm::is_contained(dimsOf(widest), type.getDims()))
      widest.push_back(type);
  if (widest[0].getRank() == 0 || !llvm::all_of(held, [&](FieldType type) {
        return llvm::any_of(widest, [&](FieldType wide) { return Points::isDealtWith(wide, type); });
      }))
    return std::nullopt;
  uint64_t vectors = 0; // of a thread
  for (FieldType type : widest) {
    if (type.getNumElements().constant().value_or(0) == 0)
      return std::nullopt;
    vectors += llvm::divideCeil(numVectors(type), threads);
  }
  const int64_t parts = widest.size() == 1 && mayTakeParts() ? partsOf(widest[0]) : 1;
  constexpr unsigned most = 4;
  if (vectors / parts > shape.vectorsIn(most))
    return std::nullopt;
  auto isWide = [&](FieldType type) { return llvm::is_contained(dimsOf(widest), type.getDims()); };
  auto canBeDealt = [](Operation &op) { return traitsOf(&op).canBeDealt; };
  if (!llvm::all_of(reduced, isWide) ||
      !llvm::all_of(blocks, [&](Block *block) { return llvm::all_of(block->without_terminator(), canBeDealt); }))
    return std::nullopt;
  return DealPlan{widest, parts, withEnd};
}

/// Whether a part of the runs of a row can be computed by itself. What has no dimensions would be folded again in each.
bool DealPlanner::mayTakeParts() {
  auto hasDims = [](Value value) { return fieldType(value).getRank() > 0; };
  star::ContributeOp contribute = kernel.getContribute();
  return contribute ? llvm::all_of(contribute.getValues(), hasDims)
                    : llvm::all_of(kernel.getYield().getValues().drop_front(kernel.getNumRowOutputs()), hasDims);
}

/// How many of the sums and of what an edge reads of its row are as wide as `widest`: a thread keeps its vectors of
/// each while it goes over the edges.
int64_t DealPlanner::numKept(FieldType widest) {
  auto isWide = [&](Value value) { return fieldType(value).getDims() == widest.getDims(); };
  star::ContributeOp contribute = kernel.getContribute();
  if (!contribute)
    return 1;
  int64_t kept = llvm::count_if(contribute.getValues(), isWide);
  for (auto [input, argument] : llvm::zip(inputsOf(kernel), kernel.getStep().getArguments()))
    kept += input.getAccess() == star::Access::Row && !argument.use_empty() && isWide(argument);
  return std::max<int64_t>(kept, 1);
}

/// A thread that keeps more than two vectors leaves registers for few threads: the heads of wide rows are computed some
/// at a time, as long as all threads have a vector of those.
int64_t DealPlanner::partsOf(FieldType widest) {
  constexpr unsigned most = 2;
  const int64_t maxVectors = std::max<int64_t>(shape.vectorsIn(most) / numKept(widest), 1);
  const int64_t vectors = numVectors(widest),
                runs = *widest.getNumElements().constant() / *widest.getDim(widest.getRank() - 1).constant();
  int64_t parts = 1;
  while (vectors / parts > maxVectors * threads && runs % (2 * parts) == 0)
    parts *= 2;
  return parts;
}

std::optional<DealPlan> planDeal(star::KernelOp kernel, const Machine &machine, bool withEnd) {
  return DealPlanner(kernel, machine).plan(withEnd);
}

} // namespace gnnc
