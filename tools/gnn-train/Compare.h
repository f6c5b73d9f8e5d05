//===- Compare.h - Several runs side by side --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_COMPARE_H
#define GNN_TOOLS_TRAIN_COMPARE_H

#include <string>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace gnn::train_tool {

struct CompareOptions {
  std::vector<std::string> folders;
};

void addCompare(CLI::App &app, CompareOptions &options);
/// Prints a row for each run: the settings in which runs differ, and the metrics of validation and tests. Throws
/// GNN_ERROR_DATA where a file of a folder is not what a run writes, GNN_ERROR_IO where one cannot be read.
int compare(const CompareOptions &options);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_COMPARE_H
