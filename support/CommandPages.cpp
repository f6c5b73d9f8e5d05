//===- CommandPages.cpp - Manuals and completion of our programs ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/CommandPages.h"
#include <algorithm>
#include <cctype>
#include <ostream>
#include <vector>

namespace gnn::tools {

namespace {

/// An option as all pages need it.
struct Entry {
  std::vector<std::string> names; // with their dashes; empty: positional
  std::string value;              // what its value is called; empty: it takes none
  std::vector<std::string> choices;
  std::string description;
};

struct Page {
  std::string name, description;
  std::vector<Entry> entries;
};

/// The type's name of CLI11 has what is checked behind it: "TEXT:{sgd,adam}".
Entry entryOf(const CLI::Option &option) {
  Entry entry;
  for (const std::string &name : option.get_snames())
    entry.names.push_back("-" + name);
  for (const std::string &name : option.get_lnames())
    entry.names.push_back("--" + name);
  entry.description = option.get_description();
  if (option.get_items_expected_max() == 0)
    return entry;
  entry.value = entry.names.empty() ? option.get_name() : option.get_type_name();
  entry.value.resize(std::min(entry.value.find(':'), entry.value.size()));
  const std::string type = option.get_type_name();
  const size_t open = type.find('{');
  if (open == std::string::npos)
    return entry;
  std::string inside = type.substr(open + 1, type.find('}') - open - 1);
  for (std::string choice : CLI::detail::split(inside, ','))
    entry.choices.push_back(choice.substr(0, choice.find("->"))); // and not what it stands for
  if (!entry.names.empty())
    entry.value = CLI::detail::join(entry.choices, "|");
  return entry;
}

Page pageOf(const CLI::App &app) {
  Page page = {app.get_name(), app.get_description(), {}};
  for (const CLI::Option *option : app.get_options())
    if (!option->get_group().empty())
      page.entries.push_back(entryOf(*option));
  return page;
}

std::vector<Page> commandsOf(const CLI::App &app) {
  std::vector<Page> pages;
  for (const CLI::App *command : app.get_subcommands({}))
    if (!command->get_group().empty())
      pages.push_back(pageOf(*command));
  return pages;
}

std::string replaced(std::string text, const std::string &from, const std::string &to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

/// Inside single quotes of sh, bash and zsh.
std::string shellQuoted(const std::string &text) { return "'" + replaced(text, "'", "'\\''") + "'"; }

//===- The manual ---------------------------------------------------------===//

/// Backslashes and dashes are as they look, and no line is a request.
std::string roff(const std::string &text) {
  std::string safe = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
  safe = replaced(replaced(safe, "\n.", "\n\\&."), "\n'", "\n\\&'");
  return !safe.empty() && (safe[0] == '.' || safe[0] == '\'') ? "\\&" + safe : safe;
}

void writeManEntries(std::ostream &out, const Page &page) {
  for (const Entry &entry : page.entries) {
    std::string head;
    for (const std::string &name : entry.names)
      head += (head.empty() ? "\\fB" : ", \\fB") + roff(name) + "\\fR";
    if (!entry.value.empty())
      head += (head.empty() ? "\\fI" : " \\fI") + roff(entry.value) + "\\fR";
    out << ".TP\n" << head << "\n" << roff(entry.description) << "\n";
  }
}

/// A description's first line is its sentence; what follows are examples, laid out by hand.
void writeMan(std::ostream &out, const CLI::App &app, const std::string &defaultCommand) {
  const Page program = pageOf(app);
  const std::vector<Page> commands = commandsOf(app);
  const std::string::size_type lineEnd = std::min(program.description.find('\n'), program.description.size());
  const std::string sentence = program.description.substr(0, lineEnd);
  std::string examples = program.description.substr(lineEnd) + "\n" + app.get_footer();
  examples.erase(0, examples.find_first_not_of('\n'));
  std::string upper = program.name;
  for (char &c : upper)
    c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));

