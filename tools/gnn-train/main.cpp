//===- main.cpp - gnn-train -----------------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trains, evaluates and applies compiled models. Exit codes: 0 success, 1 model or data are at fault, 2 the command
// line is, 3 the system is, 130 interrupted.
//
//===----------------------------------------------------------------------===//

#include "gnn/error.hpp"
#include "tools/gnn-train/Options.h"

#include <algorithm>
#include <iostream>

using namespace gnn::train_tool;

namespace {

int exitCode(gnn_status_t status) {
  switch (status) {
  case GNN_ERROR_ARGUMENT:
    return 2;
  case GNN_ERROR_IO:
  case GNN_ERROR_MEMORY:
    return 3;
  default:
    return 1;
  }
}

/// The arguments in the order that CLI11 takes (last first), with the command `train` where none is named.
std::vector<std::string> argumentsOf(int argc, char **argv, const CLI::App &app) {
  std::vector<std::string> arguments(argv + 1, argv + argc);
  bool isCommand = arguments.empty() || arguments[0] == "-h" || arguments[0] == "--help";
  for (const CLI::App *command : app.get_subcommands({}))
    isCommand |= !arguments.empty() && arguments[0] == command->get_name();
  if (!isCommand)
    arguments.insert(arguments.begin(), "train");
  std::reverse(arguments.begin(), arguments.end());
  return arguments;
}

} // namespace

int main(int argc, char **argv) {
  CLI::App app("Trains, evaluates and applies models compiled by gnnc.\n\n"
               "  gnn-train gcn.so --data cora --run-dir run        train with the defaults that the model states\n"
               "  gnn-train gcn.so --data cora --runs 20 --json     twenty seeds, mean and deviation\n"
               "  gnn-train evaluate gcn.so --data cora --weights run/best.safetensors\n"
               "  gnn-train predict gcn.so --data cora --weights run/best.safetensors --predictions logits.npy\n",
               "gnn-train");
  app.require_subcommand(1);
  TrainOptions trainOptions;
  PredictOptions evaluateOptions, predictOptions;
  addTrain(app, trainOptions);
  addEvaluate(app, evaluateOptions);
  addPredict(app, predictOptions);
  try {
    app.parse(argumentsOf(argc, argv, app));
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  try {
    if (app.got_subcommand("evaluate"))
      return evaluate(evaluateOptions);
    return app.got_subcommand("predict") ? predict(predictOptions) : train(trainOptions);
  } catch (const gnn::Error &error) {
    std::cerr << "gnn-train: error: " << error.what() << "\n";
    return exitCode(error.code());
  } catch (const std::bad_alloc &) {
    std::cerr << "gnn-train: error: out of memory\n";
    return exitCode(GNN_ERROR_MEMORY);
  }
}
