//===- Specification.cpp - An import as a file ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/Specification.h"
#include "runtime/src/io/FileSystem.h"
#include "tools/gnn-data/Yaml.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

using namespace gnn::data_tool;

namespace {

/// A text in double quotes, which YAML has in common with JSON.
std::string quoted(const std::string &text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string listed(const std::vector<std::string> &texts) {
  std::string list;
  for (const std::string &text : texts)
    list += (list.empty() ? "" : ", ") + quoted(text);
  return "[" + list + "]";
}

/// Options that say what the tables say, or that are of one run alone.
bool isOfTables(const std::string &option) {
  static const std::set<std::string> names{"vertices", "edges",  "id",      "ends", "source",   "target", "edge-type",
                                           "drop",     "column", "dry-run", "help", "exist-ok", "by",     "pairs"};
  return names.count(option) > 0;
}

/// Options whose values a comma separates.
bool isList(const std::string &option) { return option == "missing"; }

const std::set<std::string> flags{"undirected"};
const std::set<std::string> scalars{"label",       "label-kind", "split",   "by",          "seed",      "scale",
                                    "decimal",     "thousands",  "dates",   "bad-cells",   "missing",   "unknown",
                                    "rejects",     "duplicates", "like",    "max-rejects", "delimiter", "header",
                                    "split-edges", "encoding",   "graph-id"};

class Expansion {
public:
  explicit Expansion(std::vector<std::string> given) : given(std::move(given)) {}

  std::vector<std::string> run(const Yaml &file) {
    require(file, file.keys(), {"vertices", "edges", "pairs"}, /*mayBeOption=*/true);
    if (const Yaml *edges = file.find("edges"))
      for (const std::string &triple : edges->keys())
        hasSchema = hasSchema || triple.find(':') != triple.npos;
    if (const Yaml *vertices = file.find("vertices"))
      for (const std::string &type : vertices->keys())
        addVertices(type, vertices->at(type));
    for (const Yaml *edges = file.find("edges"); edges; edges = nullptr)
      for (const std::string &triple : edges->keys())
        addEdges(triple, edges->at(triple));
    if (const Yaml *pairs = isGiven("pairs") ? nullptr : file.find("pairs"))
      for (const std::string &split : pairs->keys())
        add("pairs", split + "=" + pairs->at(split).text());
    for (const std::string &key : file.keys())
      if (key != "vertices" && key != "edges" && key != "pairs")
        addOption(key, file);
    return std::move(arguments);
  }

private:
  /// Every key is one of `known`, or an option where these may be.
  static void require(const Yaml &map, const std::vector<std::string> &keys, const std::set<std::string> &known,
                      bool mayBeOption = false) {
    for (const std::string &key : keys)
      if (!known.count(key) && !(mayBeOption && (scalars.count(key) || flags.count(key))))
        map.fail("unknown key '", key, "'");
  }

  void add(const std::string &option, const std::string &value) {
    arguments.push_back("--" + option);
    arguments.push_back(value);
  }

  /// "TYPE=", or nothing for the only table.
  void addVertices(const std::string &type, const Yaml &table) {
    const bool isNamed = hasSchema || type != "vertex";
    const std::string prefix = isNamed ? type + "=" : "";
    if (table.isText()) {
      add("vertices", prefix + table.text());
      return;
    }
    require(table, table.keys(), {"file", "id", "columns"});
    add("vertices", prefix + table.at("file").text());
    if (const Yaml *id = table.find("id"))
      add("id", prefix + id->text());
    addColumns(type, table);
  }

  void addEdges(const std::string &triple, const Yaml &table) {
    const size_t colon = triple.find(':');
    const bool isNamed = colon != triple.npos;
    const std::string prefix = isNamed ? triple + "=" : "";
    if (table.isText()) {
      add("edges", prefix + table.text());
      return;
    }
    require(table, table.keys(), {"file", "ends", "type", "columns"});
    add("edges", prefix + table.at("file").text());
    if (const Yaml *ends = table.find("ends")) {
      if (ends->items().size() != 2)
        ends->fail("expected two columns");
      const std::string source = ends->items()[0].text(), target = ends->items()[1].text();
      if (isNamed) {
        add("ends", prefix + source + "," + target);
      } else {
        add("source", source);
        add("target", target);
      }
    }
    if (const Yaml *type = table.find("type"))
      add("edge-type", triple + "." + type->text());
    addColumns(triple, table);
  }

  void addColumns(const std::string &name, const Yaml &table) {
    const Yaml *columns = table.find("columns");
    if (!columns)
      return;
    for (const std::string &column : columns->keys()) {
      const std::string &kind = columns->at(column).text();
      if (kind == "drop")
        add("drop", name + "." + column);
      else
        add("column", name + "." + column + "=" + kind);
    }
  }

  bool isGiven(const std::string &key) const {
    return std::any_of(given.begin(), given.end(), [&](const std::string &argument) {
      return argument == "--" + key || argument.compare(0, key.size() + 3, "--" + key + "=") == 0;
    });
  }

  void addOption(const std::string &key, const Yaml &file) {
    const Yaml *value = file.find(key);
    if (isGiven(key) || !value)
      return;
    if (flags.count(key)) {
      if (value->text() != "true" && value->text() != "false")
        value->fail("'", value->text(), "', expected true or false");
      if (value->text() == "true")
        arguments.push_back("--" + key);
      return;
    }
    if (key == "by" && !value->isText()) {
      for (const Yaml &column : value->items())
        add(key, column.text());
      return;
    }
    std::string text = value->isText() ? value->text() : "";
    if (!value->isText())
      for (const Yaml &item : value->items())
        text += (&item == &value->items()[0] ? "" : ",") + item.text();
    add(key, text);
  }

  const std::vector<std::string> given;
  std::vector<std::string> arguments;
  bool hasSchema = false; // relations are named after types, of which one may be called vertex
};

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() > end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

} // namespace

std::string gnn::data_tool::specificationText(const std::vector<TableDecisions> &tables,
                                              const std::vector<std::string> &times, const CLI::App &command,
                                              const std::vector<std::pair<std::string, std::string>> &others) {
  std::string text;
  for (const bool areEdges : {false, true}) {
    bool isFirst = true;
    for (const TableDecisions &table : tables) {
      if (table.isOfEdges != areEdges)
        continue;
      if (isFirst)
        text += areEdges ? "edges:\n" : "vertices:\n";
      isFirst = false;
      text += "  " +
              quoted(!table.name.empty() ? table.name
                     : areEdges          ? "edge"
                                         : "vertex") +
              ":\n    file: " + quoted(table.file) + "\n";
      text += areEdges ? "    ends: " + listed(table.keys) + "\n" : "    id: " + quoted(table.keys[0]) + "\n";
      if (!table.typeColumn.empty())
        text += "    type: " + quoted(table.typeColumn) + "\n";
      if (!table.columns.empty())
        text += "    columns:\n";
      for (const auto &[column, kind] : table.columns)
        text += "      " + quoted(column) + ": " + kind + "\n";
    }
  }
  for (const auto &[name, value] : others)
    text += name + ": " + quoted(value) + "\n";
  for (const CLI::Option *option : command.get_options())
    if (option->count() > 0 && option->check_lname("pairs")) {
      text += "pairs:\n";
      for (const std::string &pairs : option->results())
        text +=
            "  " + quoted(pairs.substr(0, pairs.find('='))) + ": " + quoted(pairs.substr(pairs.find('=') + 1)) + "\n";
    }
  if (!times.empty())
    text += "by: " + listed(times) + "\n";
  for (const CLI::Option *option : command.get_options()) {
    const std::string name = option->get_lnames().empty() ? "" : option->get_lnames()[0];
    const bool isThere =
        std::any_of(others.begin(), others.end(), [&](const auto &other) { return other.first == name; });
    if (name.empty() || option->count() == 0 || isThere || isOfTables(name))
      continue;
    if (flags.count(name))
      text += name + ": true\n";
    else if (isList(name))
      text += name + ": " + listed(option->results()) + "\n";
    else
      text += name + ": " + quoted(option->results().back()) + "\n";
  }
  return text;
}

std::vector<std::string> gnn::data_tool::withSpecification(std::vector<std::string> arguments) {
  if (arguments.size() < 2 || arguments[0] != "import" ||
      !(endsWith(arguments[1], ".yaml") || endsWith(arguments[1], ".yml")))
    return arguments;
  const std::string file = arguments[1];
  const gnn::rt::FileBytes bytes = gnn::rt::readFile(file);
  arguments.erase(arguments.begin(), arguments.begin() + 2);
  const std::vector<std::string> expanded = Expansion(arguments).run(Yaml::parse(bytes.span(), file));
  arguments.insert(arguments.begin(), "import");
  arguments.insert(arguments.end(), expanded.begin(), expanded.end());
  return arguments;
}
