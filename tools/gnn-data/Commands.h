//===- Commands.h - The commands of gnn-data -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each command declares its options on the application and, when it is the one chosen, stores what is to be run.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_COMMANDS_H
#define GNN_TOOLS_DATA_COMMANDS_H

#include <functional>

namespace CLI {
class App;
} // namespace CLI

namespace gnn::data_tool {

/// Runs with the parsed options; returns the exit code.
using Action = std::function<int()>;

void addInspect(CLI::App &app, Action &chosen);
void addCheck(CLI::App &app, Action &chosen);
void addDescribe(CLI::App &app, Action &chosen);
void addConvert(CLI::App &app, Action &chosen);
void addImport(CLI::App &app, Action &chosen);
void addGenerate(CLI::App &app, Action &chosen);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_COMMANDS_H
