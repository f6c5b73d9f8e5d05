//===- SettingsChecker.cpp - Settings of models -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `graph { self_loops }` and `train { lr 0.01 }`.
//
//===----------------------------------------------------------------------===//

#include "compiler/Frontend/Sema/SettingsChecker.h"
#include "compiler/Frontend/ForeignSyntax.h"
#include "compiler/Frontend/Sema/ElementwiseChecker.h"
#include "compiler/Frontend/Sema/ExprChecker.h"
#include "compiler/Frontend/Sema/SchemaChecker.h"
#include "compiler/Frontend/Sema/SymbolTable.h"
#include "compiler/Frontend/Sema/Wording.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gnnc;
using namespace gnnc::ast;

static constexpr std::pair<llvm::StringLiteral, bool GraphTransforms::*> graphProperties[] = {
    {"self_loops", &GraphTransforms::selfLoops},
    {"one_loop", &GraphTransforms::oneLoop},
    {"symmetric", &GraphTransforms::symmetric},
    {"inverse_relations", &GraphTransforms::inverseRelations}};

void SettingsChecker::applySettings(const ComponentDecl &component) {
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
    std::string suggestion = suggest(setting.name.text, {"self_loops", "one_loop", "symmetric", "inverse_relations"});
    if (property != std::end(graphProperties)) {
      unknown.message = "`" + setting.name.text.str() + "` takes no value";
      unknown.labels.front().text = "stands alone, or with `on` and a relation";
      suggestion = "settings are parted by `;` or lines: `" + setting.name.text.str() + "; " +
                   (setting.word ? setting.word->text.str() : "self_loops") + "`";
    } else if (blockOfSetting(setting.name.text) == "train") {
      suggestion = "it belongs in `train { ... }`";
    } else if (suggestion.empty()) {
      suggestion = settingMeant(setting.name.text);
    }
    unknown.help(!suggestion.empty() ? suggestion
                                     : "properties are `self_loops`, `one_loop`, `symmetric` and `inverse_relations`");
  }
  for (const Setting &setting : component.training)
    applyTraining(setting, component);
}

/// `self_loops`, `symmetric on cites`: edges that are added between vertices of one type
void SettingsChecker::applyGraph(const Setting &setting, bool GraphTransforms::*property) {
  if (setting.condition) {
    Operand holds = exprs.eval(*setting.condition);
    holds.range = setting.condition->range;
    if (!elementwise.requireTruth(holds, "the condition of `" + setting.name.text.str() + "`") || !holds.truth)
      return;
  }
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
void SettingsChecker::applyTraining(const Setting &setting, const ComponentDecl &component) {
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
    llvm::StringRef meant = blockOfSetting(name) == "graph" ? "it belongs in `graph { ... }`" : settingMeant(name);
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
          .help("`weight_decay 5e-4 on conv1` names a `layer` or `param` of the model itself; without `on` it applies "
                "to all");
  }
}

/// The layer, or the parameters of the model or of its vertices, that are called so, as the model's parameters begin.
std::vector<std::string> SettingsChecker::decayedBy(const Name &subject, const ComponentDecl &component) {
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
