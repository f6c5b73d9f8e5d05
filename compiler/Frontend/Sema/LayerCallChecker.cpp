//===- LayerCallChecker.cpp - Calls of layers -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `conv1(h)`, `conv1(h for u -cites-> v)`: the edges that a layer is called over, its arguments, and the evaluation of
// its body in place.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/LayerCallChecker.h"
#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/Sema/ComprehensionChecker.h"
#include "compiler/Frontend/Sema/DimChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/EndEvaluator.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/GraphValues.h"
#include "compiler/Frontend/Sema/OperatorChecker.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/SaveAndRestore.h"
#include <algorithm>

using namespace gnnc;
using namespace gnnc::ast;

/// A call of a parameter that is a layer, in a layer that is checked for any argument: some value of the right shape.
Operand LayerCallChecker::callAnyLayer(const CallExpr &call, const LayerType &type) {
  Operand input = evaluator.eval(*call.args.front().value);
  input.range = call.args.front().value->range;
  if (!elementwise.requireFloat(input, call.range, "a layer") || !checkTaken(call, input, type))
    return {};
  return elementwise.broadcast(operators.reduce(input, Reduction::Sum, 0, call.range), type.gives, {});
}

/// Whether a parameter that is a layer takes what it is applied to.
bool LayerCallChecker::checkTaken(const CallExpr &call, const Operand &input, const LayerType &type) {
  if (input.shape == type.takes)
    return true;
  error(DiagnosticCode::E0303, input.range,
        "`" + call.callee.text + "` takes " + str(type.takes) + ", the argument is " + str(input.shape))
      .at("this is " + str(input.shape))
      .label(input.origin, "defined here")
      .label(context.scope->find(call.callee.text)->range, "a layer " + str(type.takes) + " -> " + str(type.gives));
  return false;
}

Operand LayerCallChecker::callLayer(const CallExpr &call, const Entity &layer) {
  const std::optional<LayerType> &type = layer.layerType;
  if (type && (call.args.size() != 1 || call.args.front().label)) {
    error(DiagnosticCode::E0104, call.range, "`" + call.callee.text + "` takes 1 input")
        .at(plural(call.args.size(), "argument") + " given")
        .label(layer.range, "a layer " + str(type->takes) + " -> " + str(type->gives));
    return {};
  }
  if (type && !layer.instance)
    return callAnyLayer(call, *type);
  Instance &instance = *layer.instance;
  if (!instance.layer)
    return {};
  const BodyDecl &body = instance.layer->bodies.front();
  const Pattern *pattern = nullptr;
  std::optional<std::vector<LayerArgument>> args = layerArgs(call, body, pattern);
  if (!args)
    return {};
  const bool isScore =
      context.comprehension && context.comprehension->inEdgeBody && context.isModelBody() && body.isEdge;
  const bool takesEdges = body.isEdge || pattern || llvm::any_of(llvm::zip(body.formals, *args), [](const auto &each) {
                            return std::get<0>(each).ofEdges && std::get<1>(each).expr;
                          });
  if (context.comprehension && !isScore && takesEdges) {
    error(DiagnosticCode::E0202, call.range,
          llvm::Twine("a layer is applied to all ") + (body.isEdge ? "edges" : "vertices") +
              " at once, not to one edge")
        .at("inside a comprehension")
        .help("apply it before with `let h = " + call.callee.text + "(...)` and read `" + (body.isEdge ? "h" : "u.h") +
              "` here");
    return {};
  }
  if (takesEdges && !schema.requireVertices(call.range))
    return {};
  unsigned errorsBefore = diagnostics.numErrors();
  std::optional<EdgeUse> use = layerUse(call, body, pattern);
  if (diagnostics.numErrors() != errorsBefore || (pattern && !use))
    return {};
  bool good = true;
  for (size_t i = 0; i < args->size(); ++i)
    good &= !(*args)[i].expr || evalLayerArg((*args)[i], body.formals[i], use);
  for (const LayerArgument &argument : *args)
    good = good && (!type || !argument.expr ||
                    checkTaken(call, argument.own.isError() ? argument.otherEnd : argument.own, *type));
  if (!good || (!takesEdges && !findEdges(call, *args, use)) || !expansion.descend(call.callee, instance.layer))
    return {};
  auto leave = llvm::make_scope_exit([&] { expansion.callStack.pop_back(); });
  Scope scope(instance.frame.scope.get());
  llvm::SaveAndRestore restore(context);
  unsigned vertexType = isScore ? schema.typeAt(*use->relation, use->ownEnd) : context.vertexType;
  const Scope *callerScope = context.scope;
  context = EvalContext();
  context.callerScope = callerScope;
  context.vertexType = vertexType;
  context.use = use ? &*use : nullptr;
  context.frame = &instance.frame;
  context.scope = &scope;
  context.body = &body;
  llvm::SaveAndRestore restoreGiven(instance.frame.given);
  instance.frame.given.clear();
  for (const auto &[formal, argument] : llvm::zip(body.formals, *args))
    if (formal.isOptional() && argument.expr && !argument.own.isLeftOut())
      instance.frame.given.insert(formal.name.text);
  for (const auto &[formal, argument] : llvm::zip(body.formals, *args))
    good &= argument.expr ? bindFormal(formal, argument, instance.frame, type) : leaveOut(formal);
  for (size_t i = 0; i < args->size() && good && use; ++i)
    if ((*args)[i].expr)
      noteLacks(*use, body.formals[i], (*args)[i]);
  Operand result = good ? evalBody(body, instance.frame) : Operand();
  if (result.isError())
    return {};
  if (use && use->onEdges)
    result.edges = use->onEdges;
  context.frame = instance.frame.caller;
  result.labels.clear();
  for (const DimExpr &dim : result.shape)
    result.labels.push_back(dim.str());
  result.shape = type ? type->gives : dims.substitute(result.shape, instance.frame);
  result.range = call.range;
  result.origin = body.result ? body.result->range : llvm::SMRange();
  return result;
}

