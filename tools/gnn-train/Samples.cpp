//===- Samples.cpp - Training on samples, as it is said -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Samples.h"

#include "runtime/src/comm/Comm.h"
#include "runtime/src/train/SampledOnDevice.h"

namespace gnn::train_tool {

std::optional<rt::Sampling> samplingFor(const ProblemOptions &options) {
  if (options.fanOuts.empty())
    return std::nullopt;
  std::string lists;
  for (const std::string &list : options.fanOuts)
    lists += (lists.empty() ? "" : " ") + list;
  return rt::Sampling{rt::FanOuts(lists, "--fanout"),
                      options.batch.value_or(rt::Sampling().batch),
                      rt::Drawing::parse(options.sampler.empty() ? "uniform" : options.sampler, "--sampler"),
                      options.ahead,
                      {options.shares.value_or(options.comm ? options.comm->size() : 1), options.comm},
                      !options.noEvaluation};
}

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
  return text + evaluatedText(plan.evaluatedIn);
}

std::string readText(const rt::SampledWithin &within) {
  const rt::PagedRows::Counts counts = within.counts();
  char text[200];
  std::snprintf(text, sizeof text,
                "of %llu rows of features %.1f %% were in memory; the others were %llu bytes in %llu reads",
                static_cast<unsigned long long>(counts.rows), 100 * counts.hitRate(),
                static_cast<unsigned long long>(counts.bytes), static_cast<unsigned long long>(counts.reads));
  return text;
}

nlohmann::json planJson(const rt::SampledWithin &within) {
  const rt::SampledPlan &plan = within.plan();
  const rt::PagedRows::Counts counts = within.counts();
  return {{"memory_bytes", plan.bytes},
          {"edge_bytes", plan.edges},
          {"table_bytes", plan.tables},
          {"sample_bytes", plan.samples},
          {"evaluation_bytes", plan.evaluation},
          {"kept_bytes", plan.kept},
          {"file_bytes", plan.fileBytes},
          {"intervals", plan.evaluatedIn},
          {"scattered_rows", within.readsTogether() ? "io_uring" : "pread"},
          {"batch",
           {{"rows", plan.rowsOfBatch},
            {"bytes", plan.bytesOfBatch},
            {"hit_rate", plan.hitRate},
            {"bytes_read", plan.readOfBatch}}},
          {"so_far",
           {{"rows", counts.rows}, {"hit_rate", counts.hitRate()}, {"reads", counts.reads}, {"bytes", counts.bytes}}}};
}

std::string planText(const rt::SampledOnDevice &onDevice) {
  const rt::DeviceSamplesPlan &plan = onDevice.plan();
  char text[300];
  std::snprintf(
      text, sizeof text,
      "features in memory of this machine: %zu bytes of the GPU's, %zu of them for rows that are read most; of "
      "%.0f rows of a batch %.1f %% will be there",
      plan.bytes, plan.kept, plan.rowsOfBatch(), 100 * plan.found.features.hitRate());
  return text + evaluatedText(plan.evaluatedIn);
}

std::string readText(const rt::SampledOnDevice &onDevice) {
  const rt::HotRows::Counts &counts = onDevice.counts();
  char text[200];
  std::snprintf(text, sizeof text, "of %llu rows of features %.1f %% were on the GPU; the others were %llu bytes",
                static_cast<unsigned long long>(counts.rows), 100 * counts.hitRate(),
                static_cast<unsigned long long>(counts.bytes));
  return text;
}

nlohmann::json planJson(const rt::SampledOnDevice &onDevice) {
  const rt::DeviceSamplesPlan &plan = onDevice.plan();
  const rt::UnifiedCache::Use &found = plan.found.features;
  const rt::HotRows::Counts &counts = onDevice.counts();
  return {{"device_bytes", plan.bytes},
          {"other_bytes", plan.others},
          {"sample_bytes", plan.samples},
          {"evaluation_bytes", plan.evaluation},
          {"kept_bytes", plan.kept},
          {"intervals", plan.evaluatedIn},
          {"batch", {{"rows", plan.rowsOfBatch()}, {"hit_rate", found.hitRate()}, {"bytes_sent", plan.sentOfBatch()}}},
          {"predicted",
           {{"batches", plan.foundBy}, {"rows", found.rows}, {"hits", found.here}, {"bytes", plan.found.bytes}}},
          {"so_far",
           {{"rows", counts.rows}, {"hits", counts.hits}, {"hit_rate", counts.hitRate()}, {"bytes", counts.bytes}}}};
}

nlohmann::json batchJson(rt::Session &session, const rt::Library &library) {
  const rt::BatchSizes sizes = session.batchSizes();
  const gnn_library_t &table = library.table();
  nlohmann::json rows = nlohmann::json::object(), edges = nlohmann::json::object();
  for (uint32_t type = 0; type < table.num_vertex_types; ++type)
    if (!table.vertex_types[type].is_table)
      rows[table.vertex_types[type].name] = sizes.rows(type);
  for (uint32_t r = 0; r < table.num_relations; ++r)
    if (table.relations[r].kind == GNN_RELATION_EDGES)
      edges[table.relations[r].name] = sizes.edges(r);
  return {{"of_epoch", session.batches().stepsOfEpoch()}, {"rows", std::move(rows)}, {"edges", std::move(edges)}};
}

} // namespace gnn::train_tool
