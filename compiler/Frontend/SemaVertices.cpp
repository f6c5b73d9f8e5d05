//===- SemaVertices.cpp - All vertices --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ranges over all vertices (law 13): `mean(x for v)`, `count(for v)`, parameters of vertices; and what changes
// between training steps: `state` and `training` (law 14).
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gnnc;
using namespace gnnc::ast;

/// A comprehension over vertices names the body's own.
bool Sema::checkVertices(const ComprehensionExpr &expr) {
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
Operand Sema::totalBuiltin(const CallExpr &call, const ComprehensionExpr &vertices) {
  llvm::StringRef name = call.callee.text;
  if (!checkVertices(vertices))
    return {};
  if (name == "count")
    return graph.numVertices(call.range);
  if (name == "prod" || name == "logsumexp") {
    error(DiagnosticCode::E0410, call.range, "`" + name + "` does not range over all vertices")
        .at("only `sum`, `mean`, `max`, `min`, `var`, `std` and `count` do that");
    return {};
  }
  llvm::SaveAndRestore outside(context.comprehension, static_cast<const Comprehension *>(nullptr));
  Operand x = vertices.body ? eval(*vertices.body) : Operand();
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

Operand Sema::total(Reduction reduction, const Operand &x, llvm::SMRange range) {
  if (reduction == Reduction::Mean)
    schema.vertexCount(context.vertexType, range); // what the sum is divided by
  Value proto{ValueKind::Total, builder.type(x.id), {x.id}, "", range};
  proto.type.kind = GraphKind::P;
  proto.type.type = 0;
  proto.reduction = reduction;
  return fieldOperand(builder.append(std::move(proto)), x.shape, nullptr, range);
}

/// `param z: real[d]` in a vertex body: a row for each vertex
void Sema::evalVertexParameter(const Stmt &stmt) {
  const WeightDecl &weight = *stmt.weight;
  if (weight.isState || context.body->isEdge) {
    error(DiagnosticCode::E0007, stmt.range,
          weight.isState ? "a `state` belongs to a model or layer, not to its vertices"
                         : "parameters of edges are not part of the language")
        .at("inside a body")
        .help(weight.isState ? "declare it beside the bodies" : "`W[e.type]` is a parameter for each edge type");
    return;
  }
  Operand table =
      addParameter(weight, schema.qualified(weight.name.text), schema.vertexCount(context.vertexType, weight.range));
  if (!table.isError()) {
    Shape shape(table.shape.begin() + 1, table.shape.end());
    ValueType type = builder.type(table.id);
    Value rows{ValueKind::Rows,
               {GraphKind::V, context.vertexType, Shape(type.shape.begin() + 1, type.shape.end()), type.element},
               {table.id},
               "",
               weight.name.range};
    table = fieldOperand(builder.append(std::move(rows)), std::move(shape), nullptr, weight.name.range);
  }
  Entity entity;
  entity.operand = std::move(table);
  symbols.declare(weight.name, std::move(entity));
}

//===----------------------------------------------------------------------===//
// Training
//===----------------------------------------------------------------------===//

/// `mean = 0.9 * mean + 0.1 * m`: what the state is after the step. Reads go on to see what it is now.
void Sema::assignState(const Stmt &stmt, const Entity &entity, const Operand &value) {
  if (value.isError() || entity.operand.isError())
    return;
  const Operand &state = entity.operand;
  Operand next = value.isNumber() ? elementwise.materialize(value, element(state)) : value;
  bool isOneValue = next.isField() && kind(next) == GraphKind::P;
  if (!isOneValue || next.shape != state.shape || element(next) != element(state)) {
    error(DiagnosticCode::E0307, value.range,
          "the state `" + stmt.name.text + "` is " + describeType(state) + " for the whole graph")
        .at(isOneValue ? "this is " + describeType(next) : "this is not one value for the whole graph")
        .label(entity.range, "defined here")
        .help("`mean(x for v)` makes one value of a field of vertices");
    return;
  }
  if (context.use && !context.use->relation)
    return; // a layer that is evaluated for the other end of its edges too: it learns of its own vertices only
  for (const StateAssignment &earlier : stateAssignments)
    if (earlier.state == *entity.state)
      return stateAgain(stmt, earlier);
  stateAssignments.push_back({*entity.state, stmt.range, expansion.callStack});
  model.stateUpdates.push_back({*entity.state, next.id});
}

/// The statement is another, or the same in another call: then the calls part somewhere.
void Sema::stateAgain(const Stmt &stmt, const StateAssignment &earlier) {
  Diagnostic &again =
      error(DiagnosticCode::E0411, stmt.range, "the state `" + stmt.name.text + "` has its next value already");
  again.at("assigned again").note("a state changes once in a training step; a layer with a `state` is called once");
  if (earlier.range.Start != stmt.range.Start)
    again.label(earlier.range, "assigned here");
  for (size_t i = 0; i < std::min(earlier.calls.size(), expansion.callStack.size()); ++i)
    if (earlier.calls[i].second.Start != expansion.callStack[i].second.Start) {
      again.label(earlier.calls[i].second, "first assigned in this call");
      return;
    }
}
