//===- InstanceChecker.cpp - Layers inside of components --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `layer conv1 = GCNConv(in, hidden)`: finds the layer, binds its parameters to the arguments, and declares the weights
// of this use of it.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/InstanceChecker.h"
#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/Functions.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/ExprChecker.h"
#include "compiler/Frontend/Sema/FunctionParams.h"
#include "compiler/Frontend/Sema/GivenInputs.h"
#include "compiler/Frontend/Sema/LoopChecker.h"
#include "compiler/Frontend/Sema/ParamChecker.h"
#include "compiler/Frontend/Sema/ScheduleChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace gnnc;
using namespace gnnc::ast;

bool InstanceChecker::hasOneBody(const ComponentDecl &layer) {
  if (layer.bodies.size() == 1)
    return true;
  bool hasNone = layer.bodies.empty();
  error(DiagnosticCode::E0007, hasNone ? layer.name.range : layer.bodies[1].head, "a layer has one body")
      .at(hasNone ? "this one has none" : "this is the second");
  return false;
}

void InstanceChecker::declareInstances(const ComponentDecl &component, Frame &frame) {
  for (const InstanceDecl &decl : component.instances) {
    instances.push_back(std::make_unique<Instance>());
    Instance &instance = *instances.back();
    instance.frame.caller = &frame;
    Entity entity;
    entity.kind = Entity::Kind::Instance;
    entity.instance = &instance;
    symbols.declare(decl.name, std::move(entity));
    declareInstance(decl, instance, frame.prefix + decl.name.text.str() + ".");
  }
}

/// The layer that other libraries or papers call so: `gcnconv`, `GAT`, `GraphSAGE`.
static std::optional<std::string> layerMeant(llvm::StringRef name, std::vector<std::string> names) {
  llvm::sort(names);
  llvm::StringRef kind = name;
  kind.consume_front_insensitive("graph");
  for (const std::string &spelling : {name.str(), name.str() + "Conv", kind.str() + "Conv"})
    for (const std::string &candidate : names)
      if (llvm::StringRef(candidate).equals_insensitive(spelling))
        return candidate;
  return std::nullopt;
}

/// The function that other libraries have as a layer: `Dropout`, `LeakyReLU`.
static std::optional<std::string> functionMeant(llvm::StringRef name, const Declarations &declarations) {
  std::vector<std::string> functions = builtinNames();
  for (const auto &entry : declarations.functions)
    functions.push_back(entry.getKey().str());
  llvm::sort(functions);
  for (const std::string &function : functions) {
    std::string plain = function;
    llvm::erase(plain, '_');
    if (name.equals_insensitive(plain) || name.equals_insensitive(function))
      return function;
  }
  return std::nullopt;
}

