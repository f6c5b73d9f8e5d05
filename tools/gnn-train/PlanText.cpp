//===- PlanText.cpp - A plan for people -----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/PlanText.h"

#include "runtime/src/core/Sizes.h"
#include "tools/gnn-train/Amounts.h"
#include "tools/gnn-train/PredictedTimes.h"
#include "tools/gnn-train/RouteText.h"
#include "tools/gnn-train/RunBytes.h"
#include "tools/gnn-train/TriedPlans.h"

#include <cinttypes>
#include <utility>

namespace gnn::train_tool {

namespace {

void printPart(const char *title, const nlohmann::json &part) {
  for (const auto &[name, value] : part.items()) {
    std::printf("%-11s %s: %s\n", title, name.c_str(),
                value.is_string() ? value.get<std::string>().c_str() : value.dump().c_str());
    title = "";
  }
}

/// What is bound or the model's is listed as tables and bytes.
void print(const RunLayout &layout) {
  const char *title = "sweeps";
  for (const RunLayout::Sweep &sweep : layout.sweeps)
    std::printf("%-11s %u %s over %s to %s: partitions %" PRId64 ", passes %" PRId64 ", hubs %" PRId64 "\n",
                std::exchange(title, ""), sweep.step, sweep.kernel.c_str(), sweep.relation.c_str(),
                sweep.toward.c_str(), sweep.parts.partitions, sweep.parts.passes, sweep.parts.hubs);
  title = "places";
  for (const RunLayout::Place &place : layout.places)
    if (place.in == "arena" || place.in == "lasting")
      std::printf("%-11s %s: %zu bytes at %zu of the %s, steps %" PRId64 "-%" PRId64 "\n", std::exchange(title, ""),
                  place.name.c_str(), place.bytes, place.offset, place.in.c_str(), place.first, place.last);
    else if (place.in == "readers")
      std::printf("%-11s %s: not stored, made where it is read\n", std::exchange(title, ""), place.name.c_str());
}

std::string whole(const nlohmann::json &number) {
  char text[32];
  std::snprintf(text, sizeof text, "%.0f", number.get<double>());
  return text;
}

std::string shareOf(const nlohmann::json &share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share.get<double>());
  return text;
}

void printSamples(const nlohmann::json &plan) {
  printPart("samples", plan["plan"]["samples"]);
  nlohmann::json batch{{"batches of an epoch", plan["batch"]["of_epoch"]}};
  if (plan["batch"].contains("drawn_by"))
    batch["edges are drawn by"] = plan["batch"]["drawn_by"];
  for (const auto &[type, depths] : plan["batch"]["rows"].items()) {
    std::string numbers;
    for (const nlohmann::json &rows : depths)
      numbers += (numbers.empty() ? "" : ", ") + whole(rows);
    batch["rows of " + type] = numbers;
  }
  for (const auto &[relation, edges] : plan["batch"]["edges"].items())
    batch["edges of " + relation] = whole(edges);
  if (!plan.contains("samples"))
    return printPart("a batch", batch);
  const nlohmann::json &within = plan["samples"], &read = within["batch"];
  batch["rows of features that are kept"] = shareOf(read["hit_rate"]);
  if (within.contains("device_bytes")) {
    batch["bytes of features that are sent"] = whole(read["bytes_sent"]);
    printPart("a batch", batch);
    return printPart("bytes", {{"parameters and what belongs to them", within["other_bytes"]},
                               {"batches", within["sample_bytes"]},
                               {"evaluation", within["evaluation_bytes"]},
                               {"rows that are kept", within["kept_bytes"]},
                               {"rows of edges that are kept", within["kept_edge_bytes"]},
                               {"together", within["device_bytes"]}});
  }
  batch["bytes of features"] = whole(read["bytes"]);
  batch["bytes of features that are read"] = whole(read["bytes_read"]);
  if (within.contains("scattered_rows"))
    batch["scattered rows are read by"] = within["scattered_rows"];
  if (read.contains("edge_hit_rate")) {
    batch["rows of edges that are kept"] = shareOf(read["edge_hit_rate"]);
    batch["bytes of edges that are read"] = whole(read["edge_bytes_read"]);
  }
  printPart("a batch", batch);
  nlohmann::json bytes{{"edges", within["edge_bytes"]},
                       {"tables", within["table_bytes"]},
                       {"batches", within["sample_bytes"]},
                       {"evaluation", within["evaluation_bytes"]},
                       {"rows that are kept", within["kept_bytes"]},
                       {"together", within["memory_bytes"]},
                       {"in files", within["file_bytes"]}};
  if (within.contains("kept_edge_bytes"))
    bytes["rows of edges that are kept"] = within["kept_edge_bytes"];
  printPart("bytes", bytes);
}

/// The rows of types of vertices beside what is said of all.
nlohmann::json flatRows(nlohmann::json rows) {
  const nlohmann::json ofTypes = rows.value("rows", nlohmann::json::object());
  rows.erase("rows");
  for (const auto &[type, depths] : ofTypes.items())
    rows["of " + type] = depths;
  return rows;
}

/// A line for people, its name only where it begins something.
void line(const char *name, const std::string &text) { std::printf("  %-10s %s\n", name, text.c_str()); }

std::string parted(const std::vector<std::pair<const char *, uint64_t>> &parts) {
  std::string text;
  for (const auto &[name, bytes] : parts)
    if (bytes > 0)
      text += (text.empty() ? ": " : ", ") + std::string(name) + " " + bytesText(double(bytes));
  return text;
}

/// The numbers of an object under those of the keys that it has.
uint64_t total(const nlohmann::json &numbers, std::initializer_list<const char *> keys) {
  uint64_t sum = 0;
  for (const char *key : keys)
    sum += numbers.value(key, uint64_t(0));
  return sum;
}

void printMemory(const nlohmann::json &plan) {
  if (plan.contains("bytes")) {
    const nlohmann::json &bytes = plan["bytes"];
    return line("memory", bytesText(plan["peak_bytes"].get<double>()) +
                              parted({{"features", sumOf(bytes["tables"])},
                                      {"edges", sumOf(bytes["edges"])},
                                      {"parameters", total(bytes, {"parameters", "moments"})},
                                      {"workspace", bytes["program"].get<uint64_t>()}}));
  }
  if (plan.contains("samples")) {
    const nlohmann::json &within = plan["samples"];
    line(within.contains("device_bytes") ? "GPU memory" : "memory",
         bytesText(plan["peak_bytes"].get<double>()) +
             parted({{"batches", within["sample_bytes"].get<uint64_t>()},
                     {"rows that are kept", total(within, {"kept_bytes", "kept_edge_bytes"})},
                     {"evaluation", within["evaluation_bytes"].get<uint64_t>()}}));
    return;
  }
  const nlohmann::json &stream = plan["stream"];
  if (stream.contains("device_bytes"))
    line("GPU memory", bytesText(stream["device_bytes"].get<double>()));
  std::string ahead;
  if (const uint64_t bytes = total(stream, {"look_ahead_bytes"}); bytes > 0)
    ahead = ", of it " + bytesText(double(bytes)) + " to load ahead";
  line("memory", bytesText(stream.contains("memory_bytes") ? stream["memory_bytes"].get<double>()
                                                           : stream["host_bytes"].get<double>()) +
                     ahead);
}

/// An average batch: rows of each type of vertices, depth by depth from the seeds on, and edges of each relation.
void printBatch(const nlohmann::json &plan) {
  if (!plan.contains("batch"))
    return;
  const nlohmann::json &batch = plan["batch"];
  std::string text;
  for (const auto &[type, depths] : batch["rows"].items()) {
    text += (text.empty() ? "" : "; ") + type + " ";
    for (size_t depth = 0; depth < depths.size(); ++depth)
      text += (depth ? ", " : "") + whole(depths[depth]);
  }
  for (const auto &[relation, edges] : batch["edges"].items())
    text += "; " + whole(edges) + " edges " + relation;
  if (plan.contains("samples"))
    text += "; " + shareOf(plan["samples"]["batch"]["hit_rate"]) + " of the rows of features are kept";
  line("a batch", text);
}

void printFiles(const nlohmann::json &plan) {
  if (plan.contains("samples") && plan["samples"].contains("file_bytes")) {
    const nlohmann::json &within = plan["samples"], &batch = within["batch"];
    if (const uint64_t bytes = total(within, {"file_bytes"}); bytes > 0)
      line("files", bytesText(double(bytes)) + "; a batch reads " +
                        bytesText(batch["bytes_read"].get<double>() + batch.value("edge_bytes_read", 0.0)));
    return;
  }
  if (!plan.contains("stream"))
    return;
  const nlohmann::json &stream = plan["stream"], &step = stream["step"];
  if (const uint64_t sent = total(step, {"tables_to_device", "edges_to_device"}); sent > 0)
    line("sent", "a step sends " + bytesText(double(sent)) + " to the GPU and gets back " +
                     bytesText(double(total(step, {"tables_to_host"}))));
  if (const uint64_t bytes = total(stream, {"file_bytes", "data_bytes"}); bytes > 0)
    line("files", bytesText(double(bytes)) + "; a step reads " +
                      bytesText(double(total(step, {"tables_read", "edges_read"}))) + " and writes " +
                      bytesText(double(total(step, {"tables_written"}))));
}

void printTimes(const nlohmann::json &plan) {
  if (!plan.contains("times"))
    return;
  const nlohmann::json &times = plan["times"];
  if (times.contains("failed"))
    return line("a step", "not known: " + times["failed"].get<std::string>());
  const nlohmann::json &step = times["step"];
  std::string text = durationText(step["seconds"]);
  if (step.contains("load"))
    text += " (load " + durationText(step["load"]) + ", compute " + durationText(step["compute"]) + ", store " +
            durationText(step["store"]) + "); " +
            (times["binds"] == "arithmetic" ? "arithmetic takes longest" : "the file takes longest");
  line("a step", text);
  if (!times.contains("epoch"))
    return;
  const auto steps = times.value("steps", int64_t(1));
  line("an epoch", durationText(times["epoch"]) + ": " + (steps == 1 ? "a step" : std::to_string(steps) + " steps") +
                       (times.contains("evaluation") ? " and an evaluation" : "") + "; " + times["epochs"].dump() +
                       " epochs take " + durationText(times["run"]));
}

} // namespace