/// `h: real[in], edge weight: real = 1`
static std::string describeInputs(const BodyDecl &body) {
  std::vector<std::string> inputs;
  for (const FormalDecl &formal : body.formals)
    inputs.push_back(formal.text());
  return llvm::join(inputs, ", ");
}

std::optional<std::vector<LayerCallChecker::LayerArgument>>
LayerCallChecker::layerArgs(const CallExpr &call, const BodyDecl &body, const Pattern *&pattern) {
  std::vector<LayerArgument> args(body.formals.size());
  size_t position = 0;
  for (const Argument &arg : call.args) {
    const auto *over = llvm::dyn_cast<ComprehensionExpr>(arg.value);
    bool isLast = &arg == &call.args.back();
    if (over && (!isLast || over->filter || over->pattern.isVertices)) {
      error(DiagnosticCode::E0006, over->filter ? over->filter->range : over->range,
            "`for` in an argument of `" + call.callee.text + "`")
          .at(over->filter ? "a layer is applied to all edges of a relation" : "not the edges that the layer is about")
          .help("`" + call.callee.text + "(h for u -> v)` applies it over a relation");
      return std::nullopt;
    }
    if (over)
      pattern = &over->pattern;
    const Expr *expr = over ? over->body : arg.value;
    if (!expr)
      continue; // `conv(for u -> v)`
    auto isNamed = [&](const FormalDecl &formal) { return formal.name.text == arg.label->text; };
    const size_t index = arg.label ? llvm::find_if(body.formals, isNamed) - body.formals.begin() : position++;
    const auto *name = arg.label ? nullptr : llvm::dyn_cast<NameExpr>(expr);
    if (name && !context.scope->find(name->name.text) && !adviceOnName(name->name.text).empty()) { // `edge_index`
      wrongArguments(call, body);
      return std::nullopt;
    }
    if (index < args.size() && !args[index].expr) {
      if (arg.label)
        symbols.noteUse(*arg.label, body.formals[index].name.range);
      args[index].expr = expr;
      continue;
    }
    if (!arg.label) {
      wrongArguments(call, body);
      return std::nullopt;
    }
    std::vector<std::string> names;
    for (const FormalDecl &formal : body.formals)
      names.push_back(formal.name.text.str());
    Diagnostic &wrong =
        error(DiagnosticCode::E0104, arg.label->range,
              index < args.size() ? "`" + arg.label->text + "` is given twice"
                                  : "`" + call.callee.text + "` has no input `" + arg.label->text + "`");
    wrong.at("unexpected argument");
    if (std::optional<std::string> near = index < args.size() ? std::nullopt : nearest(arg.label->text, names))
      wrong.fix("did you mean `" + *near + "`?", arg.label->range, *near);
    else
      wrong.help("it is applied to `" + describeInputs(body) + "`");
    return std::nullopt;
  }
  for (const auto &[formal, argument] : llvm::zip(body.formals, args))
    if (!argument.expr && !formal.isOptional()) {
      wrongArguments(call, body);
      return std::nullopt;
    }
  return args;
}

