//===- SeparateLoops.cpp - Parts of a model with other loops --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/SeparateLoops.h"
#include "compiler/Frontend/ModelBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include <map>
#include <optional>
#include <utility>
#include <vector>

using namespace gnnc;

namespace {

class LoopSeparator {
public:
  explicit LoopSeparator(CheckedModel &model) : model(model), old(std::exchange(model.values, {})) {}

  void run() {
    for (const Value &value : old)
      newIds.push_back(rewritten(value));
    for (Output &output : model.outputs)
      output.value = ofGivenEdges(newIds[output.value]);
    for (StateUpdate &update : model.stateUpdates)
      update.value = newIds[update.value];
    if (model.loss >= 0)
      model.loss = int(newIds[unsigned(model.loss)]);
  }

private:
  bool hasKinds(unsigned relation) const { return model.relations[relation].transforms.loopKinds; }

  /// Whether edges of a kind are among those of a relation with `loops`.
  bool isAmong(EdgeKind kind, Loops loops, unsigned relation) const {
    switch (kind) {
    case EdgeKind::NoLoop:
      return true;
    case EdgeKind::LastLoop:
      return loops != Loops::None;
    case EdgeKind::EarlierLoop:
      return loops == Loops::Given;
    case EdgeKind::AddedLoop:
      return loops == Loops::One || (loops == Loops::Given && model.relations[relation].transforms.selfLoops);
    }
    llvm_unreachable("every kind is above");
  }

  unsigned rewritten(Value value) {
    for (unsigned &operand : value.operands)
      operand = newIds[operand];
    builder.place = value.place;
    switch (value.kind) {
    case ValueKind::EdgeType:
      return hasKinds(value.relation) ? typeOfAdded(value) : builder.append(std::move(value));
    case ValueKind::InDegree:
    case ValueKind::OutDegree:
      return hasKinds(value.relation) ? degree(value) : builder.append(std::move(value));
    case ValueKind::Aggregate:
    case ValueKind::Softmax:
      if (hasKinds(value.relation))
        filter(value);
      return builder.append(std::move(value));
    default:
      return builder.append(std::move(value));
    }
  }

  unsigned integer(int64_t number, llvm::SMRange range) {
    return builder.constant(double(number), ElementKind::I32, range);
  }

  unsigned isKind(ValueKind comparison, EdgeKind kind, unsigned relation, llvm::SMRange range) {
    auto [known, isNew] = kinds.insert({relation, 0});
    if (isNew) {
      Value proto{ValueKind::EdgeType, {GraphKind::E, relation, {}, ElementKind::I32}, {}, "kind", range};
      proto.relation = relation;
      known->second = builder.append(std::move(proto));
    }
    return builder.elementwise(comparison, {known->second, integer(int64_t(kind), range)}, {}, ElementKind::Bool,
                               range);
  }

  /// -1 for loops that are added, as elsewhere: all that is asked of types here.
  unsigned typeOfAdded(const Value &type) {
    const unsigned isAdded = isKind(ValueKind::Equal, EdgeKind::AddedLoop, type.relation, type.range);
    return builder.elementwise(ValueKind::Select, {isAdded, integer(-1, type.range), integer(0, type.range)}, {},
                               ElementKind::I32, type.range);
  }

  unsigned degree(const Value &value) {
    auto [table, isNew] = degrees.insert({{value.kind, value.relation}, 0});
    if (isNew) {
      Value byKind = value;
      byKind.type.shape = {DimExpr(numEdgeKinds)};
      table->second = builder.append(std::move(byKind));
    }
    std::optional<unsigned> sum;
    for (int64_t kind = 0; kind < numEdgeKinds; ++kind) {
      if (!isAmong(EdgeKind(kind), value.loops, value.relation))
        continue;
      const unsigned number = builder.elementwise(ValueKind::Index, {table->second, integer(kind, value.range)}, {},
                                                  ElementKind::Real, value.range);
      sum = sum ? builder.elementwise(ValueKind::Add, {*sum, number}, {}, ElementKind::Real, value.range) : number;
    }
    return *sum;
  }

  /// A condition that holds for edges with these loops; none if all are among them.
  std::optional<unsigned> isOfEdges(Loops loops, unsigned relation, llvm::SMRange range) {
    auto known = conditions.find({loops, relation});
    if (known != conditions.end())
      return known->second;
    std::optional<unsigned> condition;
    if (loops == Loops::None)
      condition = isKind(ValueKind::Equal, EdgeKind::NoLoop, relation, range);
    else if (loops == Loops::One)
      condition = isKind(ValueKind::NotEqual, EdgeKind::EarlierLoop, relation, range);
    else if (!model.relations[relation].transforms.selfLoops)
      condition = isKind(ValueKind::NotEqual, EdgeKind::AddedLoop, relation, range);
    return conditions[{loops, relation}] = condition;
  }

  /// Adds to the filter of an aggregation or a softmax.
  void filter(Value &value) {
    const std::optional<unsigned> condition = isOfEdges(value.loops, value.relation, value.range);
    if (!condition)
      return;
    if (value.filtered)
      value.operands.back() =
          builder.elementwise(ValueKind::And, {value.operands.back(), *condition}, {}, ElementKind::Bool, value.range);
    else
      value.operands.push_back(*condition);
    value.filtered = true;
  }

  /// An output of edges is 0 on loops that only some layers have.
  unsigned ofGivenEdges(unsigned id) {
    const ValueType type = builder.type(id);
    if (type.kind != GraphKind::E || !hasKinds(type.type))
      return id;
    const llvm::SMRange range = builder.value(id).range;
    std::optional<unsigned> condition = isOfEdges(Loops::Given, type.type, range);
    if (!condition)
      return id;
    unsigned zero = builder.constant(0, type.element, range);
    if (!type.shape.empty()) {
      condition = builder.elementwise(ValueKind::Broadcast, {*condition}, type.shape, ElementKind::Bool, range);
      zero = builder.elementwise(ValueKind::Broadcast, {zero}, type.shape, type.element, range);
    }
    return builder.elementwise(ValueKind::Select, {*condition, id, zero}, type.shape, type.element, range);
  }

  CheckedModel &model;
  const std::vector<Value> old;
  ModelBuilder builder{model};
  std::vector<unsigned> newIds;                               // by old ids
  std::map<unsigned, unsigned> kinds;                         // values, by relation
  std::map<std::pair<ValueKind, unsigned>, unsigned> degrees; // tables by kind of edge, by degree and relation
  std::map<std::pair<Loops, unsigned>, std::optional<unsigned>> conditions; // on edges of relations
};

} // namespace

void gnnc::separateLoops(CheckedModel &model) {
  if (llvm::none_of(model.relations, [](const Relation &relation) { return relation.transforms.loopKinds; }))
    return;
  LoopSeparator(model).run();
  for (Relation &relation : model.relations)
    if (GraphTransforms &transforms = relation.transforms; transforms.loopKinds) {
      transforms.selfLoops = transforms.oneLoop = transforms.marksLoops = false;
      relation.isTyped = true;
    }
}
