//===- GraphValues.cpp - Values that the graph gives ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads of neighbours (law 4), degrees (law 8), types of edges (law 12), loops (law 3), numbers of vertices (law 13)
// and `training` (law 14).
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/GraphValues.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/LoopChecker.h"
#include "compiler/Frontend/Sema/OperatorChecker.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Casting.h"

using namespace gnnc;
using namespace gnnc::ast;

//===----------------------------------------------------------------------===//
// Reads
//===----------------------------------------------------------------------===//

Operand GraphValues::readAt(Operand operand, End end, llvm::SMRange range) {
  const Comprehension &comprehension = *context.comprehension;
  Operand result = fieldOperand(builder.read(operand.id, end, comprehension.set->relation, range), operand.shape,
                                comprehension.set, range);
  result.origin = operand.origin;
  return result;
}

Operand GraphValues::inContext(Operand operand) {
  if (!context.comprehension || !operand.isField() || kind(operand) != GraphKind::V)
    return operand;
  return readAt(operand, context.comprehension->ownEnd, operand.range);
}

Operand GraphValues::onEdges(const Operand &operand) {
  if (!operand.isField() || !operand.edges || kind(operand) != GraphKind::P)
    return operand;
  // Joined with something that edges have and that changes nothing.
  const EdgeSet &set = *operand.edges;
  const End end = set.toward.value_or(End::Destination);
  const llvm::SMRange range = operand.range;
  const Operand count =
      degree(end == End::Source ? ValueKind::OutDegree : ValueKind::InDegree, set.relation, /*byType=*/false, range);
  Operand read = fieldOperand(builder.read(count.id, end, set.relation, range), {}, &set, range);
  const Operand zero = numberOperand(0, /*isInteger=*/true, range);
  const ElementKind type = element(operand);
  Operand result;
  if (type == ElementKind::Bool) {
    result = operators.logical(ValueKind::And, operand,
                               operators.comparison(ValueKind::GreaterEqual, read, zero, range), range);
  } else {
    if (type != ElementKind::Real)
      read = elementwise.apply(ValueKind::Cast, {read}, {}, type, range);
    Operand joined = operand;
    joined.uniform.reset();
    result = operators.arithmetic(ValueKind::Add, joined, operators.arithmetic(ValueKind::Mul, read, zero, range, "*"),
                                  range, "+");
  }
  result.edges = operand.edges;
  return result;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// `u == v` and `u != v` for the ends of the current edge, in either order; none for any other expression.
std::optional<Operand> GraphValues::loopCondition(const BinaryExpr &expr) {
  const auto *lhs = llvm::dyn_cast<NameExpr>(expr.lhs), *rhs = llvm::dyn_cast<NameExpr>(expr.rhs);
  const bool isEquality = expr.op == BinaryOp::Equal || expr.op == BinaryOp::NotEqual;
  if (!isEquality || !lhs || !rhs || !context.comprehension)
    return std::nullopt;
  const Name &source = context.comprehension->pattern->source, &target = context.comprehension->pattern->target;
  const bool inOrder = lhs->name.text == source.text && rhs->name.text == target.text;
  if (!inOrder && !(lhs->name.text == target.text && rhs->name.text == source.text))
    return std::nullopt;
  symbols.noteUse(lhs->name, (inOrder ? source : target).range);
  symbols.noteUse(rhs->name, (inOrder ? target : source).range);
  const unsigned relation = context.comprehension->set->relation;
  if (schema.typeAt(relation, End::Source) != schema.typeAt(relation, End::Destination)) {
    error(DiagnosticCode::E0412, expr.range, "`" + schema.describeRelation(relation) + "` has no loops to tell")
        .at("the ends have different types, so they are never one vertex")
        .label(context.comprehension->set->range, "over these edges");
    return Operand();
  }
  return operators.comparison(expr.op == BinaryOp::Equal ? ValueKind::Equal : ValueKind::NotEqual,
                              vertexId(End::Source, expr.range), vertexId(End::Destination, expr.range), expr.range);
}

/// The number of the vertex at an end of the current edge.
Operand GraphValues::vertexId(End end, llvm::SMRange range) {
  const unsigned type = schema.typeAt(context.comprehension->set->relation, end);
  auto [known, isNew] = vertexIds.insert({type, 0});
  if (isNew)
    known->second = builder.append({ValueKind::VertexId, {GraphKind::V, type, {}, ElementKind::I64}, {}, "id", range});
  return readAt(fieldOperand(known->second, {}, nullptr, range), end, range);
}

//===----------------------------------------------------------------------===//
// Edge types
//===----------------------------------------------------------------------===//

Operand GraphValues::edgeType(llvm::SMRange range) {
  schema.noteTypesRead(context.comprehension->set->relation, range);
  return typeOfEdge(range);
}

/// One i32 for every edge.
Operand GraphValues::typeOfEdge(llvm::SMRange range) {
  const EdgeSet &set = *context.comprehension->set;
  std::optional<unsigned> &known = relationInfo[set.relation].edgeType;
  if (!known) {
    Value proto{ValueKind::EdgeType, {GraphKind::E, set.relation, {}, ElementKind::I32}, {}, "type", range};
    proto.relation = set.relation;
    known = builder.append(std::move(proto));
    model.relations[set.relation].isTyped = true;
  }
  return fieldOperand(*known, {}, &set, range);
}

Operand GraphValues::isAdded(llvm::SMRange range) {
  GraphTransforms &transforms = model.relations[context.comprehension->set->relation].transforms;
  if (!context.frame->declaresOneLoop && !transforms.oneLoop) {
    error(DiagnosticCode::E0101, range, "edges have no field `is_added` here")
        .at("not found")
        .note("it is true of loops that `graph { one_loop }` of the layer or model adds")
        .help("`u == v` is true of all loops");
    return {};
  }
  if (loops.loopsOf(context.comprehension->set->relation) != Loops::One)
    return truthOperand(false, range);
  transforms.marksLoops = true;
  return operators.comparison(ValueKind::Less, typeOfEdge(range), numberOperand(0, /*isInteger=*/true, range), range);
}

/// The entry that `table` has of the edge's type. A loop that the model adds has no type: of its kind the vertex has
/// that one alone, of which the entry would be `ofLoop`.
Operand GraphValues::ofType(const Operand &table, const Operand &edgeType, const Operand &ofLoop, llvm::SMRange range) {
  Operand entry = elementwise.apply(ValueKind::Index, {table, edgeType}, ofLoop.shape, element(table), range);
  const unsigned relation = builder.value(edgeType.id).relation;
  if (loops.loopsOf(relation) != Loops::One && !model.relations[relation].transforms.selfLoops)
    return entry;
  Operand choice[] = {
      operators.comparison(ValueKind::Less, edgeType, numberOperand(0, /*isInteger=*/true, range), range), ofLoop,
      entry};
  return elementwise.alignShapes(choice, range, "`e.type`")
             ? elementwise.apply(ValueKind::Select, choice, entry.shape, element(entry), range)
             : Operand();
}

//===----------------------------------------------------------------------===//
// Degrees
//===----------------------------------------------------------------------===//

/// A degree in the whole transformed graph (law 8); with `types`, one for each edge type.
Operand GraphValues::degree(ValueKind degreeKind, unsigned relation, bool byType, llvm::SMRange range) {
  const Loops among = loops.noteUse(relation, range);
  RelationInfo &info = relationInfo[relation];
  auto [known, isNew] = info.degrees.insert({{degreeKind, byType, among}, 0});
  if (isNew) {
    bool isIn = degreeKind == ValueKind::InDegree;
    const Relation &edges = model.relations[relation];
    Value proto{degreeKind,
                {GraphKind::V, isIn ? edges.destinationType : edges.sourceType, {}, ElementKind::Real},
                {},
                isIn ? "in_degree" : "out_degree",
                range};
    proto.relation = relation;
    proto.loops = among;
    if (byType) {
      proto.type.shape = {info.types ? edges.types : unknownTypes(relation)};
      schema.noteTypesRead(relation, range);
      if (!info.types && !info.typesRange.isValid())
        info.typesRange = range;
    }
    known->second = builder.append(std::move(proto));
  }
  return fieldOperand(known->second, {}, nullptr, range);
}

/// The relation whose degrees are meant where none is named.
std::optional<unsigned> GraphValues::degreeRelation(ValueKind degreeKind, unsigned vertexType, llvm::SMRange range) {
  if (context.comprehension)
    return context.comprehension->set->relation;
  if (!context.isModelBody())
    return schema.layerRelation(range);
  End end = degreeKind == ValueKind::InDegree ? End::Destination : End::Source;
  std::vector<unsigned> candidates;
  for (unsigned i = 0; i < relationInfo.size(); ++i)
    if (!model.relations[i].isPairs && schema.typeAt(i, end) == vertexType)
      candidates.push_back(i);
  std::vector<std::string> choices;
  for (unsigned i : candidates)
    choices.push_back("`" + sourceText(range) + "(" + model.relations[i].name + ")`");
  return schema.onlyRelation(candidates, range,
                             "a vertex of type `" + model.vertexTypes[vertexType].name + "` has no such edges",
                             candidates.size() > 1 ? "name it: " + llvm::join(choices, " or ") : "");
}

/// A degree of vertices of a type, in the edges that the body is about.
Operand GraphValues::degreeOf(ValueKind degreeKind, unsigned vertexType, bool byType, llvm::SMRange range) {
  std::optional<unsigned> relation = degreeRelation(degreeKind, vertexType, range);
  if (!relation)
    return {};
  bool flipped = context.comprehension ? context.comprehension->flipped : context.use && context.use->flipped;
  bool isIn = (degreeKind == ValueKind::InDegree) != flipped;
  if (schema.typeAt(*relation, isIn ? End::Destination : End::Source) != vertexType) {
    error(DiagnosticCode::E0412, range,
          "a vertex of type `" + model.vertexTypes[vertexType].name + "` has no edges " + (isIn ? "into" : "out of") +
              " it in `" + schema.describeRelation(*relation) + "`")
        .at("no such edges")
        .help(isIn ? "it has an `out_degree`" : "it has an `in_degree`");
    return {};
  }
  return degree(isIn ? ValueKind::InDegree : ValueKind::OutDegree, *relation, byType, range);
}

/// `v.in_degree(writes)`
Operand GraphValues::degreeIn(ValueKind degreeKind, const Name &relation, unsigned vertexType, std::optional<End> end,
                              llvm::SMRange range) {
  std::optional<unsigned> named = schema.relationNamed(relation.text);
  if (!named) {
    schema.unknownRelation(relation);
    return {};
  }
  bool isIn = degreeKind == ValueKind::InDegree;
  if (schema.typeAt(*named, isIn ? End::Destination : End::Source) != vertexType || model.relations[*named].isPairs) {
    error(DiagnosticCode::E0412, relation.range,
          "a vertex of type `" + model.vertexTypes[vertexType].name + "` has no edges " + (isIn ? "into" : "out of") +
              " it in `" + schema.describeRelation(*named) + "`")
        .at("no such edges");
    return {};
  }
  Operand result = degree(degreeKind, *named, /*byType=*/false, range);
  return end ? readAt(result, *end, range) : inContext(result);
}

/// `count(for v)`: a sum of that many ones
Operand GraphValues::numVertices(llvm::SMRange range) {
  DimExpr count = schema.vertexCount(context.vertexType, range);
  unsigned one = builder.constant(1, ElementKind::Real, range);
  unsigned ones = builder.elementwise(ValueKind::Broadcast, {one}, {count}, ElementKind::Real, range);
  unsigned sum = builder.elementwise(ValueKind::Reduce, {ones}, {}, ElementKind::Real, range);
  model.values[sum].dims = {0};
  return fieldOperand(sum, {}, nullptr, range);
}

/// `training`: true while the model is trained
Operand GraphValues::training(llvm::SMRange range) {
  if (!trainingValue)
    trainingValue =
        builder.append({ValueKind::Training, {GraphKind::P, 0, {}, ElementKind::Bool}, {}, "training", range});
  return fieldOperand(*trainingValue, {}, nullptr, range);
}
