//===- ModelBuilder.cpp - Appends values to a checked model -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graph kinds, hops and structural numbers of values.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/ModelBuilder.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/Format.h"

using namespace gnnc;

ValueType gnnc::joinGraphKinds(llvm::ArrayRef<ValueType> types) {
  ValueType joined;
  for (const ValueType &type : types) {
    if (type.kind == GraphKind::P)
      continue;
    if (joined.kind == GraphKind::P) {
      joined.kind = type.kind;
      joined.type = type.type;
    } else if (joined.kind != type.kind) {
      joined.kind = GraphKind::E; // S with D, or E with either
    }
  }
  return joined;
}

/// Whether the result is stored before anything is made of it.
static bool isStored(ValueKind kind) {
  return llvm::is_contained({ValueKind::Aggregate, ValueKind::Softmax, ValueKind::Total, ValueKind::MatMul}, kind);
}

unsigned ModelBuilder::append(Value proto) {
  bool isHop = proto.kind == ValueKind::Aggregate && !model.relations[proto.relation].isSparseInput;
  unsigned chain = 0;
  for (unsigned operand : proto.operands) {
    proto.hops = std::max(proto.hops, value(operand).hops + (isHop ? 1 : 0));
    chain = std::max(chain, chains[operand] + 1);
  }
  chains.push_back(isStored(proto.kind) ? 0 : chain);
  longestChain = std::max(longestChain, chain);
  proto.place = place;
  model.values.push_back(std::move(proto));
  return model.values.size() - 1;
}

unsigned ModelBuilder::elementwise(ValueKind kind, llvm::ArrayRef<unsigned> operands, Shape shape, ElementKind element,
                                   llvm::SMRange range) {
  std::vector<ValueType> types;
  for (unsigned operand : operands)
    types.push_back(type(operand));
  Value proto{kind, joinGraphKinds(types), operands.vec(), "", range};
  proto.type.shape = std::move(shape);
  proto.type.element = element;
  return append(std::move(proto));
}

unsigned ModelBuilder::constant(double number, ElementKind element, llvm::SMRange range) {
  Value proto{ValueKind::Constant, {GraphKind::P, 0, {}, element}, {}, "", range};
  proto.number = number;
  return append(std::move(proto));
}

unsigned ModelBuilder::read(unsigned vertexField, End end, unsigned relation, llvm::SMRange range) {
  auto [it, isNew] = reads.insert({{vertexField, end, relation}, 0});
  if (!isNew)
    return it->second;
  bool atSource = end == End::Source;
  Value proto{
      atSource ? ValueKind::ReadSource : ValueKind::ReadDestination, type(vertexField), {vertexField}, "", range};
  proto.type.kind = atSource ? GraphKind::S : GraphKind::D;
  proto.type.type = relation;
  proto.relation = relation;
  return it->second = append(std::move(proto));
}

unsigned ModelBuilder::aggregate(Reduction reduction, llvm::ArrayRef<unsigned> operands, bool filtered, End toward,
                                 unsigned relation, Loops loops, Shape shape, llvm::SMRange range, bool byType) {
  Value proto{ValueKind::Aggregate, {}, operands.vec(), "", range};
  const Relation &over = model.relations[relation];
  proto.type.kind = GraphKind::V;
  proto.type.type = toward == End::Destination ? over.destinationType : over.sourceType;
  proto.type.shape = std::move(shape);
  proto.type.element = type(operands.front()).element;
  proto.reduction = reduction;
  proto.filtered = filtered;
  proto.byType = byType;
  proto.loops = loops;
  proto.toward = toward;
  proto.relation = relation;
  return append(std::move(proto));
}

unsigned ModelBuilder::structuralNumber(unsigned id) {
  for (unsigned next = numberOf.size(); next <= id; ++next) {
    const Value &v = value(next);
    std::string key;
    llvm::raw_string_ostream os(key);
    os << int(v.kind) << ' ' << int(v.type.kind) << ' ' << v.type.type << ' ' << int(v.type.element) << ' ';
    for (const DimExpr &dim : v.type.shape)
      os << dim.str() << ',';
    for (unsigned operand : v.operands)
      os << ' ' << numberOf[operand];
    os << '|' << llvm::format_hex(llvm::bit_cast<uint64_t>(v.number), 18) << ' ' << v.site << ' ' << int(v.reduction)
       << ' ' << v.relation << ' ' << int(v.toward) << ' ' << v.filtered << v.byType << int(v.loops);
    for (unsigned dim : v.dims)
      os << ' ' << dim;
    bool isLeaf = v.operands.empty() && v.kind != ValueKind::Constant && v.kind != ValueKind::InDegree &&
                  v.kind != ValueKind::OutDegree && v.kind != ValueKind::EdgeType && v.kind != ValueKind::VertexId &&
                  v.kind != ValueKind::Training;
    if (isLeaf)
      os << " #" << next; // inputs, parameters, masks: only equal to themselves
    numberOf.push_back(numbers.insert({os.str(), next}).first->second);
  }
  return numberOf[id];
}
