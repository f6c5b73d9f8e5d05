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

using namespace gnn::data_tool;

std::string ImportRecord::text() const {
  nlohmann::ordered_json json;
  for (const ColumnForm &column : columns)
    json["columns"].push_back(column.json());
  if (!classes.empty())
    json["classes"] = classes;
  if (!edgeTypes.empty())
    json["edge_types"] = edgeTypes;
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
    for (auto [name, texts] : {std::pair("classes", &record.classes), std::pair("edge_types", &record.edgeTypes)})
      if (json.contains(name))
        *texts = json.at(name).get<std::vector<std::string>>();
  } catch (const nlohmann::json::exception &error) {
    rt::fail(GNN_ERROR_DATA, path, ": not as gnn-data import writes it: ", error.what());
  }
  return record;
}
