//===- LanesDrawing.cpp - What was done when, as a picture ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/LanesDrawing.h"

#include "support/HtmlPage.h"
#include "support/RoundTicks.h"

#include <algorithm>
#include <cstdio>

namespace gnn::tools {

namespace {

constexpr double width = 900, left = 80, right = 880, top = 58, laneHeight = 44, barHeight = 32;
constexpr int ticksAtMost = 10;

std::string text(const char *format, double a, double b = 0, double c = 0) {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, format, a, b, c);
  return buffer;
}

} // namespace

std::string drawLanes(const std::string &title, const std::vector<DrawnLane> &lanes,
                      const std::vector<DrawnKind> &kinds) {
  double last = 0;
  for (const DrawnLane &lane : lanes)
    for (const DrawnBar &bar : lane.bars)
      last = std::max(last, bar.end);
  auto x = [&](double seconds) { return left + (right - left) * (last > 0 ? seconds / last : 0); };
  const double bottom = top + laneHeight * double(lanes.size());

  std::string svg = text("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" "
                         "font-family=\"sans-serif\" font-size=\"12\">\n",
                         width, bottom + 44) +
                    text("<rect width=\"%.0f\" height=\"%.0f\" fill=\"white\"/>\n", width, bottom + 44) +
                    text("<text x=\"%.0f\" y=\"20\" font-size=\"14\">", left) + escaped(title) + "</text>\n";
  double at = left;
  for (const DrawnKind &kind : kinds) {
    svg += text("<rect x=\"%.0f\" y=\"32\" width=\"12\" height=\"12\" fill=\"", at) + escaped(kind.colour) +
           text("\"/><text x=\"%.0f\" y=\"43\">", at + 17) + escaped(kind.name) + "</text>\n";
    at += 110;
  }
  for (double seconds : roundTicks(0, last, ticksAtMost)) {
    svg += text("<path d=\"M%.1f %.0fV%.0f\" stroke=\"#e4e4e4\"/>", x(seconds), top, bottom);
    svg += text("<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%.6g</text>\n", x(seconds), bottom + 18, seconds);
  }
  svg += text("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"middle\">seconds</text>\n", (left + right) / 2, bottom + 36);
  double y = top + (laneHeight - barHeight) / 2;
  for (const DrawnLane &lane : lanes) {
    svg += text("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">", left - 8, y + barHeight / 2 + 4) +
           escaped(lane.name) + "</text>\n";
    for (const DrawnBar &bar : lane.bars) {
      const double drawn = std::max(x(bar.end) - x(bar.begin), 0.1);
      svg += text("<rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" ", x(bar.begin), y, drawn) +
             text("height=\"%.0f\" fill=\"", barHeight) + escaped(kinds[bar.kind].colour) + "\"><title>" +
             escaped(bar.name) + text(": %.4g s", bar.end - bar.begin) + "</title></rect>\n";
    }
    y += laneHeight;
  }
  return svg + text("<path d=\"M%.0f %.0fV%.0f", left, top, bottom) +
         text("H%.0f\" fill=\"none\" stroke=\"black\"/>\n", right) + "</svg>\n";
}

} // namespace gnn::tools
