//===- Chart.cpp - Curves over epochs -------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Chart.h"

#include "support/RoundTicks.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace gnn::train_tool {

namespace {

using tools::roundTicks;

constexpr double left = 60, right = 620, top = 20, bottom = 320;
constexpr int ticksAtMost = 8;
/// Of names, so that they are read where curves cross them.
const std::string halo = "stroke=\"white\" stroke-width=\"4\" paint-order=\"stroke\" ";

std::string text(const char *format, double a, double b) {
  char buffer[96];
  std::snprintf(buffer, sizeof buffer, format, a, b);
  return buffer;
}

/// From `from` to `to`, which are on the frame.
struct Axis {
  double from, to, begin, end;
  double at(double value) const { return begin + (end - begin) * (value - from) / (to - from); }
};

} // namespace

void Chart::add(const std::string &name, const std::string &colour,
                const std::vector<std::pair<double, double>> &points) {
  Curve curve{name, colour, {}};
  for (auto [epoch, value] : points)
    if (std::isfinite(value))
      curve.points.emplace_back(epoch, value);
  if (!curve.points.empty())
    curves.push_back(std::move(curve));
}

void Chart::mark(int64_t epoch, const std::string &label) {
  marked = epoch;
  markLabel = label;
}

std::string Chart::svg() const {
  double last = 1, least = 0, most = 0;
  for (const Curve &curve : curves)
    for (auto [epoch, value] : curve.points) {
      last = std::max(last, epoch);
      least = std::min(least, value);
      most = std::max(most, value);
    }
  if (!(most > least))
    most = least + 1;
  const std::vector<double> rough = roundTicks(least, most, ticksAtMost - 2);
  const double step = rough.size() > 1 ? rough[1] - rough[0] : most - least;
  const Axis y{step * std::floor(least / step + 1e-9), step * std::ceil(most / step - 1e-9), bottom, top};
  const Axis x{0, last, left, right};

  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 360\" font-family=\"sans-serif\" "
                    "font-size=\"12\">\n<rect width=\"640\" height=\"360\" fill=\"white\"/>\n";
  for (double value : roundTicks(y.from, y.to, ticksAtMost)) {
    svg += text("<path d=\"M60 %.1fH620\" stroke=\"#e4e4e4\"/>", y.at(value), 0);
    svg += text("<text x=\"54\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n", y.at(value) + 4, value);
  }
  for (double epoch : roundTicks(0, last, ticksAtMost, /*least=*/1))
    svg += text("<text x=\"%.1f\" y=\"338\" text-anchor=\"middle\">%.0f</text>\n", x.at(epoch), epoch);
  svg += "<path d=\"M60 20V320H620\" fill=\"none\" stroke=\"black\"/>\n"
         "<text x=\"340\" y=\"355\" text-anchor=\"middle\">epoch</text>\n";
  double line = top + 16;
  for (const Curve &curve : curves) {
    svg += "<polyline fill=\"none\" stroke-width=\"1.5\" stroke=\"" + curve.colour + "\" points=\"";
    for (auto [epoch, value] : curve.points)
      svg += text("%.2f,%.2f ", x.at(epoch), y.at(value));
    svg += "\"/>\n" + text("<text x=\"480\" y=\"%.0f\" ", line, 0) + halo + "fill=\"" + curve.colour + "\">" +
           curve.name + "</text>\n";
    line += 16;
  }
  if (marked <= 0 || curves.empty() || double(marked) > last)
    return svg + "</svg>\n";
  svg += text("<path d=\"M%.2f 20V320\" stroke=\"#777\" stroke-dasharray=\"4 3\"/>\n", x.at(double(marked)), 0);
  for (auto [epoch, value] : curves.back().points)
    if (epoch == double(marked))
      svg +=
          text("<circle cx=\"%.2f\" cy=\"%.2f\" r=\"4\" fill=\"none\" stroke=\"black\"/>\n", x.at(epoch), y.at(value));
  svg += text("<text x=\"480\" y=\"%.0f\" ", line, 0) + halo + "fill=\"#777\">" + markLabel + "</text>\n";
  return svg + "</svg>\n";
}

} // namespace gnn::train_tool
