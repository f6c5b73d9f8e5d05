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
    declareInstance(decl, instance);
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

/// Sets `instance.layer` if all is well.
void InstanceChecker::declareInstance(const InstanceDecl &decl, Instance &instance) {
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
    else if (std::optional<std::string> near = nearest(decl.layer.text, names))
      unknown.fix("did you mean `" + *near + "`?", decl.layer.range, *near);
    else if (std::string advice = adviceOnFunction(decl.layer.text); !advice.empty())
      unknown.help(advice);
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
  instance.frame.prefix = instance.frame.caller->prefix + decl.name.text.str() + ".";
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
    text += (text.empty() ? "" : ", ") + param.name.text.str() + ": " + spelling(param.kind).str() +
            (param.fallback ? " = " + sourceText(param.fallback->range) : "");
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
  Entity entity;
  if (param.kind == ComponentParam::Kind::Dim) {
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
