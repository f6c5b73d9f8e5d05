//===- TriedPlans.cpp - What sweeps have learned from their first runs ----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/TriedPlans.h"

namespace gnn::train_tool {

nlohmann::json triedPlans(const rt::Engine &engine) {
  nlohmann::json tried = nlohmann::json::array();
  for (const rt::TriedPlan &plan : engine.report().triedPlans) {
    nlohmann::json &sweep = tried.emplace_back();
    sweep = {{"program", plan.program}, {"kernel", plan.kernel}};
    for (const rt::TriedPlan::Way &way : plan.ways) {
      nlohmann::json &listed = sweep["ways"].emplace_back();
      listed = {{"partitions", way.partitions}, {"passes", way.passes}};
      if (plan.taken)
        listed["ms"] = way.seconds * 1e3;
    }
    if (plan.taken)
      sweep["taken"] = *plan.taken;
  }
  return tried;
}

/// "partitions 4, passes 1: 3.21 ms, taken"
static std::string wayText(const nlohmann::json &way, bool isTaken) {
  std::string text = "partitions " + way["partitions"].dump() + ", passes " + way["passes"].dump();
  if (!way.contains("ms"))
    return text;
  char ms[32];
  std::snprintf(ms, sizeof ms, ": %.3f ms", way["ms"].get<double>());
  return text + ms + (isTaken ? ", taken" : "");
}

std::string triedPlansText(const nlohmann::json &tried) {
  std::string text;
  for (const nlohmann::json &sweep : tried) {
    text += sweep["program"].get<std::string>() + " " + sweep["kernel"].get<std::string>() + " tries ";
    for (size_t i = 0; i < sweep["ways"].size(); ++i)
      text += (i ? "; " : "") + wayText(sweep["ways"][i], sweep.value("taken", sweep["ways"].size()) == i);
    text += "\n";
  }
  return text;
}

} // namespace gnn::train_tool
