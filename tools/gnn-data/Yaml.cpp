//===- Yaml.cpp - YAML as trees -------------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/Yaml.h"
#include "tools/gnn-data/Cells.h"
#include <algorithm>
#include <yaml.h>

using namespace gnn::data_tool;

namespace gnn::data_tool {

/// libyaml's events, taken one after the other.
class YamlParser {
public:
  YamlParser(rt::Span<const char> text, const std::string &file) : file(std::make_shared<const std::string>(file)) {
    rt::require(text.size() > 0, GNN_ERROR_DATA, file, ": the file is empty");
    rt::require(yaml_parser_initialize(&parser) != 0, GNN_ERROR_MEMORY, file, ": memory is exhausted");
    yaml_parser_set_input_string(&parser, reinterpret_cast<const unsigned char *>(text.data()), text.size());
  }
  ~YamlParser() {
    yaml_event_delete(&event);
    yaml_parser_delete(&parser);
  }

  Yaml document() {
    next(); // the stream begins
    next();
    if (event.type != YAML_DOCUMENT_START_EVENT)
      fail("there is nothing in it");
    next();
    Yaml result = node(0);
    next(); // the document ends
    next();
    if (event.type != YAML_STREAM_END_EVENT)
      fail("a second document, expected one");
    return result;
  }

private:
  static constexpr int maxDepth = 16;

  template <class... Parts> [[noreturn]] void fail(const Parts &...parts) const {
    rt::fail(GNN_ERROR_DATA, *file, ":", event.start_mark.line + 1, ": ", parts...);
  }

  void next() {
    yaml_event_delete(&event);
    if (!yaml_parser_parse(&parser, &event))
      rt::fail(GNN_ERROR_DATA, *file, ":", parser.problem_mark.line + 1,
               ": no YAML: ", parser.problem ? parser.problem : "memory is exhausted");
  }

  Yaml node(int depth) {
    if (depth == maxDepth)
      fail("nested more than ", maxDepth, " deep");
    Yaml result;
    result.file = file;
    result.line = event.start_mark.line + 1;
    switch (event.type) {
    case YAML_SCALAR_EVENT:
      if (event.data.scalar.anchor)
        fail("an anchor, expected what it stands for");
      result.value.assign(reinterpret_cast<const char *>(event.data.scalar.value), event.data.scalar.length);
      result.isQuoted = event.data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
      return result;
    case YAML_SEQUENCE_START_EVENT:
      if (event.data.sequence_start.anchor)
        fail("an anchor, expected what it stands for");
      result.kind = Yaml::Kind::List;
      for (next(); event.type != YAML_SEQUENCE_END_EVENT; next())
        result.values.push_back(node(depth + 1));
      return result;
    case YAML_MAPPING_START_EVENT:
      if (event.data.mapping_start.anchor)
        fail("an anchor, expected what it stands for");
      result.kind = Yaml::Kind::Map;
      for (next(); event.type != YAML_MAPPING_END_EVENT; next()) {
        if (event.type != YAML_SCALAR_EVENT)
          fail("expected a key");
        std::string key = node(depth).value;
        if (std::count(result.names.begin(), result.names.end(), key))
          fail("the key '", key, "' is there twice");
        if (result.names.size() == maxKeys)
          fail("a map of more than ", maxKeys, " keys");
        result.names.push_back(std::move(key));
        next();
        result.values.push_back(node(depth + 1));
      }
      return result;
    default:
      fail("an alias, expected what it stands for");
    }
  }

  static constexpr size_t maxKeys = 1000;

  const std::shared_ptr<const std::string> file;
  yaml_parser_t parser;
  yaml_event_t event{};
};

} // namespace gnn::data_tool

Yaml Yaml::parse(rt::Span<const char> text, const std::string &file) { return YamlParser(text, file).document(); }

void Yaml::expect(Kind wanted) const {
  constexpr const char *names[] = {"a text", "a list", "a map"};
  if (kind != wanted)
    fail(names[size_t(kind)], ", expected ", names[size_t(wanted)]);
}

const std::string &Yaml::text() const {
  expect(Kind::Text);
  return value;
}

int64_t Yaml::integer() const {
  const std::optional<int64_t> number = integerIn(text());
  if (!number)
    fail("'", value, "', expected a whole number");
  return *number;
}

const std::vector<Yaml> &Yaml::items() const {
  expect(Kind::List);
  return values;
}

const std::vector<std::string> &Yaml::keys() const {
  expect(Kind::Map);
  return names;
}

const Yaml *Yaml::find(const std::string &key) const {
  expect(Kind::Map);
  const auto found = std::find(names.begin(), names.end(), key);
  if (found == names.end())
    return nullptr;
  const Yaml &member = values[size_t(found - names.begin())];
  const bool saysNothing = member.kind == Kind::Text && !member.isQuoted &&
                           (member.value.empty() || member.value == "null" || member.value == "~");
  return saysNothing ? nullptr : &member;
}

const Yaml &Yaml::at(const std::string &key) const {
  const Yaml *found = find(key);
  if (!found)
    fail("there is no '", key, "'");
  return *found;
}

std::string Yaml::textOr(const std::string &key, const std::string &otherwise) const {
  const Yaml *found = find(key);
  return found ? found->text() : otherwise;
}
