//===- SemaComponent.cpp - Layers and models --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a component declares outside of its bodies: parameters, `where`, weights, layers, and the settings of a model;
// and the checking of a whole model, or of a layer alone.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/Lexer.h"
#include "compiler/Frontend/Sema/Sema.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cmath>

using namespace gnnc;
using namespace gnnc::ast;

CheckedModel Sema::run(const ComponentDecl &component) {
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
  applySettings(component);
  params.declareWeights(component, root);
  declareInstances(component, root);
  if (component.isModel)
    checkModelBodies(component);
  else
    checkLayerAlone(component);
  schema.checkTypesKnown();
  checkSizes();
  requestSchedule(component, "");
  lintUnused(component);
  return std::move(model);
}

/// Of a weighted sum of losses; it decides which metrics there are.
static const Value &firstTerm(const CheckedModel &model, unsigned loss) {
  const Value &value = model.values[loss];
  if (value.kind != ValueKind::Add && value.kind != ValueKind::Sub && value.kind != ValueKind::Mul &&
      value.kind != ValueKind::Div)
    return value;
  const bool isFactor = model.values[value.operands[0]].kind == ValueKind::Constant;
  return firstTerm(model, value.operands[isFactor]);
}

void Sema::checkModelBodies(const ComponentDecl &component) {
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
      EdgeSet all;
      all.relation = *place;
      all.spelling = sourceText(body.pattern.range);
      all.range = body.pattern.range;
      edges.pattern = &body.pattern;
      edges.set = comprehensions.keep(std::move(all));
      edges.inEdgeBody = true;
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
void Sema::checkSizes() {
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

bool Sema::hasOneBody(const ComponentDecl &layer) {
  if (layer.bodies.size() == 1)
    return true;
  bool hasNone = layer.bodies.empty();
  error(DiagnosticCode::E0007, hasNone ? layer.name.range : layer.bodies[1].head, "a layer has one body")
      .at(hasNone ? "this one has none" : "this is the second");
  return false;
}

/// A layer as a model: its inputs are the body's, its result is the output `out`.
void Sema::checkLayerAlone(const ComponentDecl &layer) {
  if (!hasOneBody(layer))
    return;
  const BodyDecl &body = layer.bodies.front();
  Scope scope(root.scope.get());
  llvm::SaveAndRestore restore(context);
  context.scope = &scope;
  context.body = &body;
  EdgeSet all;
  all.spelling = "all edges";
  all.range = body.head;
  Comprehension edges{};
  edges.set = comprehensions.keep(std::move(all));
  edges.pattern = &body.pattern;
  for (const FormalDecl &formal : body.formals) {
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

//===----------------------------------------------------------------------===//
// Settings of models
//===----------------------------------------------------------------------===//

static constexpr std::pair<llvm::StringLiteral, bool GraphTransforms::*> graphProperties[] = {
    {"self_loops", &GraphTransforms::selfLoops},
    {"symmetric", &GraphTransforms::symmetric},
    {"inverse_relations", &GraphTransforms::inverseRelations}};

void Sema::applySettings(const ComponentDecl &component) {
  for (const Setting &setting : component.graph) {
    const auto *property =
        llvm::find_if(graphProperties, [&](const auto &known) { return known.first == setting.name.text; });
    if (property != std::end(graphProperties) && !setting.word && !setting.value) {
      applyGraph(setting, property->second);
      continue;
    }
    Diagnostic &unknown =
        error(DiagnosticCode::E0109, setting.name.range, "unknown property of graphs `" + setting.name.text + "`");
    unknown.at("not found");
    std::string suggestion = suggest(setting.name.text, {"self_loops", "symmetric", "inverse_relations"});
    if (property != std::end(graphProperties)) {
      unknown.message = "`" + setting.name.text.str() + "` takes no value";
      unknown.labels.front().text = "stands alone, or with `on` and a relation";
      suggestion = "settings are parted by `;` or lines: `" + setting.name.text.str() + "; " +
                   (setting.word ? setting.word->text.str() : "self_loops") + "`";
    } else if (suggestion.empty()) {
      suggestion = settingMeant(setting.name.text);
    }
    unknown.help(!suggestion.empty() ? suggestion : "properties are `self_loops`, `symmetric` and `inverse_relations`");
  }
  for (const Setting &setting : component.training)
    applyTraining(setting, component);
}

/// `self_loops`, `symmetric on cites`: edges that are added between vertices of one type
void Sema::applyGraph(const Setting &setting, bool GraphTransforms::*property) {
  std::vector<unsigned> relations;
  for (const Name &name : setting.on) {
    if (std::optional<unsigned> relation = schema.relationNamed(name.text))
      relations.push_back(*relation);
    else
      schema.unknownRelation(name);
  }
  if (setting.on.empty()) {
    std::vector<unsigned> candidates;
    for (unsigned i = 0; i < relationInfo.size(); ++i)
      if (!model.relations[i].isPairs)
        candidates.push_back(i);
    if (std::optional<unsigned> only = schema.onlyRelation(candidates, setting.name.range, "the graph has no edges"))
      relations.push_back(*only);
  }
  for (unsigned i : relations) {
    Relation &relation = model.relations[i];
    if (relation.isPairs || relation.sourceType != relation.destinationType)
      error(DiagnosticCode::E0412, setting.name.range,
            "`" + setting.name.text + "` adds edges between vertices of one type, and " +
                (relation.isPairs ? "`" + relation.name + "` are pairs"
                                  : "there are `" + schema.describeRelation(i) + "`"))
          .at("cannot be added");
    relation.transforms.*property = true;
  }
}

/// `optimizer adam`, `lr 0.01`, `weight_decay 5e-4 on conv1`, `epochs 200`, `patience 10`
void Sema::applyTraining(const Setting &setting, const ComponentDecl &component) {
  TrainingDefaults &training = model.training;
  llvm::StringRef name = setting.name.text;
  bool isCount = name == "epochs" || name == "patience";
  bool isRate = name == "lr" || name == "weight_decay";
  if (name == "optimizer" && setting.word) {
    static constexpr llvm::StringLiteral optimizers[] = {"sgd", "adam", "adamw"};
    if (llvm::is_contained(optimizers, setting.word->text))
      training.optimizer = setting.word->text.str();
    else
      error(DiagnosticCode::E0109, setting.word->range, "unknown optimizer `" + setting.word->text + "`")
          .at("not found")
          .help("optimizers are `sgd`, `adam` and `adamw`");
  } else if ((isCount || isRate) && setting.value) {
    double value = *setting.value;
    bool isGood =
        value >= 0 && (!isCount || (value == static_cast<double>(static_cast<int64_t>(std::min(value, 1e15)))));
    if (!isGood)
      error(DiagnosticCode::E0109, setting.valueRange,
            "`" + name + "` is " + (isCount ? "a natural number" : "not negative"))
          .at("not such a number");
    else if (name == "patience" && value == 0)
      error(DiagnosticCode::E0109, setting.valueRange, "`patience` is at least 1")
          .at("training would end with its first epoch")
          .help("without `patience` it goes on for all epochs");
    else if (name == "epochs")
      training.epochs = static_cast<int64_t>(value);
    else if (name == "patience")
      training.patience = static_cast<int64_t>(value);
    else if (name == "lr")
      training.learningRate = value;
    else
      training.weightDecay = value;
  } else if (isCount || isRate || name == "optimizer") {
    bool isGiven = setting.word || setting.value;
    error(DiagnosticCode::E0109, isGiven ? setting.valueRange : setting.name.range,
          "`" + name + "` takes " + (name == "optimizer" ? "a name" : "a number"))
        .at(!isGiven       ? "needs a value"
            : setting.word ? "not a number"
                           : "not a name")
        .help(name == "optimizer"      ? "optimizers are `sgd`, `adam` and `adamw`"
              : name == "lr"           ? "`lr 0.01`"
              : name == "weight_decay" ? "`weight_decay 5e-4`"
              : name == "epochs"       ? "`epochs 200`"
                                       : "`patience 10`");
  } else {
    Diagnostic &unknown =
        error(DiagnosticCode::E0109, setting.name.range, "`" + name + "` is not a setting of training");
    unknown.at("not found");
    llvm::StringRef meant = settingMeant(name);
    unknown.help(!meant.empty()
                     ? meant.str()
                     : "settings are `optimizer adam`, `lr 0.01`, `weight_decay 5e-4 on conv1`, `epochs 200` "
                       "and `patience 10`");
  }
  for (const Name &subject : setting.on) {
    std::vector<std::string> decayed = decayedBy(subject, component);
    if (name == "weight_decay" && !decayed.empty())
      llvm::append_range(training.decayedLayers, decayed);
    else
      error(DiagnosticCode::E0109, subject.range,
            name != "weight_decay" ? "only `weight_decay` is `on` layers and parameters"
                                   : "the model has no layer and no parameter `" + subject.text.str() + "`")
          .at("not found")
          .help(
              "`weight_decay 5e-4 on conv1` names a `layer` or `param` of the model itself; without `on` it is of all");
  }
}

/// The layer, or the parameters of the model or of its vertices, that are called so, as the model's parameters begin.
std::vector<std::string> Sema::decayedBy(const Name &subject, const ComponentDecl &component) {
  std::vector<std::string> found;
  auto look = [&](const Name &name, std::string full) {
    if (name.text != subject.text)
      return;
    symbols.noteMention(subject, name.range);
    found.push_back(std::move(full));
  };
  for (const InstanceDecl &instance : component.instances)
    look(instance.name, instance.name.text.str());
  for (const WeightDecl &weight : component.weights)
    if (!weight.isState)
      look(weight.name, weight.name.text.str());
  for (const BodyDecl &body : component.bodies)
    for (const Stmt *stmt : body.statements)
      if (stmt->kind == Stmt::Kind::Weight && !component.vertexTypes.empty())
        look(stmt->name, (body.vertexType ? body.vertexType->text : component.vertexTypes.front().name.text).str() +
                             "." + stmt->name.text.str());
      else if (stmt->kind == Stmt::Kind::Weight)
        look(stmt->name, stmt->name.text.str());
  return found;
}