/// Reports a call with too many or too few arguments.
void LayerCallChecker::wrongArguments(const CallExpr &call, const BodyDecl &body) {
  const size_t count = body.formals.size();
  const size_t required = llvm::count_if(body.formals, [](const FormalDecl &formal) { return !formal.isOptional(); });
  std::vector<const Expr *> args;
  for (const Argument &arg : call.args) {
    const auto *over = llvm::dyn_cast<ComprehensionExpr>(arg.value);
    if (const Expr *expr = over ? over->body : arg.value)
      args.push_back(expr);
  }
  Diagnostic &wrong = error(
      DiagnosticCode::E0104, call.range,
      "`" + call.callee.text + "` takes " +
          (required < count ? std::to_string(required) + " to " + plural(count, "input") : plural(count, "input")));
  wrong.at(plural(args.size(), "argument") + " given");
  const auto *extra = args.size() > required ? llvm::dyn_cast<NameExpr>(args[required]) : nullptr;
  std::string first = args.empty() ? "h" : sourceText(args.front()->range);
  if (required == 1 && extra && !context.scope->find(extra->name.text))
    wrong.help("the edges come with the graph: `" + call.callee.text + "(" + first + ")`");
  else
    wrong.help("it is applied to `" + describeInputs(body) + "`");
}

/// The edges that a layer is called over, if the call or its place says so.
std::optional<EdgeUse> LayerCallChecker::layerUse(const CallExpr &call, const BodyDecl &body, const Pattern *pattern) {
  EdgeUse use;
  if (context.atOtherEnd)
    return use;
  if (context.comprehension && !body.isEdge) {
    use.onEdges = context.comprehension->set;
    return use;
  }
  if (context.comprehension) { // an edge body
    use.relation = context.comprehension->set->relation;
    return use;
  }
  if (!pattern) {
    if (!context.use)
      return std::nullopt;
    use = *context.use;
    use.flipped &= !body.isEdge;
    return use;
  }
  Comprehension comprehension{};
  ComprehensionExpr edges(call.range);
  edges.pattern = *pattern;
  const EdgeSet *set = comprehensions.edgeSet(edges, comprehension);
  if (!set)
    return std::nullopt;
  use.relation = set->relation;
  use.ownEnd = comprehension.ownEnd;
  use.flipped = use.ownEnd == End::Source && !body.isEdge;
  return use;
}

/// Outside of comprehensions: the edges whose values a layer is applied to, if its arguments have any. False if they
/// differ.
bool LayerCallChecker::findEdges(const CallExpr &call, llvm::ArrayRef<LayerArgument> args,
                                 std::optional<EdgeUse> &use) {
  std::vector<Operand> operands;
  for (const LayerArgument &argument : args)
    operands.push_back(argument.own);
  const auto *edge = llvm::find_if(args, [](const LayerArgument &argument) { return argument.own.edges; });
  if (edge == args.end() || context.comprehension)
    return true;
  use.emplace();
  use->onEdges = edge->own.edges;
  return elementwise.checkSameEdges(operands, call.range);
}

