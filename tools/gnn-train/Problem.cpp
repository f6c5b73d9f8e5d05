//===- Problem.cpp - A model and a data set that fit ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Problem.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/train/DataFeatures.h"

namespace gnn::train_tool {

namespace {

void bindFromCommandLine(rt::Dims &dims, const std::vector<std::string> &settings) {
  for (const std::string &setting : settings) {
    size_t equals = setting.find('=');
    char *end = nullptr;
    int64_t value = equals == std::string::npos ? -1 : std::strtoll(setting.c_str() + equals + 1, &end, 10);
    rt::require(equals != std::string::npos && end != setting.c_str() + equals + 1 && *end == 0 && value >= 0,
                GNN_ERROR_ARGUMENT, "-D ", setting, ": expected name=value with a whole number");
    dims.bind(setting.substr(0, equals), value, "-D " + setting);
  }
}

bool scoresPairs(const rt::Library &library) {
  bool result = false;
  for (uint32_t r = 0; r < library.table().num_relations; ++r)
    result |= library.table().relations[r].kind == GNN_RELATION_PAIRS;
  return result;
}

} // namespace

Problem::Problem(const ProblemOptions &options, const std::string &weights)
    : data(rt::loadDataset(options.data)), model(rt::Library::open(options.model, options.isa), options.threads) {
  const rt::Library &library = *model.library();
  bindFromCommandLine(model.dims(), options.dims);
  features = rt::featuresFor(library, *data);
  splits = scoresPairs(library) ? data->pairSplits() : data->splits;
  graph = data->takeGraph();
  rt::bindDataset(model.dims(), library, *graph, *data, features);
  if (!weights.empty())
    model.load(weights);
  model.materialize();
}

std::unique_ptr<rt::Session> Problem::session() {
  auto session = std::make_unique<rt::Session>(model, graph, features, data->source);
  if (session->scoresPairs())
    for (const auto &[name, pairs] : splits)
      session->addKnownPairs(pairs, name);
  return session;
}

nlohmann::json metricsJson(const rt::Metrics &metrics) {
  nlohmann::json json{{"loss", metrics.loss}};
  if (metrics.accuracy)
    json["accuracy"] = *metrics.accuracy;
  for (const auto &[name, value] : metrics.others)
    json[name] = value;
  return json;
}

} // namespace gnn::train_tool
