//===- MapThreads.cpp - Threads that share a row --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/IR/Star.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/Support/MathExtras.h"

namespace gnnc::star {
#define GEN_PASS_DEF_MAPTHREADS
#include "dialects/Star/Transforms/Passes.h.inc"
} // namespace gnnc::star

using namespace mlir;
using namespace gnnc;
using namespace gnnc::star;

namespace {

constexpr unsigned warp = 32, blockThreads = 256;

/// The value of an open dimension, which kernels get for any: its fallback in the model. One without, such as the
/// classes of data to come, is taken for wide enough that half a warp shares a row: of a few numbers that leaves half
/// of it idle at most, of hundreds it takes two walks for each of a warp.
int64_t expectedValue(gnn::ModelAttr model, StringRef name) {
  constexpr int64_t unknown = 64;
  if (model)
    for (gnn::DimensionAttr dimension : model.getDimensions())
      if (dimension.getName() == name && dimension.getFallback() > 0)
        return dimension.getFallback();
  return unknown;
}

/// Numbers of a vector, which is what a thread loads at a time.
unsigned vectorNumbers(KernelOp kernel) {
  constexpr unsigned vectorBytes = 16;
  bool readsNarrow = llvm::any_of(kernel.getInputs().getAsRange<OperandAttr>(),
                                  [](OperandAttr input) { return isNarrow(input.getStorage()); });
  return vectorBytes / (readsNarrow ? 2 : 4);
}

/// Vectors of a field, with the expected values of open dimensions.
uint64_t vectorsOf(gnn::FieldType type, gnn::ModelAttr model, unsigned numbers) {
  if (type.getRank() == 0)
    return 1;
  auto expected = [&](StringRef name) { return std::optional<DimExpr>(DimExpr(expectedValue(model, name))); };
  auto valueOf = [&](const DimExpr &expr) {
    std::optional<DimExpr> value = expr.substitute(expected);
    return value ? value->constant().value_or(INT64_MAX) : INT64_MAX; // more than fits: as wide as can be
  };
  if (type.getElement().getIntOrFloatBitWidth() == 64)
    numbers = std::max(numbers / 2, 1u);
  uint64_t lanes = llvm::MinAlign(valueOf(type.getDim(type.getRank() - 1)), numbers);
  return valueOf(type.getNumElements()) / std::max<uint64_t>(lanes, 1);
}

/// The power of 2 for which the fewest threads have nothing to do in a last, incomplete turn.
unsigned threadsFor(uint64_t vectors, unsigned vectorsOfAThread) {
  unsigned best = 1;
  uint64_t least = ~uint64_t(0);
  for (unsigned threads = 1; threads <= warp; threads *= 2) {
    uint64_t turns = llvm::divideCeil(vectors, threads);
    if ((turns <= vectorsOfAThread || threads == warp) && turns * threads <= least) {
      least = turns * threads;
      best = threads;
    }
  }
  return best;
}

unsigned threadsFor(KernelOp kernel) {
  if (ScheduleAttr schedule = kernel.getScheduleAttr(); schedule && schedule.getThreads())
    return schedule.getThreads();
  SmallVector<gnn::FieldType> types;
  ContributeOp contribute = kernel.getContribute();
  if (contribute)
    for (Value value : contribute.getValues())
      types.push_back(cast<gnn::FieldType>(value.getType()));
  // Where edges are reduced by an integer, the threads of a row share one entry at a time, not the whole output.
  if (!contribute || contribute.getBy().empty())
    for (Attribute output : kernel.getOutputs())
      types.push_back(cast<OperandAttr>(output).getType());
  // Threads fold what they have of a field together.
  kernel.walk([&](gnn::ReduceOp reduce) { types.push_back(cast<gnn::FieldType>(reduce.getOperand().getType())); });
  const unsigned numbers = vectorNumbers(kernel), numbersOfAThread = 16;
  gnn::ModelAttr model = gnn::ModelAttr::of(kernel);
  uint64_t most = 1;
  for (gnn::FieldType type : types)
    most = std::max(most, vectorsOf(type, model, numbers));
  return threadsFor(most, numbersOfAThread / numbers);
}

class MapThreads : public star::impl::MapThreadsBase<MapThreads> {
public:
  void runOnOperation() override {
    for (auto kernel : getOperation().getOps<KernelOp>())
      if (!kernel.getMapping()) {
        kernel.setMappingAttr(MappingAttr::get(&getContext(), threadsFor(kernel), blockThreads));
        ++numMapped;
      }
  }
};

} // namespace
