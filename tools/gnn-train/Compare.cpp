//===- Compare.cpp - Several runs side by side ----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the files config.json and summary.json of each run.
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Compare.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/io/Json.h"
#include "support/Process.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>

namespace gnn::train_tool {

namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// Cells of a run, by column.
using Row = std::map<std::string, std::string>;

json readJson(const std::string &path) {
  json object = rt::parseJson(rt::readFile(path).span(), path);
  rt::require(object.is_object(), GNN_ERROR_DATA, path, ": expected an object");
  return object;
}

/// Settings as they are, so that those which differ do so in the table; metrics with four digits.
std::string cellOf(const json &value, bool isMetric = false) {
  if (isMetric && value.is_number_float()) {
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value.get<double>());
    return text;
  }
  return value.is_null() ? "-" : value.is_string() ? value.get<std::string>() : value.dump();
}

/// Folders of runs: a folder with several seeds has one for each.
std::vector<std::string> runsIn(const std::vector<std::string> &folders) {
  std::vector<std::string> runs;
  for (const std::string &folder : folders) {
    std::error_code error;
    std::vector<std::string> seeds;
    if (!fs::exists(folder + "/config.json", error))
      for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (std::error_code unknown; fs::exists(entry->path() / "config.json", unknown))
          seeds.push_back(entry->path().string());
    std::sort(seeds.begin(), seeds.end());
    seeds.empty() ? runs.push_back(folder) : void(runs.insert(runs.end(), seeds.begin(), seeds.end()));
  }
  return runs;
}

/// Model, data, dimensions and settings of a run.
Row settingsOf(const std::string &run) {
  const std::string path = run + "/config.json";
  const json config = readJson(path);
  Row row;
  try {
    row["model"] = cellOf(config.at("model").at("name"));
    row["data"] = cellOf(config.at("data").at("path"));
    for (const char *part : {"dims", "settings"})
      for (const auto &[name, value] : config.at(part).items())
        if (name != "run_dir" && name != "data")
          row[name] = cellOf(value);
  } catch (const json::exception &error) {
    rt::fail(GNN_ERROR_DATA, path, ": not as gnn-train writes it: ", error.what());
  }
  return row;
}

/// Epochs and metrics; none of a run that has not ended. `val` gets the loss of validation, if there is one.
Row resultsOf(const std::string &run, std::optional<double> &val) {
  const std::string path = run + "/summary.json";
  std::error_code error;
  if (!fs::exists(path, error))
    return {{"epochs", "not ended"}};
  const json summary = readJson(path);
  Row row{{"epochs", cellOf(summary.value("epochs", json()))},
          {"best epoch", cellOf(summary.value("best_epoch", json()))}};
  for (const char *split : {"val", "test"}) {
    const json metrics = summary.value(split, json::object());
    for (const auto &[name, value] : metrics.items())
      if ((value.is_number() || value.is_null()) && name.rfind("baseline", 0) != 0 && name.rfind("missing", 0) != 0)
        row[std::string(split) + " " + name] = cellOf(value, /*isMetric=*/true);
    if (split == std::string("val") && metrics.contains("loss") && metrics["loss"].is_number())
      val = metrics["loss"].get<double>();
  }
  return row;
}

size_t widthOf(const std::string &text) { // characters, not bytes
  return size_t(std::count_if(text.begin(), text.end(), [](unsigned char c) { return (c & 0xc0) != 0x80; }));
}

void print(const std::vector<std::vector<std::string>> &table) {
  std::vector<size_t> widths(table[0].size());
  for (const auto &row : table)
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], widthOf(row[i]));
  for (const auto &row : table) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      line += row[i] + (i + 1 < row.size() ? std::string(widths[i] - widthOf(row[i]) + 2, ' ') : "");
    std::printf("%s\n", tools::printable(line).c_str());
  }
}

} // namespace

void addCompare(CLI::App &app, CompareOptions &options) {
  CLI::App &command = *app.add_subcommand("compare", "print settings and metrics of several runs side by side");
  command.add_option("runs", options.folders, "the folders of runs")->required()->type_name("FOLDER");
}

int compare(const CompareOptions &options) {
  const std::vector<std::string> runs = runsIn(options.folders);
  std::vector<Row> settings, results;
  std::optional<double> least;
  std::string best;
  for (const std::string &run : runs) {
    std::optional<double> val;
    settings.push_back(settingsOf(run));
    results.push_back(resultsOf(run, val));
    if (val && (!least || *val < *least)) {
      least = val;
      best = run;
    }
  }
  std::vector<std::string> header{"run"};
  std::vector<std::vector<std::string>> table;
  for (const std::string &run : runs)
    table.push_back({run});
  const auto add = [&](const std::vector<Row> &rows, const std::string &column, bool isAlways) {
    std::vector<std::string> cells;
    for (const Row &row : rows)
      cells.push_back(row.count(column) ? row.at(column) : "-");
    if (!isAlways && std::all_of(cells.begin(), cells.end(), [&](const std::string &cell) { return cell == cells[0]; }))
      return;
    header.push_back(column);
    for (size_t i = 0; i < cells.size(); ++i)
      table[i].push_back(cells[i]);
  };
  const auto columnsOf = [](const std::vector<Row> &rows) {
    Row all;
    for (const Row &row : rows)
      all.insert(row.begin(), row.end());
    return all;
  };
  for (const auto &[column, cell] : columnsOf(settings))
    add(settings, column, /*isAlways=*/false);
  add(results, "epochs", /*isAlways=*/true);
  add(results, "best epoch", /*isAlways=*/true);
  for (const char *split : {"val ", "test "})
    for (const auto &[column, cell] : columnsOf(results))
      if (column.rfind(split, 0) == 0)
        add(results, column, /*isAlways=*/true);
  table.insert(table.begin(), header);
  print(table);
  if (least && runs.size() > 1)
    std::printf("least loss of validation: %s\n", tools::printable(best).c_str());
  return 0;
}

} // namespace gnn::train_tool