/// Sets `instance.layer` if all is well. `prefix`: of the names of its weights.
void InstanceChecker::declareInstance(const InstanceDecl &decl, Instance &instance, std::string prefix) {
  constexpr size_t cost = 16;
  if (decl.isDamaged || expansion.outOfBudget(decl.range))
    return;
  expansion.spend(cost);
  auto found = declarations.layers.find(decl.layer.text);
  if (found == declarations.layers.end() && symbols.mayBeLost(decl.layer.text))
    return;
  if (found == declarations.layers.end()) {
    std::vector<std::string> names, libraryNames;
    for (const auto &entry : declarations.layers)
      names.push_back(entry.getKey().str());
    Diagnostic &unknown = error(DiagnosticCode::E0103, decl.layer.range, "unknown layer `" + decl.layer.text + "`");
    unknown.at("not found here");
    std::optional<std::string> meant = layerMeant(decl.layer.text, names);
    auto library = declarations.notImported.find(decl.layer.text);
    for (const auto &entry : declarations.notImported)
      libraryNames.push_back(entry.getKey().str());
    if (library == declarations.notImported.end() && !meant)
      if (std::optional<std::string> inLibrary = layerMeant(decl.layer.text, libraryNames))
        library = declarations.notImported.find(*inLibrary);
    if (library != declarations.notImported.end())
      unknown.help("`import " + library->second + "` brings in `" + library->first() + "`");
    else if (meant)
      unknown.fix("did you mean `" + *meant + "`?", decl.layer.range, *meant);
    else if (std::optional<std::string> function = functionMeant(decl.layer.text, declarations))
      unknown.help("`" + *function + (*function == "dropout" ? "(h, 0.5)" : "(h)") +
                   "` is a function, which is applied in a body");
    else if (std::string advice = adviceOnFunction(decl.layer.text); !advice.empty())
      unknown.help(advice);
    else if (std::optional<std::string> near = nearest(decl.layer.text, names))
      unknown.fix("did you mean `" + *near + "`?", decl.layer.range, *near);
    else
      unknown.help("layers are defined in this file or imported: `import nn`; docs/language.md lists those of `nn`");
    return;
  }
  const ComponentDecl &layer = *found->second;
  symbols.noteUse(decl.layer, layer.name.range);
  if (layer.isDamaged || !hasOneBody(layer) || !expansion.enter(decl.layer, &layer))
    return;
  auto leave = llvm::make_scope_exit([&] { expansion.callStack.pop_back(); });
  instance.frame.component = &layer;
  instance.frame.call = decl.range;
  instance.frame.prefix = std::move(prefix);
  instance.frame.scope = std::make_unique<Scope>(nullptr);
  unsigned errorsBefore = diagnostics.numErrors();
  if (!bindLayerParams(decl, instance))
    return;
  instance.frame.given = givenInCalls(decl, layer);
  llvm::SaveAndRestore restore(context);
  context = EvalContext();
  context.frame = &instance.frame;
  context.scope = instance.frame.scope.get();
  params.declareWhere(layer, instance.frame);
  if (!checkLayerWhere(decl, instance))
    return;
  loops.declare(layer, instance.frame);
  params.declareWeights(layer, instance.frame);
  declareInstances(layer, instance.frame);
  schedules.requestSchedule(layer, instance.frame.prefix);
  if (diagnostics.numErrors() == errorsBefore)
    instance.layer = &layer;
}

/// The inputs that calls of the layer give, of those that may be left out; called in the caller's context.
std::set<llvm::StringRef> InstanceChecker::givenInCalls(const InstanceDecl &decl, const ComponentDecl &layer) {
  const Frame &caller = *context.frame;
  const bool isFurtherRun = expansion.branches && expansion.branches->isFurtherRun();
  auto side = [&](const Expr &condition) -> std::optional<bool> {
    // An input that one call of the caller gives may be left out of another.
    if ((isFurtherRun && &caller == &root) || (!caller.given.empty() && mentionsGiven(condition)))
      return std::nullopt;
    DiagnosticEngine::Mute mute(diagnostics);
    const Operand value = exprs.eval(condition);
    return value.isTruth() ? std::optional(value.truth) : std::nullopt;
  };
  auto isLeftOut = [&](llvm::StringRef name) {
    for (const BodyDecl &body : caller.component->bodies)
      for (const FormalDecl &formal : body.formals)
        if (formal.name.text == name && formal.isOptional())
          return !caller.given.count(name);
    return false;
  };
  return givenInputs(*caller.component, decl.name.text, layer, side, isLeftOut);
}

/// `GCNConv(in: dim, out: dim)`
static std::string signature(const ComponentDecl &layer) {
  std::string text;
  for (const ComponentParam &param : layer.params)
    text += (text.empty() ? "" : ", ") + param.name.text.str() + ": " + param.type();
  return layer.name.text.str() + "(" + text + ")";
}

