//===- MergeEmitter.cpp - Functions that merge states ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/KernelEmitter.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

namespace {
/// Merges are rare: on processors they go element by element, which gives the bits of vectors in a fraction of the
/// code. What a row of a device is merged of can be many states: an element stays in registers over all of them.
class MergeEmitter : KernelEmitter {
public:
  MergeEmitter(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function)
      : KernelEmitter(kernel, function), layout(layout), states(fields, layout) {}

  void emit() {
    function.threads.forEachRows(Threads::Rows::All, [&](Index from, Index to, Index step, Index) {
      b.forLoop(from, to, step, [&](Value row) { mergeRow(row); });
    });
  }

private:
  void mergeRow(Value row) {
    const StateMemory total = states.spilledTotal("state", row), segment = states.spilledSegment("state", row);
    for (unsigned index : layout.mergeOrder) {
      forEachElement(index, [&](const Point &point) {
        SmallVector<Part> parts = partsOf(index, point);
        Values merged;
        for (const Part &part : parts) {
          merged.append(states.load(total, part.reduction, part.point));
          merged.append(states.load(segment, part.reduction, part.point));
        }
        merged = foldStates(row, parts, merged);
        const unsigned components = layout.reductions[index].componentTypes.size();
        states.store(total, index, point, ValueRange(merged).take_front(components));
        states.store(segment, index, point, ValueRange(merged).slice(components, components));
      });
      function.threads.sync(); // a normaliser changes when its sums have been merged
    }
  }

  /// The states that a merge reads: that of the reduction and, after that of a softmax sum, its normaliser's.
  SmallVector<Part> partsOf(unsigned index, const Point &point) {
    SmallVector<Part> parts = {{index, point}};
    const Reduction &reduction = layout.reductions[index];
    if (reduction.softmaxSum)
      parts.push_back({reduction.softmaxSum.getNormaliser(), states.normaliserPoint(reduction, point)});
    return parts;
  }

  /// `before`, by part total and segment, with all the states that the row is to be merged with.
  Values foldStates(Value row, ArrayRef<Part> parts, ValueRange before) {
    if (!function.threads.areMany())
      return mergeWith(row, parts, before);
    return b.forLoop(edgeOf(row, "block.offsets"), edgeOf(row, "block.ends"), b.constant(1), before,
                     [&](Value right, ValueRange merged) { return mergeWith(right, parts, merged); });
  }

  Values mergeWith(Value right, ArrayRef<Part> parts, ValueRange merged) {
    const StateMemory rightTotal = states.spilledTotal("state_in", right),
                      rightSegment = states.spilledSegment("state_in", right);
    auto leftTotal = [&](unsigned index, const Point &) { return stateOf(parts, merged, index, /*isSegment=*/false); };
    auto leftSegment = [&](unsigned index, const Point &) { return stateOf(parts, merged, index, /*isSegment=*/true); };
    auto left = [&](unsigned index, const Point &point) { return states.merge(index, point, leftTotal, leftSegment); };
    Values next;
    for (const Part &part : parts) {
      next.append(states.merge(part.reduction, part.point, left, states.in(rightTotal)));
      next.append(states.load(rightSegment, part.reduction, part.point));
    }
    return next;
  }

  Values stateOf(ArrayRef<Part> parts, ValueRange values, unsigned index, bool isSegment) {
    for (const Part &part : parts) {
      const unsigned components = layout.reductions[part.reduction].componentTypes.size();
      if (part.reduction == index)
        return llvm::to_vector(values.slice(isSegment ? components : 0, components));
      values = values.drop_front(2 * components);
    }
    llvm_unreachable("a merge reads no reduction but its own and its normaliser");
  }

  void forEachElement(unsigned reduction, llvm::function_ref<void(const Point &)> body) {
    FieldType type = layout.reductions[reduction].type;
    if (layout.inPasses)
      b.forLoop(function.index("pass_begin"), function.index("pass_end"), b.constant(1), [&](Value iv) {
        body({{iv}, 0});
      });
    else if (type.getRank() == 0)
      function.threads.onFirstThread([&] { body(Point()); });
    else
      fields.points.forEachPoint(type, /*scalar=*/!function.threads.areMany(), body);
  }

  const StateLayout &layout;
  StateEmitter states;
};
} // namespace

void emitMerge(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function) {
  MergeEmitter(kernel, layout, function).emit();
}

} // namespace gnnc
