//===- CommandLine.h - What all our command lines have in common -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CLI11 with response files, suggestions for mistyped names, and our exit codes. Depends on neither compiler nor
// runtime.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SUPPORT_COMMANDLINE_H
#define GNN_SUPPORT_COMMANDLINE_H

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gnn::tools {

/// Parses the command line. `@file` stands for the arguments in the file, which are separated by blanks and line ends;
/// quotes keep them together. `defaultCommand` is the one that is meant where none is named. None: they are good. Else
/// the exit code: help and versions have been printed to the standard output, mistakes to the standard error.
///
/// For packages, `--write-page man|bash|zsh|fish`, which the help does not name, writes a page of the manual or a
/// shell's completion (CommandPages.h).
std::optional<int> parseArguments(CLI::App &app, int argc, char **argv, const std::string &defaultCommand = "");

/// Says what is wrong with the command line, with the nearest name of an option, and returns the exit code of such
/// mistakes.
int reportMistake(const CLI::App &app, const CLI::ParseError &error);

/// The candidate nearest to a mistyped name, if one is near: at most one edit for names under three letters, else two.
std::optional<std::string> nearest(const std::string &name, const std::vector<std::string> &candidates);

} // namespace gnn::tools

#endif // GNN_SUPPORT_COMMANDLINE_H