/// The argument of each parameter, by position, then by name; null where none is given.
std::optional<std::vector<const Expr *>> InstanceChecker::matchLayerArgs(const InstanceDecl &decl,
                                                                         const ComponentDecl &layer) {
  std::vector<const Expr *> given(layer.params.size(), nullptr);
  std::vector<std::string> names;
  for (const ComponentParam &param : layer.params)
    names.push_back(param.name.text.str());
  size_t position = 0;
  for (const Argument &arg : decl.args) {
    size_t index = arg.label ? llvm::find(names, arg.label->text) - names.begin() : position++;
    if (index < given.size() && !given[index]) {
      if (arg.label)
        symbols.noteUse(*arg.label, layer.params[index].name.range);
      given[index] = arg.value;
      continue;
    }
    std::string layerName = "layer `" + layer.name.text.str() + "`";
    Diagnostic &wrong = error(DiagnosticCode::E0104, arg.label ? arg.label->range : arg.value->range,
                              index < given.size() ? "`" + names[index] + "` is given twice"
                              : arg.label          ? layerName + " has no parameter `" + arg.label->text.str() + "`"
                                          : layerName + " takes " + std::to_string(given.size()) + " arguments");
    wrong.at("unexpected argument").label(layer.name.range, "declared here");
    std::optional<std::string> near = arg.label ? nearest(arg.label->text, names) : std::nullopt;
    if (arg.label && llvm::is_contained(names, parameterMeant(arg.label->text)))
      near = parameterMeant(arg.label->text).str();
    if (near)
      wrong.fix("did you mean `" + *near + "`?", arg.label->range, *near);
    else
      wrong.help("it is declared as `" + signature(layer) + "`");
    return std::nullopt;
  }
  return given;
}

/// Binds the parameters of a layer to its arguments.
bool InstanceChecker::bindLayerParams(const InstanceDecl &decl, Instance &instance) {
  const ComponentDecl &layer = *instance.frame.component;
  std::optional<std::vector<const Expr *>> given = matchLayerArgs(decl, layer);
  if (!given)
    return false;
  bool good = true;
  for (size_t i = 0; i < layer.params.size(); ++i)
    good &= bindLayerParam(layer.params[i], (*given)[i], decl, instance);
  return good;
}

bool InstanceChecker::bindLayerParam(const ComponentParam &param, const Expr *given, const InstanceDecl &decl,
                                     Instance &instance) {
  const Expr *value = given ? given : param.fallback;
  if (!value) {
    error(DiagnosticCode::E0104, decl.layer.range,
          "layer `" + instance.frame.component->name.text + "` needs `" + param.name.text + "`")
        .at("not given")
        .label(param.name.range, "has no default")
        .help("it is declared as `" + signature(*instance.frame.component) + "`");
    return false;
  }
  // Defaults are read in the layer, where earlier parameters are known; arguments in the caller.
  llvm::SaveAndRestore restore(context);
  context.body = nullptr;
  if (!given) {
    context.frame = &instance.frame;
    context.scope = instance.frame.scope.get();
  }
  if (param.kind == ComponentParam::Kind::Layer)
    return bindLayer(param, *value, decl.range, instance.frame);
  Entity entity;
  if (isOfFunctions(param)) {
    std::optional<Entity> named = functions.evaluate(param, *value);
    if (!named)
      return false;
    entity = std::move(*named);
  } else if (param.kind == ComponentParam::Kind::Dim) {
    std::optional<DimExpr> dim = dims.evalDim(*value);
    if (!dim)
      return false;
    instance.frame.dims[param.name.text.str()] =
        given ? dims.canonical(*dim) : dims.substitute({*dim}, instance.frame).front();
    entity.kind = Entity::Kind::Dim;
    entity.dim = DimExpr::name(param.name.text);
  } else {
    Operand operand = exprs.eval(*value);
    operand.range = value->range;
    const bool isBool = param.kind == ComponentParam::Kind::Bool;
    const std::string name = "`" + param.name.text.str() + "`";
    if (!(isBool ? elementwise.requireTruth(operand, name) : elementwise.requireConstant(operand, name)))
      return false;
    bool isInt = param.kind == ComponentParam::Kind::Int;
    if (isInt && !operand.isInteger) {
      error(DiagnosticCode::E0209, value->range, "`" + param.name.text + "` is an integer").at("not an integer");
      return false;
    }
    operand.isInteger = isInt; // of no bool
    entity.kind = Entity::Kind::Constant;
    entity.operand = operand;
  }
  context.scope = instance.frame.scope.get();
  return symbols.declare(param.name, std::move(entity));
}

