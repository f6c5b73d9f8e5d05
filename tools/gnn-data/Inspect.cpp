//===- Inspect.cpp - gnn-data inspect --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints what a data set holds, for people or as one JSON object.
//
//===----------------------------------------------------------------------===//

#include "support/Process.h"
#include "tools/gnn-data/Commands.h"
#include "tools/gnn-data/Summary.h"
#include "tools/gnn-data/UnreadFiles.h"
#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

using namespace gnn::data_tool;

namespace {

void printDegrees(const char *title, const DegreeSummary &degrees) {
  std::printf("  %s  min %lld, mean %.2f, max %lld; %lld vertices have none\n", title, (long long)degrees.least,
              degrees.mean, (long long)degrees.most, (long long)degrees.none);
}

void printSchema(const Summary &summary) {
  std::cout << gnn::tools::printable(summary.name) << ": " << summary.vertices << " vertices, " << summary.edges
            << " directed edges\n";
  for (const auto &[type, count] : summary.vertexTypes)
    std::cout << "  type        " << type << ": " << count << " vertices\n";
  for (const RelationSummary &relation : summary.relations) {
    std::cout << "  relation    " << relation.source << " -" << relation.name << "-> " << relation.destination << ": "
              << relation.edges << " edges";
    if (relation.types)
      std::cout << " of " << relation.types << " types";
    std::cout << "\n";
  }
}

void printGraph(const Summary &summary) {
  std::cout << gnn::tools::printable(summary.name) << ": " << summary.vertices << " vertices, " << summary.edges
            << " directed edges (" << (summary.symmetric ? "symmetric" : "not symmetric") << ", " << summary.selfLoops
            << " self loops, " << summary.duplicates << " duplicates)\n";
  if (summary.edgeTypes)
    std::cout << "  edge types  " << summary.edgeTypes << "\n";
  std::cout.flush();
  printDegrees("in-degree ", summary.in);
  printDegrees("out-degree", summary.out);
  std::fflush(stdout);
}

void printCounts(const char *title, const std::vector<std::pair<std::string, int64_t>> &counts) {
  for (size_t i = 0; i < counts.size(); ++i)
    std::cout << (i == 0 ? title : ", ") << counts[i].first << " " << counts[i].second;
  if (!counts.empty())
    std::cout << "\n";
}

void printText(const Summary &summary) {
  summary.relations.empty() ? printGraph(summary) : printSchema(summary);
  for (const FeatureSummary &feature : summary.features)
    std::cout << (feature.ofVertices ? "  vertex      " : "  edge        ") << featureText(feature, summary) << "\n";
  if (!summary.classSizes.empty()) {
    std::cout << "  classes     " << summary.classSizes.size() << ", sizes";
    for (int64_t size : summary.classSizes)
      std::cout << " " << size;
    std::cout << "; " << summary.unlabelled << (summary.labelsEdges ? " edges" : " vertices") << " have no label\n";
  }
  if (const NumberLabels &labels = summary.numberLabels; !labels.shape.empty()) {
    std::cout << "  labels      " << elementText(labels.element) << " [";
    for (size_t i = 0; i < labels.shape.size(); ++i)
      std::cout << (i ? ", " : "") << labels.shape[i];
    std::cout << "]";
    for (const auto &[name, value] : {std::pair("min", labels.least), {"mean", labels.mean}, {"max", labels.most}}) {
      std::cout << ", " << name << " ";
      value ? std::cout << *value : std::cout << "none";
    }
    if (labels.missing > 0)
      std::cout << "; " << labels.missing << " missing";
    std::cout << "\n";
  }
  printCounts("  splits      ", summary.splits);
  printCounts("  pairs       ", summary.pairs);
}

nlohmann::ordered_json valueOrNull(const std::optional<double> &value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json degreesJson(const DegreeSummary &degrees) {
  return {{"min", degrees.least}, {"mean", degrees.mean}, {"max", degrees.most}, {"none", degrees.none}};
}

void printJson(const Summary &summary) {
  nlohmann::ordered_json root = {{"name", summary.name},
                                 {"vertices", summary.vertices},
                                 {"edges", summary.edges},
                                 {"edge_types", summary.edgeTypes},
                                 {"symmetric", summary.symmetric},
                                 {"self_loops", summary.selfLoops},
                                 {"duplicates", summary.duplicates},
                                 {"in_degree", degreesJson(summary.in)},
                                 {"out_degree", degreesJson(summary.out)},
                                 {"class_sizes", summary.classSizes},
                                 {"unlabelled", summary.unlabelled}};
  if (const NumberLabels &labels = summary.numberLabels; !labels.shape.empty())
    root["labels"] = {{"element", elementText(labels.element)}, {"shape", labels.shape},
                      {"min", valueOrNull(labels.least)},       {"mean", valueOrNull(labels.mean)},
                      {"max", valueOrNull(labels.most)},        {"missing", labels.missing}};
  root["features"] = nlohmann::ordered_json::array();
  for (const FeatureSummary &feature : summary.features)
    root["features"].push_back({{"name", feature.name},
                                {"domain", feature.ofVertices ? "vertex" : "edge"},
                                {"sparse", feature.isSparse},
                                {"element", elementText(feature.element)},
                                {"columns", feature.columns},
                                {"nonzeros", feature.nonzeros}});
  for (const auto &[type, count] : summary.vertexTypes)
    root["vertex_types"][type] = count;
  for (const RelationSummary &relation : summary.relations)
    root["relations"].push_back({{"name", relation.name},
                                 {"source", relation.source},
                                 {"destination", relation.destination},
                                 {"edges", relation.edges},
                                 {"edge_types", relation.types}});
  for (const auto &[split, count] : summary.pairs)
    root["pairs"][split] = count;
  root["splits"] = nlohmann::ordered_json::object();
  for (const auto &[split, count] : summary.splits)
    root["splits"][split] = count;
  std::cout << root.dump(-1, ' ', /*ensure_ascii=*/false, nlohmann::json::error_handler_t::replace) << "\n";
}

} // namespace

void gnn::data_tool::addInspect(CLI::App &app, Action &chosen) {
  struct Options {
    std::string folder;
    bool json = false;
  };
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand("inspect", "Print what a data set holds");
  command->add_option("folder", options->folder, "The data set")->required();
  command->add_flag("--json", options->json, "Print one JSON object");
  command->callback([&chosen, options] {
    chosen = [options] {
      Summary summary = summarize(Dataset::load(options->folder));
      options->json ? printJson(summary) : printText(summary);
      if (!options->json)
        for (const std::string &line : unreadFiles(options->folder))
          std::cout << "  " << line << "\n";
      return 0;
    };
  });
}
