//===- PlanShape.cpp - What ranks would do, without any data --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/program/InputForms.h"
#include "tools/gnn-train/Problem.h"
#include "tools/gnn-train/ShapeText.h"

#include <cstdio>
#include <functional>
#include <utility>

namespace gnn::train_tool {

namespace {

using nlohmann::json;

const char *whatBinds(const RankPlan &plan) {
  const auto &[reading, computing, sending] = plan.seconds;
  return sending >= std::max(reading, computing) ? sending > 0 ? "sending" : "nothing"
         : reading > computing                   ? "reading"
                                                 : "computing";
}

json jsonOf(const RankPlan &plan) {
  const RankPlan::Memory &memory = plan.memory;
  const RankPlan::Sent &sent = plan.sent;
  return {{"ranks", plan.ranks},
          {"intervals", plan.intervals},
          {"memory",
           {{"inputs", memory.inputs},
            {"edges", memory.edges},
            {"parameters", memory.parameters},
            {"steps", memory.steps},
            {"exchange", memory.exchange},
            {"together", memory.all()}}},
          {"sent",
           {{"vertex_tables", sent.vertexTables},
            {"edge_tables", sent.edgeTables},
            {"totals", sent.totals},
            {"agreement", sent.agreement},
            {"together", sent.all()}}},
          {"files", {{"read", plan.read}, {"written", plan.written}}},
          {"seconds",
           {{"reading", plan.seconds.reading},
            {"computing", plan.seconds.computing},
            {"sending", plan.seconds.sending},
            {"epoch", plan.seconds.epoch()}}},
          {"binds", whatBinds(plan)}};
}

json jsonOf(const GraphShape &shape) {
  json vertices = json::object(), edges = json::object();
  const gnn_library_t &table = shape.library().table();
  for (uint32_t t = 0; t < table.num_vertex_types; ++t)
    if (!table.vertex_types[t].is_table)
      vertices[table.vertex_types[t].name] = shape.rows(t);
  for (uint32_t r = 0; r < table.num_relations; ++r)
    if (!rt::isUnread(shape.library(), r))
      edges[table.relations[r].name] = shape.edges(r);
  return {{"vertices", std::move(vertices)}, {"edges", std::move(edges)}};
}

json jsonOf(const Machine &machine) {
  json rates = json::object();
  for (auto [name, rate] :
       {std::pair("disk", machine.rates.disk), std::pair("link", machine.rates.link),
        std::pair("memory", machine.rates.memory), std::pair("arithmetic", machine.rates.arithmetic)})
    rates[name] = {{"rate", rate}, {"from", machine.stated.count(name) ? "--machine" : "default"}};
  return rates;
}

/// Three digits and the largest unit of which there is one.
std::string scaled(double number, const char *unit) {
  const char *prefixes[] = {"", "k", "M", "G", "T", "P"};
  size_t at = 0;
  for (; number >= 999.5 && at + 1 < std::size(prefixes); ++at)
    number /= 1000;
  char text[64];
  std::snprintf(text, sizeof text, "%.*f %s%s",
                at == 0 || number >= 99.95 ? 0
                : number >= 9.995          ? 1
                                           : 2,
                number, prefixes[at], unit);
  return text;
}

std::string bytesText(const json &bytes) { return scaled(bytes.get<double>(), "B"); }

std::string secondsText(const json &seconds) {
  char text[32];
  const double number = seconds.get<double>();
  std::snprintf(text, sizeof text,
                number == 0     ? "0 s"
                : number < 0.01 ? "%.1e s"
                : number < 10   ? "%.2f s"
                                : "%.0f s",
                number);
  return text;
}

/// A line with a column for each number of ranks.
void line(const json &plans, const std::string &title, const std::function<std::string(const json &)> &textOf) {
  std::printf("%-26s", title.c_str());
  for (const json &plan : plans)
    std::printf(" %10s", textOf(plan).c_str());
  std::printf("\n");
}

void lines(const json &plans, const char *title, const char *part,
           const std::vector<std::pair<const char *, const char *>> &names, std::string (*text)(const json &)) {
  std::printf("%s\n", title);
  for (auto [key, name] : names)
    line(plans, std::string("  ") + name, [&, of = key](const json &plan) { return text(plan.at(part).at(of)); });
}

void print(const json &result) {
  std::printf("%s on a graph of this shape: @train and @evaluate, on paper\n",
              result["model"].get<std::string>().c_str());
  for (const char *kind : {"vertices", "edges"})
    for (const auto &[name, number] : result["shape"][kind].items())
      std::printf("%-10s %s: %s\n", kind, name.c_str(), number.dump().c_str());
  for (const auto &[name, rate] : result["machine"].items())
    std::printf("machine    %s: %s (%s)\n", name.c_str(),
                scaled(rate["rate"].get<double>(), name == "arithmetic" ? " operations/s" : "B/s").c_str(),
                rate["from"].get<std::string>().c_str());
  const json &plans = result["plans"];
  std::printf("\n");
  line(plans, "ranks", [](const json &plan) { return plan["ranks"].dump(); });
  line(plans, "intervals of vertices", [](const json &plan) { return plan["intervals"].dump(); });
  lines(plans, "memory of a rank", "memory",
        {{"inputs", "inputs and targets"},
         {"edges", "edges"},
         {"parameters", "parameters"},
         {"steps", "what steps make"},
         {"exchange", "buffers between ranks"},
         {"together", "together"}},
        bytesText);
  lines(plans, "all ranks send an epoch", "sent",
        {{"vertex_tables", "rows of vertices"},
         {"edge_tables", "numbers of edges"},
         {"totals", "totals"},
         {"agreement", "whether to stop"},
         {"together", "together"}},
        bytesText);
  lines(plans, "files of a rank, an epoch", "files", {{"read", "read"}, {"written", "written"}}, bytesText);
  lines(plans, "seconds of an epoch", "seconds",
        {{"reading", "reading and writing"}, {"computing", "computing"}, {"sending", "sending"}, {"epoch", "together"}},
        secondsText);
  line(plans, "what binds", [](const json &plan) { return plan["binds"].get<std::string>(); });
}

} // namespace

int planShape(const PlanOptions &options) {
  const std::shared_ptr<const rt::Library> library =
      libraryOfShape(rt::Library::open(options.model, options.isa), options.shape);
  rt::Dims dims(library);
  bindFromCommandLine(dims, options.dims);
  const GraphShape shape = parseShape(*library, dims, options.shape);
  const Machine machine = parseMachine(options.machine);
  const ShapePlan planner(shape);
  json plans = json::array();
  for (int ranks : options.rankCounts)
    plans.push_back(jsonOf(planner.over(ranks, options.memoryBytes.value_or(UINT64_MAX), machine.rates)));
  const json result{
      {"model", library->name()}, {"shape", jsonOf(shape)}, {"machine", jsonOf(machine)}, {"plans", std::move(plans)}};
  if (options.json)
    std::printf("%s\n", jsonText(result).c_str());
  else
    print(result);
  return 0;
}

} // namespace gnn::train_tool
