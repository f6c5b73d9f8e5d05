//===- Json.cpp - Strict JSON ----------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Duplicates are seen by the parser's callback: nlohmann/json itself silently keeps the last.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/Json.h"
#include "runtime/src/core/Guard.h"
#include <set>

using namespace gnn::rt;
using nlohmann::json;

json gnn::rt::parseJson(Span<const char> text, const std::string &file) {
  constexpr int maxDepth = 16;
  std::vector<std::set<std::string>> keys; // of the objects that are open
  auto watch = [&](int depth, json::parse_event_t event, json &value) {
    require(depth <= maxDepth, GNN_ERROR_DATA, file, ": the JSON is nested more than ", maxDepth, " deep");
    if (event == json::parse_event_t::object_start)
      keys.emplace_back();
    else if (event == json::parse_event_t::object_end)
      keys.pop_back();
    else if (event == json::parse_event_t::key)
      require(keys.back().insert(value.get<std::string>()).second, GNN_ERROR_DATA, file, ": the key ", value.dump(),
              " occurs twice");
    return true;
  };
  json value;
  try {
    value = json::parse(text.begin(), text.end(), watch);
  } catch (const json::exception &error) {
    fail(GNN_ERROR_DATA, file, ": bad JSON: ", error.what());
  }
  require(value.is_object(), GNN_ERROR_DATA, file, ": the JSON is no object");
  return value;
}
