//===- Regimen.cpp - How training goes over its epochs --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Regimen.h"
#include "support/NumberChecks.h"

namespace gnn::train_tool {

void Regimen::addTo(CLI::App &command) {
  command
      .add_option("--schedule", schedule,
                  "the learning rate over the epochs: constant (the default), cosine (down to 0), step=EPOCHS,FACTOR, "
                  "or plateau=EPOCHS,FACTOR, when so many had no better validation result")
      ->type_name("SCHEDULE");
  command.add_option("--warm-up", warmUp, "epochs in which the learning rate rises, before the schedule begins")
      ->check(tools::wholeNumber(0));
  command
      .add_option("--clip", clip, "scale gradients down where the norm of all of them together is larger (0: never)")
      ->check(tools::zeroOrMore())
      ->type_name("NORM");
  command
      .add_option("--class-weights", classWeights,
                  "what rows weigh in the training loss by their class: balanced, or a number for each class, as 1,5")
      ->type_name("WEIGHTS");
  command
      .add_option(
          "--monitor", monitor,
          "the metric of validation that decides on the best epoch: loss (the default; of links auc), accuracy, "
          "f1_macro, auc, mae, ...")
      ->type_name("METRIC");
}

void Regimen::spellOut() {
  if (schedule)
    schedule = rt::Schedule::parse(*schedule).text();
  if (classWeights)
    classWeights = rt::ClassWeights::parse(*classWeights).text();
}

void Regimen::applyTo(rt::Recipe &recipe) const {
  recipe.schedule = rt::Schedule::parse(schedule.value_or("constant"), warmUp.value_or(0));
  recipe.mostNorm = clip.value_or(0);
  recipe.monitor = monitor.value_or("default") == "default" ? "" : *monitor;
  recipe.classWeights = rt::ClassWeights::parse(classWeights.value_or(""));
}

void addRegimen(nlohmann::json &settings, const rt::Recipe &recipe) {
  settings["schedule"] = recipe.schedule.text();
  settings["warm_up"] = recipe.schedule.warmUpEpochs();
  settings["clip"] = recipe.mostNorm;
  settings["monitor"] = recipe.monitor.empty() ? "default" : recipe.monitor;
  settings["class_weights"] = recipe.classWeights.text();
}

} // namespace gnn::train_tool