void printPlan(const nlohmann::json &plan, const std::string &way) {
  std::printf("%s on %s: %s on %s\n", plan["model"].get<std::string>().c_str(), plan["data"].get<std::string>().c_str(),
              plan["program"] == "train" ? "training" : "inference", plan["device"].get<std::string>().c_str());
  line("way", way);
  printMemory(plan);
  if (plan.contains("least_bytes"))
    line("least", "--memory " + rt::sizeText(plan["least_bytes"].get<uint64_t>()) + " is the least limit that does");
  printBatch(plan);
  printFiles(plan);
  printTimes(plan);
  line("order", plan["order"]["chosen"].get<std::string>() + ": " + plan["order"]["because"].get<std::string>());
  for (const auto &[name, input] : plan["inputs"].items())
    line("input", name + " is " + input["chosen"].get<std::string>() + ": " + input["because"].get<std::string>());
  if (plan.contains("links"))
    printRoutes(plan["links"]);
}

void printInternals(const nlohmann::json &plan, const std::optional<RunLayout> &layout) {
  std::printf("%s on %s: @%s on %s\n", plan["model"].get<std::string>().c_str(),
              plan["data"].get<std::string>().c_str(), plan["program"].get<std::string>().c_str(),
              plan["device"].get<std::string>().c_str());
  std::printf("%-11s %s\n", "executor", plan["plan"]["executor"].get<std::string>().c_str());
  if (plan["plan"].contains("program"))
    std::printf("%-11s %s\n", "program", plan["plan"]["program"].get<std::string>().c_str());
  if (plan["plan"].contains("products"))
    std::printf("%-11s %s\n", "products", plan["products"].get<std::string>().c_str());
  std::printf("%-11s %s: %s\n", "order", plan["order"]["chosen"].get<std::string>().c_str(),
              plan["order"]["because"].get<std::string>().c_str());
  for (const auto &[name, input] : plan["inputs"].items())
    std::printf("%-11s %s is %s: %s\n", "input", name.c_str(), input["chosen"].get<std::string>().c_str(),
                input["because"].get<std::string>().c_str());
  for (const char *part : {"orders", "folds", "inputs"})
    printPart(part, plan["plan"][part]);
  if (plan.contains("batch")) {
    printSamples(plan);
    if (plan.contains("samples"))
      return;
  }
  if (plan.contains("places")) {
    printPart("places", plan["places"]);
    const char *title = "schedule";
    for (const nlohmann::json &line : plan.value("schedule", nlohmann::json::array()))
      std::printf("%-11s %s\n", std::exchange(title, ""), line.get<std::string>().c_str());
    const nlohmann::json &stream = plan["stream"];
    if (!plan.contains("times")) {
      printPart("streamed", {{"intervals of vertices", stream["intervals"]},
                             {"cut by", stream["cut"]},
                             {"bytes of the GPU's memory", stream["device_bytes"]},
                             {"bytes of this machine's memory",
                              stream.value("memory_bytes", stream["host_bytes"].get<uint64_t>())}});
      if (stream.contains("file_bytes"))
        printPart("in files", {{"bytes that are spilled", stream["file_bytes"]},
                               {"bytes of the data", stream["data_bytes"]},
                               {"scattered rows are read by", stream["scattered_rows"]}});
      printPart("a step", stream["step"]);
      return printRoutes(plan["links"]);
    }
    printPart("streamed", {{"intervals of vertices", stream["intervals"]},
                           {"cut by", stream["cut"]},
                           {"bytes of memory", stream["memory_bytes"]},
                           {"bytes of memory for what is loaded ahead", stream["look_ahead_bytes"]},
                           {"bytes of the file", stream["file_bytes"]},
                           {"scattered rows are read by", stream["scattered_rows"]}});
    printPart("a step", stream["step"]);
    return printPart("predicted", timesLines(plan["times"]));
  }
  if (plan.contains("rows"))
    printPart("rows", flatRows(plan["rows"]));
  if (layout) {
    print(*layout);
    const char *title = "trials";
    for (const nlohmann::json &sweep : plan["tried_plans"])
      std::printf("%-11s %s", std::exchange(title, ""), triedPlansText(nlohmann::json::array({sweep})).c_str());
  }
  const nlohmann::json &bytes = plan["bytes"];
  printPart("tables", bytes["tables"]);
  printPart("edges", bytes["edges"]);
  printPart("bytes", {{"tables", sumOf(bytes["tables"])},
                      {"edges", sumOf(bytes["edges"])},
                      {"parameters", bytes["parameters"]},
                      {"moments of the optimizer", bytes["moments"]},
                      {"temporaries and results", bytes["program"]},
                      {"together", plan["peak_bytes"]}});
}

} // namespace gnn::train_tool
