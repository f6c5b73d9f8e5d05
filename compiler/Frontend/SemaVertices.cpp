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
