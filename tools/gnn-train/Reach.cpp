//===- Reach.cpp - Which rows steps compute -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Reach.h"

#include <cmath>

namespace gnn::train_tool {

namespace {

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.0f %%", 100 * share);
  return text;
}

/// Why steps are over all rows.
std::string whyAll(const rt::WholeGraphSteps &steps) {
  if (!steps.whyAllRows().empty())
    return steps.whyAllRows();
  if (!steps.reach())
    return "it scores pairs of vertices";
  if (steps.reach()->share() >= rt::Reach::worthwhile)
    return "the loss reaches " + percent(steps.reach()->share()) + " of all rows and edges";
  return "copies of what the loss reaches would take more memory than is saved";
}

} // namespace

nlohmann::json reachJson(const rt::WholeGraphSteps &steps) {
  nlohmann::json json{{"steps", steps.areRowsReached() ? "reached" : "all"}};
  if (!steps.areRowsReached())
    json["why"] = whyAll(steps);
  if (!steps.reach())
    return json;
  const rt::Reach &reach = *steps.reach();
  const gnn_library_t &library = steps.context.library.table();
  json["share"] = std::round(reach.share() * 1e4) / 1e4;
  for (uint32_t type = 0; type < library.num_vertex_types; ++type)
    for (int32_t depth = 0; depth <= reach.deepest() && !library.vertex_types[type].is_table; ++depth)
      json["rows"][library.vertex_types[type].name].push_back(reach.rows(depth, type));
  return json;
}

std::string reachText(const rt::WholeGraphSteps &steps) {
  return "steps over what the loss reaches: " + percent(steps.reach()->share()) + " of all rows and edges";
}

} // namespace gnn::train_tool
