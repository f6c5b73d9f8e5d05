//===- main.cpp - gnn-data -------------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inspects, checks, imports, converts and generates data sets. Exit codes: 0 success, 1 the data is at fault, 2 the
// command line is, 3 the system is.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/AtomicFiles.h"
#include "support/CommandLine.h"
#include "support/RunTool.h"
#include "tools/gnn-data/Commands.h"
#include "tools/gnn-data/Specification.h"

using namespace gnn::data_tool;

namespace {

int run(int argc, char **argv) {
  CLI::App app("Data sets for graph neural networks: folders of .npy files (docs/data-formats.md).\n\n"
               "  gnn-data generate karate club     write Zachary's karate club to the folder club\n"
               "  gnn-data inspect club             what is in it\n"
               "  gnn-data import edges.csv shop --vertices users.csv --label fraud\n"
               "  gnn-data convert cora.npz cora --clean pyg --split 20,30\n",
               "gnn-data");
  app.require_subcommand(1);
  Action chosen;
  addInspect(app, chosen);
  addCheck(app, chosen);
  addDescribe(app, chosen);
  addConvert(app, chosen);
  addImport(app, chosen);
  addGenerate(app, chosen);
  std::vector<std::string> arguments = withSpecification({argv + 1, argv + argc});
  std::vector<char *> words{argv[0]};
  for (std::string &argument : arguments)
    words.push_back(argument.data());
  std::optional<int> code = gnn::tools::parseArguments(app, int(words.size()), words.data());
  return code ? *code : chosen();
}

} // namespace

int main(int argc, char **argv) {
  return gnn::tools::runTool(
      "gnn-data", [&] { return run(argc, argv); }, gnn::rt::AtomicFiles::removeTemporaries);
}
