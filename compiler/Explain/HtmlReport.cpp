//===- HtmlReport.cpp - The report as a page ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Explain/Report.h"
#include "support/HtmlPage.h"
#include "support/StepsDrawing.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace gnnc;
using ::gnn::tools::DrawnStep;
using ::gnn::tools::escaped;
using ::gnn::tools::htmlHeading;
using ::gnn::tools::htmlRow;

static constexpr const char *legend =
    "<p>Each box is a step, in which all its lines are computed in one go: a sweep over edges, a map over vertices or "
    "parameters, or a dense product. Steps of the backward pass are dashed. An arrow is a tensor that one step leaves "
    "in memory for others. What forward leaves for backward is brown.</p>\n";

/// `64 B an edge`.
static std::string sizeText(int64_t bytes, llvm::StringRef of) {
  std::string text = std::to_string(bytes) + " B";
  return of == "edge" ? text + " an edge" : of == "vertex" ? text + " a vertex" : text;
}

/// With single blanks, as pages show it anyway.
static std::string withoutColumns(llvm::StringRef line) {
  llvm::SmallVector<llvm::StringRef> words;
  line.split(words, ' ', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  return llvm::join(words, " ");
}

static DrawnStep drawn(const StepReport &step, const LineText &lineText) {
  DrawnStep box;
  box.name = std::to_string(step.number) + "  " + (step.kernel.empty() ? step.kind : step.kernel);
  box.kind = step.kind;
  box.about = step.kind + " over " + step.over + (step.backward ? ", backward" : "");
  if (step.place.line)
    box.about += ", " + shortPlace(step.place);
  box.backward = step.backward;
  if (step.kind == "sweep")
    box.cost = sizeText(step.edgeBytes(), "edge") + ", " + std::to_string(step.edgeFlops) + " flops";
  else if (step.over != "parameters")
    box.cost = sizeText(step.vertexBytes(), "vertex") + ", " + std::to_string(step.vertexFlops) + " flops";
  auto add = [&](const char *label, llvm::ArrayRef<SourcePlace> places) {
    for (const SourcePlace &place : places) {
      box.fused.push_back({label, shortPlace(place) + " " + withoutColumns(lineText(place))});
      label = "";
    }
  };
  add("per edge", step.perEdge);
  add(step.kind == "product" ? "computes" : "per vertex", step.perVertex);
  if (step.ofBf16)
    box.fused.push_back({"multiplies", "numbers that are rounded to bf16"});
  add("again", step.recomputes);
  for (const LeftField &left : step.leaves) {
    auto places = llvm::map_to_vector(left.readBy, [](unsigned number) { return size_t(number - 1); });
    box.leaves.push_back(
        {left.field.name, sizeText(left.field.bytes, left.of), std::vector<size_t>(places.begin(), places.end())});
  }
  return box;
}

/// A table of the fields of the forward pass that the backward pass reads, and why they are not computed again.
static std::string keptTable(const ProgramReport &program) {
  std::string rows;
  int64_t all = 0;
  for (const StepReport &step : program.steps)
    for (const KeptField &kept : step.keeps) {
      rows += htmlRow({std::to_string(step.number), escaped(kept.field.name), escaped(kept.field.type),
                       std::to_string(kept.field.bytes), escaped(kept.form), escaped(kept.reason)});
      all += kept.field.bytes;
    }
  if (rows.empty())
    return "";
  return "<h3>Kept for the backward pass: " + std::to_string(all) + " B a vertex</h3>\n<table class=\"words\">\n" +
         htmlRow({"step", "field", "type", "bytes", "form", "why"}, "th") + rows + "</table>\n";
}

static std::string stopsTable(const ProgramReport &program) {
  std::string rows;
  for (const StepReport &step : program.steps)
    if (!step.stops.empty()) {
      auto reasons = llvm::map_to_vector(step.stops, [](const std::string &stop) { return escaped(stop); });
      rows += htmlRow({std::to_string(step.number), llvm::join(reasons, "<br>")});
    }
  if (rows.empty())
    return "";
  return "<h3>What ends a step</h3>\n<table class=\"words\">\n" + htmlRow({"step", "ends before"}, "th") + rows +
         "</table>\n";
}

std::string gnnc::reportHtml(const Report &report, const LineText &lineText) {
  std::string html;
  if (!report.dimensions.empty()) {
    auto sizes = llvm::map_to_vector(report.dimensions, [](const auto &dimension) {
      return escaped(dimension.first) + " = " + std::to_string(dimension.second);
    });
    html += "<p>Sizes are for " + llvm::join(sizes, ", ") + ".</p>\n";
  }
  html += legend;
  for (const ProgramReport &program : report.programs) {
    auto steps = llvm::map_to_vector(program.steps, [&](const StepReport &step) { return drawn(step, lineText); });
    html += htmlHeading(program.name) + ::gnn::tools::drawSteps(std::vector<DrawnStep>(steps.begin(), steps.end())) +
            keptTable(program) + stopsTable(program);
  }
  if (!report.variants.empty()) {
    html += htmlHeading("Other orders of sums and products, or forms of an input") +
            "<p>The runtime chooses the program of each kind by counts.</p>\n<ul>\n";
    for (const std::string &variant : report.variants)
      html += "<li>" + escaped(variant) + "</li>\n";
    html += "</ul>\n";
  }
  return ::gnn::tools::htmlPage(report.model, html);
}
