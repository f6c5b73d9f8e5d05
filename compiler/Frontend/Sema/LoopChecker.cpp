//===- LoopChecker.cpp - The loops that layers are about ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/LoopChecker.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/Evaluator.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"

using namespace gnnc;
using namespace gnnc::ast;

void LoopChecker::declare(const ComponentDecl &layer, Frame &frame) {
  if (frame.caller)
    frame.loops = frame.caller->loops;
  bool hasOne = false, hasNone = false;
  for (const Setting &setting : layer.graph) {
    checkSetting(setting, layer);
    Operand holds = setting.condition ? evaluator.eval(*setting.condition) : truthOperand(true, setting.name.range);
    holds.range = setting.condition ? setting.condition->range : setting.name.range;
    const bool isNone = setting.name.text == "no_loops";
    frame.declaresOneLoop |= !isNone;
    (isNone ? hasNone : hasOne) |=
        elementwise.requireTruth(holds, "the condition of `" + setting.name.text.str() + "`") && holds.truth;
  }
  if (hasNone || hasOne)
    frame.loops = hasNone ? Loops::None : Loops::One;
}

void LoopChecker::checkSetting(const Setting &setting, const ComponentDecl &layer) {
  if (setting.name.text != "one_loop" && setting.name.text != "no_loops") {
    error(DiagnosticCode::E0109, setting.name.range,
          "`" + setting.name.text + "` is no property of the edges that a layer is about")
        .at("in layer `" + layer.name.text + "`")
        .help("a layer may say `graph { one_loop }`: of the loops of a vertex the last, or one that is added; or "
              "`graph { no_loops }`")
        .help("what the graph has for all layers stands in the `graph` block of the model");
    return;
  }
  if (setting.word || setting.value || !setting.on.empty())
    error(DiagnosticCode::E0109, setting.name.range,
          "`" + setting.name.text + "` of a layer takes no value and no relation")
        .at("stands alone, or with `if`")
        .help("a layer is about the edges that it is called over: `conv(h for u -cites-> v)`");
  if (!layer.bodies.empty() && layer.bodies.front().isEdge)
    error(DiagnosticCode::E0007, setting.name.range, "a layer with an `edge` body has a value for every edge")
        .at("leaves out edges")
        .label(layer.bodies.front().head, "the body");
}

/// The layer of the model whose call is being expanded; null outside of such calls.
const InstanceDecl *LoopChecker::calledInModel() const {
  const Frame *frame = context.frame;
  while (frame->caller && frame->caller != &root)
    frame = frame->caller;
  for (const InstanceDecl &decl : root.component->instances)
    if (frame->caller && decl.range.Start == frame->call.Start)
      return &decl;
  return nullptr;
}

Loops LoopChecker::loopsOf(unsigned relation) const {
  return context.frame->loops.value_or(model.relations[relation].transforms.oneLoop ? Loops::One : Loops::Given);
}

Loops LoopChecker::noteUse(unsigned relation, llvm::SMRange range) {
  const InstanceDecl *layer = calledInModel();
  const Loops loops = loopsOf(relation);
  auto isAlike = [&](const Use &use) { return use.relation == relation && use.loops == loops && use.layer == layer; };
  if (llvm::none_of(uses, isAlike))
    uses.push_back({relation, loops, layer ? expansion.callStack[1].second : range, layer});
  return loops;
}

void LoopChecker::settle() {
  if (expansion.isHypothetical())
    return;
  for (size_t i = 0; i < model.relations.size(); ++i) {
    std::array<const Use *, 3> first{};
    for (const Use &use : uses)
      if (const Use *&known = first[size_t(use.loops)]; use.relation == i && !known)
        known = &use;
    if (std::any_of(first.begin(), first.end(), [](const Use *use) { return use; }))
      settle(i, first);
  }
}

/// `first`: a use for each of `Loops`, or null.
void LoopChecker::settle(unsigned index, const std::array<const Use *, 3> &first) {
  Relation &relation = model.relations[index];
  const auto [given, one, none] = first;
  if (relation.sourceType != relation.destinationType) { // no edge is a loop
    if (!one)
      return;
    Diagnostic &wrong =
        error(DiagnosticCode::E0412, one->range,
              "`" + schema.describeRelation(index) + "` has no loops, and this is about one at each vertex");
    wrong.at("over edges between two types of vertices");
    if (std::string without = withoutLoops(*one); !without.empty())
      wrong.help("`" + without + "` is about the edges as they are");
    return;
  }
  if (bool(given) + bool(one) + bool(none) == 1) {
    relation.transforms.oneLoop = one;
    relation.transforms.noLoops = none;
    relation.transforms.selfLoops &= bool(given); // otherwise each vertex has a loop already, or none has
  } else if (checkDifference(index, one ? *one : *none, given ? *given : *none)) {
    relation.transforms.loopKinds = true;
  }
}

/// The declaration of the layer with its condition for loops switched off, if that is an option of the layer.
std::string LoopChecker::withoutLoops(const Use &use) const {
  if (!use.layer)
    return "";
  auto found = declarations.layers.find(use.layer->layer.text);
  if (found == declarations.layers.end())
    return "";
  for (const Setting &setting : found->second->graph)
    for (const ComponentParam &param : found->second->params) {
      const bool isItsOption = setting.condition && param.kind == ComponentParam::Kind::Bool &&
                               llvm::StringRef(sourceText(setting.condition->range)).starts_with(param.name.text);
      if (!isItsOption)
        continue;
      std::string text = "layer " + use.layer->name.text.str() + " = " + use.layer->layer.text.str() + "(";
      for (const Argument &arg : use.layer->args)
        if (!arg.label || arg.label->text != param.name.text)
          text += (arg.label ? arg.label->text.str() + " = " : "") + sourceText(arg.value->range) + ", ";
      return text + param.name.text.str() + " = false)";
    }
  return "";
}

/// Whether all that the model does with a relation can be done of several loops: the types of its edges are kinds of
/// loops then.
bool LoopChecker::checkDifference(unsigned relation, const Use &use, const Use &other) {
  const llvm::SMRange typesRead = relationInfo[relation].typesRead;
  const Value *loss = model.loss < 0 ? nullptr : &model.values[unsigned(model.loss)];
  const bool hasEdgeLoss = loss && loss->type.kind == GraphKind::E && loss->type.type == relation;
  if (!typesRead.isValid() && !hasEdgeLoss)
    return true;
  Diagnostic &different = error(DiagnosticCode::E0415, hasEdgeLoss ? loss->range : typesRead,
                                llvm::Twine("parts of this model are about different loops, which excludes ") +
                                    (hasEdgeLoss ? "a loss for every edge" : "types of edges"));
  different.at(hasEdgeLoss ? "a loss for every edge" : "a type of an edge");
  auto describe = [](Loops loops) {
    return loops == Loops::One    ? "about one loop at each vertex"
           : loops == Loops::None ? "about no loops"
                                  : "about the loops as they are";
  };
  different.label(use.range, describe(use.loops)).label(other.range, describe(other.loops));
  if (use.loops == Loops::One)
    different.help("`graph { one_loop }` in the model gives each vertex one loop for all of its layers");
  if (std::string without = withoutLoops(use); !without.empty())
    different.help("`" + without + "` is about the loops as they are, too; with `graph { self_loops }` in the model each "
                   "vertex has one");
  return false;
}
