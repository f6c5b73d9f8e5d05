//===- SemaAggregation.cpp - Aggregation over edges -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What turns an edge field into a vertex field (laws 7 to 9): reductions, counts; and the softmax over edges.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gnnc;
using namespace gnnc::ast;

/// `sum(...)` and the like of an edge field; of what `over` or `for v` ranges over
Operand Sema::aggregateBuiltin(const CallExpr &call) {
  llvm::StringRef name = call.callee.text;
  if (call.args.size() == 1 && !call.args.front().label) {
    const Expr *only = call.args.front().value;
    if (const auto *over = llvm::dyn_cast<OverExpr>(only))
      return overBuiltin(call, *over);
    if (const auto *vertices = llvm::dyn_cast<ComprehensionExpr>(only); vertices && vertices->pattern.isVertices)
      return totalBuiltin(call, *vertices);
  }
  std::optional<std::vector<Operand>> args =
      evalArgs(call, 1, 1, "an edge field: `" + name.str() + "(u.h for u -> v)`");
  if (!args || !checkAggregated(call, args->front()))
    return {};
  Operand &edge = args->front();
  if (!elementwise.requireFloat(edge, call.range, "`" + name.str() + "`"))
    return {};
  if (std::optional<Reduction> reduction = reductionNamed(name))
    return graph.inContext(aggregate(*reduction, edge, call.range));
  llvm::SaveAndRestore outside(context.comprehension, static_cast<const Comprehension *>(nullptr));
  Operand result = aggregate(Reduction::Var, edge, call.range);
  if (name == "std")
    result = operators.deviation(result, call.range);
  context.comprehension = outside.get();
  return graph.inContext(result);
}

bool Sema::checkAggregated(const CallExpr &call, const Operand &edge) {
  llvm::StringRef name = call.callee.text;
  if (edge.isNumber() || !edge.edges) {
    Diagnostic &notEdge = error(DiagnosticCode::E0206, edge.range, "`" + name + "` aggregates an edge field");
    notEdge.at(edge.isSparse() ? "this is a sparse input" : "this is not an edge field")
        .label(edge.origin, "defined here");
    notEdge.help("`" + name + "(u.h for u -> v)` aggregates over the edges into `v`");
    if (!edge.shape.empty())
      notEdge.help("`" + name + "<" + edge.shape.back().str() + ">(" + sourceText(edge.range) +
                   ")` reduces a dimension");
    notEdge.help("`maximum(a, b)` and `minimum(a, b)` are elementwise");
    return false;
  }
  if (edge.edges->toward)
    return true;
  aggregatedWhere(call, edge);
  return false;
}

/// A field of all edges is aggregated in a vertex body, whose vertex says toward which end; one of pairs nowhere.
void Sema::aggregatedWhere(const CallExpr &call, const Operand &edge) {
  llvm::StringRef name = call.callee.text;
  const Relation &relation = model.relations[edge.edges->relation];
  if (relation.isPairs) {
    error(DiagnosticCode::E0206, edge.range, "`" + name + "` does not aggregate over pairs")
        .at("a field of the pairs `" + relation.name + "`")
        .note("pairs are scored one by one: no vertex sees them as edges");
    return;
  }
  Diagnostic &open = error(DiagnosticCode::E0206, edge.range, "toward which end of the edges is this aggregated?");
  open.at("a field of all edges");
  bool inEdgeBody = context.body && context.body->isEdge;
  const Expr *aggregated = call.args.front().value;
  std::string vertex = inEdgeBody || !context.body ? "v" : context.body->vertex.text.str();
  std::string pattern = " for u -> " + vertex + ")` aggregates over the edges into `" + vertex + "`";
  if (!llvm::isa<CallExpr>(aggregated))
    open.help((inEdgeBody ? "in a `vertex` body `" : "`") + name + "(" + sourceText(edge.range) + pattern);
  else
    open.help("give it a name, `let s = " + sourceText(edge.range) + "`; then " +
              (inEdgeBody ? "in a `vertex` body `" : "`") + name + "(s" + pattern);
}

Operand Sema::aggregate(Reduction reduction, const Operand &edge, llvm::SMRange range) {
  const EdgeSet &set = *edge.edges;
  std::vector<unsigned> operands{edge.id};
  if (set.filterValue)
    operands.push_back(*set.filterValue);
  Shape shape = reduction == Reduction::Count ? Shape() : edge.shape;
  if (set.byType)
    shape.insert(shape.begin(), *set.byType);
  unsigned id = builder.aggregate(reduction, operands, set.filterValue.has_value(), *set.toward, set.relation,
                                  dims.translate(shape, range), range, set.byType.has_value());
  return fieldOperand(id, shape, nullptr, range);
}

