//===- AggregationChecker.cpp - Aggregation ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Aggregations: of the edges of a vertex (laws 7 to 9), with counts and the softmax over edges; of all vertices, into
// one value for the graph (law 13); and over the types that `over` names (law 12).
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/AggregationChecker.h"
#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/ArgumentChecker.h"
#include "compiler/Frontend/Sema/ComprehensionChecker.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/EdgeTypeChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/FieldChecker.h"
#include "compiler/Frontend/Sema/GraphValues.h"
#include "compiler/Frontend/Sema/OperatorChecker.h"
#include "compiler/Frontend/Sema/ProductChecker.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gnnc;
using namespace gnnc::ast;

/// `sum(...)` and the like of an edge field; of what `over` or `for v` ranges over
Operand AggregationChecker::aggregateBuiltin(const CallExpr &call) {
  llvm::StringRef name = call.callee.text;
  if (call.args.size() == 1 && !call.args.front().label) {
    const Expr *only = call.args.front().value;
    if (const auto *over = llvm::dyn_cast<OverExpr>(only))
      return overBuiltin(call, *over);
    if (const auto *vertices = llvm::dyn_cast<ComprehensionExpr>(only); vertices && vertices->pattern.isVertices)
      return totalBuiltin(call, *vertices);
  }
  std::optional<std::vector<Operand>> args =
      arguments.evalArgs(call, 1, 1, "an edge field: `" + name.str() + "(u.h for u -> v)`");
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

bool AggregationChecker::checkAggregated(const CallExpr &call, const Operand &edge) {
  llvm::StringRef name = call.callee.text;
  if (edge.isNumber() || !edge.edges || (context.use && context.use->onEdges)) {
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
void AggregationChecker::aggregatedWhere(const CallExpr &call, const Operand &edge) {
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

/// Aggregates a field that is the same constant on every edge: for sums and means no edge is gone over, or only those
/// that a filter leaves are counted.
Operand AggregationChecker::aggregateConstant(Reduction reduction, const Operand &edge, llvm::SMRange range) {
  const EdgeSet &set = *edge.edges;
  const bool isOfCount = reduction == Reduction::Sum || reduction == Reduction::Mean || reduction == Reduction::Max ||
                         reduction == Reduction::Min;
  if (!isOfCount || element(edge) != ElementKind::Real || set.byType)
    return aggregate(reduction, graph.onEdges(edge), range);
  const Operand degree = graph.degree(*set.toward == End::Source ? ValueKind::OutDegree : ValueKind::InDegree,
                                      set.relation, /*byType=*/false, range);
  Operand count = degree;
  if (set.filterValue)
    count = aggregate(Reduction::Count,
                      fieldOperand(builder.read(degree.id, *set.toward, set.relation, range), {}, &set, range), range);
  Operand constant = edge;
  constant.edges = nullptr;
  if (reduction == Reduction::Sum)
    return operators.arithmetic(ValueKind::Mul, count, constant, range, "sum");
  const Operand zero = numberOperand(0, /*isInteger=*/true, range);
  Operand choice[] = {operators.comparison(ValueKind::Greater, count, zero, range), constant,
                      elementwise.materialize(zero, ElementKind::Real)};
  return elementwise.alignShapes(choice, range, "an aggregation")
             ? elementwise.apply(ValueKind::Select, choice, choice[0].shape, ElementKind::Real, range)
             : Operand();
}

Operand AggregationChecker::aggregate(Reduction reduction, const Operand &edge, llvm::SMRange range) {
  if (kind(edge) == GraphKind::P)
    return aggregateConstant(reduction, edge, range);
  const EdgeSet &set = *edge.edges;
  std::vector<unsigned> operands{edge.id};
  if (set.filterValue)
    operands.push_back(*set.filterValue);
  Shape shape = reduction == Reduction::Count ? Shape() : edge.shape;
  if (set.byType)
    shape.insert(shape.begin(), *set.byType);
  unsigned id = builder.aggregate(reduction, operands, set.filterValue.has_value(), *set.toward, set.relation,
                                  set.loops, dims.translate(shape, range), range, set.byType.has_value());
  return fieldOperand(id, shape, nullptr, range);
}

/// `count(for u -> v)`: the number of edges that are seen (law 8); `count(for v)`: that of all vertices
Operand AggregationChecker::countBuiltin(const CallExpr &call) {
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
Operand AggregationChecker::softmaxOverEdges(const CallExpr &call, Operand scores) {
  if (scores.isNumber() || !scores.edges || !scores.edges->toward || (context.use && context.use->onEdges)) {
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
  scores = graph.onEdges(scores);
  const EdgeSet &set = *scores.edges;
  Operand result;
  if (set.byType) {
    result = softmaxByType(scores, call.range);
  } else {
    Value proto{ValueKind::Softmax, builder.type(scores.id), {scores.id}, "", call.range};
    proto.type.kind = GraphKind::E;
    proto.relation = set.relation;
    proto.loops = set.loops;
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
Operand AggregationChecker::softmaxByType(const Operand &scores, llvm::SMRange range) {
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

/// `max(... over r in relations)`: reduces the dimension that `over` ranges over
Operand AggregationChecker::overBuiltin(const CallExpr &call, const OverExpr &expr) {
  TypeBinder binder{expr.binder, {}, context.over};
  if (!edgeTypes.bindOver(expr, binder))
    return {};
  llvm::SaveAndRestore restore(context.over, static_cast<const TypeBinder *>(&binder));
  const auto *product = llvm::dyn_cast<BinaryExpr>(expr.body);
  const auto *row = product && product->op == BinaryOp::MatMul ? llvm::dyn_cast<IndexExpr>(product->rhs) : nullptr;
  Operand body;
  if (row && call.callee.text == "sum" && edgeTypes.typeBinder(*row->index) == &binder) {
    Operand a = evaluator.eval(*product->lhs);
    a.range = product->lhs->range;
    ProductChecker::Weight weight = products.evalWeight(*product->rhs);
    bool isFlat = a.isField() && a.shape.size() == 2 && a.shape.front() == binder.dim && weight.over == &binder;
    if (isFlat) {
      Operand operands[] = {a, weight.table};
      bool fits = products.checkProduct(*product, a, weight) && elementwise.unifyElements(operands, call.range);
      return fits ? products.contractTypes(a, weight, call.range) : Operand();
    }
    body = products.matmul(*product, a, weight);
  } else {
    body = evaluator.eval(*expr.body);
  }
  body.range = expr.body->range;
  if (!edgeTypes.checkOver(body, binder) ||
      !elementwise.requireFloat(body, call.range, "`" + call.callee.text.str() + "`"))
    return {};
  size_t position = llvm::find(body.shape, binder.dim) - body.shape.begin();
  return operators.reduceBy(call.callee.text, body, position, call.range);
}

/// A comprehension over vertices names the body's own.
bool AggregationChecker::checkVertices(const ComprehensionExpr &expr) {
  const Pattern &pattern = expr.pattern;
  bool isBody = context.body && !context.body->isEdge;
  if (isBody && pattern.source.text == context.body->vertex.text && !pattern.sourceType && !expr.filter)
    return true;
  Diagnostic &wrong = error(DiagnosticCode::E0410, expr.filter ? expr.filter->range : pattern.range,
                            isBody ? "a comprehension over vertices ranges over all that the body is about"
                                   : "there are no vertices to range over here");
  wrong.at(!isBody       ? context.body ? "inside an edge body" : "inside a function"
           : expr.filter ? "a condition"
                         : "not the body's vertex");
  if (expr.filter)
    wrong.help("`select(" + sourceText(expr.filter->range) + ", x, 0)` leaves vertices out of a sum");
  else if (isBody)
    wrong.label(context.body->vertex.range, "the body's vertex")
        .help("`for " + context.body->vertex.text + "` ranges over all vertices, `for u -> " +
              context.body->vertex.text + "` over the edges into one");
  return false;
}

/// `sum(x for v)`, `mean`, `max`, `min`, `var`, `std`, `count(for v)`: one value for the whole graph
Operand AggregationChecker::totalBuiltin(const CallExpr &call, const ComprehensionExpr &vertices) {
  llvm::StringRef name = call.callee.text;
  if (!checkVertices(vertices) || !schema.requireVertices(vertices.range))
    return {};
  if (name == "count")
    return graph.numVertices(call.range);
  if (name == "prod" || name == "logsumexp") {
    error(DiagnosticCode::E0410, call.range, "`" + name + "` does not range over all vertices")
        .at("only `sum`, `mean`, `max`, `min`, `var`, `std` and `count` do that");
    return {};
  }
  llvm::SaveAndRestore outside(context.comprehension, static_cast<const Comprehension *>(nullptr));
  Operand x = vertices.body ? evaluator.eval(*vertices.body) : Operand();
  if (!vertices.body)
    error(DiagnosticCode::E0003, vertices.range, "expected an expression before `for`")
        .at("nothing to compute")
        .help("only `count(for v)` has no expression");
  if (x.isError())
    return {};
  x.range = vertices.body->range;
  if (x.edges || x.isNumber() || (x.isField() && kind(x) == GraphKind::P)) {
    error(x.edges ? DiagnosticCode::E0202 : DiagnosticCode::E0208, x.range,
          x.edges ? "a comprehension over vertices takes a field of vertices"
                  : "`" + sourceText(x.range) + "` is the same for every vertex")
        .at(x.edges ? "this is one for every edge of `" + x.edges->spelling + "`" : "does not depend on the vertex")
        .help(x.edges ? "aggregate it first"
                      : "`count(for " + vertices.pattern.source.text.str() +
                            ")` is the number of vertices: multiply by it");
    return {};
  }
  if (!elementwise.requireFloat(x, call.range, "`" + name.str() + "`"))
    return {};
  if (std::optional<Reduction> reduction = reductionNamed(name))
    return total(*reduction, x, call.range);
  Operand mean = total(Reduction::Mean, x, call.range);
  Operand centred = elementwise.apply(ValueKind::Sub, {x, mean}, x.shape, element(x), call.range);
  Operand square = elementwise.apply(ValueKind::Mul, {centred, centred}, x.shape, element(x), call.range);
  Operand variance = total(Reduction::Mean, square, call.range);
  return name == "std" ? operators.deviation(variance, call.range) : variance;
}

Operand AggregationChecker::total(Reduction reduction, const Operand &x, llvm::SMRange range) {
  if (reduction == Reduction::Mean)
    schema.vertexCount(context.vertexType, range); // what the sum is divided by
  Value proto{ValueKind::Total, builder.type(x.id), {x.id}, "", range};
  proto.type.kind = GraphKind::P;
  proto.type.type = 0;
  proto.reduction = reduction;
  return fieldOperand(builder.append(std::move(proto)), x.shape, nullptr, range);
}
