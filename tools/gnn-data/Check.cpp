//===- Check.cpp - gnn-data check ------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loading is the check proper: it refuses whatever is wrong. What is legal but rarely meant is counted and printed as a
// warning.
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/Commands.h"
#include "tools/gnn-data/PairCounts.h"
#include "tools/gnn-data/Summary.h"
#include "tools/gnn-data/UnreadFiles.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <iostream>

using namespace gnn::data_tool;

namespace {

struct NotFinite {
  int64_t count = 0, first = -1; // element
};

template <class Real> NotFinite findNotFinite(const gnn::Tensor &tensor) {
  NotFinite found;
  for (int64_t i = 0; i < tensor.count(); ++i)
    if (!std::isfinite(tensor.data<Real>()[i]) && found.count++ == 0)
      found.first = i;
  return found;
}

NotFinite findNotFinite(const gnn::Tensor &tensor) {
  return tensor.element() == GNN_F32   ? findNotFinite<float>(tensor)
         : tensor.element() == GNN_F64 ? findNotFinite<double>(tensor)
                                       : NotFinite();
}

/// The row of nonzero `entry` of a sparse matrix.
int64_t rowOf(const gnn::Tensor &indptr, int64_t entry) {
  const int64_t *begin = indptr.data<int64_t>();
  return std::upper_bound(begin, begin + indptr.count(), entry) - begin - 1;
}

class Warnings {
public:
  explicit Warnings(std::string folder) : folder(std::move(folder)) {}
  void count(int64_t number, const std::string &text) {
    if (number > 0)
      line(std::to_string(number) + " " + text);
  }
  void line(const std::string &text) {
    std::cerr << "gnn-data: warning: " << folder << ": " << text << "\n";
    ++printed;
  }
  int total() const { return printed; }

private:
  std::string folder;
  int printed = 0;
};

void checkFeatures(const gnn::Dataset &data, const Summary &summary, Warnings &warnings) {
  for (const FeatureSummary &feature : summary.features) {
    uint32_t domain = feature.ofVertices ? GNN_FEATURE_VERTEX : GNN_FEATURE_EDGE;
    gnn::Tensor values =
        feature.isSparse ? data.sparseFeature(feature.name).values : data.denseFeature(domain, feature.name);
    const NotFinite found = findNotFinite(values);
    if (found.count == 0)
      continue;
    const int64_t row = feature.isSparse ? rowOf(data.sparseFeature(feature.name).indptr, found.first)
                                         : found.first / (values.count() / values.shape()[0]);
    warnings.count(found.count, "values of " + feature.name + " are infinite or not a number, the first in row " +
                                    std::to_string(row));
  }
}

void checkSplits(const gnn::Dataset &data, const Summary &summary, Warnings &warnings) {
  std::vector<const char *> owner(size_t(summary.labelsEdges ? summary.edges : summary.vertices));
  std::map<std::string, int64_t> shared;
  for (const auto &[split, size] : summary.splits) {
    gnn::Tensor ids = data.tensor(split);
    for (int64_t i = 0; i < size; ++i) {
      const char *&other = owner[size_t(ids.data<int64_t>()[i])];
      if (other)
        ++shared[std::string(summary.labelsEdges ? "edges" : "vertices") + " are in both " + other + " and " + split];
      other = split.c_str();
    }
  }
  for (const auto &[text, count] : shared)
    warnings.count(count, text);
}

/// Labels that are numbers.
void checkLabels(const gnn::Dataset &data, Warnings &warnings) {
  const gnn::Tensor labels = data.find("labels");
  const NotFinite found = labels ? findNotFinite(labels) : NotFinite();
  if (found.count > 0)
    warnings.count(found.count, "labels are infinite or not a number, the first in row " +
                                    std::to_string(found.first / (labels.count() / labels.shape()[0])) +
                                    "; one that is not a number counts as missing");
}

int checkFolder(const std::string &folder) {
  gnn::Dataset data = gnn::Dataset::load(folder);
  Summary summary = summarize(data);
  Warnings warnings(folder);
  warnings.count(summary.duplicates, "edges repeat an earlier one");
  warnings.count(summary.selfLoops, "edges are self loops");
  checkFeatures(data, summary, warnings);
  checkLabels(data, warnings);
  checkSplits(data, summary, warnings);
  for (const auto &[number, text] : countOddPairs(data))
    warnings.count(number, text);
  for (const std::string &text : unreadFiles(folder))
    warnings.line(text);
  std::cout << folder << ": sound, " << warnings.total() << (warnings.total() == 1 ? " warning\n" : " warnings\n");
  return 0;
}

} // namespace

void gnn::data_tool::addCheck(CLI::App &app, Action &chosen) {
  auto folder = std::make_shared<std::string>();
  CLI::App *command = app.add_subcommand("check", "Check every file of a data set; exit 1 if one is wrong");
  command->add_option("folder", *folder, "The data set")->required();
  command->callback([&chosen, folder] { chosen = [folder] { return checkFolder(*folder); }; });
}
