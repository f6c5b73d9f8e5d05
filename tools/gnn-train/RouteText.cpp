//===- RouteText.cpp - What a step takes of links and kernels -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RouteText.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <utility>

namespace gnn::train_tool {

using nlohmann::json;

static std::string secondsText(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g s", seconds);
  return text;
}

/// The link or the kernels that are busy longest: "host -> switch0" or "kernels of cuda:1".
static std::string busiestOf(const rt::RoutePlan &plan) {
  std::string longest = "nothing";
  double most = 0;
  for (const rt::RoutePlan::Use &link : plan.links)
    if (link.seconds > most) {
      most = link.seconds;
      longest = link.name;
    }
  for (size_t device = 0; device < plan.computing.size(); ++device)
    if (plan.computing[device] > most) {
      most = plan.computing[device];
      longest = "kernels of cuda:" + std::to_string(device);
    }
  return longest;
}

static json jsonOf(const rt::RoutePlan &plan) {
  json links = json::array();
  for (const rt::RoutePlan::Use &link : plan.links)
    links.push_back({{"link", link.name}, {"bytes", link.bytes}, {"seconds", link.seconds}});
  return {{"seconds", plan.seconds},
          {"host_bytes", plan.hostBytes},
          {"links", std::move(links)},
          {"kernels", plan.computing},
          {"binds", busiestOf(plan)}};
}

/// Of the routes that were rehearsed, against the others.
static std::string because(const std::vector<rt::RoutePlan> &plans, rt::ColRoute chosen) {
  const rt::RoutePlan &best = rt::bestOf(plans);
  if (best.route != chosen)
    return "--comm asks for it; " + std::string(rt::nameOf(best.route)) + " would be shorter, or move less";
  std::string others;
  bool isShortest = true;
  for (const rt::RoutePlan &plan : plans)
    if (plan.route != chosen) {
      others +=
          (others.empty() ? "" : ", ") + std::string(rt::nameOf(plan.route)) + " takes " + secondsText(plan.seconds);
      isShortest = isShortest && best.seconds <= plan.seconds;
    }
  return (isShortest ? "it is the shortest: " : "it is within a hundredth of the shortest, and moves less: ") + others;
}

static const rt::RoutePlan &of(const std::vector<rt::RoutePlan> &plans, rt::ColRoute route) {
  return *std::find_if(plans.begin(), plans.end(), [&](const rt::RoutePlan &plan) { return plan.route == route; });
}

/// What a run reads and writes of files, one after the other.
static void addFiles(json &run, const rt::Spill::Traffic &traffic, const rt::DiskRates &disk) {
  double seconds = 0, longest = 0;
  for (unsigned kind = 0; kind < rt::Spill::numKinds; ++kind)
    seconds += double(traffic.read[kind]) / disk.reads + double(traffic.written[kind]) / disk.writes;
  for (const json &link : run["links"])
    longest = std::max(longest, link["seconds"].get<double>());
  for (double kernels : run["kernels"])
    longest = std::max(longest, kernels);
  run["file"] = seconds;
  if (seconds > longest)
    run["binds"] = "the file";
}

json routesJson(const rt::WithinMemory &within, bool trains, const rt::DiskRates *disk) {
  const std::vector<rt::RoutePlan> plans = within.streamed(0).routePlans(disk);
  const rt::ColRoute chosen = within.streamed(0).route();
  json routes{{"step", jsonOf(of(plans, chosen))}};
  if (plans.size() > 1) {
    routes["chosen"] = rt::nameOf(chosen);
    routes["because"] = because(plans, chosen);
    for (const rt::RoutePlan &plan : plans)
      routes["routes"][rt::nameOf(plan.route)] = jsonOf(plan);
  }
  if (trains)
    routes["evaluation"] = jsonOf(of(within.streamed(1).routePlans(disk), within.streamed(1).route()));
  if (!disk)
    return routes;
  routes["disk_reads"] = disk->reads;
  routes["disk_writes"] = disk->writes;
  addFiles(routes["step"], within.streamed(0).traffic().below, *disk);
  if (trains)
    addFiles(routes["evaluation"], within.streamed(1).traffic().below, *disk);
  return routes;
}

json topologyJson(const rt::Topology &topology) {
  json links = json::array();
  for (const rt::Topology::Link &link : topology.links())
    links.push_back({{"from", topology.name(link.from)},
                     {"to", topology.name(link.to)},
                     {"GB/s", link.rate / 1e9},
                     {"us", link.latency * 1e6}});
  json peers = json::array();
  for (size_t device = 0; device < topology.numDevices(); ++device)
    for (size_t other = 0; other < device; ++other)
      if (topology.reaches(device, other))
        peers.push_back({"cuda:" + std::to_string(other), "cuda:" + std::to_string(device)});
  return {{"links", std::move(links)}, {"peers", std::move(peers)}};
}

void printRoutes(const json &routes) {
  const char *found = "topology";
  for (const json &link : routes.value("topology", json::object()).value("links", json::array()))
    std::printf("%-11s %s -> %s: %g GB/s\n", std::exchange(found, ""), link["from"].get<std::string>().c_str(),
                link["to"].get<std::string>().c_str(), link["GB/s"].get<double>());
  const json &step = routes["step"];
  std::printf("%-11s a step: %s\n", "predicted", secondsText(step["seconds"]).c_str());
  if (routes.contains("evaluation"))
    std::printf("%-11s an evaluation: %s\n", "", secondsText(routes["evaluation"]["seconds"]).c_str());
  std::printf("%-11s what binds: %s\n", "", step["binds"].get<std::string>().c_str());
  if (step.contains("file"))
    std::printf("%-11s the file: %s, of a disk that reads %.0f MB/s and writes %.0f MB/s\n", "",
                secondsText(step["file"]).c_str(), routes["disk_reads"].get<double>() / 1e6,
                routes["disk_writes"].get<double>() / 1e6);
  if (routes.contains("chosen"))
    std::printf("%-11s %s: %s\n", "comm", routes["chosen"].get<std::string>().c_str(),
                routes["because"].get<std::string>().c_str());
  const char *title = "links";
  for (const json &link : step["links"])
    std::printf("%-11s %s: %" PRIu64 " bytes, %s\n", std::exchange(title, ""), link["link"].get<std::string>().c_str(),
                link["bytes"].get<uint64_t>(), secondsText(link["seconds"]).c_str());
  title = "kernels";
  for (size_t device = 0; device < step["kernels"].size(); ++device)
    std::printf("%-11s GPU %zu: %s\n", std::exchange(title, ""), device, secondsText(step["kernels"][device]).c_str());
}

} // namespace gnn::train_tool
