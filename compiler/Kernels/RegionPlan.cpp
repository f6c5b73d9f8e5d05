//===- RegionPlan.cpp - What a region computes, and in which nests --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Kernels/RegionPlan.h"
#include "compiler/Kernels/KernelElements.h"
#include "llvm/ADT/SetOperations.h"

using namespace mlir;
using namespace gnnc::gnn;

namespace gnnc {

RegionPlan::RegionPlan(Region &region, ValueRange roots) {
  setRates(region);
  for (Value root : roots)
    visit(root);
  for (Value field : order)
    if (inMemory.contains(field))
      bufferLists[static_cast<unsigned>(rate(field))].push_back(field);
}

static Rate rateOfKind(FieldType type, GraphKind rowKind) {
  if (type.isParameter())
    return Rate::Call;
  return type.isVertex() || type.getKind() == rowKind ? Rate::Row : Rate::Edge;
}

void RegionPlan::setRates(Region &region) {
  auto kernel = cast<star::KernelOp>(region.getParentOp());
  GraphKind rowKind = kernel.getToward() == End::Source ? GraphKind::S : GraphKind::D;
  for (BlockArgument argument : region.getArguments())
    rates[argument] = rateOfKind(fieldType(argument), rowKind);
  if (&region == &kernel.getEnd() && kernel.isSweep())
    for (unsigned i = 0; i < kernel.getAggregators().size(); ++i)
      if (!kernel.getContribute().getBy(i))
        reductions.insert(kernel.getReduction(i));
  for (Operation &op : region.front().without_terminator()) {
    const PositionRead reads = traitsOf(&op).reads;
    Rate rate = reads == PositionRead::Edge     ? Rate::Edge
                : reads == PositionRead::Vertex ? rateOfKind(fieldType(op.getResult(0)), rowKind)
                                                : Rate::Call;
    for (Value operand : op.getOperands())
      rate = std::max(rate, rates[operand]);
    for (Value result : op.getResults())
      rates[result] = rate;
  }
}

/// Whether a table lies in memory wherever states are.
bool RegionPlan::isTableInMemory(Value table) const {
  while (auto reshape = table.getDefiningOp<ReshapeOp>())
    table = reshape.getOperand();
  return isa<BlockArgument>(table) && !reductions.contains(table);
}

bool RegionPlan::isSmall(unsigned maxLanes, unsigned maxPoints, const Bounds &bounds) const {
  uint64_t points = 1;
  for (Value field : order) {
    std::optional<uint64_t> vectors = bounds.numVectors(fieldType(field), maxLanes);
    if (!vectors || *vectors > maxPoints)
      return false;
    points = std::max(points, *vectors);
    Operation *op = field.getDefiningOp();
    if (op && points > traitsOf(op).maxVectors)
      return false;
    if (auto index = dyn_cast_or_null<IndexOp>(op); index && !isTableInMemory(index.getTable()))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Fields in memory
//===----------------------------------------------------------------------===//

/// A field that costs nothing to compute again: loads, constants and repetitions of them.
bool RegionPlan::isTrivial(Value field) const {
  Operation *op = field.getDefiningOp();
  if (!op || fieldType(field).getRank() == 0)
    return true;
  return traitsOf(op).isFree && llvm::all_of(op->getOperands(), [&](Value operand) { return isTrivial(operand); });
}

bool RegionPlan::hasMemory(Value field) const {
  if (isa<BlockArgument>(field) || inMemory.contains(field))
    return true;
  auto reshape = field.getDefiningOp<ReshapeOp>();
  return reshape && hasMemory(reshape.getOperand());
}

void RegionPlan::needMemory(Value field) {
  if (!hasMemory(field))
    inMemory.insert(field);
}

/// Puts into memory what the elements of `op` are not computed from one by one.
void RegionPlan::needOperands(Operation *op) {
  // Only the entries of a table that are read are computed.
  for (Value operand : op->getOperands())
    if (!isTrivial(operand) && rate(operand) < rate(op->getResult(0)) && !isa<IndexOp>(op))
      needMemory(operand);
  const ElementTraits traits = traitsOf(op);
  for (Value operand : op->getOperands().take_front(traits.use == OperandUse::One ? 0 : 2))
    if (traits.use == OperandUse::All || !isTrivial(operand))
      needMemory(operand);
  const bool isRepeated = costOf(op) != ElementCost::Simple && !op->getResult(0).hasOneUse();
  for (Value result : op->getResults())
    if (fieldType(result).getRank() > 0 && (traits.isStored || isRepeated))
      needMemory(result);
}

/// Calls `visit` once for each field that `field` is computed from, but for those behind one where it returns false.
static void walkOperands(Value field, llvm::function_ref<bool(Value)> visit) {
  llvm::DenseSet<Value> seen; // values that are used twice at every level have exponentially many paths
  Values pending = {field};
  while (!pending.empty())
    if (Operation *op = pending.pop_back_val().getDefiningOp())
      for (Value operand : op->getOperands())
        if (seen.insert(operand).second && visit(operand))
          pending.push_back(operand);
}

std::optional<Values> RegionPlan::edgeBuffersFor(Value field) const {
  auto isState = [](Value of) { return bool(of.getDefiningOp<star::OnlineSoftmaxOp>()); };
  llvm::DenseSet<Value> needed = {field};
  walkOperands(field, [&](Value operand) { return needed.insert(operand).second; });
  if (llvm::any_of(needed, isState))
    return std::nullopt;
  Values needs;
  llvm::copy_if(buffers(Rate::Edge), std::back_inserter(needs), [&](Value buffer) { return needed.contains(buffer); });
  return needs;
}

void RegionPlan::visit(Value field) {
  if (!visited.insert(field).second)
    return;
  if (Operation *op = field.getDefiningOp()) {
    for (Value operand : op->getOperands())
      if (!isa<IndexOp>(op) || operand != op->getOperand(0) || !isTableInMemory(operand))
        visit(operand);
    needOperands(op);
    for (Value result : op->getResults())
      visit(result);
  }
  order.push_back(field);
}

//===----------------------------------------------------------------------===//
// Nests
//===----------------------------------------------------------------------===//

llvm::DenseSet<Value> RegionPlan::usedBuffers(Value field) const {
  llvm::DenseSet<Value> used;
  if (field)
    walkOperands(field, [&](Value operand) {
      if (inMemory.contains(operand))
        used.insert(operand);
      return !inMemory.contains(operand);
    });
  return used;
}

Sink Sink::store(FieldEmitter &emitter, Value field, FieldType shape, const Memory &memory, Value fills) {
  auto put = [&emitter, memory, shape](const Point &point, Value value) {
    emitter.memory.store(memory, shape, point, value);
  };
  return {field, shape, put, fills};
}

/// The sinks that fill the memory of `field`.
SmallVector<Sink> RegionPlan::fill(FieldEmitter &emitter, Value field, const Memory &memory) const {
  FieldType type = fieldType(field);
  auto element = field.getDefiningOp<KernelElementInterface>();
  const FieldParts all = element ? element.getParts() : FieldParts();
  if (all.parts.empty())
    return {Sink::store(emitter, field, type, memory, field)};
  SmallVector<Sink> sinks;
  if (all.hasGaps)
    sinks.push_back(Sink::store(emitter, Value(), type, memory, field));
  for (const FieldParts::Part &part : all.parts) {
    FieldType ofPart = fieldType(part.field);
    Index offset = emitter.function.extent(part.offset);
    auto putPart = [&emitter, memory, type, ofPart, offset, dim = all.dim](const Point &point, Value value) {
      emitter.memory.storePart(memory, type, dim, offset, ofPart, point, value);
    };
    sinks.push_back({part.field, ofPart, putPart, field});
  }
  return sinks;
}

/// Whether elements of `field` can only be computed one at a time.
static bool isScalar(Value field) {
  Operation *op = field ? field.getDefiningOp() : nullptr;
  return op && traitsOf(op).isScalar;
}

SmallVector<Fill> RegionPlan::allocate(FieldEmitter &emitter, ArrayRef<Value> fields, int64_t copies) {
  return llvm::map_to_vector(fields, [&](Value field) -> Fill {
    DimExpr count = *fieldType(field).getNumElements().mul(DimExpr(copies));
    return {field, emitter.function.buffer(count, fieldType(field).getElement())};
  });
}

void RegionPlan::emit(FieldEmitter &emitter, Rate rate, ArrayRef<Sink> sinks) const {
  emit(emitter, emitter.points.unrolled ? SmallVector<Fill>() : allocate(emitter, buffers(rate)), sinks);
}

void RegionPlan::emit(FieldEmitter &emitter, ArrayRef<Fill> fills, ArrayRef<Sink> sinks) const {
  SmallVector<Nest> nests;
  llvm::DenseMap<Value, unsigned> filledAfter; // nests to wait for
  llvm::DenseMap<Value, Memory> memories;
  auto schedule = [&](const Sink &sink) {
    llvm::DenseSet<Value> used = usedBuffers(sink.field);
    llvm::set_union(used, usedBuffers(sink.filter));
    if (sink.field && inMemory.contains(sink.field) && sink.fills != sink.field)
      used.insert(sink.field);
    unsigned first = sink.fills ? filledAfter.lookup(sink.fills) : 0;
    for (Value buffer : used)
      first = std::max(first, filledAfter.lookup(buffer));
    bool scalar = isScalar(sink.field) && !emitter.isBound(sink.field) && !inMemory.contains(sink.field);
    scalar |= sink.fills == sink.field && isScalar(sink.field);
    unsigned index = first;
    while (index < nests.size() &&
           (nests[index].scalar != scalar || nests[index].sinks[0].shape.getDims() != sink.shape.getDims()))
      ++index;
    if (index == nests.size())
      nests.push_back({{}, scalar});
    nests[index].sinks.push_back(sink);
    if (sink.fills)
      filledAfter[sink.fills] = index + 1;
  };
  for (const auto &[field, memory] : fills) {
    memories[field] = memory;
    for (const Sink &sink : fill(emitter, field, memory))
      schedule(sink);
  }
  for (const Sink &sink : sinks)
    schedule(sink);

  // Memory that threads share is read by others than filled it: also by those that are an edge or a row behind.
  if (!memories.empty())
    emitter.function.threads.sync();
  for (unsigned index = 0; index < nests.size(); ++index) {
    const Nest &nest = nests[index];
    emitter.points.forEachPoint(nest.sinks[0].shape, nest.scalar && !emitter.points.unrolled, [&](const Point &point) {
      for (const Sink &sink : nest.sinks) {
        Type element = sink.shape.getElement();
        sink.put(point, sink.field ? emitter.element(sink.field, point) : emitter.points.number(0, element, point));
      }
    });
    if (llvm::any_of(nest.sinks, [](const Sink &sink) { return bool(sink.fills); }))
      emitter.function.threads.sync();
    for (const Sink &sink : nest.sinks)
      if (sink.fills && filledAfter[sink.fills] == index + 1)
        emitter.bind(sink.fills, memories[sink.fills], emitter.b.top());
  }
}

} // namespace gnnc
