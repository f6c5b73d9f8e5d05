//===- Caches.cpp - Caches of GPUs that train on samples ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Caches.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/graph/Communities.h"
#include "runtime/src/links/Cliques.h"
#include "runtime/src/model/OpenEngine.h"
#include "runtime/src/program/Obstacles.h"
#include "runtime/src/train/DeviceCaches.h"
#include "tools/gnn-train/Problem.h"
#include "tools/gnn-train/Samples.h"
#include "tools/gnn-train/SeedTablets.h"

#include <utility>

namespace gnn::train_tool {

namespace {

using Groups = std::vector<std::vector<size_t>>;

constexpr size_t mostPieces = 8; // of the seeds of a device

/// Edges between vertices of the type of seeds; null: there are none.
const rt::Relation *relationAmong(const rt::Library &library, const rt::Binding &binding, uint32_t vertexType) {
  for (uint32_t r = 0; r < library.table().num_relations; ++r)
    if (const gnn_relation_t &relation = library.table().relations[r]; relation.kind == GNN_RELATION_EDGES &&
                                                                       relation.source_type == vertexType &&
                                                                       relation.destination_type == vertexType)
      return &binding.relation(r);
  return nullptr;
}

nlohmann::json useJson(const rt::UnifiedCache::Use &use) {
  return {{"rows", use.rows},
          {"hit_rate", use.hitRate()},
          {"own", use.rows ? double(use.here) / double(use.rows) : 0},
          {"of_peers", use.rows ? double(use.ofPeers) / double(use.rows) : 0}};
}

nlohmann::json foundJson(const rt::UnifiedCache::Found &found, double ofEpoch) {
  return {{"edges", useJson(found.edges)},
          {"features", useJson(found.features)},
          {"bytes", found.bytes},
          {"transactions_of_epoch", ofEpoch}};
}

nlohmann::json planJson(const rt::DeviceCaches &caches, const std::vector<std::string> &names) {
  nlohmann::json groups = nlohmann::json::array(), devices = nlohmann::json::array();
  for (const rt::DeviceCaches::Group &group : caches.groups) {
    nlohmann::json members = nlohmann::json::array();
    for (size_t device : group.devices)
      members.push_back(names[device]);
    groups.push_back({{"devices", std::move(members)},
                      {"alpha", group.hundredths / 100.0},
                      {"predicted", group.predicted},
                      {"counted", group.counted}});
  }
  for (size_t d = 0; d < names.size(); ++d) {
    const rt::DeviceCaches::OfDevice &of = caches.devices[d];
    devices.push_back({{"device", names[d]},
                       {"seeds", of.seeds},
                       {"batches", of.batches},
                       {"edge_bytes", of.edgeBytes},
                       {"feature_bytes", of.featureBytes},
                       {"predicted", foundJson(of.predicted, of.predictedTransactions)},
                       {"counted", foundJson(of.counted, of.countedTransactions)}});
  }
  return {{"groups", std::move(groups)},
          {"devices", std::move(devices)},
          {"transactions_of_epoch",
           {{"predicted", caches.predictedTransactions()}, {"counted", caches.countedTransactions()}}}};
}

void printFound(const char *title, const nlohmann::json &found) {
  auto print = [&](const char *what, const nlohmann::json &use) {
    std::printf("%-11s %s: %.1f %% in its cache, %.1f %% in those of peers\n", title, what,
                100 * use["own"].get<double>(), 100 * use["of_peers"].get<double>());
    title = "";
  };
  print("edges that are drawn", found["edges"]);
  print("rows of features", found["features"]);
}

void print(const nlohmann::json &plan) {
  std::printf("%s on %s: caches of %zu GPUs that train on samples (on paper)\n",
              plan["model"].get<std::string>().c_str(), plan["data"].get<std::string>().c_str(),
              plan["devices"].size());
  const char *title = "a cache";
  for (const nlohmann::json &group : plan["groups"]) {
    std::string names;
    for (const nlohmann::json &device : group["devices"])
      names += (names.empty() ? "" : ", ") + device.get<std::string>();
    std::printf("%-11s %s: alpha %.2f\n", std::exchange(title, ""), names.c_str(), group["alpha"].get<double>());
  }
  const auto pieces = plan["pieces"].get<size_t>();
  std::printf("%-11s within a group by %s\n", "seeds",
              pieces == 0 ? "hash" : ("communities, pieces for each: " + std::to_string(pieces)).c_str());
  for (const nlohmann::json &device : plan["devices"]) {
    std::printf("%-11s %s seeds in %s batches; bytes of edges %s, of features %s\n",
                device["device"].get<std::string>().c_str(), device["seeds"].dump().c_str(),
                device["batches"].dump().c_str(), device["edge_bytes"].dump().c_str(),
                device["feature_bytes"].dump().c_str());
    printFound("  predicted", device["predicted"]);
    printFound("  counted", device["counted"]);
  }
  const nlohmann::json &all = plan["transactions_of_epoch"];
  std::printf("%-11s predicted %.0f, counted %.0f\n", "an epoch", all["predicted"].get<double>(),
              all["counted"].get<double>());
  if (!plan.contains("compared"))
    return;
  for (auto [key, what] : {std::pair("edge_cut", "a part of the graph for each cache"),
                           std::pair("replicated", "the hottest rows in each cache")})
    std::printf("%-11s %s: counted %.0f\n", "", what, plan["compared"][key].get<double>());
}

} // namespace

bool isOfCaches(const PlanOptions &options) {
  return !options.fanOuts.empty() && !options.topology.empty() && !rt::deviceNumbers(options.device).empty();
}

int planCaches(const PlanOptions &options) {
  rt::require(options.chart.empty(), GNN_ERROR_ARGUMENT, "--chart ", options.chart,
              " only applies to streamed graphs: --fanout with --topology plans caches of GPUs");
  rt::TrainingFacts facts = factsOf(options, options.device);
  facts.caches = true;
  rt::checkRules(options, facts, {});
  const std::vector<int> numbers = rt::deviceNumbers(options.device);
  const rt::Topology topology = rt::readTopology(options.topology).of(numbers, options.topology);
  PlanOptions here = options; // batches are drawn on the processor
  here.device.clear();
  here.deviceBytes.reset();
  here.topology.clear();
  Problem problem(here);
  const rt::Library &library = *problem.model.library();
  const gnn_program_t *train = library.program(GNN_PROGRAM_TRAIN);
  const auto split = problem.splits.find("train");
  rt::require(train && split != problem.splits.end(), GNN_ERROR_MISMATCH, options.model, " can't be trained on ",
              problem.data->source, ": samples are for training");
  const std::string obstacle = problem.scoresPairs() ? "it scores pairs of vertices, for which caches are not planned"
                                                     : rt::obstacleToSamples(library, *train);
  rt::require(obstacle.empty(), GNN_ERROR_MISMATCH, library.name(), " can't be trained on samples: ", obstacle);
  const rt::Binding binding(problem.model.library(), problem.model.dims(), problem.graph, problem.features,
                            /*withTargets=*/true, problem.data->source);
  const rt::Sampling &sampling = *problem.config.samples;
  rt::CachedRows rows(library, binding, *train,
                      rt::Sampler(library, binding, *train, sampling.fanOuts, sampling.drawing));
  const uint32_t type = lossMask(library)->type;
  std::vector<int64_t> seeds;
  for (int64_t id : split->second.values<int64_t>())
    seeds.push_back(binding.order(type) ? int64_t(binding.order(type)->local[size_t(id)]) : id);
  rt::require(!seeds.empty(), GNN_ERROR_DATA, problem.data->source, " has no vertices to train on");

  const rt::Relation *among = relationAmong(library, binding, type);
  const std::shared_ptr<const rt::VertexOrder> communities = among ? rt::communityOrder(*among) : nullptr;
  auto planned = [&](const Groups &groups, const rt::VertexOrder *dealtBy, size_t pieces = 0) {
    return rt::planDeviceCaches(rows, type, groups,
                                batchesOfTablets(dealSeeds(seeds, dealtBy, groups, pieces), sampling.batch),
                                std::vector<size_t>(numbers.size(), size_t(*options.deviceBytes)));
  };
  std::vector<std::string> names;
  Groups single;
  for (int number : numbers) {
    single.push_back({names.size()});
    names.push_back("cuda:" + std::to_string(number));
  }
  const Groups groups = rt::cliquesOf(topology);
  rt::DeviceCaches chosen = planned(groups, communities.get());
  const rt::DeviceCaches apart = planned(single, communities.get());
  // Batches of few communities meet fewer vertices. Where devices with a cache for each win by that, those that share
  // one are dealt communities too, in as many pieces as it takes.
  size_t pieces = 0;
  while (communities && groups.size() < names.size() && pieces != 1 &&
         chosen.predictedTransactions() >= apart.predictedTransactions()) {
    pieces = pieces == 0 ? mostPieces : pieces / 2;
    chosen = planned(groups, communities.get(), pieces);
  }
  nlohmann::json result = planJson(chosen, names);
  result["pieces"] = pieces;
  result["model"] = library.name();
  result["data"] = problem.data->source;
  if (names.size() > 1)
    result["compared"] = {{"replicated", planned(single, nullptr).countedTransactions()},
                          {"edge_cut", apart.countedTransactions()}};
  if (options.json)
    std::printf("%s\n", jsonText(result).c_str());
  else
    print(result);
  return 0;
}

} // namespace gnn::train_tool
