//===- TriedPlans.cpp - What sweeps have learned from their first runs ----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/TriedPlans.h"

#include "runtime/src/cpu/CpuEngine.h"

namespace gnn::train_tool {

nlohmann::json triedPlans(const rt::Engine &engine) {
  nlohmann::json tried = nlohmann::json::array();
  const auto *cpu = dynamic_cast<const rt::CpuEngine *>(&engine);
  if (!cpu)
    return tried;
  for (const rt::TriedPlan &plan : cpu->tried().all())
    tried.push_back({{"program", plan.program},
                     {"kernel", plan.kernel},
                     {"partitions", plan.partitions},
                     {"passes", plan.passes},
                     {"ways", plan.ways}});
  return tried;
}

std::string triedPlansText(const nlohmann::json &tried) {
  std::string text;
  for (const nlohmann::json &sweep : tried)
    text += sweep["program"].get<std::string>() + " " + sweep["kernel"].get<std::string>() + ": partitions " +
            sweep["partitions"].dump() + ", passes " + sweep["passes"].dump() + ", the fastest of " +
            sweep["ways"].dump() + " ways\n";
  return text;
}

} // namespace gnn::train_tool
