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
using rt::option::InRanks;

template <class T> json jsonOf(const T &value) { return value; }
template <class T> json jsonOf(const std::optional<T> &value) { return value ? json(*value) : json(); }
template <class T> void read(const json &from, T &value) { value = from.get<T>(); }
template <class T> void read(const json &from, std::optional<T> &value) {
  value = from.is_null() ? std::nullopt : std::optional<T>(from.get<T>());
}

json jsonOf(const rt::TrainingOptions &options, const rt::TrainingOption &row) {
  return std::visit([&](auto member) { return jsonOf(options.*member); }, row.member);
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
  json shared = json::object();
  for (const rt::TrainingOption &row : rt::trainingOptions()) {
    const std::string flag = row.longFlag();
    if (row.inRanks == InRanks::Own)
      continue;
    if (row.inRanks == InRanks::Same)
      items.push_back({flag, rt::isGiven(asked, row) ? rt::textOf(asked, row) : "none"});
    if (row.inRanks == InRanks::SameContent) {
      const std::string path = rt::textOf(asked, row);
      items.push_back({flag, path.empty() ? "none" : std::to_string(rt::checksum(rt::readFile(path).span()))});
      continue;
    }
    shared[flag] = jsonOf(options, row);
  }
  comm.agree(items);
  shared = json::parse(comm.broadcast(comm.rank() == 0 ? textOf(shared) : "", "the options of rank 0"));
  for (const rt::TrainingOption &row : rt::trainingOptions())
    if (row.inRanks == InRanks::Same || (row.inRanks == InRanks::Inherited && !rt::isGiven(options, row)))
      std::visit([&](auto member) { read(shared[row.longFlag()], options.*member); }, row.member);
}

} // namespace gnn::train_tool
