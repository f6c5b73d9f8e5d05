//===- RunFolder.cpp - What a run leaves behind ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RunFolder.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/io/FileSystem.h"
#include "tools/gnn-train/Problem.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace gnn::train_tool {

namespace {

using nlohmann::json;

json toJson(const rt::EpochReport &report) {
  json line{{"epoch", report.epoch}, {"loss", report.loss}, {"step_ms", report.stepMs}, {"epoch_ms", report.epochMs}};
  for (const auto &[split, metrics] : report.splits)
    line[split] = metricsJson(metrics);
  return line;
}

std::string text(const char *format, double a, double b) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, a, b);
  return buffer;
}

/// A chart of curves over epochs, 640 by 360.
class Chart {
public:
  Chart(double lastEpoch, double most) : lastEpoch(std::max(lastEpoch, 1.0)), most(most > 0 ? most : 1) {
    svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 360\" font-family=\"sans-serif\" "
          "font-size=\"12\">\n"
          "<rect width=\"640\" height=\"360\" fill=\"white\"/>\n<path d=\"M60 20V320H620\" fill=\"none\" "
          "stroke=\"black\"/>\n";
    for (int i = 0; i <= 4; ++i) {
      double value = this->most * i / 4, epoch = this->lastEpoch * i / 4;
      svg += text("<text x=\"54\" y=\"%.1f\" text-anchor=\"end\">%.3g</text>\n", y(value) + 4, value);
      svg += text("<text x=\"%.1f\" y=\"338\" text-anchor=\"middle\">%.0f</text>\n", x(epoch), epoch);
    }
    svg += "<text x=\"340\" y=\"355\" text-anchor=\"middle\">epoch</text>\n";
  }

  void add(const std::vector<std::pair<double, double>> &curve, const char *name, const char *colour) {
    if (curve.empty())
      return;
    svg += std::string("<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"") + colour + "\" points=\"";
    for (auto [epoch, value] : curve)
      svg += text("%.2f,%.2f ", x(epoch), y(value));
    svg += "\"/>\n" + text("<text x=\"%.0f\" y=\"%.0f\" ", 480, 36.0 + 16 * curves++) + "fill=\"" + colour + "\">" +
           name + "</text>\n";
  }

  std::string finish() { return svg + "</svg>\n"; }

private:
  double x(double epoch) const { return 60 + 560 * epoch / lastEpoch; }
  double y(double value) const { return 320 - 300 * std::clamp(value / most, 0.0, 1.0); }

  double lastEpoch, most;
  int curves = 0;
  std::string svg;
};

} // namespace

RunFolder::RunFolder(const std::string &folder, int64_t resumedFrom) : path(folder) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  rt::require(!error, GNN_ERROR_IO, "cannot make the run directory ", path, ": ", error.message());
  keepLines(resumedFrom);
}

/// A number; NaN, which JSON lacks, is written as null.
static double numberOf(const json &object, const char *key) {
  auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : NAN;
}

/// Replaces metrics.jsonl by those of its lines that the resumed checkpoint had seen, to which others are added.
void RunFolder::keepLines(int64_t resumedFrom) {
  const std::string file = path + "/metrics.jsonl";
  std::string kept;
  std::istringstream before;
  if (resumedFrom > 0 && std::filesystem::exists(file)) {
    const rt::FileBytes bytes = rt::readFile(file); // a stream would take a failed read for the end
    before.str(std::string(bytes.data, bytes.size));
  }
  for (std::string line; std::getline(before, line); kept += line + "\n") {
    json object = json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!object.is_object() || !object["epoch"].is_number_integer() || object["epoch"].get<int64_t>() > resumedFrom)
      break;
    const json val = object.value("val", json());
    points.push_back({double(object["epoch"].get<int64_t>()), numberOf(object, "loss"),
                      val.is_object() ? numberOf(val, "loss") : NAN});
  }
  rt::atomicWrite(file, {{kept.data(), kept.size()}});
  metrics.reset(std::fopen(file.c_str(), "ae"));
  rt::require(metrics != nullptr, GNN_ERROR_IO, "cannot write ", file, ": ", std::strerror(errno));
}

void RunFolder::write(const std::string &line) {
  bool isWritten = std::fprintf(metrics.get(), "%s\n", line.c_str()) >= 0 && std::fflush(metrics.get()) == 0;
  rt::require(isWritten, GNN_ERROR_IO, "cannot write ", path, "/metrics.jsonl: ", std::strerror(errno));
}

void RunFolder::add(const rt::EpochReport &report) {
  auto val = report.splits.find("val");
  points.push_back({double(report.epoch), report.loss, val == report.splits.end() ? NAN : val->second.loss});
  write(toJson(report).dump());
}

void RunFolder::finish() {
  std::vector<std::pair<double, double>> train, val;
  double most = 0;
  auto add = [&](std::vector<std::pair<double, double>> &curve, double epoch, double loss) {
    if (!std::isfinite(loss))
      return;
    curve.emplace_back(epoch, loss);
    most = std::max(most, loss);
  };
  for (const Point &point : points) {
    add(train, point.epoch, point.trainLoss);
    add(val, point.epoch, point.valLoss);
  }
  Chart chart(points.empty() ? 1 : points.back().epoch, most);
  chart.add(train, "training loss", "#1f5fa8");
  chart.add(val, "validation loss", "#c2571a");
  std::string svg = chart.finish();
  rt::atomicWrite(path + "/loss.svg", {{svg.data(), svg.size()}});
}

} // namespace gnn::train_tool
