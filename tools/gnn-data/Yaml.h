//===- Yaml.h - YAML as trees -----------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_YAML_H
#define GNN_TOOLS_DATA_YAML_H

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Span.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnn::data_tool {

/// A text, a list or a map. What is asked for and not there, or something else, is a data error with file and line.
class Yaml {
public:
  /// One document, at most 16 levels deep; anchors, which could repeat parts without end, and keys that are there twice
  /// are refused.
  static Yaml parse(rt::Span<const char> text, const std::string &file);

  const std::string &text() const;
  int64_t integer() const;
  const std::vector<Yaml> &items() const;
  bool isText() const { return kind == Kind::Text; }
  /// The keys of a map, in their order.
  const std::vector<std::string> &keys() const;
  /// A member of a map; null: there is none, or it says nothing.
  const Yaml *find(const std::string &key) const;
  const Yaml &at(const std::string &key) const;
  /// The text of a member, or `otherwise`.
  std::string textOr(const std::string &key, const std::string &otherwise) const;

  template <class... Parts> [[noreturn]] void fail(const Parts &...parts) const {
    rt::fail(GNN_ERROR_DATA, *file, ":", line, ": ", parts...);
  }

private:
  friend class YamlParser;
  enum class Kind { Text, List, Map };

  void expect(Kind wanted) const;

  Kind kind = Kind::Text;
  std::shared_ptr<const std::string> file;
  uint64_t line = 0;
  std::string value;
  bool isQuoted = false;
  std::vector<Yaml> values;       // of lists and maps
  std::vector<std::string> names; // keys of maps
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_YAML_H
