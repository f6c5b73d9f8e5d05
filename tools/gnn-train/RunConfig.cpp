//===- RunConfig.cpp - config.json ----------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RunConfig.h"

#include "runtime/src/core/Checksum.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/io/Json.h"

#include <cstdio>
#include <filesystem>
#include <set>

namespace gnn::train_tool {

using nlohmann::json;

std::string hex(uint64_t digest) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(digest));
  return text;
}

namespace {

std::string absolute(const std::string &path) { return std::filesystem::absolute(path).lexically_normal().string(); }

json modelOf(const rt::Library &library) {
  const json manifest = rt::parseJson({library.table().manifest, size_t(library.table().manifest_bytes)},
                                      "manifest of " + library.path());
  return {{"name", library.name()},
          {"library", absolute(library.path())},
          {"digest", hex(rt::checksum(rt::readFile(library.path()).span()))},
          {"source_digest", manifest.value("digest", json())},
          {"gnnc", manifest.value("gnnc", json())}};
}

template <class T> json jsonOf(const T &value) { return value; }
template <class T> json jsonOf(const std::optional<T> &value) { return value ? json(*value) : json(); }

json settingsOf(const rt::TrainingOptions &run) {
  json settings{{"patience", json()}};
  for (const rt::TrainingOption &row : rt::trainingOptions())
    if (row.isInConfig && rt::isGiven(run, row))
      settings[row.configKey()] = std::visit([&](auto member) { return jsonOf(run.*member); }, row.member);
  return settings;
}

} // namespace

json dimsOf(const rt::Model &model) {
  const gnn_library_t &table = model.library()->table();
  std::set<uint32_t> ofGraph;
  for (uint32_t t = 0; t < table.num_vertex_types; ++t)
    if (int32_t rows = table.vertex_types[t].rows; rows >= 0 && model.dims().isOfGraph(uint32_t(rows)))
      ofGraph.insert(table.extents[rows].terms[0].factors[0]);
  json dims = json::object();
  for (uint32_t d = 0; d < table.num_dims; ++d)
    if (!ofGraph.count(d))
      dims[table.dims[d].name] = model.dims().value(table.dims[d].name);
  return dims;
}

int64_t numParameters(rt::Model &model) {
  int64_t count = 0;
  for (uint32_t tensor : model.parameters())
    count += model.parameter(tensor).count();
  return count;
}

json configOf(const rt::TrainingOptions &run, Problem &problem, uint64_t dataDigest, const json &weights) {
  const rt::Engine &engine = problem.model.engine();
  return {{"gnn_train", GNN_TRAIN_VERSION},
          {"model", modelOf(*problem.model.library())},
          {"data",
           {{"path", absolute(run.data)},
            {"digest", hex(dataDigest)},
            {"vertices", problem.data->totalVertices()},
            {"edges", problem.numEdges}}},
          {"settings", settingsOf(run)},
          {"weights", weights},
          {"dims", dimsOf(problem.model)},
          {"parameters", numParameters(problem.model)},
          {"machine",
           {{"device", engine.device()},
            {"isa", engine.code()},
            {"products", engine.products()},
            {"threads", engine.threads()}}}};
}

} // namespace gnn::train_tool