/// `count(for u -> v)`: the number of edges that are seen (law 8); `count(for v)`: that of all vertices
Operand Sema::countBuiltin(const CallExpr &call) {
  const auto *over = call.args.size() == 1 ? llvm::dyn_cast<ComprehensionExpr>(call.args.front().value) : nullptr;
  if (!over || over->body || !call.dims.empty()) {
    error(DiagnosticCode::E0104, call.range, "`count` counts edges or vertices")
        .at("expected `count(for u -> v)` or `count(for v)`");
    return {};
  }
  if (over->pattern.isVertices)
    return totalBuiltin(call, *over);
  Comprehension comprehension{};
  const EdgeSet *set = comprehensions.edgeSet(*over, comprehension);
  if (!set)
    return {};
  // The field that is aggregated must be one of edges; which one does not matter.
  bool atSource = *set->toward == End::Source;
  Operand any =
      graph.degree(atSource ? ValueKind::OutDegree : ValueKind::InDegree, set->relation, /*byType=*/false, call.range);
  unsigned read = builder.read(any.id, *set->toward, set->relation, call.range);
  return graph.inContext(aggregate(Reduction::Count, fieldOperand(read, {}, set, call.range), call.range));
}

//===----------------------------------------------------------------------===//
// Softmax
//===----------------------------------------------------------------------===//

/// `softmax(score)`: normalised over the edges that share the body's vertex; stays an edge field
Operand Sema::softmaxOverEdges(const CallExpr &call, Operand scores) {
  if (scores.isNumber() || !scores.edges || !scores.edges->toward) {
    Diagnostic &notEdge = error(DiagnosticCode::E0206, scores.range, "`softmax` normalises an edge field over edges");
    notEdge.at("this is not an edge field");
    if (!scores.shape.empty())
      notEdge.help("`softmax<" + scores.shape.back().str() + ">(" + sourceText(scores.range) +
                   ")` normalises over a dimension");
    notEdge.help("`softmax(dot(u.h, v.h) for u -> v)` normalises scores over the edges into `v`");
    return {};
  }
  if (!elementwise.requireFloat(scores, call.range, "`softmax`"))
    return {};
  const EdgeSet &set = *scores.edges;
  Operand result;
  if (set.byType) {
    result = softmaxByType(scores, call.range);
  } else {
    Value proto{ValueKind::Softmax, builder.type(scores.id), {scores.id}, "", call.range};
    proto.type.kind = GraphKind::E;
    proto.relation = set.relation;
    proto.toward = *set.toward;
    proto.filtered = set.filterValue.has_value();
    if (set.filterValue)
      proto.operands.push_back(*set.filterValue);
    result = fieldOperand(builder.append(std::move(proto)), scores.shape, scores.edges, call.range);
  }
  return context.comprehension ? fields.onThisEdge(result, {call.callee.text, call.range}) : result;
}

/// Normalised over the edges of the same type: exp(s - m[type]) / z[type], with the greatest score m of each type
/// (which cancels, so no gradient flows through it) and the sum z.
Operand Sema::softmaxByType(const Operand &scores, llvm::SMRange range) {
  const EdgeSet &set = *scores.edges;
  Comprehension edges{};
  edges.set = &set;
  llvm::SaveAndRestore inside(context.comprehension, static_cast<const Comprehension *>(&edges));
  Operand type = graph.edgeType(range);
  Operand greatest = aggregate(Reduction::Max, scores, range);
  greatest = elementwise.apply(ValueKind::StopGradient, {greatest}, greatest.shape, element(greatest), range);
  greatest = graph.ofType(graph.readAt(greatest, *set.toward, range), type, scores, range);
  Operand shifted = elementwise.apply(ValueKind::Sub, {scores, greatest}, scores.shape, element(scores), range);
  Operand weight = elementwise.apply(ValueKind::Exp, {shifted}, scores.shape, element(scores), range);
  weight.edges = &set;
  Operand sum =
      graph.ofType(graph.readAt(aggregate(Reduction::Sum, weight, range), *set.toward, range), type, weight, range);
  Operand result = elementwise.apply(ValueKind::Div, {weight, sum}, scores.shape, element(scores), range);
  if (set.filterValue) {
    Operand filter = fieldOperand(*set.filterValue, {}, &set, range);
    Operand operands[] = {filter, result, numberOperand(0, /*isInteger=*/true, range)};
    operands[2] = elementwise.materialize(operands[2], element(result));
    if (!elementwise.alignShapes(operands, range, "`softmax`"))
      return {};
    result = elementwise.apply(ValueKind::Select, operands, scores.shape, element(scores), range);
  }
  result.edges = &set;
  return result;
}
