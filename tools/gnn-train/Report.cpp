//===- Report.cpp - A run as a page ---------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Report.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Sizes.h"
#include "runtime/src/io/AtomicFiles.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/io/Json.h"
#include "support/HtmlPage.h"
#include "support/StepsDrawing.h"
#include "tools/gnn-train/Chart.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <sstream>

namespace gnn::train_tool {

namespace {

using nlohmann::json;
using tools::escaped, tools::htmlHeading, tools::htmlRow;

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
  const json best = summary.value("best_epoch", json()); // whose weights the run has kept
  const std::string heading = best.is_number() ? "Metrics of epoch " + best.dump() : "Metrics";
  std::string html = htmlHeading(heading) + "<table>\n" + htmlRow(head, "th");
  for (const std::string &split : splits) {
    std::vector<std::string> cells{split};
    for (const std::string &name : names)
      cells.push_back(summary[split].contains(name) ? number(summary[split][name]) : "");
    html += htmlRow(cells);
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
  std::string html = htmlHeading("Curves") + "<div class=\"charts\">\n" + loss.svg();
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
    html += htmlRow(head, "th");
    for (size_t i = 0; i < confusion.size(); ++i) {
      html += "<tr><td>" + std::to_string(i) + "</td>";
      for (size_t k = 0; k < confusion.size(); ++k)
        html += (i == k ? "<td class=\"right\">" : "<td>") + confusion[i].at(k).dump() + "</td>";
      html += "</tr>\n";
    }
    html += "</table>\n";
  }
  return html.empty() ? "" : htmlHeading("Confusion") + html;
}

std::string degrees(const json &summary) {
  if (!summary.contains("degrees"))
    return "";
  std::string html =
      htmlHeading("Accuracy by degree") + "<table>\n" + htmlRow({"split", "edges", "vertices", "accuracy"}, "th");
  for (const auto &[split, shares] : summary["degrees"].items())
    for (const json &share : shares) {
      const std::string least = share.at("least").dump(), most = share.at("most").dump();
      html += htmlRow({escaped(split), least == most ? least : least + " to " + most, share.at("vertices").dump(),
                       number(share.at("accuracy"))});
    }
  return html + "</table>\n";
}

/// What a file says, group by group.
std::string settings(const json &config) {
  std::string html = htmlHeading("Settings") + "<table>\n";
  for (const auto &[group, values] : config.items())
    if (values.is_object())
      for (const auto &[name, value] : values.items())
        html += htmlRow({escaped(group + "." + name), number(value, "%.6g")});
    else
      html += htmlRow({escaped(group), number(values, "%.6g")});
  return html + "</table>\n";
}

std::vector<size_t> readersOf(const json &tensor, size_t step, size_t numSteps, const std::string &file) {
  std::vector<size_t> readers;
  for (const json &reader : tensor.at("read_by")) {
    const size_t after = readers.empty() ? step : readers.back();
    readers.push_back(reader.get<size_t>());
    rt::require(readers.back() > after && readers.back() < numSteps, GNN_ERROR_DATA, file, ": step ", step,
                " leaves a tensor for step ", readers.back(), ", which does not follow");
  }
  return readers;
}

/// What `file` has, as it is drawn.
std::vector<tools::DrawnStep> drawnSteps(const json &steps, const std::string &file) {
  std::vector<tools::DrawnStep> drawn;
  for (const json &step : steps) {
    const std::string phase = step.at("phase").get<std::string>();
    tools::DrawnStep box;
    box.name = std::to_string(drawn.size()) + "  " + step.at("name").get<std::string>();
    box.kind = step.at("kind").get<std::string>();
    box.about = box.kind + ", " + phase;
    if (const json &source = step.at("source"); source.is_object())
      box.about += ", " + source.value("file", "") + ":" + std::to_string(source.value("line", 0));
    box.cost = number(step.at("ms"), "%.3f") + " ms";
    box.backward = phase == "backward";
    for (const json &tensor : step.at("makes"))
      box.leaves.push_back({tensor.at("name").get<std::string>(), rt::sizeText(tensor.at("bytes").get<uint64_t>()),
                            readersOf(tensor, drawn.size(), steps.size(), file)});
    drawn.push_back(std::move(box));
  }
  return drawn;
}

std::string stepsOf(const json &steps, const std::string &file) {
  double together = 0;
  for (const json &step : steps.at("steps"))
    together += step.at("ms").get<double>();
  std::string html = htmlHeading("Time and memory of each step") + "<table>\n" +
                     htmlRow({"step", "kind", "phase", "ms", "share", "leaves", "in use"}, "th");
  size_t at = 0;
  for (const json &step : steps.at("steps")) {
    uint64_t leaves = 0;
    for (const json &tensor : step.at("makes"))
      leaves += tensor.at("bytes").get<uint64_t>();
    char share[20];
    std::snprintf(share, sizeof share, "%.1f %%", together > 0 ? 100 * step.at("ms").get<double>() / together : 0);
    html += htmlRow({std::to_string(at++) + " " + escaped(step.at("name").get<std::string>()), number(step.at("kind")),
                     number(step.at("phase")), number(step.at("ms")), share, rt::sizeText(leaves),
                     rt::sizeText(step.at("live_bytes").get<uint64_t>())});
  }
  return html + "</table>\n" + htmlHeading("Steps") +
         "<p>Each box is a step, in which everything is computed in one go; those of the backward pass are dashed. An "
         "arrow is a tensor that one step leaves in memory for others. What forward leaves for backward is "
         "brown.</p>\n" +
         tools::drawSteps(drawnSteps(steps.at("steps"), file));
}

/// What a streamed run has drawn.
std::string stream(const std::string &file) {
  const rt::FileBytes bytes = rt::readFile(file);
  return htmlHeading("What was loaded, computed and stored when") + std::string(bytes.data, bytes.size);
}

std::string page(const std::string &folder) {
  const json config = readJson(folder + "/config.json"), summary = readJson(folder + "/summary.json");
  const std::string title = config.at("model").at("name").get<std::string>() + " on " +
                            std::filesystem::path(config.at("data").at("path").get<std::string>()).filename().string();
  std::string html = "<p>" + number(summary.at("epochs")) + " epochs, the best is " + number(summary.at("best_epoch")) +
                     "; " + number(config.at("parameters")) + " parameters; " +
                     number(config.at("data").at("vertices")) + " vertices, " + number(config.at("data").at("edges")) +
                     " edges.</p>\n";
  html += metricsTable(summary) + curves(readLines(folder + "/metrics.jsonl")) + confusions(summary) +
          degrees(summary) + settings(config);
  const std::string steps = folder + "/steps.json", streamed = folder + "/stream.svg";
  std::error_code absent;
  if (std::filesystem::exists(streamed, absent))
    html += stream(streamed);
  if (std::filesystem::exists(steps, absent))
    html += stepsOf(readJson(steps), steps);
  return tools::htmlPage(title, html);
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
