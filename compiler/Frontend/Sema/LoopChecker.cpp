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
  frame.hasOneLoop = frame.caller && frame.caller->hasOneLoop;
  for (const Setting &setting : layer.graph) {
    checkSetting(setting, layer);
    Operand holds = setting.condition ? evaluator.eval(*setting.condition) : truthOperand(true, setting.name.range);
    holds.range = setting.condition ? setting.condition->range : setting.name.range;
    frame.declaresOneLoop = true;
    frame.hasOneLoop |= elementwise.requireTruth(holds, "the condition of `" + setting.name.text.str() + "`") && holds.truth;
  }
}

void LoopChecker::checkSetting(const Setting &setting, const ComponentDecl &layer) {
  if (setting.name.text != "one_loop") {
    error(DiagnosticCode::E0109, setting.name.range,
          "`" + setting.name.text + "` is no property of the edges that a layer is about")
        .at("in layer `" + layer.name.text + "`")
        .help("a layer may say `graph { one_loop }`: of the loops of a vertex the last, or one that is added")
        .help("what the graph has for all layers stands in the `graph` block of the model");
    return;
  }
  if (setting.word || setting.value || !setting.on.empty())
    error(DiagnosticCode::E0109, setting.name.range, "`one_loop` of a layer takes no value and no relation")
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

void LoopChecker::noteUse(unsigned relation, llvm::SMRange range) {
  const InstanceDecl *layer = calledInModel();
  const bool hasOneLoop = context.frame->hasOneLoop || model.relations[relation].transforms.oneLoop;
  auto isAlike = [&](const Use &use) {
    return use.relation == relation && use.hasOneLoop == hasOneLoop && use.layer == layer;
  };
  if (llvm::none_of(uses, isAlike))
    uses.push_back({relation, hasOneLoop, layer ? expansion.callStack[1].second : range, layer});
}

void LoopChecker::settle() {
  if (expansion.isHypothetical())
    return;
  for (size_t i = 0; i < model.relations.size(); ++i) {
    Relation &relation = model.relations[i];
    const Use *one = nullptr, *all = nullptr;
    for (const Use &use : uses)
      if (const Use *&first = use.hasOneLoop ? one : all; use.relation == i && !first)
        first = &use;
    if (!one)
      continue;
    if (relation.sourceType != relation.destinationType) {
      Diagnostic &none = error(DiagnosticCode::E0412, one->range,
                               "`" + schema.describeRelation(i) + "` has no loops, and this is about one at each vertex");
      none.at("over edges between two types of vertices");
      if (std::string without = withoutLoops(*one); !without.empty())
        none.help("`" + without + "` is about the edges as they are");
    } else if (all) {
      reportDifference(*one, *all);
    } else {
      relation.transforms.oneLoop = true;
      relation.transforms.selfLoops = false; // each vertex has a loop already
    }
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

void LoopChecker::reportDifference(const Use &one, const Use &all) {
  Diagnostic &different =
      error(DiagnosticCode::E0415, one.range, "a model is about one loop at each vertex, or about the loops of the data");
  different.at("about one loop at each vertex");
  different.label(all.range, "about the loops as they are");
  different.help("`graph { one_loop }` in the model gives each vertex one loop for all of its layers");
  if (std::string without = withoutLoops(one); !without.empty())
    different.help("`" + without + "` is about the loops as they are, too; with `graph { self_loops }` in the model each "
                   "vertex has one");
}
