//===- main.cpp - gnn-train -----------------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trains, evaluates and applies compiled models. Exit codes: 0 success, 1 model or data are at fault, 2 the command
// line is, 3 the system is, 70 an internal error; 130, 143 and 129 Ctrl-C, SIGTERM and SIGHUP.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/AtomicFiles.h"
#include "support/CommandLine.h"
#include "support/RunTool.h"
#include "tools/gnn-train/Compare.h"
#include "tools/gnn-train/Options.h"
#include "tools/gnn-train/Report.h"

using namespace gnn::train_tool;

namespace {

int run(int argc, char **argv) {
  CLI::App app(
      "Trains, evaluates and applies models compiled by gnnc.\n\n"
      "  gnn-train gcn.so --data cora --run-dir run        train with the defaults that the model states\n"
      "  gnn-train gcn.so --run-dir run --resume           go on with that run\n"
      "  gnn-train gcn.so --data cora --runs 20 --json     twenty seeds, mean and deviation\n"
      "  gnn-train evaluate gcn.so --data cora --weights run/best.safetensors\n"
      "  gnn-train predict gcn.so --data cora --weights run/best.safetensors --predictions logits.npy\n"
      "  gnn-train report run                              write the report of a run anew: run/report.html\n"
      "  gnn-train compare runs/*                          settings and metrics of several runs side by side\n"
      "  gnn-train time gcn.so --data cora                  how long each kernel takes\n"
      "  gnn-train plan gcn.so --data cora                  which ways of training there are, and what each takes\n",
      "gnn-train");
  app.require_subcommand(1);
  TrainOptions trainOptions;
  PredictOptions evaluateOptions, predictOptions;
  TimeOptions timeOptions;
  PlanOptions planOptions;
  ReportOptions reportOptions;
  CompareOptions compareOptions;
  addTrain(app, trainOptions);
  addEvaluate(app, evaluateOptions);
  addPredict(app, predictOptions);
  addTime(app, timeOptions);
  addPlan(app, planOptions);
  addReport(app, reportOptions);
  addCompare(app, compareOptions);
  if (std::optional<int> code = gnn::tools::parseArguments(app, argc, argv, /*defaultCommand=*/"train"))
    return *code;
  if (app.got_subcommand("evaluate"))
    return evaluate(evaluateOptions);
  if (app.got_subcommand("time"))
    return time(timeOptions);
  if (app.got_subcommand("report"))
    return report(reportOptions);
  if (app.got_subcommand("compare"))
    return compare(compareOptions);
  if (app.got_subcommand("plan"))
    return planOptions.shape.empty() ? plan(planOptions) : planShape(planOptions);
  return app.got_subcommand("predict") ? predict(predictOptions) : train(trainOptions);
}

} // namespace

int main(int argc, char **argv) {
  return gnn::tools::runTool(
      "gnn-train", [&] { return run(argc, argv); }, gnn::rt::AtomicFiles::removeTemporaries);
}
