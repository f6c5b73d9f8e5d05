//===- Report.cpp - A run as a page ---------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Report.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/io/Json.h"
#include "tools/gnn-train/Chart.h"
#include "tools/gnn-train/StepsDrawing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <sstream>

namespace gnn::train_tool {

namespace {

using nlohmann::json;

constexpr const char *style = R"(
body { font: 15px/1.5 sans-serif; color: #222; max-width: 60em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.6em; } h2 { font-size: 1.2em; margin-top: 2em; }
table { border-collapse: collapse; } td, th { padding: 0.2em 0.8em; border-bottom: 1px solid #ddd; text-align: right; }
td:first-child, th:first-child { text-align: left; } td.right { background: #e5f4dc; }
svg { max-width: 46em; width: 100%; } .charts svg { max-width: 29em; }
)";

json readJson(const std::string &file) {
  const rt::FileBytes bytes = rt::readFile(file);
  return rt::parseJson({bytes.data, bytes.size}, file);
}

std::vector<json> readLines(const std::string &file) {
  const rt::FileBytes bytes = rt::readFile(file);
  std::istringstream stream(std::string(bytes.data, bytes.size));
  std::vector<json> lines;
  for (std::string line; std::getline(stream, line);)
    lines.push_back(rt::parseJson({line.data(), line.size()}, file));
  return lines;
}

std::string number(const json &value, const char *format = "%.4f") {
  if (!value.is_number())
    return value.is_null() ? "none" : escaped(value.is_string() ? value.get<std::string>() : value.dump());
  if (value.is_number_integer())
    return value.dump();
  char text[40];
  std::snprintf(text, sizeof text, format, value.get<double>());
  return text;
}

std::string row(const std::vector<std::string> &cells, const char *tag = "td") {
  std::string html = "<tr>";
  for (const std::string &cell : cells)
    html += std::string("<") + tag + ">" + cell + "</" + tag + ">";
  return html + "</tr>\n";
}

std::string heading(const char *text) { return std::string("<h2>") + text + "</h2>\n"; }

/// Of each object below an object: a row, with a column for each number that one of them has.
std::string metricsTable(const json &summary) {
  std::vector<std::string> splits, names;
  for (const char *split : {"train", "val", "test"})
    if (summary.contains(split)) {
      splits.push_back(split);
      for (const auto &[name, value] : summary[split].items())
        if (!value.is_array() && std::find(names.begin(), names.end(), name) == names.end())
          names.push_back(name);
    }
  std::vector<std::string> head{"split"};
  for (const std::string &name : names)
    head.push_back(escaped(name));
  std::string html = heading("Metrics") + "<table>\n" + row(head, "th");
  for (const std::string &split : splits) {
    std::vector<std::string> cells{split};
    for (const std::string &name : names)
      cells.push_back(summary[split].contains(name) ? number(summary[split][name]) : "");
    html += row(cells);
  }
  return html + "</table>\n";
}

double valueIn(const json &line, const char *split, const char *name) {
  const json &object = split ? line.value(split, json::object()) : line;
  return object.contains(name) && object[name].is_number() ? object[name].get<double>() : NAN;
}

using Points = std::vector<std::pair<double, double>>;

Points pointsOf(const std::vector<json> &lines, const char *split, const char *name) {
  Points points;
  for (const json &line : lines)
    points.emplace_back(line.at("epoch").get<double>(), valueIn(line, split, name));
  return points;
}

std::string curves(const std::vector<json> &lines) {
  if (lines.empty())
    return "";
  const int64_t best = lines.back().value("best_epoch", int64_t(0));
  const std::string label = "best: epoch " + std::to_string(best);
  Chart loss, share, rate;
  loss.add("training loss", "#1f5fa8", pointsOf(lines, nullptr, "loss"));
  loss.add("validation loss", "#c2571a", pointsOf(lines, "val", "loss"));
  loss.mark(best, label);
  std::string html = heading("Curves") + "<div class=\"charts\">\n" + loss.svg();
  for (const char *name : {"accuracy", "auc"}) {
    if (std::isnan(valueIn(lines.back(), "val", name)))
      continue;
    share.add(std::string("training ") + name, "#1f5fa8", pointsOf(lines, "train", name));
    share.add(std::string("validation ") + name, "#c2571a", pointsOf(lines, "val", name));
    share.mark(best, label);
    html += share.svg();
    break;
  }
  rate.add("learning rate", "#3c7d22", pointsOf(lines, nullptr, "lr"));
  return html + rate.svg() + "</div>\n";
}

std::string confusions(const json &summary) {
  std::string html;
  for (const char *split : {"val", "test"}) {
    if (!summary.contains(split) || !summary[split].contains("confusion"))
      continue;
    const json &confusion = summary[split]["confusion"];
    html += std::string("<h3>") + split + "</h3>\n<table>\n";
    std::vector<std::string> head{"class \\ found"};
    for (size_t k = 0; k < confusion.size(); ++k)
      head.push_back(std::to_string(k));
    html += row(head, "th");
    for (size_t i = 0; i < confusion.size(); ++i) {
      html += "<tr><td>" + std::to_string(i) + "</td>";
      for (size_t k = 0; k < confusion.size(); ++k)
        html += (i == k ? "<td class=\"right\">" : "<td>") + confusion[i].at(k).dump() + "</td>";
      html += "</tr>\n";
    }
    html += "</table>\n";
  }
  return html.empty() ? "" : heading("Confusion") + html;
}

std::string degrees(const json &summary) {
  if (!summary.contains("degrees"))
    return "";
  std::string html =
      heading("Accuracy by degree") + "<table>\n" + row({"split", "edges", "vertices", "accuracy"}, "th");
  for (const auto &[split, shares] : summary["degrees"].items())
    for (const json &share : shares) {
      const std::string least = share.at("least").dump(), most = share.at("most").dump();
      html += row({escaped(split), least == most ? least : least + " to " + most, share.at("vertices").dump(),
                   number(share.at("accuracy"))});
    }
  return html + "</table>\n";
}

/// What a file says, group by group.
std::string settings(const json &config) {
  std::string html = heading("Settings") + "<table>\n";
  for (const auto &[group, values] : config.items())
    if (values.is_object())
      for (const auto &[name, value] : values.items())
        html += row({escaped(group + "." + name), number(value, "%.6g")});
    else
      html += row({escaped(group), number(values, "%.6g")});
  return html + "</table>\n";
}

std::string stepsOf(const json &steps) {
  double together = 0;
  for (const json &step : steps.at("steps"))
    together += step.at("ms").get<double>();
  std::string html = heading("Time and memory of each step") + "<table>\n" +
                     row({"step", "kind", "phase", "ms", "share", "leaves", "in use"}, "th");
  size_t at = 0;
  for (const json &step : steps.at("steps")) {
    double leaves = 0;
    for (const json &tensor : step.at("makes"))
      leaves += tensor.at("bytes").get<double>();
    char share[20];
    std::snprintf(share, sizeof share, "%.1f %%", together > 0 ? 100 * step.at("ms").get<double>() / together : 0);
    html += row({std::to_string(at++) + " " + escaped(step.at("name").get<std::string>()), number(step.at("kind")),
                 number(step.at("phase")), number(step.at("ms")), share, bytesText(leaves),
                 bytesText(step.at("live_bytes").get<double>())});
  }
  return html + "</table>\n" + heading("Steps") +
         "<p>Each box is a step, in which everything is computed in one go. An arrow is a tensor that one step leaves "
         "in memory for others.</p>\n" +
         drawSteps(steps);
}

std::string page(const std::string &folder) {
  const json config = readJson(folder + "/config.json"), summary = readJson(folder + "/summary.json");
  const std::string title = config.at("model").at("name").get<std::string>() + " on " +
                            std::filesystem::path(config.at("data").at("path").get<std::string>()).filename().string();
  std::string html = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<link rel=\"icon\" href=\"data:,\">\n<title>" +
                     escaped(title) + "</title>\n<style>" + style + "</style>\n</head>\n<body>\n<h1>" + escaped(title) +
                     "</h1>\n<p>" + number(summary.at("epochs")) + " epochs, the best is " +
                     number(summary.at("best_epoch")) + "; " + number(config.at("parameters")) + " parameters; " +
                     number(config.at("data").at("vertices")) + " vertices, " + number(config.at("data").at("edges")) +
                     " edges.</p>\n";
  html += metricsTable(summary) + curves(readLines(folder + "/metrics.jsonl")) + confusions(summary) +
          degrees(summary) + settings(config);
  std::error_code absent;
  if (std::filesystem::exists(folder + "/steps.json", absent))
    html += stepsOf(readJson(folder + "/steps.json"));
  return html + "</body>\n</html>\n";
}

} // namespace

void writeReport(const std::string &folder) {
  std::string html;
  try {
    html = page(folder);
  } catch (const json::exception &error) {
    rt::fail(GNN_ERROR_DATA, folder, ": its files are not what a run writes: ", error.what());
  }
  rt::atomicWrite(folder + "/report.html", {{html.data(), html.size()}});
}

/// Throws where the folder has runs of several seeds, each with a page of its own.
static void requireOneRun(const std::string &folder) {
  std::error_code error;
  if (std::filesystem::exists(folder + "/config.json", error))
    return;
  std::string first; // by name, so that it is the same each time
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.rfind("seed-", 0) == 0 && (first.empty() || name < first))
      first = name;
  }
  rt::require(first.empty(), GNN_ERROR_ARGUMENT, folder,
              " has the runs of several seeds, each in a folder of its own: gnn-train report ", folder, "/", first);
}

void addReport(CLI::App &app, ReportOptions &options) {
  CLI::App &command = *app.add_subcommand("report", "write the report of a run anew, from the files in its folder");
  command.add_option("run", options.folder, "the folder of a run")->required()->type_name("FOLDER");
}

int report(const ReportOptions &options) {
  requireOneRun(options.folder);
  writeReport(options.folder);
  std::printf("wrote %s/report.html\n", options.folder.c_str());
  return 0;
}

} // namespace gnn::train_tool
