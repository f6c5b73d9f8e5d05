//===- Report.h - A run as a page -------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// report.html: curves, metrics, settings, steps of a run, made of nothing but the other files in its folder, in one
// file that asks for no other.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_REPORT_H
#define GNN_TOOLS_TRAIN_REPORT_H

#include <string>

namespace CLI {
class App;
} // namespace CLI

namespace gnn::train_tool {

/// Throws GNN_ERROR_DATA where a file of the folder is not what a run writes, GNN_ERROR_IO where one cannot be read or
/// written.
void writeReport(const std::string &folder);

struct ReportOptions {
  std::string folder;
};

void addReport(CLI::App &app, ReportOptions &options);
int report(const ReportOptions &options);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_REPORT_H
