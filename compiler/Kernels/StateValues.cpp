//===- StateValues.cpp - States as values ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/StateHomes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

ValueRange StateValues::stateOf(ArrayRef<Part> parts, unsigned part, ValueRange values) const {
  unsigned start = 0;
  for (const Part &before : parts.take_front(part))
    start += layout.reductions[before.reduction].componentTypes.size();
  return values.slice(start, layout.reductions[parts[part].reduction].componentTypes.size());
}

/// The state of a reduction at one of the points of `parts`, or at one lane of one.
Values StateValues::partState(ArrayRef<Part> parts, ValueRange values, unsigned reduction, const Point &point) {
  for (auto [index, part] : llvm::enumerate(parts)) {
    if (part.reduction != reduction)
      continue;
    if (part.point == point)
      return llvm::to_vector(stateOf(parts, index, values));
    if (point.lanes || part.point.lanes == 0 || point.coords.empty() ||
        ArrayRef(part.point.coords).drop_back() != ArrayRef(point.coords).drop_back())
      continue;
    int64_t lane = *known(point.coords.back()) - *known(part.point.coords.back());
    if (lane < 0 || lane >= part.point.lanes)
      continue;
    return llvm::map_to_vector(stateOf(parts, index, values),
                               [&](Value component) -> Value { return b.create<vector::ExtractOp>(component, lane); });
  }
  llvm_unreachable("a state that no part holds");
}

SmallVector<Type> StateValues::partTypes(ArrayRef<Part> parts) const {
  SmallVector<Type> types;
  for (const Part &part : parts)
    for (Type component : layout.reductions[part.reduction].componentTypes)
      types.push_back(typeAt(component, part.point));
  return types;
}

Values StateValues::load(const StateMemory &memory, ArrayRef<Part> parts) {
  Values all;
  for (const Part &part : parts)
    all.append(states.load(memory, part.reduction, part.point));
  return all;
}

void StateValues::store(const StateMemory &memory, ArrayRef<Part> parts, ValueRange values) {
  for (auto [index, part] : llvm::enumerate(parts))
    states.store(memory, part.reduction, part.point, stateOf(parts, index, values));
}

Values StateValues::identities(ArrayRef<Part> parts) {
  Values all;
  for (const Part &part : parts)
    all.append(states.identity(layout.reductions[part.reduction], part.point));
  return all;
}

Parts StateValues::partsOf(llvm::function_ref<SmallVector<Point>(FieldType)> pointsOf) {
  Parts parts;
  for (auto [index, reduction] : llvm::enumerate(layout.reductions))
    for (const Point &point : pointsOf(reduction.contributed))
      (reduction.selector ? parts.selected : parts.whole).push_back({unsigned(index), point});
  return parts;
}

Values StateValues::stepEach(ArrayRef<Part> parts, ValueRange before) {
  Values next;
  for (auto [index, part] : llvm::enumerate(parts))
    next.append(sweep.stepState(part.reduction, part.point, stateOf(parts, index, before)));
  return next;
}

Values StateValues::stepParts(ArrayRef<Part> parts, ValueRange before) {
  fields.runningMax = [&](unsigned reduction, const Point &point) {
    return partState(parts, before, reduction, point)[0];
  };
  return stepEach(parts, before);
}

/// Makes the entries of the edge those at hand. `carried`: the states of `parts`, then the entries.
void StateValues::exchangeEntries(ArrayRef<Part> parts, Values &carried) {
  if (parts.empty())
    return;
  Values entries;
  Value differs;
  for (auto [selector, before] : llvm::enumerate(ValueRange(carried).take_back(layout.selectors.size()))) {
    entries.push_back(entryOf(fields, layout.selectors[selector]));
    Value other = b.differ(entries.back(), before);
    differs = differs ? b.either(differs, other) : other;
  }
  auto exchange = [&] {
    storeEntries(parts, carried);
    Values loaded;
    for (const Part &part : parts) {
      Index entry = entries[*layout.reductions[part.reduction].selector];
      loaded.append(states.load(sweep.segments, part.reduction, part.point.withCoord(0, entry)));
    }
    return loaded;
  };
  carried = b.branch(differs, exchange, ValueRange(carried).drop_back(layout.selectors.size()));
  carried.append(entries);
}

void StateValues::storeEntries(ArrayRef<Part> parts, ValueRange carried) {
  ValueRange entries = carried.take_back(layout.selectors.size());
  for (auto [index, part] : llvm::enumerate(parts)) {
    Index entry = entries[*layout.reductions[part.reduction].selector];
    states.store(sweep.segments, part.reduction, part.point.withCoord(0, entry), stateOf(parts, index, carried));
  }
}

/// Calls `body` for every entry of `parts`, with the reduction and where in its state.
void StateValues::forEachEntry(ArrayRef<Part> parts, llvm::function_ref<void(unsigned, const Point &)> body) {
  for (const Part &part : parts) {
    const Selector &selector = layout.selectors[*layout.reductions[part.reduction].selector];
    b.forLoop(b.constant(0), function.extent(selector.entries), b.constant(1),
              [&](Value entry) { body(part.reduction, part.point.withCoord(0, entry)); });
  }
}

/// Appends to the states of whole parts those of entries that no edge belongs to.
void StateValues::addFreshEntries(ArrayRef<Part> selected, Values &carried) {
  carried.append(identities(selected));
  for (const Selector &of : layout.selectors)
    carried.push_back(b.value(function.extent(of.entries)));
}

} // namespace gnnc
