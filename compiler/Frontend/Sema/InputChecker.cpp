//===- InputChecker.cpp - Inputs and targets --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs and targets of a model: `input x: real[in]`, `target label: i32`, sparse inputs.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/InputChecker.h"
#include "compiler/Frontend/Lexer.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"

using namespace gnnc;
using namespace gnnc::ast;

void InputChecker::evalInput(const Stmt &stmt) {
  if (stmt.isDamaged)
    return symbols.declareField(stmt.name, Operand(), /*assignable=*/false);
  symbols.declareField(stmt.name,
                       addInput(stmt.name, stmt.type, stmt.doc, stmt.kind == Stmt::Kind::Target, context.body->isEdge),
                       /*assignable=*/false);
}

Operand InputChecker::addInput(const Name &name, const TypeExpr &type, llvm::StringRef doc, bool isTarget,
                               bool ofEdges) {
  std::optional<Shape> shape = dims.evalShape(type);
  if (!shape)
    return {};
  const bool isInForm = !isTarget && !ofEdges && options.form.input == schema.qualified(name.text);
  const bool isSparse = isInForm ? options.form.isSparse : type.sparse;
  bool needsRows = isSparse || type.rowNormalized;
  if (needsRows && (isTarget || ofEdges || shape->size() != 1 || !isFloat(type.element))) {
    error(DiagnosticCode::E0210, type.range,
          llvm::Twine("only an input of vertices of type `real[d]` can be `") +
              (isSparse ? "sparse" : "row_normalized") + "`")
        .at("not such an input");
    return {};
  }
  if (isSparse)
    return addSparseInput(name, type, *shape, doc);
  if (isInForm) // both forms have the same tables
    addNonzeros(name, type, *shape);
  Input input;
  if (ofEdges && (name.text == "type" || name.text == "is_added")) {
    error(DiagnosticCode::E0102, name.range, "`" + name.text + "` is already a field of edges")
        .at("taken")
        .note("every edge has the field `" + name.text + "`");
    return {};
  }
  input.name = schema.qualified(name.text);
  unsigned place = ofEdges ? context.comprehension->set->relation : context.vertexType;
  input.type = {ofEdges ? GraphKind::E : GraphKind::V, place, dims.translate(*shape, type.range), type.element};
  input.isTarget = isTarget;
  input.rowNormalized = type.rowNormalized;
  input.doc = documentation(doc);
  Value proto{isTarget ? ValueKind::Target : ValueKind::Input, input.type, {}, input.name, name.range};
  model.inputs.push_back(std::move(input));
  return fieldOperand(builder.append(std::move(proto)), *shape, ofEdges ? context.comprehension->set : nullptr,
                      name.range);
}

/// Adds the vertex type of the columns and the relation of the nonzeros.
unsigned InputChecker::addNonzeros(const Name &name, const TypeExpr &type, const Shape &shape) {
  model.vertexTypes.push_back(
      {schema.qualified(name.text) + ".columns", /*isColumns=*/true, dims.translate(shape.front(), type.range)});
  Relation nonzeros;
  nonzeros.name = schema.qualified(name.text);
  nonzeros.destinationType = context.vertexType;
  nonzeros.sourceType = model.vertexTypes.size() - 1;
  nonzeros.isSparseInput = true;
  model.relations.push_back(nonzeros);
  return model.relations.size() - 1;
}

Operand InputChecker::addSparseInput(const Name &name, const TypeExpr &type, Shape shape, llvm::StringRef doc) {
  unsigned relation = addNonzeros(name, type, shape);
  Input input;
  input.name = schema.qualified(name.text);
  input.type = {GraphKind::E, relation, {}, type.element};
  input.sparse = true;
  input.rowNormalized = type.rowNormalized;
  input.relation = relation;
  input.doc = documentation(doc);
  Value proto{ValueKind::Input, input.type, {}, input.name, name.range};
  model.inputs.push_back(std::move(input));
  Operand operand = fieldOperand(builder.append(std::move(proto)), std::move(shape), nullptr, name.range);
  operand.tag = Operand::Tag::Sparse;
  return operand;
}
