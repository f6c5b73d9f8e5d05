//===- ImportRecord.cpp - What an import decided --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/ImportRecord.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/Json.h"
#include <array>

using namespace gnn::data_tool;

namespace {

template <class Record> auto listsOf(Record &record) {
  return std::array{std::pair("classes", &record.classes), std::pair("edge_types", &record.edgeTypes),
                    std::pair("edge_columns", &record.edgeColumns)};
}

void requireUtf8(const std::vector<std::string> &texts) {
  for (const std::string &text : texts)
    try {
      nlohmann::json(text).dump();
    } catch (const nlohmann::json::exception &) {
      gnn::rt::fail(GNN_ERROR_DATA, "the text '", text,
                    "' is no UTF-8, which iconv -f latin1 -t utf-8 FILE may make of the table");
    }
}

} // namespace

std::string ImportRecord::text() const {
  nlohmann::ordered_json json;
  for (const ColumnForm &column : columns)
    json["columns"].push_back(column.json());
  for (auto [name, texts] : listsOf(*this))
    if (!texts->empty())
      json[name] = *texts;
  if (!label.empty())
    json["label"] = label;
  json["undirected"] = isUndirected;
  for (const ColumnForm &column : columns) {
    requireUtf8({column.name});
    requireUtf8(column.values);
  }
  for (auto [name, texts] : listsOf(*this))
    requireUtf8(*texts);
  requireUtf8({label});
  return json.dump(2) + "\n";
}

ImportRecord ImportRecord::parse(rt::Span<const char> text, const std::string &path) {
  const nlohmann::json json = rt::parseJson(text, path);
  rt::require(json.is_object(), GNN_ERROR_DATA, path, ": expected an object");
  ImportRecord record;
  try {
    if (json.contains("columns"))
      for (const nlohmann::json &column : json.at("columns"))
        record.columns.push_back(ColumnForm::parse(column, path));
    for (auto [name, texts] : listsOf(record))
      if (json.contains(name))
        *texts = json.at(name).get<std::vector<std::string>>();
    if (json.contains("label"))
      record.label = json.at("label").get<std::string>();
    if (json.contains("undirected"))
      record.isUndirected = json.at("undirected").get<bool>();
  } catch (const nlohmann::json::exception &error) {
    rt::fail(GNN_ERROR_DATA, path, ": not as gnn-data import writes it: ", error.what());
  }
  return record;
}
