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

constexpr unsigned warp = 32, blockThreads = 256, vectorBytes = 16, vectorsOfAThread = 4;

/// Vectors of a field, if that is known.
std::optional<uint64_t> vectorsOf(gnn::FieldType type) {
  if (type.getRank() == 0)
    return 1;
  auto elements = type.getNumElements().constant(), last = type.getDim(type.getRank() - 1).constant();
  if (!elements || !last)
    return std::nullopt;
  unsigned bytes = std::max(type.getElement().getIntOrFloatBitWidth() / 8, 4u);
  return *elements / std::max<uint64_t>(llvm::MinAlign(*last, vectorBytes / bytes), 1);
}

/// The power of 2 for which the fewest threads have nothing to do in a last, incomplete turn.
unsigned threadsFor(uint64_t vectors) {
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
  for (Attribute output : kernel.getOutputs())
    types.push_back(cast<OperandAttr>(output).getType());
  if (ContributeOp contribute = kernel.getContribute())
    for (Value value : contribute.getValues())
      types.push_back(cast<gnn::FieldType>(value.getType()));
  // Threads fold what they have of a field together.
  kernel.walk([&](gnn::ReduceOp reduce) { types.push_back(cast<gnn::FieldType>(reduce.getOperand().getType())); });
  uint64_t most = 1;
  for (gnn::FieldType type : types) {
    std::optional<uint64_t> vectors = vectorsOf(type);
    if (!vectors)
      return warp;
    most = std::max(most, *vectors);
  }
  return threadsFor(most);
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
