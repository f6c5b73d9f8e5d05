//===- ComponentChecker.cpp - Layers and models -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which the declarations and bodies of a component are checked: of a model, or of a layer alone.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/ComponentChecker.h"
#include "compiler/Frontend/Lexer.h"
#include "compiler/Frontend/Sema/ComprehensionChecker.h"
#include "compiler/Frontend/Sema/InputChecker.h"
#include "compiler/Frontend/Sema/InstanceChecker.h"
#include "compiler/Frontend/Sema/LayerCallChecker.h"
#include "compiler/Frontend/Sema/LoopChecker.h"
#include "compiler/Frontend/Sema/ParamChecker.h"
#include "compiler/Frontend/Sema/ScheduleChecker.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/SeparateLoops.h"
#include "compiler/Frontend/Sema/SettingsChecker.h"
#include "compiler/Frontend/Sema/StatementChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/UnusedNames.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <algorithm>

using namespace gnnc;
using namespace gnnc::ast;

CheckedModel ComponentChecker::run(const ComponentDecl &component) {
  model.name = component.name.text.str();
  model.doc = documentation(component.doc);
  root.component = &component;
  root.scope = std::make_unique<Scope>(nullptr);
  context.frame = &root;
  context.scope = root.scope.get();
  expansion.callStack.push_back({&component, llvm::SMRange()});
  schema.declareSchema(component);
  params.checkDefines(component);
  params.declareParams(component, root);
  params.declareWhere(component, root);
  if (component.isModel)
    settings.applySettings(component);
  else
    loops.declare(component, root);
  declareGiven(component);
  layers.declareLayerParams(component);
  params.declareWeights(component, root);
  layers.declareInstances(component, root);
  if (component.isModel)
    checkModelBodies(component);
  else
    checkLayerAlone(component);
  loops.settle();
  schema.checkTypesKnown();
  checkSizes();
  schedules.requestSchedule(component, "");
  unusedNames.lintUnused(component);
  separateLoops(model);
  return std::move(model);
}

/// Which inputs a layer has that is compiled alone, of those that calls may leave out: the ones that are asked for.
/// Runs whose model is thrown away check what reads any of them.
void ComponentChecker::declareGiven(const ComponentDecl &component) {
  const bool isThrownAway = options.generic || (options.branches && options.branches->isFurtherRun());
  std::vector<std::string> optional;
  for (const BodyDecl &body : component.bodies)
    for (const FormalDecl &formal : body.formals) {
      if (!formal.isOptional())
        continue;
      optional.push_back(formal.name.text.str());
      if (isThrownAway || llvm::is_contained(options.given, formal.name.text))
        root.given.insert(formal.name.text);
    }
  for (const std::string &name : options.given) {
    if (llvm::is_contained(optional, name))
      continue;
    Diagnostic &unknown =
        error(DiagnosticCode::E0110, component.name.range,
              "--given " + name + ": `" + component.name.text + "` has no input `" + name + "` that may be left out");
    unknown.at("has no such input");
    if (!optional.empty())
      unknown.help("such inputs are `" + llvm::join(optional, "`, `") + "`");
  }
}

/// The first loss in a weighted sum of losses. It decides which metrics there are.
static const Value &firstTerm(const CheckedModel &model, unsigned loss) {
  const Value &value = model.values[loss];
  if (value.kind != ValueKind::Add && value.kind != ValueKind::Sub && value.kind != ValueKind::Mul &&
      value.kind != ValueKind::Div)
    return value;
  const bool isFactor = model.values[value.operands[0]].kind == ValueKind::Constant;
  return firstTerm(model, value.operands[isFactor]);
}

void ComponentChecker::checkModelBodies(const ComponentDecl &component) {
  for (const BodyDecl &body : component.bodies) {
    llvm::SaveAndRestore restore(context);
    context.body = modelBody = &body;
    Comprehension edges{};
    std::optional<unsigned> place =
        body.isEdge ? schema.resolvePattern(body.pattern, std::nullopt) : schema.bodyType(body);
    if (!place)
      continue;
    context.scope = body.isEdge ? relationInfo[*place].scope : typeScopes[*place];
    context.vertexType = body.isEdge ? 0 : *place;
    symbols.checkBinders(body);
    if (body.isEdge) {
      edges = comprehensions.overEdgesOf(body, *place);
      context.comprehension = &edges;
    }
    statements.evalBlock(body.statements);
  }
  for (size_t i = 0; i < model.outputs.size() && model.loss >= 0; ++i)
    if (model.outputs[i].value == firstTerm(model, unsigned(model.loss)).operands.front())
      model.lossOutput = i;
  const Stmt *lastLet = nullptr;
  for (const BodyDecl &body : component.bodies)
    for (const Stmt *stmt : body.statements)
      lastLet = stmt->kind == Stmt::Kind::Let ? stmt : lastLet;
  if (model.outputs.empty() && !diagnostics.hasErrors())
    error(DiagnosticCode::E0409, component.name.range, "model `" + component.name.text + "` has no output")
        .at("computes nothing that could be asked for")
        .help(lastLet ? "say what it gives: `output " + lastLet->name.text + " = ...` instead of `let " +
                            lastLet->name.text + " = ...`"
                      : "`output name = ...` in a body");
}

/// Sizes that are known are such that bytes and operations can be counted. Dimensions that are open count as 1.
void ComponentChecker::checkSizes() {
  auto fits = [](const Shape &shape) {
    int64_t elements = 1;
    for (const DimExpr &dim : shape) {
      std::optional<DimExpr> least = dim.substitute([](llvm::StringRef) { return std::optional<DimExpr>(1); });
      std::optional<int64_t> size = least ? least->constant() : std::nullopt;
      bool overflows =
          !size || *size > maxDim || __builtin_mul_overflow(elements, std::max<int64_t>(*size, 1), &elements);
      if (overflows || elements > maxElements)
        return false;
    }
    return true;
  };
  auto huge = llvm::find_if(model.values, [&](const Value &value) { return !fits(value.type.shape); });
  if (huge == model.values.end() || diagnostics.hasErrors())
    return;
  error(DiagnosticCode::E0602, huge->range, "this is " + str(huge->type.shape) + ", which is too large")
      .at("more than can be computed with")
      .note("a dimension is at most " + llvm::Twine(maxDim) + ", and all dimensions together at most 2^40");
}

/// A layer as a model: its inputs are the body's, its result is the output `out`.
void ComponentChecker::checkLayerAlone(const ComponentDecl &layer) {
  if (!layers.hasOneBody(layer))
    return;
  const BodyDecl &body = layer.bodies.front();
  Scope scope(root.scope.get());
  llvm::SaveAndRestore restore(context);
  context.scope = &scope;
  context.body = &body;
  Comprehension edges{};
  edges.set = comprehensions.allEdges(/*relation=*/0, "all edges", body.head);
  edges.pattern = &body.pattern;
  for (const FormalDecl &formal : body.formals) {
    if (formal.isOptional() && !root.given.count(formal.name.text)) {
      layerCalls.leaveOut(formal);
      continue;
    }
    layerCalls.constantOf(formal); // checked, though it is not read
    llvm::SaveAndRestore inEdges(context.comprehension, static_cast<const Comprehension *>(&edges));
    symbols.declareField(formal.name,
                         inputs.addInput(formal.name, *formal.type, formal.doc, /*isTarget=*/false, formal.ofEdges),
                         /*assignable=*/true);
  }
  Operand result = layerCalls.evalBody(body, root);
  if (!result.isField())
    return;
  symbols.nameValue(result, "out");
  model.outputs.push_back({"out", result.id, documentation(layer.doc)});
}
