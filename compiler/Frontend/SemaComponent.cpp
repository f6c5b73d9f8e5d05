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
  checkDefines(component);
  declareParams(component, root);
  declareWhere(component, root);
  applySettings(component);
  declareWeights(component, root);
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
    evalBlock(body.statements);
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
                         addInput(formal.name, *formal.type, formal.doc, /*isTarget=*/false, formal.ofEdges),
                         /*assignable=*/true);
  }
  Operand result = layerCalls.evalBody(body, root);
  if (!result.isField())
    return;
  symbols.nameValue(result, "out");
  model.outputs.push_back({"out", result.id, documentation(layer.doc)});
}

//===----------------------------------------------------------------------===//
// Parameters of components
//===----------------------------------------------------------------------===//

std::optional<std::string> Sema::define(llvm::StringRef name) {
  std::optional<std::string> value;
  for (const auto &[key, text] : options.defines)
    if (key == name)
      value = text;
  return value;
}

void Sema::checkDefines(const ComponentDecl &component) {
  std::vector<std::string> names;
  for (const ComponentParam &param : component.params)
    names.push_back(param.name.text.str());
  for (const auto &[key, text] : options.defines) {
    if (llvm::is_contained(names, key))
      continue;
    Diagnostic &unknown = error(DiagnosticCode::E0110, component.name.range,
                                "-D " + key + ": `" + component.name.text + "` has no parameter `" + key + "`");
    unknown.at("has no such parameter");
    if (std::string suggestion = suggest(key, names); !suggestion.empty())
      unknown.help(suggestion);
    else if (!names.empty())
      unknown.help("its parameters are `" + llvm::join(names, "`, `") + "`");
  }
}

void Sema::declareParams(const ComponentDecl &component, Frame &frame) {
  for (const ComponentParam &param : component.params)
    declareModelParam(param, frame);
}

/// A dimension of the component that is compiled: fixed by -D, else what its default says of earlier ones, else open.
/// Such a default makes no two names equal: the component is checked for any argument.
void Sema::declareModelDim(const ComponentParam &param, Frame &frame) {
  Dimension dim;
  dim.name = param.name.text.str();
  dim.doc = documentation(param.doc);
  std::optional<DimExpr> fallback = param.fallback ? dims.evalDim(*param.fallback) : std::nullopt;
  std::optional<int64_t> constant = fallback ? fallback->constant() : std::nullopt;
  const std::string limits = "an integer from 1 to " + std::to_string(maxDim);
  if (constant && (*constant < 1 || *constant > maxDim))
    error(DiagnosticCode::E0305, param.fallback->range, "a dimension is " + limits)
        .at("this is " + llvm::Twine(*constant));
  dim.fallback = constant.value_or(-1);
  std::optional<std::string> given = define(param.name.text);
  bool isGood = given && !llvm::StringRef(*given).getAsInteger(10, dim.fixed) && dim.fixed >= 1 && dim.fixed <= maxDim;
  if (given && !isGood) {
    error(DiagnosticCode::E0110, param.name.range, "-D " + dim.name + "=" + *given + ": a dimension is " + limits)
        .at("declared here");
    dim.fixed = -1;
  }
  Entity entity;
  entity.kind = Entity::Kind::Dim;
  entity.dim = DimExpr::name(param.name.text);
  if (dim.fixed < 0 && fallback && !constant) {
    frame.dims[dim.name] = dims.translate(*fallback, param.fallback->range);
  } else {
    if (dim.fixed >= 0)
      frame.dims[dim.name] = DimExpr(dim.fixed);
    model.dims.push_back(dim);
  }
  symbols.declare(param.name, std::move(entity));
}

