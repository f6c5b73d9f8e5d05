//===- StepsDrawing.cpp - The steps of a program as a picture -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "support/StepsDrawing.h"
#include "support/HtmlPage.h"

#include <algorithm>

namespace gnn::tools {

namespace {

constexpr size_t width = 900, boxLeft = 320, boxWidth = width - boxLeft - 10, boxDistance = 18;
constexpr size_t headHeight = 40, lineHeight = 15, labelHeight = 13;
constexpr size_t lanes = 6;                           // of arcs, beside each other
constexpr size_t labelRight = 226, labelLetters = 36; // of names of tensors
constexpr size_t lineLetters = 72;                    // beside a label

constexpr const char *ink = "#888", *keptInk = "#c2571a";

std::string at(const char *name, size_t value) {
  return std::string(" ") + name + "=\"" + std::to_string(value) + "\"";
}

/// As many letters of `plain` as there is room for; a browser shows all of it under the pointer.
std::string fitting(const std::string &plain, size_t letters) {
  auto isBegin = [](char c) { return (c & 0xC0) != 0x80; }; // of a letter in UTF-8
  size_t end = 0, count = 0;
  for (; end < plain.size() && count <= letters; ++end)
    count += isBegin(plain[end]);
  if (count <= letters)
    return escaped(plain);
  return escaped(plain.substr(0, end - 1)) + "…<title>" + escaped(plain) + "</title>";
}

class Drawing {
public:
  explicit Drawing(const std::vector<DrawnStep> &steps) : steps(steps) {
    size_t top = 10;
    for (const DrawnStep &step : steps) {
      tops.push_back(top);
      top += heightOf(step) + boxDistance;
    }
    tops.push_back(top);
  }

  std::string svg() const {
    std::string all = "<div class=\"steps\"><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
                      std::to_string(width) + " " + std::to_string(tops.back()) +
                      "\" font-family=\"sans-serif\" font-size=\"12\">\n<defs>";
    for (const char *colour : {ink, keptInk})
      all += std::string("<marker id=\"") + markerOf(colour) +
             "\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"3\" orient=\"auto\">"
             "<path d=\"M0 0L7 3L0 6z\" fill=\"" +
             colour + "\"/></marker>";
    all += "</defs>\n" + arcs();
    for (size_t number = 0; number < steps.size(); ++number)
      all += box(number);
    return all + "</svg></div>\n";
  }

private:
  static const char *markerOf(const char *colour) { return colour == ink ? "arrow" : "kept"; }

  static size_t drawnLeaves(const DrawnStep &step) {
    return std::count_if(step.leaves.begin(), step.leaves.end(), [](const auto &leaf) { return !leaf.readBy.empty(); });
  }

  /// With room for the names of what it leaves.
  static size_t heightOf(const DrawnStep &step) {
    const size_t lines = step.fused.empty() ? 0 : 6 + lineHeight * step.fused.size();
    return std::max(headHeight + lines, 8 + labelHeight * drawnLeaves(step));
  }

  std::string box(size_t number) const {
    const DrawnStep &step = steps[number];
    const char *colour = step.kind == "sweep" ? "#dcebfa" : step.kind == "map" ? "#e5f4dc" : "#fbe8d0";
    const size_t top = tops[number], right = boxLeft + boxWidth - 10;
    std::string svg = "<rect" + at("x", boxLeft) + at("y", top) + at("width", boxWidth) + at("height", heightOf(step)) +
                      " rx=\"5\" fill=\"" + colour + "\" stroke=\"#555\"" +
                      (step.backward ? " stroke-dasharray=\"5 3\"" : "") + "/>";
    svg += "<text" + at("x", boxLeft + 10) + at("y", top + 17) + " font-weight=\"bold\">" + fitting(step.name, 60) +
           "</text>";
    svg +=
        "<text" + at("x", boxLeft + 10) + at("y", top + 33) + " fill=\"#444\">" + fitting(step.about, 75) + "</text>";
    svg += "<text" + at("x", right) + at("y", top + 17) + " text-anchor=\"end\">" + escaped(step.cost) + "</text>\n";
    size_t line = top + headHeight;
    for (const DrawnLine &fused : step.fused) {
      line += lineHeight;
      svg += "<text" + at("x", boxLeft + 10) + at("y", line - 4) + " fill=\"#444\">" + escaped(fused.label) +
             "</text>" + "<text" + at("x", boxLeft + 80) + at("y", line - 4) +
             " font-family=\"monospace\" font-size=\"11\">" + fitting(fused.text, lineLetters) + "</text>\n";
    }
    return svg;
  }

  /// From the step that makes a tensor down to its last reader, with an arrow to each.
  std::string arc(const DrawnTensor &tensor, size_t from, size_t lane, const char *colour) const {
    const size_t x = boxLeft - 14 - 12 * (lane % lanes), begin = tops[from] + headHeight - 14;
    const std::string stroke = std::string(" stroke=\"") + colour + "\"", left = std::to_string(x);
    const std::string height = std::to_string(tops[tensor.readBy.back()] + 14);
    std::string svg = "<path d=\"M" + std::to_string(boxLeft) + " " + std::to_string(begin) + "H" + left + "V" +
                      height + "\" fill=\"none\"" + stroke + "/>";
    for (size_t reader : tensor.readBy)
      svg += "<path d=\"M" + left + " " + std::to_string(tops[reader] + 14) + "H" + std::to_string(boxLeft) + "\"" +
             stroke + " marker-end=\"url(#" + markerOf(colour) + ")\"/>";
    return svg;
  }

  /// Arcs and names of what steps leave, each arc in the first lane that is free.
  std::string arcs() const {
    std::string svg;
    std::vector<size_t> ends; // of the last arc in each lane
    for (size_t number = 0; number < steps.size(); ++number) {
      size_t line = tops[number] + 4;
      for (const DrawnTensor &tensor : steps[number].leaves) {
        if (tensor.readBy.empty())
          continue;
        auto free = std::find_if(ends.begin(), ends.end(), [&](size_t end) { return end <= number; });
        if (free == ends.end())
          free = ends.insert(free, 0);
        *free = tensor.readBy.back();
        const bool isKept = !steps[number].backward && steps[tensor.readBy.back()].backward;
        const char *colour = isKept ? keptInk : ink;
        svg += arc(tensor, number, size_t(free - ends.begin()), colour);
        line += labelHeight;
        svg += "<text" + at("x", labelRight) + at("y", line) + " text-anchor=\"end\" font-size=\"11\" fill=\"" +
               (isKept ? keptInk : "#444") + "\">" + fitting(tensor.name + ", " + tensor.size, labelLetters) +
               "</text>\n";
      }
    }
    return svg;
  }

  const std::vector<DrawnStep> &steps;
  std::vector<size_t> tops; // and where the drawing ends
};

} // namespace

std::string drawSteps(const std::vector<DrawnStep> &steps) { return Drawing(steps).svg(); }

} // namespace gnn::tools
