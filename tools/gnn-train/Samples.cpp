//===- Samples.cpp - Training on samples, as it is said -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Samples.h"

#include <algorithm>

namespace gnn::train_tool {

static std::string evaluatedText(int64_t intervals) {
  const std::string parts = std::to_string(intervals) + " interval" + (intervals == 1 ? "" : "s");
  return intervals ? "; splits are evaluated in " + parts + " of vertices" : "";
}

std::string planText(const rt::SampledWithin &within) {
  const rt::SampledPlan &plan = within.plan();
  char text[300];
  if (plan.isWhole)
    std::snprintf(text, sizeof text, "all features are in memory: %zu bytes of memory", plan.bytes);
  else
    std::snprintf(text, sizeof text,
                  "features in files: %zu bytes of memory, %zu of them for rows that are read most; of %.0f rows of a "
                  "batch %.1f %% will be there",
                  plan.bytes, plan.kept, plan.rowsOfBatch, 100 * plan.hitRate);
  std::string all = text;
  if (plan.hasEdgesInFile) {
    std::snprintf(text, sizeof text, "; edges in a file: %zu bytes for rows that are drawn of most, of %.0f %.1f %%",
                  plan.keptEdges, plan.edgeRowsOfBatch, 100 * plan.edgeHitRate);
    all += text;
  }
  return all + evaluatedText(plan.evaluatedIn);
}

std::string readText(const rt::SampledWithin &within) {
  const rt::PagedRows::Counts counts = within.counts();
  char text[200];
  std::snprintf(text, sizeof text,
                "of %llu rows of features %.1f %% were in memory; the others were %llu bytes in %llu reads",
                static_cast<unsigned long long>(counts.rows), 100 * counts.hitRate(),
                static_cast<unsigned long long>(counts.bytes), static_cast<unsigned long long>(counts.reads));
  if (!within.plan().hasEdgesInFile)
    return text;
  const rt::FiledEdges::Counts edges = within.edgeCounts();
  std::string all = text;
  std::snprintf(text, sizeof text, "; of %llu rows of edges %.1f %%; the others were %llu bytes",
                static_cast<unsigned long long>(edges.rows), 100 * edges.hitRate(),
                static_cast<unsigned long long>(edges.bytes));
  return all + text;
}

nlohmann::json planJson(const rt::SampledWithin &within) {
  const rt::SampledPlan &plan = within.plan();
  const rt::PagedRows::Counts counts = within.counts();
  nlohmann::json json{
      {"memory_bytes", plan.bytes},
      {"edge_bytes", plan.edges},
      {"table_bytes", plan.tables},
      {"sample_bytes", plan.samples},
      {"evaluation_bytes", plan.evaluation},
      {"kept_bytes", plan.kept},
      {"file_bytes", plan.fileBytes},
      {"intervals", plan.evaluatedIn},
      {"batch",
       {{"rows", plan.rowsOfBatch},
        {"bytes", plan.bytesOfBatch},
        {"hit_rate", plan.hitRate},
        {"bytes_read", plan.readOfBatch}}},
      {"so_far",
       {{"rows", counts.rows}, {"hit_rate", counts.hitRate()}, {"reads", counts.reads}, {"bytes", counts.bytes}}}};
  if (within.readsRows())
    json["scattered_rows"] = within.readsTogether() ? "io_uring" : "pread";
  if (!plan.hasEdgesInFile)
    return json;
  const rt::FiledEdges::Counts edges = within.edgeCounts();
  json["kept_edge_bytes"] = plan.keptEdges;
  json["batch"].update({{"edge_rows", plan.edgeRowsOfBatch},
                        {"edge_hit_rate", plan.edgeHitRate},
                        {"edge_bytes_read", plan.edgesReadOfBatch}});
  json["so_far"].update({{"edge_rows", edges.rows}, {"edge_hit_rate", edges.hitRate()}, {"edge_bytes", edges.bytes}});
  return json;
}

std::string planText(const rt::SampledOnDevice &onDevice) {
  const rt::DeviceSamplesPlan &plan = onDevice.plan();
  const rt::UnifiedCache::Use &found = plan.found().features;
  const size_t devices = plan.devices.size();
  char text[400];
  std::snprintf(
      text, sizeof text,
      "features in memory of this machine: %zu bytes of %s, %zu of them for rows that are read most; of %.0f rows of a "
      "batch %.1f %% will be there",
      plan.mostBytes(), devices == 1 ? "the GPU's" : "each GPU's at most", plan.kept() / devices, plan.rowsOfBatch(),
      100 * found.hitRate());
  std::string all = text;
  if (devices > 1) {
    std::snprintf(text, sizeof text, ", %.1f %% on another GPU",
                  found.rows ? 100 * double(found.ofPeers) / double(found.rows) : 0);
    all += text;
  }
  return all + evaluatedText(plan.evaluatedIn);
}

std::string readText(const rt::SampledOnDevice &onDevice) {
  const rt::HotRows::Counts counts = onDevice.counts();
  char text[300];
  std::snprintf(text, sizeof text, "of %llu rows of features %.1f %% were on the GPU",
                static_cast<unsigned long long>(counts.rows), 100 * counts.hitRate());
  std::string all = text;
  if (onDevice.plan().devices.size() > 1) {
    std::snprintf(text, sizeof text, " or another one, %llu bytes there",
                  static_cast<unsigned long long>(counts.peerBytes));
    all += text;
  }
  return all + "; the others were " + std::to_string(counts.bytes) + " bytes";
}

static nlohmann::json foundJson(int64_t batches, const rt::UnifiedCache::Found &found) {
  return {{"batches", batches},
          {"rows", found.features.rows},
          {"hits", found.features.here},
          {"of_peers", found.features.ofPeers},
          {"bytes", found.bytes},
          {"edges", found.edges.rows},
          {"edge_hits", found.edges.here},
          {"edges_of_peers", found.edges.ofPeers}};
}

static nlohmann::json countsJson(const rt::HotRows::Counts &counts) {
  return {{"rows", counts.rows},          {"hits", counts.hits},   {"of_peers", counts.ofPeers},
          {"hit_rate", counts.hitRate()}, {"bytes", counts.bytes}, {"peer_bytes", counts.peerBytes}};
}

nlohmann::json planJson(const rt::SampledOnDevice &onDevice) {
  const rt::DeviceSamplesPlan &plan = onDevice.plan();
  nlohmann::json devices = nlohmann::json::array(), groups = nlohmann::json::array();
  for (const std::vector<size_t> &group : plan.groups) {
    groups.emplace_back();
    for (size_t device : group)
      groups.back().push_back(plan.devices[device].name);
  }
  for (size_t d = 0; d < plan.devices.size(); ++d) {
    const rt::DeviceSamplesPlan::OfDevice &of = plan.devices[d];
    devices.push_back({{"device", of.name},
                       {"device_bytes", of.bytes},
                       {"other_bytes", of.others},
                       {"sample_bytes", of.samples},
                       {"evaluation_bytes", of.evaluation},
                       {"kept_bytes", of.kept},
                       {"kept_edge_bytes", of.keptEdges},
                       {"predicted", foundJson(plan.foundBy, of.found)},
                       {"so_far", countsJson(onDevice.counts(d))}});
  }
  nlohmann::json result{{"device_bytes", plan.mostBytes()},
                        {"kept_bytes", plan.kept()},
                        {"kept_edge_bytes", plan.keptEdges()},
                        {"intervals", plan.evaluatedIn},
                        {"batch",
                         {{"rows", plan.rowsOfBatch()},
                          {"hit_rate", plan.found().features.hitRate()},
                          {"bytes_sent", plan.sentOfBatch()}}},
                        {"predicted", foundJson(plan.foundBy, plan.found())},
                        {"so_far", countsJson(onDevice.counts())}};
  for (const char *bytes : {"other_bytes", "sample_bytes", "evaluation_bytes"}) {
    result[bytes] = 0;
    for (const nlohmann::json &device : devices)
      result[bytes] = std::max(result[bytes].get<size_t>(), device[bytes].get<size_t>());
  }
  if (devices.size() > 1)
    result.update({{"groups", std::move(groups)}, {"devices", std::move(devices)}});
  return result;
}

const char *drawnBy(const rt::Sampled &samples) { return samples.drawnOf(0) ? "gpu" : "processor"; }

nlohmann::json drawsJson(const rt::Sampled &samples) {
  const rt::EdgeDraws::Counts counts = samples.drawCounts();
  if (!samples.drawnOf(0))
    return {{"by", drawnBy(samples)}, {"because", samples.whyDrawnHere()}};
  return {{"by", drawnBy(samples)},
          {"rows", counts.rows},
          {"row_hits", counts.keptRows},
          {"edges", counts.edges},
          {"edge_hits", counts.keptEdges},
          {"rows_of_peers", counts.peerRows},
          {"edges_of_peers", counts.peerEdges}};
}

nlohmann::json batchJson(const rt::SampledSteps &steps) {
  const rt::BatchSizes sizes = steps.batchSizes();
  const gnn_library_t &table = steps.context.library.table();
  nlohmann::json rows = nlohmann::json::object(), edges = nlohmann::json::object();
  for (uint32_t type = 0; type < table.num_vertex_types; ++type)
    if (!table.vertex_types[type].is_table)
      rows[table.vertex_types[type].name] = sizes.rows(type);
  for (uint32_t r = 0; r < table.num_relations; ++r)
    if (table.relations[r].kind == GNN_RELATION_EDGES)
      edges[table.relations[r].name] = sizes.edges(r);
  return {{"of_epoch", steps.batches().stepsOfEpoch()}, {"rows", std::move(rows)}, {"edges", std::move(edges)}};
}

} // namespace gnn::train_tool