/// Evaluates an argument, at both ends where these are of two types.
bool LayerCallChecker::evalLayerArg(LayerArgument &argument, const FormalDecl &formal,
                                    const std::optional<EdgeUse> &use) {
  const Expr &expr = *argument.expr;
  const bool isScore = context.comprehension && !formal.ofEdges && !use->onEdges;
  auto evalOwn = [&] {
    return isScore ? ends.evalFieldOf(expr, schema.typeAt(*use->relation, use->ownEnd))
                   : ends.evalBothEnds(expr, argument.otherEnd);
  };
  if (use && schema.joinsTwoTypes(*use) && !formal.ofEdges && context.isModelBody()) {
    DiagnosticEngine::Mute mute(diagnostics);
    argument.otherEnd = ends.evalFieldOf(
        expr, schema.typeAt(*use->relation, use->ownEnd == End::Source ? End::Destination : End::Source));
    argument.own = evalOwn();
  }
  // An end that the layer does not read needs no such field.
  if (argument.own.isError() && argument.otherEnd.isError())
    argument.own = evalOwn();
  argument.own.range = expr.range;
  return !argument.own.isError() || !argument.otherEnd.isError();
}

bool LayerCallChecker::checkFormal(const FormalDecl &formal, const Operand &argument, const Shape &expected,
                                   Frame &callee) {
  bool isVertexField = argument.isSparse() || (argument.isField() && kind(argument) == GraphKind::V);
  bool isEdgeField = argument.isField() && argument.edges && argument.edges->filter.empty();
  const bool isOnEdges = argument.isField() && argument.edges && context.use && context.use->onEdges;
  if (formal.ofEdges ? !isEdgeField : !isVertexField && !isOnEdges) {
    error(DiagnosticCode::E0202, argument.range,
          "`" + formal.name.text + "` is a field of all " + (formal.ofEdges ? "edges" : "vertices"))
        .at(argument.edges  ? "this is a value for every edge of `" + argument.edges->spelling + "`"
            : isVertexField ? "this is a value for every vertex"
                            : "this is the same everywhere")
        .label(formal.name.range, "declared here");
    return false;
  }
  if (element(argument) != formal.type->element) {
    error(DiagnosticCode::E0201, argument.range,
          "`" + formal.name.text + "` is " + spelling(formal.type->element) + ", not " + describeType(argument))
        .at("this is " + describeType(argument))
        .label(formal.type->range, "declared here");
    return false;
  }
  if (expected == argument.shape)
    return true;
  Diagnostic &mismatch =
      error(DiagnosticCode::E0303, argument.range,
            "`" + formal.name.text + "` is " + str(expected) + ", the argument " + str(argument.shape));
  mismatch.at("this is " + str(argument.shape))
      .label(argument.origin, "defined here")
      .label(formal.type->range, "declared as " + sourceText(formal.type->range) + " here")
      .label(callee.call, "with these arguments " + str(expected));
  adviseOnArgument(mismatch, formal, argument, expected, callee);
  return false;
}

/// `layer conv2 = SAGEConv(hidden, classes)` with other values of some parameters.
static std::string declarationWith(const InstanceDecl &decl, const ComponentDecl &layer,
                                   std::map<llvm::StringRef, std::string> changed) {
  std::string args;
  auto add = [&](const std::string &text) { args += (args.empty() ? "" : ", ") + text; };
  for (auto [index, arg] : llvm::enumerate(decl.args)) {
    auto value = changed.find(arg.label ? arg.label->text : layer.params[index].name.text);
    std::string text = value != changed.end() ? value->second : sourceText(arg.value->range);
    if (value != changed.end())
      changed.erase(value);
    add(arg.label ? arg.label->text.str() + " = " + text : text);
  }
  for (const auto &[name, value] : changed) // defaults so far
    add(name.str() + " = " + value);
  return "layer " + decl.name.text.str() + " = " + decl.layer.text.str() + "(" + args + ")";
}

