//===- CommandLine.cpp - What all our command lines have in common --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/CommandLine.h"
#include "support/Process.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <numeric>

namespace gnn::tools {

namespace {

std::vector<std::string> splitArguments(const std::string &text) {
  std::vector<std::string> arguments;
  bool inArgument = false;
  char quote = 0;
  for (char c : text) {
    bool isBlank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!quote && isBlank) {
      inArgument = false;
      continue;
    }
    if (!inArgument)
      arguments.emplace_back();
    inArgument = true;
    if (quote ? c == quote : c == '"' || c == '\'')
      quote = quote ? 0 : c;
    else
      arguments.back() += c;
  }
  return arguments;
}

/// Insertions, deletions and replacements.
size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      size_t best = std::min({row[j] + 1, row[j + 1] + 1, diagonal + (a[i] != b[j])});
      diagonal = row[j + 1];
      row[j + 1] = best;
    }
  }
  return row.back();
}

/// `--name` and `-n` of all options that may be given, those of the command that was chosen among them.
std::vector<std::string> optionNames(const CLI::App &app) {
  std::vector<std::string> names;
  for (const CLI::Option *option : app.get_options()) {
    for (const std::string &name : option->get_lnames())
      names.push_back("--" + name);
    for (const std::string &name : option->get_snames())
      names.push_back("-" + name);
  }
  for (const CLI::App *command : app.get_subcommands()) {
    std::vector<std::string> more = optionNames(*command);
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

/// Not more than there can be arguments: a device has no end.
std::string readArgumentFile(const std::string &path) {
  constexpr size_t maxBytes = size_t(1) << 20;
  std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "re"), std::fclose);
  std::string text(maxBytes + 1, 0);
  text.resize(file ? std::fread(text.data(), 1, text.size(), file.get()) : 0);
  if (!file || std::ferror(file.get()))
    throw CLI::ValidationError("@" + path, std::string("cannot read the file: ") + std::strerror(errno));
  if (text.size() > maxBytes)
    throw CLI::ValidationError("@" + path, "has more than 1 MiB");
  return text;
}

/// The arguments after the program's name, with those of response files.
Arguments argumentsOf(int argc, char **argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument.size() < 2 || argument[0] != '@') {
      arguments.push_back(std::move(argument));
      continue;
    }
    for (std::string &inFile : splitArguments(readArgumentFile(argument.substr(1))))
      arguments.push_back(std::move(inFile));
  }
  return arguments;
}

} // namespace

std::optional<std::string> nearest(const std::string &name, const std::vector<std::string> &candidates) {
  constexpr size_t maxLength = 64; // the distance takes quadratic time
  size_t best = name.size() < 3 ? 2 : 3;
  std::optional<std::string> result;
  for (const std::string &candidate : candidates) {
    size_t distance = name.size() > maxLength ? best : editDistance(name, candidate);
    if (distance >= best)
      continue;
    best = distance;
    result = candidate;
  }
  return result;
}

int reportMistake(const CLI::App &app, const CLI::ParseError &error) {
  std::cerr << app.get_name() << ": " << error.what() << "\n";
  if (dynamic_cast<const CLI::ExtrasError *>(&error))
    for (const std::string &argument : app.remaining(/*recurse=*/true))
      if (auto near = nearest(argument.substr(0, argument.find('=')), optionNames(app)); near && argument[0] == '-')
        std::cerr << "did you mean " << *near << "?\n";
  std::cerr << "see " << app.get_name() << " --help\n";
  return exitUsage;
}

std::optional<int> parseArguments(CLI::App &app, int argc, char **argv,
                                  const std::function<Arguments(Arguments)> &complete) {
  try {
    Arguments arguments = argumentsOf(argc, argv);
    if (complete)
      arguments = complete(std::move(arguments));
    std::reverse(arguments.begin(), arguments.end()); // CLI11 takes them from the back
    app.parse(std::move(arguments));
  } catch (const CLI::Success &request) {
    return app.exit(request);
  } catch (const CLI::ParseError &mistake) {
    return reportMistake(app, mistake);
  }
  return std::nullopt;
}

} // namespace gnn::tools