/// A constant of the component that is compiled: given by -D, else its default.
void Sema::declareModelParam(const ComponentParam &param, Frame &frame) {
  if (param.kind == ComponentParam::Kind::Dim)
    return declareModelDim(param, frame);
  bool isInt = param.kind == ComponentParam::Kind::Int;
  double number = isInt ? 1 : 0.5; // made up for a layer that is checked for any argument
  std::optional<std::string> given = define(param.name.text);
  if (given) {
    int64_t integer = 0;
    bool malformed = isInt ? llvm::StringRef(*given).getAsInteger(10, integer) || integer < 0
                           : llvm::StringRef(*given).getAsDouble(number);
    if (isInt)
      number = integer;
    if (malformed || !std::isfinite(number))
      error(DiagnosticCode::E0110, param.name.range,
            "-D " + param.name.text + "=" + *given + " is not " + (isInt ? "a natural number" : "a number"))
          .at("declared here");
  } else if (param.fallback) {
    Operand fallback = exprs.eval(*param.fallback);
    fallback.range = param.fallback->range;
    if (elementwise.requireConstant(fallback, "a default") && isInt && (!fallback.isInteger || fallback.number < 0))
      error(DiagnosticCode::E0209, fallback.range, "`" + param.name.text + "` is a natural number")
          .at("not such a number");
    number = fallback.number;
  } else if (!options.generic) {
    error(DiagnosticCode::E0110, param.name.range, "`" + param.name.text + "` needs a value")
        .at("has no default")
        .help(
            "give one with -D " + param.name.text + "=..., or a default: `" + param.name.text +
            (isInt ? ": int = 2`; a dimension that the data bind is `" + param.name.text + ": dim`" : ": real = 0.5`"));
  }
  Entity entity;
  entity.kind = Entity::Kind::Number;
  entity.operand = numberOperand(number, isInt, param.name.range);
  symbols.declare(param.name, std::move(entity));
}

/// `where in == out`: a name on one side is replaced by the other side everywhere (law 6).
void Sema::declareWhere(const ComponentDecl &component, Frame &frame) {
  for (const WhereClause &clause : component.where) {
    std::optional<DimExpr> left = dims.evalDim(*clause.left), right = dims.evalDim(*clause.right);
    if (!left || !right)
      continue;
    DimExpr l = dims.canonical(*left), r = dims.canonical(*right);
    if (l == r)
      continue;
    auto isName = [](const DimExpr &dim) {
      return dim.terms().size() == 1 && dim.terms().begin()->first.size() == 1 && dim.terms().begin()->second == 1;
    };
    auto mentions = [](const DimExpr &dim, const std::string &name) {
      return llvm::any_of(dim.terms(), [&](const auto &term) { return llvm::is_contained(term.first, name); });
    };
    auto isOwn = [&](const DimExpr &dim) { // not what a default says of others
      return llvm::any_of(model.dims, [&](const Dimension &own) { return own.name == dim.str(); });
    };
    if (!isName(l) || (&frame == &root && isName(r) && isOwn(l) && !isOwn(r)))
      std::swap(l, r);
    std::string name = isName(l) ? l.str() : "";
    if (name.empty() || mentions(r, name)) {
      error(DiagnosticCode::E0308, clause.range,
            "one side of a `where` is a dimension that the other side does not mention")
          .at("cannot be used to replace a name");
      continue;
    }
    auto lookup = [&](llvm::StringRef other) { return other == name ? std::optional<DimExpr>(r) : std::nullopt; };
    for (auto &[key, dim] : frame.equalities)
      dim = dim.substitute(lookup).value_or(dim);
    frame.equalities[name] = r;
    if (&frame == &root)
      equate(name, r, clause.range);
  }
}

/// In what defaults say of the dimension `name`.
static void replaceInDefaults(Frame &frame, const std::string &name, const DimExpr &other) {
  auto lookup = [&](llvm::StringRef dim) { return dim == name ? std::optional<DimExpr>(other) : std::nullopt; };
  for (auto &[key, dim] : frame.dims)
    dim = dim.substitute(lookup).value_or(dim);
}

/// The dimension `name` of the compiled component is replaced by `other`: so is what -D and defaults say of it.
void Sema::equate(const std::string &name, const DimExpr &other, llvm::SMRange range) {
  replaceInDefaults(root, name, other);
  auto replaced = llvm::find_if(model.dims, [&](const Dimension &dim) { return dim.name == name; });
  if (replaced == model.dims.end())
    return;
  Dimension old = *replaced;
  model.dims.erase(replaced);
  auto same = llvm::find_if(model.dims, [&](const Dimension &dim) { return dim.name == other.str(); });
  if (same != model.dims.end() && same->fallback < 0)
    same->fallback = old.fallback;
  if (old.fixed < 0)
    return;
  if (same != model.dims.end() && same->fixed < 0) {
    same->fixed = old.fixed;
    replaceInDefaults(root, same->name, DimExpr(old.fixed));
    root.dims[same->name] = DimExpr(old.fixed);
  } else if (DimExpr value = dims.translate(other, range); value != DimExpr(old.fixed)) {
    error(DiagnosticCode::E0308, range,
          "-D makes `" + name + "` " + llvm::Twine(old.fixed) + " and `" + other.str() + "` " + value.str())
        .at("must be equal");
  }
}

