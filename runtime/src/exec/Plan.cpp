//===- Plan.cpp - How a program goes over a graph -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/Plan.h"

#include "runtime/src/core/Checksum.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/Json.h"
#include "runtime/src/program/Fold.h"

namespace gnn::rt {

namespace {

std::string orderName(const VertexOrder *order) {
  if (!order || order->id.empty())
    return "ids";
  const uint64_t sum = checksum({reinterpret_cast<const char *>(order->id.data()), order->id.size() * sizeof(int64_t)});
  return "checksum " + std::to_string(sum);
}

nlohmann::json jsonOf(const Plan &plan) {
  nlohmann::json json = {{"version", Plan::version}, {"executor", plan.executor}, {"samples", plan.samples},
                         {"orders", plan.orders},    {"folds", plan.folds},       {"inputs", plan.inputs}};
  if (!plan.program.empty())
    json["program"] = plan.program;
  if (!plan.products.empty())
    json["products"] = plan.products;
  return json;
}

} // namespace

Plan Plan::of(const Library &library, const Binding &binding, const Executor &executor) {
  Plan plan;
  plan.executor = executor.name();
  if (library.programs(executor.walked().kind).size() > 1)
    plan.program = executor.walked().name;
  if (library.roundsProducts())
    plan.products = "bf16";
  for (uint32_t t = 0; t < library.table().num_vertex_types; ++t)
    plan.orders[library.table().vertex_types[t].name] = orderName(binding.order(t));
  plan.folds = {{"segment", GNN_SEGMENT_LENGTH},
                {"slot", GNN_SLOT_ROWS},
                {"least product slot", leastPartialRows},
                {"product slots", maxPartials}};
  for (const gnn_tensor_info_t &info : library.tensors())
    if (info.role == GNN_ROLE_INPUT)
      plan.inputs[info.name] = std::string("dense ") + elementName(info.element);
    else if (info.role == GNN_ROLE_WEIGHTS)
      plan.inputs[library.relation(info.source).name] = std::string("sparse ") + elementName(info.element);
  return plan;
}

std::string Plan::json() const { return jsonOf(*this).dump(); }

Plan Plan::parse(const std::string &text, const std::string &file) {
  const nlohmann::json json = parseJson({text.data(), text.size()}, file);
  Plan plan;
  try {
    const int64_t written = json.at("version").get<int64_t>();
    require(written == version, GNN_ERROR_VERSION, file, " has a plan of version ", written, "; this runtime knows ",
            version);
    json.at("executor").get_to(plan.executor);
    plan.program = json.value("program", "");
    plan.products = json.value("products", "");
    json.at("samples").get_to(plan.samples);
    json.at("orders").get_to(plan.orders);
    json.at("folds").get_to(plan.folds);
    json.at("inputs").get_to(plan.inputs);
  } catch (const nlohmann::json::exception &error) {
    fail(GNN_ERROR_DATA, file, " has a plan that is none: ", error.what());
  }
  return plan;
}

void Plan::requireSame(const Plan &before, const std::string &file) const {
  const nlohmann::json mine = jsonOf(*this).flatten(), theirs = jsonOf(before).flatten();
  auto valueOf = [](const nlohmann::json &plan, const std::string &key) {
    return plan.contains(key) ? plan.at(key).dump() : std::string("missing");
  };
  for (const nlohmann::json *keys : {&mine, &theirs})
    for (const auto &[key, value] : keys->items())
      require(valueOf(mine, key) == valueOf(theirs, key), GNN_ERROR_MISMATCH, file,
              " is of a run that would not go on with the same numbers: in its plan ", key.substr(1), " is ",
              valueOf(theirs, key), ", here it is ", valueOf(mine, key));
}

} // namespace gnn::rt