/// Where the layer that is called was declared.
static const InstanceDecl *declarationOf(const Frame &callee) {
  for (const InstanceDecl &decl : callee.caller->component->instances)
    if (decl.range.Start == callee.call.Start)
      return &decl;
  return nullptr;
}

/// The newest field that the caller defined after `argument` and that has the type of `formal`, an input of vertices:
/// what was meant where a step of a chain is left out (`conv2(x)` for `conv2(h)`).
std::optional<llvm::StringRef> LayerCallChecker::laterFieldThatFits(const FormalDecl &formal, const Operand &argument,
                                                                    const Shape &expected) {
  std::optional<llvm::StringRef> newest;
  const char *place = argument.origin.Start.getPointer();
  if (!place || formal.ofEdges || argument.edges)
    return std::nullopt;
  for (const Scope *scope = context.callerScope; scope; scope = scope->parent)
    for (const auto &[name, entity] : scope->names) {
      const Operand &field = entity.operand;
      const char *defined = entity.range.Start.getPointer();
      if (entity.kind == Entity::Kind::Field && field.isField() && kind(field) == GraphKind::V &&
          element(field) == formal.type->element && field.shape == expected && defined > place) {
        newest = name;
        place = defined;
      }
    }
  return newest;
}

/// Whether `dim` has one dimension of the argument too many (heads, as a rule), or the layer was declared for another.
void LayerCallChecker::adviseOnArgument(Diagnostic &mismatch, const FormalDecl &formal, const Operand &argument,
                                        const Shape &expected, const Frame &callee) {
  const ComponentDecl &layer = *callee.component;
  std::string text = sourceText(argument.range);
  if (expected.size() + 1 == argument.shape.size()) {
    std::optional<DimExpr> all = numElements(argument.shape);
    bool fitsFlat = all && Shape{*all} == expected;
    bool fitsMean = std::equal(expected.begin(), expected.end(), argument.shape.begin() + 1);
    std::string first = argument.labels.empty() ? argument.shape.front().str() : argument.labels.front();
    if ((fitsFlat || !fitsMean) && expected.size() == 1 && all)
      mismatch.help("`flatten(" + text + ")` joins its dimensions: [" + all->str() + "]");
    if (fitsMean || !fitsFlat)
      mismatch.help("`mean<" + first + ">(" + text + ")` averages over `" + first +
                    "`: " + str(Shape(argument.shape.begin() + 1, argument.shape.end())));
    return;
  }
  if (expected.size() == 1 && argument.shape.empty())
    mismatch.help(llvm::Twine("one number for each ") + (argument.edges ? "edge" : "vertex") +
                  " is no vector: declare what it comes from as `real[1]`");
  std::map<llvm::StringRef, std::string> changed; // parameters of the layer that the argument contradicts
  for (size_t i = 0; i < expected.size() && expected.size() == argument.shape.size(); ++i) {
    const auto *dim = llvm::dyn_cast<NameExpr>(formal.type->dims[i]);
    bool isParameter = dim && llvm::any_of(layer.params, [&](const ComponentParam &param) {
                         return param.name.text == dim->name.text;
                       });
    if (expected[i] != argument.shape[i] && isParameter)
      changed[dim->name.text] = argument.shape[i].str();
  }
  const InstanceDecl *decl = declarationOf(callee);
  if (std::optional<llvm::StringRef> field = laterFieldThatFits(formal, argument, expected); field && decl)
    mismatch.help("`" + *field + "` is " + str(expected) + ": `" + decl->name.text + "(" + *field + ")`");
  if (!changed.empty() && decl)
    mismatch.help("if the argument is meant: `" + declarationWith(*decl, layer, std::move(changed)) + "`");
}

