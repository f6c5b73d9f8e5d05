//===- SettingDocs.cpp - What editors say of settings ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/LanguageServer/SettingDocs.h"
#include "dialects/Support/Schedule.h"
#include "llvm/ADT/StringSwitch.h"

using namespace gnnc;
using namespace gnnc::lsp;
using llvm::StringRef;
using llvm::StringSwitch;

static std::string ofGraph(StringRef name) {
  return StringSwitch<std::string>(name)
      .Case("one_loop",
            "`one_loop`: of the loops of a vertex the last alone, or one that is added where there is none; "
            "of a layer, the edges that it is about.")
      .Case("no_loops", "`no_loops`: the layer is about edges between two vertices alone.")
      .Case("self_loops", "`self_loops`: adds the self loops that are missing, before training and serving alike.")
      .Case("symmetric", "`symmetric`: adds the reverse edges that are missing, before training and serving alike.")
      .Case("inverse_relations", "`inverse_relations`: adds an edge of another type against every edge.")
      .Default("");
}

static std::string ofTraining(StringRef name) {
  return StringSwitch<std::string>(name)
      .Case("optimizer", "`optimizer sgd|adam|adamw`: how weights are moved; `adam` without it.")
      .Case("lr", "`lr 0.01`: the learning rate; 0.01 without it.")
      .Case("weight_decay", "`weight_decay 5e-4 on conv1`: how weights shrink, those of all layers without `on`; 0 "
                            "without it.")
      .Case("epochs", "`epochs 200`: how often training goes over the data; 200 without it.")
      .Case("patience", "`patience 10`: training ends after so many epochs that improve nothing; never without it.")
      .Default("");
}

static std::string ofSchedule(StringRef name) {
  for (const Knob &knob : knobs())
    if (knob.name == name)
      return "`" + knob.name.str() + "`, " + knob.range() + ": " + knob.summary.str();
  return "";
}

static std::string ofInitializer(StringRef name) {
  return StringSwitch<std::string>(name)
      .Case("zeros", "`zeros`: 0 at the start.")
      .Case("ones", "`ones`: 1 at the start.")
      .Case("constant", "`constant(c)`: c at the start.")
      .Case("uniform", "`uniform(a)`: drawn from [-a, a).")
      .Case("normal", "`normal(sd)`: drawn from the normal distribution of that deviation.")
      .Case("glorot_uniform", "`glorot_uniform`: uniform within sqrt(6 / (fan-in + fan-out)); what a `param` has "
                              "without an initialiser.")
      .Case("glorot_normal", "`glorot_normal`: normal with the deviation sqrt(2 / (fan-in + fan-out)).")
      .Case("kaiming_uniform", "`kaiming_uniform`: uniform, by the fan-in alone.")
      .Default("");
}

std::optional<std::pair<llvm::SMRange, std::string>> lsp::settingAt(const Analysis &analysis, size_t offset) {
  const char *place = analysis.text().data() + offset;
  auto isAt = [&](llvm::SMRange range) {
    return range.isValid() && range.Start.getPointer() <= place && place <= range.End.getPointer();
  };
  std::optional<std::pair<llvm::SMRange, std::string>> found;
  auto look = [&](const ast::Name &name, const std::string &doc) {
    if (isAt(name.range) && !doc.empty())
      found = {name.range, doc};
  };
  for (const ast::ComponentDecl *component : analysis.file().components) {
    for (const ast::Setting &setting : component->graph)
      look(setting.name, ofGraph(setting.name.text));
    for (const ast::Setting &setting : component->training)
      look(setting.name, ofTraining(setting.name.text));
    for (const ast::Setting &setting : component->schedule)
      look(setting.name, ofSchedule(setting.name.text));
    for (const ast::WeightDecl &weight : component->weights)
      if (weight.initializer)
        look(*weight.initializer, ofInitializer(weight.initializer->text));
  }
  return found;
}
