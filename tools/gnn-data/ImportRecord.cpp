//===- ImportRecord.cpp - What an import decided --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/ImportRecord.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/io/Json.h"
#include <array>

using namespace gnn::data_tool;

namespace {

template <class Record> auto listsOf(Record &record) {
  return std::array{std::pair("classes", &record.classes), std::pair("edge_types", &record.edgeTypes),
                    std::pair("edge_columns", &record.edgeColumns)};
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
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

ImportRecord ImportRecord::read(const std::string &folder) {
  const std::string path = folder + "/import.json";
  const rt::FileBytes bytes = rt::readFile(path);
  const nlohmann::json json = rt::parseJson(bytes.span(), path);
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