//===----------------------------------------------------------------------===//
// Weights and layers
//===----------------------------------------------------------------------===//

std::optional<Initializer> Sema::initializer(const WeightDecl &weight, double &argument) {
  if (!weight.initializer)
    return weight.isState ? Initializer::Zeros : Initializer::GlorotUniform;
  static constexpr llvm::StringLiteral names[] = {"zeros",           "ones",    "glorot_uniform", "glorot_normal",
                                                  "kaiming_uniform", "uniform", "normal",         "constant"};
  const Name &name = *weight.initializer;
  const auto *found = llvm::find(names, name.text);
  if (found == std::end(names)) {
    Diagnostic &unknown = error(DiagnosticCode::E0109, name.range, "unknown initialiser `" + name.text + "`");
    unknown.at("not found");
    std::vector<std::string> all(std::begin(names), std::end(names));
    if (std::optional<std::string> near = nearest(name.text, all))
      unknown.fix("did you mean `" + *near + "`?", name.range, *near);
    else
      unknown.help("initialisers are `" + llvm::join(all, "`, `") + "`");
    return std::nullopt;
  }
  auto init = static_cast<Initializer>(found - names);
  bool takesArgument = init == Initializer::Uniform || init == Initializer::Normal || init == Initializer::Constant;
  if (takesArgument != (weight.initArgument != nullptr)) {
    error(DiagnosticCode::E0104, name.range,
          "`" + name.text + "` takes " + (takesArgument ? "an argument" : "no argument"))
        .at("wrong arguments")
        .help(takesArgument ? "`" + name.text + "(0.1)`" : "`" + name.text.str() + "`");
    return std::nullopt;
  }
  if (takesArgument) {
    Operand operand = exprs.eval(*weight.initArgument);
    operand.range = weight.initArgument->range;
    if (!elementwise.requireConstant(operand, "the argument of an initialiser"))
      return std::nullopt;
    argument = operand.number;
  }
  return init;
}

Operand Sema::addParameter(const WeightDecl &weight, const std::string &name, std::optional<DimExpr> rows) {
  if (weight.isDamaged)
    return {};
  std::optional<Shape> shape = dims.evalShape(weight.type);
  double argument = 0;
  std::optional<Initializer> init = initializer(weight, argument);
  if (weight.type.sparse || weight.type.rowNormalized || !isFloat(weight.type.element)) {
    error(DiagnosticCode::E0201, weight.type.range, "a parameter is `real`, `f32` or `f64`").at("not such a type");
    return {};
  }
  if (!shape || !init)
    return {};
  Parameter parameter;
  parameter.name = name;
  parameter.shape = dims.translate(*shape, weight.type.range);
  if (rows) {
    shape->insert(shape->begin(), *rows);
    parameter.shape.insert(parameter.shape.begin(), *rows);
  }
  parameter.init = *init;
  parameter.initArgument = argument;
  parameter.setFans(parameter.shape);
  parameter.isState = weight.isState;
  parameter.doc = documentation(weight.doc);
  parameter.range = weight.name.range;
  Value proto{weight.isState ? ValueKind::State : ValueKind::Param,
              {GraphKind::P, 0, parameter.shape, weight.type.element},
              {},
              parameter.name,
              weight.name.range};
  model.params.push_back(std::move(parameter));
  return fieldOperand(builder.append(std::move(proto)), *shape, nullptr, weight.name.range);
}

void Sema::declareWeights(const ComponentDecl &component, Frame &frame) {
  for (const WeightDecl &weight : component.weights) {
    Entity entity;
    entity.operand = addParameter(weight, frame.prefix + weight.name.text.str());
    if (weight.isState && !entity.operand.isError())
      entity.state = model.params.size() - 1;
    symbols.declare(weight.name, std::move(entity));
  }
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
