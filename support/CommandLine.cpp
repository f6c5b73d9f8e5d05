//===- CommandLine.cpp - What all our command lines have in common --------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/CommandLine.h"
#include "support/CommandPages.h"
#include "support/NumberChecks.h"
#include "support/Process.h"
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <unistd.h>

namespace gnn::tools {

namespace {

using Arguments = std::vector<std::string>;

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

/// Insertions, deletions, replacements and neighbours that changed places (optimal string alignment).
size_t editDistance(const std::string &a, const std::string &b) {
  std::vector<size_t> before, row(b.size() + 1); // distances of the first i - 1 and i letters of `a`
  std::iota(row.begin(), row.end(), 0);
  for (size_t i = 1; i <= a.size(); ++i) {
    std::vector<size_t> next(b.size() + 1, i);
    for (size_t j = 1; j <= b.size(); ++j) {
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before = std::move(row);
    row = std::move(next);
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

/// The name of an option as it is spelled here: `--batch-size` for `--batch_size=64`.
static std::string nameIn(const std::string &argument) {
  std::string name = argument.substr(0, argument.find('='));
  std::replace(name.begin(), name.end(), '_', '-');
  return name;
}

/// The option that other trainers call `name`: PyTorch Geometric's, DGL's and OGB's examples.
static std::optional<std::string> otherToolsName(const std::string &name) {
  static const std::map<std::string, std::string> names{
      {"--learning-rate", "--lr"},     {"--lr-scheduler", "--schedule"},
      {"--batch-size", "--batch"},     {"--scheduler", "--schedule"},
      {"--num-epochs", "--epochs"},    {"--wd", "--weight-decay"},
      {"--n-epochs", "--epochs"},      {"--early-stopping", "--patience"},
      {"--num-workers", "--threads"},  {"--checkpoint", "--resume"},
      {"--num-threads", "--threads"},  {"--dataset", "--data"},
      {"--gpu", "--device"},           {"--root", "--data"},
      {"--cuda", "--device"},          {"--world-size", "--ranks"},
      {"--no-cuda", "--device"},       {"--nproc-per-node", "--ranks"},
      {"--num-gpus", "--device"},      {"--save-dir", "--run-dir"},
      {"--fan-out", "--fanout"},       {"--log-dir", "--run-dir"},
      {"--fanouts", "--fanout"},       {"--output-dir", "--run-dir"},
      {"--num-neighbors", "--fanout"}, {"--output", "-o"}};
  auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second);
}

/// Advice on an option of other trainers that is about the model: a dimension, or a part of the source.
static std::string adviceOnModel(const std::string &argument, const std::string &name) {
  static const std::map<std::string, std::string> dimensions{
      {"--hidden", "hidden"},      {"--hidden-channels", "hidden"}, {"--hidden-dim", "hidden"},
      {"--hidden-size", "hidden"}, {"--n-hidden", "hidden"},        {"--num-hidden", "hidden"},
      {"--heads", "heads"},        {"--num-heads", "heads"}};
  if (auto found = dimensions.find(name); found != dimensions.end()) {
    const size_t value = argument.find('=');
    return "did you mean -D " + found->second + "=" + (value == std::string::npos ? "N" : argument.substr(value + 1)) +
           "?";
  }
  static const std::vector<std::string> parts{"--dropout", "--num-layers", "--n-layers",
                                              "--layers",  "--aggr",       "--model"};
  return std::find(parts.begin(), parts.end(), name) != parts.end() ? "this is part of the model's source" : "";
}

/// The command that was chosen, or the program.
static const CLI::App &chosenOf(const CLI::App &app) {
  const std::vector<CLI::App *> commands = app.get_subcommands();
  return commands.empty() ? app : chosenOf(*commands.front());
}

static std::string fullName(const CLI::App &app) {
  return app.get_parent() ? fullName(*app.get_parent()) + " " + app.get_name() : app.get_name();
}

int reportMistake(const CLI::App &app, const CLI::ParseError &error) {
  std::cerr << app.get_name() << ": " << error.what() << "\n";
  const std::vector<std::string> options = optionNames(app);
  auto isOption = [&](const std::string &name) {
    return std::find(options.begin(), options.end(), name) != options.end();
  };
  const bool isTrainer = isOption("-D") && isOption("--epochs");
  for (const std::string &argument : app.remaining(/*recurse=*/true)) {
    const std::string name = nameIn(argument), advice = isTrainer ? adviceOnModel(argument, name) : "";
    std::optional<std::string> meant = otherToolsName(name);
    if (!meant || !isOption(*meant))
      meant = nearest(name, options);
    if (!advice.empty())
      std::cerr << argument << ": " << advice << "\n";
    else if (meant && argument[0] == '-' && *meant != argument)
      std::cerr << argument << ": did you mean " << *meant << "?\n";
  }
  std::cerr << "see " << fullName(chosenOf(app)) << " --help\n";
  return exitUsage;
}

/// With the command that is meant where none is named. A name that is nearly one is no file: `gnnc chek model.gnn`.
/// `help` is `--help`, and `help COMMAND` that of the command.
static Arguments withCommand(Arguments arguments, const CLI::App &app, const std::string &defaultCommand) {
  Arguments commands;
  for (const CLI::App *command : app.get_subcommands({}))
    commands.push_back(command->get_name());
  auto isCommand = [&](const std::string &word) {
    return std::find(commands.begin(), commands.end(), word) != commands.end();
  };
  if (arguments.empty())
    return arguments;
  const std::string first = arguments[0];
  const bool isFile = access(first.c_str(), F_OK) == 0;
  if (first == "help" && !isFile) {
    if (arguments.size() < 2 || !isCommand(arguments[1]))
      return {"--help"};
    return {arguments[1], "--help"};
  }
  if (commands.empty() || isCommand(first) || first == "-h" || first == "--help" || first == "--version")
    return arguments;
  commands.push_back("help");
  if (first[0] != '-' && !isFile)
    if (std::optional<std::string> near = nearest(first, commands))
      throw CLI::ValidationError("'" + first + "' is no command and no file; did you mean '" + *near + "'?");
  if (!defaultCommand.empty())
    arguments.insert(arguments.begin(), defaultCommand);
  return arguments;
}

/// A program's help shows what its default command takes.
static void showDefaultCommand(CLI::App &app, const std::string &defaultCommand) {
  const CLI::App *command = app.get_subcommand(defaultCommand);
  app.footer([command, &app, defaultCommand] {
    return "\nThe command " + defaultCommand + ", which need not be named: " + command->help(app.get_name());
  });
}

std::optional<int> parseArguments(CLI::App &app, int argc, char **argv, const std::string &defaultCommand) {
  app.set_version_flag("--version", app.get_name() + " " GNNC_VERSION, "print the version and exit");
  app.set_help_flag("-h,--help", "print this help and exit");
  for (CLI::App *command : app.get_subcommands({}))
    command->set_help_flag("-h,--help", "print this help and exit");
  requireWholeNumbers(app);
  try {
    Arguments arguments = argumentsOf(argc, argv);
    if (arguments.size() == 2 && arguments[0] == "--write-page" &&
        writePage(std::cout, app, arguments[1], defaultCommand))
      return exitOk;
    if (!defaultCommand.empty())
      showDefaultCommand(app, defaultCommand);
    arguments = withCommand(std::move(arguments), app, defaultCommand);
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