//===----------------------------------------------------------------------===//
// Layers as parameters
//===----------------------------------------------------------------------===//

/// In the component that is compiled: a layer is what its default says, or any where a layer is checked for any
/// argument.
void InstanceChecker::declareLayerParams(const ComponentDecl &component) {
  for (const ComponentParam &param : component.params) {
    if (param.kind != ComponentParam::Kind::Layer)
      continue;
    const std::string name = "`" + param.name.text.str() + "`";
    if (llvm::any_of(options.defines, [&](const auto &define) { return define.first == param.name.text; }))
      error(DiagnosticCode::E0110, param.name.range, "-D gives no layers, and " + name + " is one").at("declared here");
    if (param.fallback && !options.generic) {
      bindLayer(param, *param.fallback, param.name.range, *context.frame);
      continue;
    }
    if (!options.generic)
      error(DiagnosticCode::E0110, param.name.range, name + " needs a layer")
          .at("has no default")
          .help("give it a default, as `" + param.name.text + ": " + param.type() + " = Linear(" +
                sourceText(param.takes->range) + ", " + sourceText(param.gives->range) +
                ")`, or compile a model that gives it one");
    Entity any;
    any.kind = Entity::Kind::Instance;
    any.layerType = typeOf(param);
    if (any.layerType)
      symbols.declare(param.name, std::move(any));
  }
}

/// `layer in -> out`, in the dimensions of the current frame
std::optional<LayerType> InstanceChecker::typeOf(const ComponentParam &param) {
  std::optional<DimExpr> takes = dims.evalDim(*param.takes), gives = dims.evalDim(*param.gives);
  return takes && gives ? std::optional(LayerType{{dims.canonical(*takes)}, {dims.canonical(*gives)}}) : std::nullopt;
}

/// The same of a layer, in the dimensions of its caller; none if it is not such a layer.
std::optional<LayerType> InstanceChecker::typeOf(Instance &instance) {
  const BodyDecl &body = instance.layer->bodies.front();
  const FormalDecl *input = nullptr;
  for (const FormalDecl &formal : body.formals) {
    if (formal.isOptional())
      continue;
    if (input || formal.ofEdges)
      return std::nullopt;
    input = &formal;
  }
  if (!input || body.isEdge || !body.result || !isFloat(input->type->element) || input->type->sparse)
    return std::nullopt;
  llvm::SaveAndRestore restore(context);
  context.frame = &instance.frame;
  context.scope = instance.frame.scope.get();
  std::optional<Shape> takes = dims.evalShape(*input->type), gives = dims.evalShape(*body.result);
  context.frame = instance.frame.caller;
  return takes && gives ? std::optional(LayerType{dims.substitute(*takes, instance.frame),
                                                  dims.substitute(*gives, instance.frame)})
                        : std::nullopt;
}

