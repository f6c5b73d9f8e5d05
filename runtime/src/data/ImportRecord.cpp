//===- ImportRecord.cpp - What an import decided --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/ImportRecord.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/Json.h"

using namespace gnn::rt;

namespace {

constexpr int recordVersion = 1;

nlohmann::ordered_json jsonOf(const EdgeRecord &edges) {
  nlohmann::ordered_json json{{"columns", edges.columns}, {"undirected", edges.isUndirected}};
  if (!edges.types.empty())
    json["types"] = edges.types;
  return json;
}

EdgeRecord parseEdges(const std::string &triple, const nlohmann::json &json, const std::string &file) {
  EdgeRecord edges;
  const size_t first = triple.find(':'), second = triple.find(':', first + 1);
  require(first != triple.npos && second != triple.npos && triple.find(':', second + 1) == triple.npos, GNN_ERROR_DATA,
          file, ": edges '", triple, "': expected SOURCE:RELATION:DESTINATION");
  edges.source = triple.substr(0, first);
  edges.name = triple.substr(first + 1, second - first - 1);
  edges.destination = triple.substr(second + 1);
  edges.columns = json.at("columns").get<std::vector<std::string>>();
  edges.isUndirected = json.at("undirected").get<bool>();
  if (json.contains("types"))
    edges.types = json.at("types").get<std::vector<std::string>>();
  return edges;
}

/// Throws a data error for the first text that JSON cannot hold.
void requireUtf8(const nlohmann::ordered_json &json) {
  if (json.is_structured()) {
    for (const nlohmann::ordered_json &part : json)
      requireUtf8(part);
    return;
  }
  try {
    json.dump();
  } catch (const nlohmann::json::exception &) {
    fail(GNN_ERROR_DATA, "the text '", json.get<std::string>(),
         "' is no UTF-8: --encoding latin1 may read it, or iconv makes UTF-8 of the table");
  }
}

} // namespace

size_t VertexRecord::width() const {
  size_t width = 0;
  for (const ColumnForm &column : columns)
    width += column.numFeatures();
  return width;
}

const VertexRecord &ImportRecord::table(const std::string &type) const {
  std::string known;
  for (const VertexRecord &table : vertices) {
    if (table.type == type || (type.empty() && vertices.size() == 1))
      return table;
    known += (known.empty() ? "" : ", ") + table.type;
  }
  fail(GNN_ERROR_ARGUMENT, "there is no table of vertices '", type, "'; there are: ", known.empty() ? "none" : known);
}

std::string ImportRecord::text() const {
  nlohmann::ordered_json json{{"version", recordVersion}};
  json["vertices"] = json["edges"] = nlohmann::ordered_json::object();
  for (const VertexRecord &table : vertices) {
    nlohmann::ordered_json &columns = json["vertices"][table.type]["columns"] = nlohmann::ordered_json::array();
    for (const ColumnForm &column : table.columns)
      columns.push_back(column.json());
  }
  for (const EdgeRecord &table : edges)
    json["edges"][table.triple()] = jsonOf(table);
  if (!labelled.empty())
    json["label"] = {{"of", labelled}, {"column", label}, {"classes", classes}};
  requireUtf8(json);
  return json.dump(2) + "\n";
}

ImportRecord ImportRecord::parse(Span<const char> text, const std::string &file) {
  const nlohmann::json json = parseJson(text, file);
  require(json.is_object(), GNN_ERROR_DATA, file, ": expected an object");
  const auto version = json.find("version");
  require(version != json.end() && *version == recordVersion, GNN_ERROR_DATA, file, ": the file has version ",
          version == json.end() ? "none" : version->dump(), ", expected ", recordVersion,
          ": import the tables again with this gnn-data");
  ImportRecord record;
  try {
    for (const auto &[type, table] : json.at("vertices").items()) {
      record.vertices.push_back({type, {}});
      for (const nlohmann::json &column : table.at("columns"))
        record.vertices.back().columns.push_back(ColumnForm::parse(column, file));
    }
    for (const auto &[triple, edges] : json.at("edges").items())
      record.edges.push_back(parseEdges(triple, edges, file));
    if (json.contains("label")) {
      record.labelled = json.at("label").at("of").get<std::string>();
      record.label = json.at("label").at("column").get<std::string>();
      record.classes = json.at("label").at("classes").get<std::vector<std::string>>();
    }
  } catch (const nlohmann::json::exception &error) {
    fail(GNN_ERROR_DATA, file, ": not as gnn-data import writes it: ", error.what());
  }
  return record;
}