  out << ".TH " << roff(upper) << " 1 \"\" \"gnnc " << GNNC_VERSION << "\" \"gnnc\"\n";
  out << ".SH NAME\n" << roff(program.name) << " \\- " << roff(sentence) << "\n.SH SYNOPSIS\n";
  const std::string name = "\\fB" + roff(program.name) + "\\fR";
  out << name << (commands.empty() ? "" : " [\\fICOMMAND\\fR]");
  for (const Entry &entry : (defaultCommand.empty() ? program : pageOf(*app.get_subcommand(defaultCommand))).entries)
    if (entry.names.empty())
      out << " \\fI" << roff(entry.value) << "\\fR";
  out << " [\\fIOPTION\\fR]...\n";
  if (!examples.empty())
    out << ".SH EXAMPLES\n.nf\n" << roff(examples) << "\n.fi\n";
  out << ".SH OPTIONS\n";
  writeManEntries(out, program);
  if (!commands.empty())
    out << ".SH COMMANDS\n";
  for (const Page &command : commands) {
    out << ".SS " << roff(program.name + " " + command.name) << "\n" << roff(command.description) << "\n";
    writeManEntries(out, command);
  }
  out << ".SH EXIT STATUS\n0: success. 1: what was read is wrong. 2: so is the command line. 3: a file, memory or a "
         "device could not be had. 70: an internal error.\n";
}

//===- Shells -------------------------------------------------------------===//

std::string identifier(const std::string &program) { return "_" + replaced(program, "-", "_"); }

std::string namesOf(const Page &page) {
  std::string names;
  for (const Entry &entry : page.entries)
    for (const std::string &name : entry.names)
      names += (names.empty() ? "" : " ") + name;
  return names;
}

void writeBash(std::ostream &out, const CLI::App &app, const std::string &defaultCommand) {
  Page program = pageOf(app);
  std::vector<Page> commands = commandsOf(app);
  std::string commandNames;
  for (const Page &command : commands)
    commandNames += (commandNames.empty() ? "" : " ") + command.name;
  commands.insert(commands.begin(), program);
  const std::string function = identifier(program.name);
  out << function << "() {\n"
      << "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=" << defaultCommand
      << " words=\n"
      << "  COMPREPLY=()\n"
      << "  [[ $cur == = ]] && cur=\n" // readline cuts `--name=value` at =
      << "  [[ $prev == = ]] && prev=${COMP_WORDS[COMP_CWORD-2]}\n";
  if (!commandNames.empty())
    out << "  case ${COMP_WORDS[1]} in\n    " << replaced(commandNames, " ", "|")
        << ") [[ $COMP_CWORD -gt 1 ]] && command=${COMP_WORDS[1]} ;;\n  esac\n";
  out << "  case $command:$prev in\n";
  for (const Page &page : commands)
    for (const Entry &entry : page.entries) {
      if (entry.names.empty() || entry.value.empty())
        continue;
      std::string patterns;
      for (const std::string &name : entry.names)
        patterns += (patterns.empty() ? "" : "|") + (&page == &commands[0] ? "*" : page.name) + ":" + name;
      out << "    " << patterns << ") ";
      if (entry.choices.empty())
        out << "return ;;\n"; // files
      else
        out << "COMPREPLY=($(compgen -W " << shellQuoted(CLI::detail::join(entry.choices, " "))
            << " -- \"$cur\")); return ;;\n";
    }
  out << "  esac\n  case $command in\n";
  for (size_t i = 1; i < commands.size(); ++i)
    out << "    " << commands[i].name << ") words=" << shellQuoted(namesOf(commands[i])) << " ;;\n";
  out << "  esac\n"
      << "  if [[ $cur == -* ]]; then\n"
      << "    COMPREPLY=($(compgen -W \"$words " << namesOf(program) << "\" -- \"$cur\"))\n";
  if (!commandNames.empty())
    out << "  elif [[ $COMP_CWORD -eq 1 ]]; then\n"
        << "    COMPREPLY=($(compgen -W " << shellQuoted(commandNames) << " -- \"$cur\"))\n";
  out << "  fi\n}\ncomplete -o bashdefault -o default -F " << function << " " << program.name << "\n";
}

/// One argument of _arguments.
void writeZshEntry(std::ostream &out, const Entry &entry, const char *indent) {
  if (entry.names.empty())
    return;
  auto safe = [](std::string text) { return replaced(replaced(replaced(text, "[", "("), "]", ")"), ":", "\\:"); };
  for (const std::string &name : entry.names) {
    std::string text = "*" + name;
    if (!entry.value.empty())
      text += name.size() > 2 ? "=" : "+";
    text += "[" + safe(entry.description) + "]";
    if (!entry.value.empty())
      text += ":" + safe(entry.choices.empty() ? entry.value : "value") + ":" +
              (entry.choices.empty() ? "_files" : "(" + CLI::detail::join(entry.choices, " ") + ")");
    out << " \\\n" << indent << shellQuoted(text);
  }
}

void writeZsh(std::ostream &out, const CLI::App &app, const std::string &defaultCommand) {
  const Page program = pageOf(app);
  const std::vector<Page> commands = commandsOf(app);
  const std::string function = identifier(program.name);
  out << "#compdef " << program.name << "\n\n" << function << "() {\n  local command=" << defaultCommand << "\n";
  if (!commands.empty()) {
    out << "  local -a commands=(\n";
    for (const Page &command : commands)
      out << "    " << shellQuoted(command.name + ":" + command.description) << "\n";
    out << "  )\n  (( CURRENT == 2 )) && [[ $words[2] != -* ]] && _describe command commands\n"
        << "  (( CURRENT > 2 && ${commands[(I)$words[2]:*]} )) && command=$words[2]\n";
  }
  out << "  case $command in\n";
  for (const Page &command : commands) {
    out << "    " << command.name << ")\n      _arguments -s '*:file:_files'";
    for (const Page *page : {&program, &command})
      for (const Entry &entry : page->entries)
        if (page == &command || !(entry.names.size() == 2 && entry.names[0] == "-h"))
          writeZshEntry(out, entry, "        ");
    out << " ;;\n";
  }
  out << "    *)\n      _arguments -s '*:file:_files'";
  for (const Entry &entry : program.entries)
    writeZshEntry(out, entry, "        ");
  out << " ;;\n  esac\n}\n\n" << function << " \"$@\"\n";
}

void writeFishEntries(std::ostream &out, const std::string &program, const std::string &condition, const Page &page) {
  for (const Entry &entry : page.entries) {
    if (entry.names.empty())
      continue;
    out << "complete -c " << program;
    if (!condition.empty())
      out << " -n " << shellQuoted(condition);
    for (const std::string &name : entry.names)
      out << (name.compare(0, 2, "--") == 0 ? " -l " + name.substr(2) : " -s " + name.substr(1));
    if (!entry.value.empty())
      out << " -r";
    if (!entry.choices.empty())
      out << " -f -a " << shellQuoted(CLI::detail::join(entry.choices, " "));
    out << " -d " << replaced(shellQuoted(replaced(entry.description, "\\", "\\\\")), "'\\''", "\\'") << "\n";
  }
}

void writeFish(std::ostream &out, const CLI::App &app, const std::string &defaultCommand) {
  const Page program = pageOf(app);
  writeFishEntries(out, program.name, "", program);
  std::string others;
  for (const Page &command : commandsOf(app)) {
    others += command.name == defaultCommand ? "" : " " + command.name;
    out << "complete -c " << program.name << " -n __fish_use_subcommand -a " << command.name << " -d "
        << shellQuoted(command.description) << "\n";
  }
  for (const Page &command : commandsOf(app))
    writeFishEntries(out, program.name,
                     command.name == defaultCommand ? "not __fish_seen_subcommand_from" + others
                                                    : "__fish_seen_subcommand_from " + command.name,
                     command);
}

} // namespace

bool writePage(std::ostream &out, const CLI::App &app, const std::string &kind, const std::string &defaultCommand) {
  if (kind == "man")
    writeMan(out, app, defaultCommand);
  else if (kind == "bash")
    writeBash(out, app, defaultCommand);
  else if (kind == "zsh")
    writeZsh(out, app, defaultCommand);
  else if (kind == "fish")
    writeFish(out, app, defaultCommand);
  else
    return false;
  return true;
}

} // namespace gnn::tools