/// Notes why vertices at an end do not have the input `formal` of a layer; called when it is bound.
void LayerCallChecker::noteLacks(EdgeUse &use, const FormalDecl &formal, const LayerArgument &given) {
  if (formal.ofEdges || !schema.joinsTwoTypes(use))
    return;
  const Entity &bound = *context.scope->find(formal.name.text);
  std::string text = "`" + sourceText(given.expr->range) + "`";
  auto note = [&](const Operand &own, const Operand &inLayer, End end, std::vector<EdgeUse::Lack> &lacks) {
    if (!inLayer.isError())
      return;
    std::string type = "`" + model.vertexTypes[schema.typeAt(*use.relation, end)].name + "`";
    std::string takes = ", and the layer takes `" + formal.name.text.str() + "`: " + str(given.expected);
    if (own.isError())
      lacks.push_back({type + " has no " + text, given.expr->range});
    else if (own.shape != given.expected)
      lacks.push_back({text + " of " + type + " is " + str(own.shape) + takes, given.expr->range});
    else
      lacks.push_back({text + " of " + type + " is " + describeType(own) + takes, given.expr->range});
  };
  note(given.own, bound.operand, use.ownEnd, use.ownLacks);
  note(given.otherEnd, bound.otherEnd, use.ownEnd == End::Source ? End::Destination : End::Source, use.otherLacks);
}

/// Binds an input of a layer; called in the callee's context.
bool LayerCallChecker::bindFormal(const FormalDecl &formal, LayerArgument &given, Frame &callee,
                                  const std::optional<LayerType> &type) {
  std::optional<Shape> shape = dims.evalShape(*formal.type);
  if (!shape)
    return false;
  Shape expected = type ? type->takes : Shape();
  if (!type) {
    llvm::SaveAndRestore restore(context.frame, callee.caller);
    expected = dims.substitute(*shape, callee);
  }
  given.expected = expected;
  if (!checkFormal(formal, given.own.isError() ? given.otherEnd : given.own, expected, callee))
    return false;
  Entity entity;
  entity.operand = given.own;
  entity.operand.shape = *shape;
  if (formal.ofEdges) {
    entity.operand.edges = comprehensions.allEdges(given.own.edges->relation, "all edges", formal.name.range);
    if (formal.fallback && callee.loops == Loops::One && kind(entity.operand) == GraphKind::E)
      entity.operand = withoutAddedLoops(formal, entity.operand);
  } else if (!given.otherEnd.isError()) {
    DiagnosticEngine::Mute mute(diagnostics);
    if (checkFormal(formal, given.otherEnd, expected, callee)) {
      entity.otherEnd = given.otherEnd;
      entity.otherEnd.shape = *shape;
    }
  }
  entity.assignable = true;
  entity.isInput = true;
  entity.condition = formal.condition;
  entity.range = formal.name.range;
  return symbols.declare(formal.name, std::move(entity));
}

std::optional<Operand> LayerCallChecker::constantOf(const FormalDecl &formal) {
  if (!formal.fallback)
    return std::nullopt;
  Operand constant = evaluator.eval(*formal.fallback);
  constant.range = formal.fallback->range;
  Operand typed[] = {
      elementwise.materialize(numberOperand(0, /*isInteger=*/true, constant.range), formal.type->element), constant};
  const bool isGood = elementwise.requireConstant(constant, "what an input is where it is left out") &&
                      elementwise.unifyElements(typed, constant.range);
  return isGood ? std::optional(constant) : std::nullopt;
}

/// An input of edges with its constant on loops that are added: no data say what it is there. What is bound has a 1.
Operand LayerCallChecker::withoutAddedLoops(const FormalDecl &formal, const Operand &given) {
  std::optional<Operand> constant = constantOf(formal);
  const bool isBound = builder.value(given.id).kind == ValueKind::Input;
  if (!constant || (isBound && constant->number == 1))
    return given;
  Comprehension edges{};
  edges.set = given.edges;
  llvm::SaveAndRestore inside(context.comprehension, static_cast<const Comprehension *>(&edges));
  Operand choice[] = {*constant, given};
  if (!elementwise.unifyElements(choice, constant->range))
    return {};
  Operand operands[] = {graph.isAdded(formal.name.range), choice[0], choice[1]};
  if (!elementwise.alignShapes(operands, formal.name.range, "an input"))
    return {};
  return elementwise.apply(ValueKind::Select, operands, given.shape, element(given), formal.name.range);
}

