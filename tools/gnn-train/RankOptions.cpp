//===- RankOptions.cpp - What ranks are asked for -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RankOptions.h"

#include "runtime/src/comm/Comm.h"
#include "runtime/src/core/Checksum.h"
#include "runtime/src/io/FileSystem.h"

#include <nlohmann/json.hpp>

namespace gnn::train_tool {

namespace {

using nlohmann::json;

/// Calls `visit` with the name and the value of each option that decides the numbers.
template <class Options, class Visit> void forShared(Options &options, Visit visit) {
  visit("--dim", options.dims);
  visit("--order", options.order);
  visit("--inputs", options.inputs);
  visit("--intervals", options.intervals);
  visit("--cut", options.cut);
  visit("--fanout", options.fanOuts);
  visit("--batch", options.batch);
  visit("--sampler", options.sampler);
  visit("--shares", options.shares);
  visit("--no-evaluation", options.noEvaluation);
  visit("--isa", options.isa);
  visit("--runs", options.runs);
  visit("--negatives", options.negatives);
  visit("--epochs", options.epochs);
  visit("--patience", options.patience);
  visit("--seed", options.seed);
  visit("--lr", options.learningRate);
  visit("--weight-decay", options.weightDecay);
  visit("--optimizer", options.optimizer);
  visit("--schedule", options.regimen.schedule);
  visit("--warm-up", options.regimen.warmUp);
  visit("--clip", options.regimen.clip);
  visit("--class-weights", options.regimen.classWeights);
  visit("--monitor", options.regimen.monitor);
}

template <class T> json jsonOf(const T &value) { return value; }
template <class T> json jsonOf(const std::optional<T> &value) { return value ? json(*value) : json(); }
template <class T> void read(const json &from, T &value) { value = from.get<T>(); }
template <class T> void read(const json &from, std::optional<T> &value) {
  value = from.is_null() ? std::nullopt : std::optional<T>(from.get<T>());
}

std::string textOf(const json &value) {
  return value.dump(-1, ' ', /*ensure_ascii=*/false, json::error_handler_t::replace);
}

} // namespace

TrainOptions optionsOfRank(TrainOptions asked, rt::Comm &comm) {
  asked.comm = &comm;
  if (comm.rank() == 0)
    return asked;
  asked.runFolder.clear();
  asked.keepsNothing = true;
  asked.resume = asked.existOk = false;
  return asked;
}

void shareOptions(rt::Comm &comm, const TrainOptions &asked, TrainOptions &options) {
  std::vector<rt::Comm::Item> items{{"version of gnn-train", GNN_TRAIN_VERSION},
                                    {"library", std::to_string(rt::checksum(rt::readFile(options.model).span()))}};
  items.push_back(
      {"--weights", asked.weights.empty() ? "none" : std::to_string(rt::checksum(rt::readFile(asked.weights).span()))});
  items.push_back({"--comm", asked.route.empty() ? "none" : asked.route});
  forShared(asked, [&](const char *name, const auto &value) {
    const json said = jsonOf(value);
    items.push_back({name, said.is_null() ? "none" : textOf(said)});
  });
  comm.agree(items);
  json shared = json::object();
  forShared(options, [&](const char *name, const auto &value) { shared[name] = jsonOf(value); });
  shared["data"] = options.data;
  shared["device"] = options.device;
  shared["memory"] = jsonOf(options.memoryBytes);
  shared["device_memory"] = jsonOf(options.deviceBytes);
  shared["spill"] = options.spillFolder;
  shared = json::parse(comm.broadcast(comm.rank() == 0 ? textOf(shared) : "", "the options of rank 0"));
  forShared(options, [&](const char *name, auto &value) { read(shared[name], value); });
  if (options.data.empty())
    options.data = shared["data"];
  if (options.device.empty())
    options.device = shared["device"];
  if (!options.memoryBytes)
    read(shared["memory"], options.memoryBytes);
  if (!options.deviceBytes)
    read(shared["device_memory"], options.deviceBytes);
  if (options.spillFolder.empty())
    options.spillFolder = shared["spill"];
}

} // namespace gnn::train_tool