/// A layer that an argument names, or declares in its place; its weights go by the parameter.
Entity InstanceChecker::layerArgument(const ComponentParam &param, const Expr &value, llvm::SMRange declaration,
                                      const Frame &callee) {
  Entity entity;
  entity.kind = Entity::Kind::Instance;
  if (const auto *call = llvm::dyn_cast<CallExpr>(&value); call && !call->receiver) {
    instances.push_back(std::make_unique<Instance>());
    Instance &made = *instances.back();
    made.frame.caller = context.frame;
    InstanceDecl decl; // without a name by which bodies could call it
    decl.layer = call->callee;
    decl.args = call->args;
    decl.range = declaration;
    llvm::SaveAndRestore outside(expansion.callStack);
    if (context.frame != &callee) // the argument stands outside of the layer that it is given to
      expansion.callStack.pop_back();
    declareInstance(decl, made, callee.prefix + param.name.text.str() + ".");
    if (made.layer && !(entity.layerType = typeOf(made)))
      error(DiagnosticCode::E0104, value.range,
            "`" + call->callee.text + "` is no layer with one input of vertices and a declared result")
          .at("given to `" + param.name.text + "`")
          .help("such a layer has a body `vertex v (h: real[in]) -> real[out]`");
    entity.instance = &made;
    return entity;
  }
  const auto *name = llvm::dyn_cast<NameExpr>(&value);
  const Entity *named = name ? symbols.lookup(name->name) : nullptr;
  if (named && named->kind == Entity::Kind::Instance) {
    entity.instance = named->instance;
    const bool isGood = !named->instance || named->instance->layer;
    entity.layerType = named->layerType ? named->layerType : isGood ? typeOf(*named->instance) : std::nullopt;
    if (entity.layerType || !isGood)
      return entity;
  }
  Diagnostic &wrong =
      error(DiagnosticCode::E0104, value.range,
            "`" + param.name.text + "` is a layer with one input of vertices, declared above or in place");
  wrong.at("not such a layer").label(param.name.range, "declared as `" + param.type() + "` here");
  if (named)
    wrong.label(named->range, "defined here");
  wrong.help("a layer in place is written as `MLP(" + sourceText(param.takes->range) + ", 16, " +
             sourceText(param.gives->range) + ")`, with the dimensions that it has here");
  return entity;
}

/// Binds a parameter that is a layer; called where the argument, or the default, is evaluated.
bool InstanceChecker::bindLayer(const ComponentParam &param, const Expr &value, llvm::SMRange declaration,
                                Frame &callee) {
  Entity entity = layerArgument(param, value, declaration, callee);
  if (!entity.layerType)
    return false;
  const LayerType given = *entity.layerType;
  llvm::SaveAndRestore restore(context);
  context.frame = &callee;
  context.scope = callee.scope.get();
  entity.layerType = typeOf(param);
  if (!entity.layerType)
    return false;
  LayerType expected = *entity.layerType;
  if (restore.get().frame != &callee) {
    context.frame = callee.caller;
    expected = {dims.substitute(expected.takes, callee), dims.substitute(expected.gives, callee)};
    context.frame = &callee;
  }
  if (given.takes != expected.takes || given.gives != expected.gives) {
    error(DiagnosticCode::E0303, value.range,
          "`" + param.name.text + "` is a layer " + str(expected.takes) + " -> " + str(expected.gives) +
              ", the argument " + str(given.takes) + " -> " + str(given.gives))
        .at("this is a layer " + str(given.takes) + " -> " + str(given.gives))
        .label(param.name.range, "declared as `" + param.type() + "` here");
    return false;
  }
  return symbols.declare(param.name, std::move(entity));
}

/// A `where` of a layer must follow from the arguments.
bool InstanceChecker::checkLayerWhere(const InstanceDecl &decl, Instance &instance) {
  for (const WhereClause &clause : instance.frame.component->where) {
    std::optional<DimExpr> left = dims.evalDim(*clause.left), right = dims.evalDim(*clause.right);
    if (!left || !right)
      return false;
    llvm::SaveAndRestore restore(context.frame, instance.frame.caller);
    DimExpr l = dims.substitute({*left}, instance.frame).front(), r = dims.substitute({*right}, instance.frame).front();
    if (l == r)
      continue;
    Diagnostic &unequal = error(DiagnosticCode::E0308, decl.range,
                                "layer `" + instance.frame.component->name.text + "` needs `" +
                                    sourceText(clause.range) + "`, here `" + l.str() + " == " + r.str() + "`");
    unequal.at("does not hold for these arguments").label(clause.range, "needed here");
    if (!l.constant() && !r.constant())
      unequal.help("if the two are equal, say so where the model declares them: `where " + l.str() + " == " + r.str() +
                   "`");
    return false;
  }
  return true;
}
