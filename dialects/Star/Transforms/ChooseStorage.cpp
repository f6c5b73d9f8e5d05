//===- ChooseStorage.cpp - How fields lie in memory -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/Transforms/ChooseStorage.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"

using namespace gnnc;
using namespace gnnc::star;
using mlir::Operation;
using mlir::Value;

static bool isStep(Operation *op) { return op && llvm::isa<SweepOp, MapOp, MatMulOp, MatMulTNOp>(op); }

//===----------------------------------------------------------------------===//
// Bools as bits
//===----------------------------------------------------------------------===//

/// Whether region `region` of a step reads its argument `index` from where a byte of bits need not begin.
static bool shiftsElements(mlir::Region &region, unsigned index) {
  return llvm::any_of(region.getArgument(index).getUsers(),
                      [](Operation *user) { return llvm::isa<gnn::SliceOp, gnn::ReshapeOp>(user); });
}

/// Whether `step` reads its operand `operand` from where a byte of bits need not begin.
static bool shiftsElements(Operation *step, unsigned operand) {
  auto sweep = llvm::dyn_cast<SweepOp>(step);
  if (!sweep)
    return shiftsElements(llvm::cast<MapOp>(step).getEnd(), operand);
  unsigned rows = sweep.getRows().size(), onEdges = sweep.getCols().size() + sweep.getEdges().size();
  if (shiftsElements(sweep.getStep(), operand))
    return true;
  bool isOfEdge = operand >= rows && operand < rows + onEdges;
  return !isOfEdge && shiftsElements(sweep.getEnd(), operand < rows ? operand : operand - onEdges);
}

/// Whether a bool that a step computes is kept as bits: it is one of several of a vertex, and between steps only.
static bool isKeptInBits(Value value) {
  gnn::FieldType type = llvm::cast<gnn::FieldType>(value.getType());
  if (!type.getElement().isInteger(1) || !type.isVertex() || type.getRank() == 0)
    return false;
  constexpr int64_t bytesOfRun = 2;
  std::optional<int64_t> last = type.getDim(type.getRank() - 1).constant();
  return !(last && *last <= bytesOfRun) && llvm::all_of(value.getUses(), [](mlir::OpOperand &use) {
    return llvm::isa<SweepOp, MapOp>(use.getOwner()) && !shiftsElements(use.getOwner(), use.getOperandNumber());
  });
}

//===----------------------------------------------------------------------===//
// Reals in 16 bits
//===----------------------------------------------------------------------===//

/// Whether only steps read a field: it is neither handed out nor a parameter by another name.
static bool isReadBySteps(Value value) { return llvm::all_of(value.getUsers(), isStep); }

/// Adds to `exact` what a program keeps for its steps that an extremum over all vertices is computed from: gradients
/// look for the vertex that has it by equality, maybe computing it again, and rounding would leave none.
static void addBehindExtrema(ProgramOp program, llvm::SetVector<Value> &exact) {
  size_t begin = exact.size();
  for (auto map : program.getBody().getOps<MapOp>())
    if (!llvm::all_of(map.getAggregators(), [](mlir::Attribute fold) { return llvm::isa<gnn::SumAttr>(fold); }))
      exact.insert(map->operand_begin(), map->operand_end());
  for (size_t i = begin; i < exact.size(); ++i)
    if (Operation *maker = exact[i].getDefiningOp(); isStep(maker)) {
      exact.insert(maker->result_begin(), maker->result_end());
      exact.insert(maker->operand_begin(), maker->operand_end());
    }
}

/// Adds the normalisers of softmaxes: exponentials turn what is lost of them into errors of the weights.
static void addNormalisers(ProgramOp program, llvm::SetVector<Value> &exact) {
  for (auto sweep : program.getBody().getOps<SweepOp>()) {
    llvm::SetVector<Value> reductions;
    unsigned argument = sweep.getRows().size() + sweep.getWhole().size();
    for (auto aggregator : sweep.getAggregators().getAsRange<gnn::AggregatorInterface>()) {
      if (llvm::isa<gnn::LogSumExpAttr>(aggregator))
        reductions.insert(sweep.getEnd().getArgument(argument));
      argument += aggregator.tracksArg() ? 2 : 1;
    }
    for (auto [yielded, result] :
         llvm::zip(sweep.getEnd().front().getTerminator()->getOperands(), sweep.getRowResults()))
      if (reductions.contains(yielded))
        exact.insert(result);
  }
}

/// The inputs that some program hands out as they are: there is one tensor for all programs.
static llvm::StringSet<> inputsHandedOut(mlir::ModuleOp module) {
  llvm::StringSet<> names;
  for (auto program : module.getOps<ProgramOp>())
    for (auto input : program.getBody().getOps<gnn::InputOp>())
      if (!isReadBySteps(input.getResult()))
        names.insert(input.getName());
  return names;
}

llvm::DenseMap<Value, Storage> gnnc::star::chooseStorage(mlir::ModuleOp module, Storage reals) {
  llvm::DenseMap<Value, Storage> storage;
  const llvm::StringSet<> handedOut = inputsHandedOut(module);
  for (auto program : module.getOps<ProgramOp>()) {
    llvm::SetVector<Value> exact;
    addBehindExtrema(program, exact);
    addNormalisers(program, exact);
    for (Operation &op : program.getBody().front()) {
      auto input = llvm::dyn_cast<gnn::InputOp>(op);
      for (Value value : op.getResults()) {
        bool isRounded = input ? !handedOut.contains(input.getName())
                               : isStep(&op) && isReadBySteps(value) && !exact.contains(value);
        if (isStep(&op) && isKeptInBits(value))
          storage[value] = Storage::Bits;
        else if (isNarrow(reals) && isRounded && mayBeNarrow(llvm::cast<gnn::FieldType>(value.getType())))
          storage[value] = reals;
      }
    }
  }
  return storage;
}