bool LayerCallChecker::leaveOut(const FormalDecl &formal) {
  Entity entity;
  entity.isInput = true;
  entity.condition = formal.condition;
  entity.range = formal.name.range;
  // The vertices at the other end of a layer's edges have none of these edges.
  const EdgeSet *onEdges = context.use ? context.use->onEdges : nullptr;
  const bool hasEdges = !context.use || context.use->relation || onEdges;
  if (formal.fallback && hasEdges) {
    std::optional<Shape> shape = dims.evalShape(*formal.type);
    std::optional<Operand> constant = constantOf(formal);
    std::optional<unsigned> relation = onEdges ? onEdges->relation : schema.layerRelation(formal.name.range);
    if (!shape || !relation || !constant)
      return false;
    Operand scalar = elementwise.materialize(*constant, formal.type->element);
    entity.operand = shape->empty() ? scalar : elementwise.broadcast(scalar, *shape, {});
    entity.operand.uniform = constant->number;
    entity.operand.edges = onEdges ? onEdges : comprehensions.allEdges(*relation, "all edges", formal.name.range);
  }
  entity.assignable = !entity.operand.isError();
  return symbols.declare(formal.name, std::move(entity));
}

/// Evaluates a layer's body in the current context and checks what it returns.
Operand LayerCallChecker::evalBody(const BodyDecl &body, Frame &frame) {
  symbols.checkBinders(body);
  Comprehension edges{};
  llvm::SaveAndRestore restore(context.comprehension);
  if (body.isEdge) {
    std::optional<unsigned> relation = schema.resolvePattern(body.pattern, std::nullopt);
    if (!relation)
      return {};
    edges = comprehensions.overEdgesOf(body, *relation);
    context.comprehension = &edges;
  }
  unsigned errorsBefore = diagnostics.numErrors();
  std::optional<Operand> result = evaluator.evalBlock(body.statements);
  if (!result) {
    if (diagnostics.numErrors() == errorsBefore && !symbols.mayBeLost(""))
      error(DiagnosticCode::E0008, body.head, "this body returns nothing").at("needs a `return`");
    return {};
  }
  if (result->isError())
    return {};
  if (body.isEdge)
    *result = graph.onEdges(*result);
  const bool isOfEdges = body.isEdge || (context.use && context.use->onEdges);
  bool rightKind = isOfEdges ? result->edges != nullptr : result->isField() && kind(*result) == GraphKind::V;
  if (!rightKind) {
    Diagnostic &wrong =
        error(DiagnosticCode::E0202, result->range,
              llvm::Twine("this body returns one value for every ") + (body.isEdge ? "edge" : "vertex"));
    if (result->edges)
      wrong.at("this is one for every edge of `" + result->edges->spelling + "`")
          .help("aggregate it: `sum(...)`, `mean(...)`, `max(...)`");
    else
      wrong.at(result->isSparse() ? "this is a sparse input" : "this is the same everywhere");
    return {};
  }
  if (!body.result)
    return *result;
  std::optional<Shape> shape = dims.evalShape(*body.result);
  if (!shape)
    return {};
  if (element(*result) != body.result->element) {
    error(DiagnosticCode::E0201, result->range,
          "the body is declared to return " + spelling(body.result->element) + " and returns " + describeType(*result))
        .at("this is " + describeType(*result))
        .label(body.result->range, "declared here")
        .help("convert it with `" + spelling(body.result->element) + "(...)`");
    return {};
  }
  if (*shape != result->shape) {
    error(DiagnosticCode::E0303, result->range,
          "the body is declared to return " + str(*shape) + " and returns " + str(result->shape))
        .at("this is " + str(result->shape))
        .label(body.result->range, "declared here");
    return {};
  }
  return *result;
}
