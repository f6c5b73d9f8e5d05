//===- StepsDrawing.cpp - The steps of a program as a picture -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/StepsDrawing.h"

#include <algorithm>
#include <cstdio>
#include <vector>

namespace gnn::train_tool {

namespace {

using nlohmann::json;

constexpr int boxLeft = 230, boxWidth = 400, boxHeight = 40, boxDistance = 58;
constexpr size_t lanes = 6; // beside each other

std::string text(const char *format, double a = 0, double b = 0, double c = 0, double d = 0) {
  char buffer[200];
  std::snprintf(buffer, sizeof buffer, format, a, b, c, d);
  return buffer;
}

double middleOf(size_t step) { return 30 + double(step) * boxDistance + boxHeight / 2.0; }

std::string box(const json &step, size_t number) {
  const std::string kind = step.at("kind").get<std::string>();
  const char *colour = kind == "sweep" ? "#dcebfa" : kind == "map" ? "#e5f4dc" : "#fbe8d0";
  const double top = middleOf(number) - boxHeight / 2.0;
  std::string svg =
      text("<rect x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" rx=\"5\" ", boxLeft, top, boxWidth, boxHeight) +
      "fill=\"" + colour + "\" stroke=\"#555\"/>";
  std::string where = kind + ", " + step.at("phase").get<std::string>();
  if (const json &source = step.at("source"); source.is_object())
    where += ", " + source.value("file", "") + ":" + std::to_string(source.value("line", 0));
  svg += text("<text x=\"%.0f\" y=\"%.0f\" font-weight=\"bold\">", boxLeft + 10, top + 17) + std::to_string(number) +
         "  " + escaped(step.at("name").get<std::string>()) + "</text>";
  svg += text("<text x=\"%.0f\" y=\"%.0f\" fill=\"#444\">", boxLeft + 10, top + 33) + escaped(where) + "</text>";
  return svg + text("<text x=\"%.0f\" y=\"%.0f\" text-anchor=\"end\">%.3f ms</text>\n", boxLeft + boxWidth - 10,
                    top + 25, step.at("ms").get<double>());
}

/// From the step that makes a tensor down to its last reader, with an arrow to each.
std::string arc(const json &tensor, size_t from, size_t lane) {
  const json &readers = tensor.at("read_by");
  const double x = boxLeft - 14 - 12 * double(lane % lanes), begin = middleOf(from) + 6;
  std::string svg = text("<path d=\"M%.0f %.0fH%.0fV%.0f\" fill=\"none\" stroke=\"#888\"/>", boxLeft, begin, x,
                         middleOf(readers.back().get<size_t>()) - 6);
  for (const json &reader : readers)
    svg += text("<path d=\"M%.0f %.0fH%.0f\" ", x, middleOf(reader.get<size_t>()) - 6, boxLeft) +
           "stroke=\"#888\" marker-end=\"url(#arrow)\"/>";
  return svg;
}

std::string label(const json &tensor, size_t from, size_t line) {
  return text("<text x=\"140\" y=\"%.0f\" text-anchor=\"end\" fill=\"#444\">",
              middleOf(from) + 10 + 13 * double(line)) +
         escaped(tensor.at("name").get<std::string>()) + " " + bytesText(tensor.at("bytes").get<double>()) +
         "</text>\n";
}

/// Arcs and names of what steps leave, each arc in the first lane that is free.
std::string arcs(const json &steps) {
  std::string svg;
  std::vector<size_t> ends; // of the last arc in each lane
  for (size_t number = 0; number < steps.size(); ++number) {
    size_t line = 0;
    for (const json &tensor : steps[number].at("makes")) {
      if (tensor.at("read_by").empty())
        continue;
      auto free = std::find_if(ends.begin(), ends.end(), [&](size_t end) { return end <= number; });
      if (free == ends.end())
        free = ends.insert(free, 0);
      *free = tensor.at("read_by").back().get<size_t>();
      svg += arc(tensor, number, size_t(free - ends.begin())) + label(tensor, number, line++);
    }
  }
  return svg;
}

} // namespace

std::string escaped(const std::string &plain) {
  std::string result;
  for (char c : plain)
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    default:
      result += c;
    }
  return result;
}

std::string bytesText(double bytes) {
  for (auto [size, unit] : {std::pair(1e9, "GB"), std::pair(1e6, "MB"), std::pair(1e3, "kB")})
    if (bytes >= size)
      return text("%.1f ", bytes / size) + unit;
  return text("%.0f B", bytes);
}

std::string drawSteps(const json &steps) {
  const json &all = steps.at("steps");
  std::string svg = text("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 %.0f\" ",
                         middleOf(all.size()) - boxHeight / 2.0) +
                    "font-family=\"sans-serif\" font-size=\"12\">\n<defs><marker id=\"arrow\" markerWidth=\"8\" "
                    "markerHeight=\"8\" refX=\"7\" refY=\"3\" orient=\"auto\"><path d=\"M0 0L7 3L0 6z\" "
                    "fill=\"#888\"/></marker></defs>\n";
  svg += arcs(all);
  for (size_t number = 0; number < all.size(); ++number)
    svg += box(all[number], number);
  return svg + "</svg>\n";
}

} // namespace gnn::train_tool
