//===- CommandPages.h - Manuals and completion of our programs --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Made of the same declarations as the command line and its help, so that they name what there is. Options and
// commands of no group are hidden here as there.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SUPPORT_COMMANDPAGES_H
#define GNN_SUPPORT_COMMANDPAGES_H

#include <CLI/CLI.hpp>
#include <iosfwd>
#include <string>

namespace gnn::tools {

/// Writes a page of the manual (`kind` is "man"), or what completes words for a shell ("bash", "zsh", "fish").
/// `defaultCommand` is the one that is meant where none is named, if there is one. False: there is no such kind.
bool writePage(std::ostream &out, const CLI::App &app, const std::string &kind, const std::string &defaultCommand);

} // namespace gnn::tools

#endif // GNN_SUPPORT_COMMANDPAGES_H
