//===- Describe.cpp - gnn-data describe -----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a person looks at before a model is trained: columns by their names, balance of classes, degrees of each
// relation, and how often edges connect vertices of the same class.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/Dataset.h"
#include "runtime/src/data/ImportRecord.h"
#include "support/Process.h"
#include "tools/gnn-data/Commands.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <iostream>
#include <sstream>

using namespace gnn::data_tool;
using gnn::rt::ColumnForm;
using gnn::rt::ColumnKind;
using gnn::rt::Dataset;
using gnn::rt::EdgeTable;
using gnn::rt::Feature;
using gnn::rt::Tensor;
using gnn::rt::VertexTable;

namespace {

std::string numberText(double value) {
  std::ostringstream text;
  text.precision(6);
  text << value;
  return text.str();
}

std::string dateText(double days) {
  const std::time_t seconds = std::time_t(std::floor(days)) * 86400;
  std::tm date{};
  char text[32] = "";
  if (gmtime_r(&seconds, &date))
    std::strftime(text, sizeof text, "%Y-%m-%d", &date);
  return text;
}

std::string countText(int64_t count, const char *one, const char *many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

void print(const std::string &line) { std::cout << gnn::tools::printable(line) << "\n"; }

/// "1.07 … 5, mean 3.12", of numbers that are finite.
std::string rangeText(const Tensor &table) {
  double least = INFINITY, most = -INFINITY, sum = 0;
  int64_t count = 0;
  for (int64_t i = 0; i < table.count(); ++i) {
    const double value = gnn::rt::numberAt(table, i);
    if (!std::isfinite(value))
      continue;
    least = std::min(least, value);
    most = std::max(most, value);
    sum += value;
    ++count;
  }
  const int64_t others = table.count() - count;
  const std::string range =
      count ? numberText(least) + " … " + numberText(most) + ", mean " + numberText(sum / double(count)) : "";
  if (others == 0)
    return range;
  return range + (count ? ", " : "") + std::to_string(others) + " infinite or not a number";
}

void printFeature(const std::string &name, const Feature &feature) {
  std::string text = "  " + name + ": ";
  if (feature.sparse) {
    print(text + "sparse, " + std::to_string(feature.sparse->columns()) + " columns");
    return;
  }
  const Tensor table = feature.table();
  for (size_t axis = 1; axis < table.rank(); ++axis)
    text += std::to_string(table.dim(axis)) + (axis + 1 < table.rank() ? " x " : " columns, ");
  print(text + rangeText(table));
}

/// The columns that an import made the features of, from column `first` of the table on.
void printColumn(const ColumnForm &form, const Tensor &x, int64_t first) {
  const int64_t rows = x.dim(0), width = rows ? x.count() / rows : 0;
  const auto sumOf = [&](int64_t column) {
    double sum = 0;
    for (int64_t row = 0; row < rows; ++row)
      sum += gnn::rt::numberAt(x, row * width + first + column);
    return int64_t(std::llround(sum));
  };
  std::string text = "  " + form.name + ": " + form.kindName();
  if (form.kind == ColumnKind::Category) {
    int64_t known = 0;
    for (size_t i = 0; i < form.values.size(); ++i) {
      const int64_t count = sumOf(int64_t(i));
      known += count;
      text += (i ? ", " : " ") + form.values[i] + " " + std::to_string(count);
    }
    text += known < rows ? ", none " + std::to_string(rows - known) : "";
  } else if (form.hasValues()) {
    text += ", mean " + (form.kind == ColumnKind::Date ? dateText(form.mean) : numberText(form.mean));
    if (form.scale && *form.scale > 0)
      text += ", deviation " + numberText(1 / *form.scale) + (form.kind == ColumnKind::Date ? " days" : "");
    if (form.saysMissing)
      text += ", " + std::to_string(sumOf(1)) + " missing";
  }
  print(text);
}

/// Features of a type of vertices: `x` by the columns of the import, if its record is there and fits.
void printFeatures(const std::map<std::string, Feature> &features, const gnn::rt::VertexRecord *record) {
  for (const auto &[name, feature] : features) {
    const bool isOfColumns = name == "x" && record && !feature.sparse && feature.shape().size() == 2 &&
                             feature.shape()[1] == int64_t(record->width());
    if (!isOfColumns) {
      printFeature(name, feature);
      continue;
    }
    const Tensor x = feature.table();
    int64_t first = 0;
    for (const ColumnForm &form : record->columns) {
      printColumn(form, x, first);
      first += int64_t(form.numFeatures());
    }
  }
}

void printLabels(const Dataset &data) {
  if (data.labels && data.numClasses > 0) {
    std::vector<int64_t> counts(size_t(data.numClasses));
    int64_t none = 0;
    for (int64_t label : data.labels.values<int64_t>())
      ++(label < 0 ? none : counts[size_t(label)]);
    std::string text = "  label:";
    for (size_t i = 0; i < std::min<size_t>(counts.size(), 20); ++i)
      text += (i ? ", " : " ") + (data.classNames.empty() ? std::to_string(i) : data.classNames[i]) + " " +
              std::to_string(counts[i]);
    print(text + (counts.size() > 20 ? ", …" : "") + (none ? ", none " + std::to_string(none) : ""));
  } else if (data.labels) {
    print("  label: " + rangeText(data.labels));
  }
  std::string text;
  for (const char *split : {"train", "val", "test"})
    if (const auto found = data.splits.find(split); found != data.splits.end())
      text += (text.empty() ? "  split: " : ", ") + std::string(split) + " " + std::to_string(found->second.count());
  if (!text.empty())
    print(text);
}

void printDegrees(const char *end, const std::string &type, Tensor index, int64_t row, int64_t vertices) {
  std::vector<int64_t> degrees(static_cast<size_t>(vertices));
  const int64_t edges = index.dim(1);
  for (int64_t i = 0; i < edges; ++i)
    ++degrees[size_t(index.data<int64_t>()[row * edges + i])];
  if (vertices == 0)
    return;
  const auto [least, most] = std::minmax_element(degrees.begin(), degrees.end());
  print("  " + std::string(end) + " " + type + ": " + std::to_string(*least) + " … " + std::to_string(*most) +
        " edges, mean " + numberText(double(edges) / double(vertices)) + ", " +
        std::to_string(std::count(degrees.begin(), degrees.end(), 0)) + " without any");
}

/// How many edges between labelled vertices connect those of one class, and how many would by chance.
void printHomophily(const Dataset &data, const Tensor &index) {
  if (!data.labels || data.numClasses <= 0)
    return;
  const auto labels = data.labels.values<int64_t>();
  std::vector<double> ends[2] = {std::vector<double>(size_t(data.numClasses)),
                                 std::vector<double>(size_t(data.numClasses))};
  double same = 0, count = 0, chance = 0;
  for (int64_t i = 0; i < index.dim(1); ++i) {
    const int64_t a = labels[size_t(index.data<int64_t>()[i])],
                  b = labels[size_t(index.data<int64_t>()[index.dim(1) + i])];
    if (a < 0 || b < 0)
      continue;
    ++count;
    same += a == b;
    ++ends[0][size_t(a)];
    ++ends[1][size_t(b)];
  }
  if (count == 0)
    return;
  for (size_t i = 0; i < ends[0].size(); ++i)
    chance += ends[0][i] / count * ends[1][i] / count;
  print("  same class at both ends: " + numberText(same / count) + " of the edges, by chance " + numberText(chance));
}

int describe(const std::string &folder) {
  const std::shared_ptr<Dataset> data = gnn::rt::loadDataset(folder);
  std::optional<gnn::rt::ImportRecord> record;
  const std::string file = folder + "/import.json";
  if (std::error_code error; std::filesystem::exists(file, error))
    record = gnn::rt::ImportRecord::parse(gnn::rt::readFile(file).span(), file);
  const auto recordOf = [&](const std::string &type) -> const gnn::rt::VertexRecord * {
    if (record)
      for (const gnn::rt::VertexRecord &table : record->vertices)
        if (table.type == type)
          return &table;
    return nullptr;
  };
  std::vector<VertexTable> types = data->vertexTypes;
  std::vector<EdgeTable> relations = data->relations;
  if (!data->hasSchema()) {
    types.push_back({gnn::rt::plainType, data->numVertices, data->vertexFeatures});
    relations.emplace_back();
    relations.back().name = gnn::rt::plainRelation;
    relations.back().source = relations.back().destination = gnn::rt::plainType;
    relations.back().index = data->edgeIndex;
    relations.back().numTypes = data->numEdgeTypes;
    relations.back().features = data->edgeFeatures;
    relations.back().known = data->known;
  }
  print(data->name + ": " + countText(data->totalVertices(), "vertex", "vertices") + ", " +
        countText(data->numEdges(), "edge", "edges"));
  const auto isLabelled = [&](const std::string &type) {
    return data->hasSchema() ? type == data->labelled : !data->labelsEdges();
  };
  for (const VertexTable &type : types) {
    print(type.name + ": " + countText(type.count, "vertex", "vertices"));
    if (isLabelled(type.name))
      printLabels(*data);
    printFeatures(type.features, recordOf(type.name));
  }
  const auto countOf = [&](const std::string &name) {
    return std::find_if(types.begin(), types.end(), [&](const VertexTable &type) { return type.name == name; })->count;
  };
  for (const EdgeTable &relation : relations) {
    print(relation.source + " -" + relation.name + "-> " + relation.destination + ": " +
          countText(relation.numEdges(), "edge", "edges") +
          (relation.numTypes > 0 ? " of " + countText(relation.numTypes, "type", "types") : ""));
    printDegrees("from", relation.source, relation.index, 0, countOf(relation.source));
    printDegrees("to", relation.destination, relation.index, 1, countOf(relation.destination));
    if (isLabelled(relation.source) && isLabelled(relation.destination))
      printHomophily(*data, relation.index);
    if (data->labelsEdges() && (!data->hasSchema() || relation.triple() == data->labelled))
      printLabels(*data);
    std::string known;
    for (const auto &[split, name] : {std::pair("train", "training"), std::pair("val", "validation")})
      if (const auto count = relation.known.find(split); count != relation.known.end())
        known += (known.empty() ? "  known in " : ", in ") + std::string(name) + ": " + std::to_string(count->second);
    if (!known.empty())
      print(known);
    for (const auto &[name, feature] : relation.features)
      printFeature(name, feature);
  }
  std::string pairs;
  for (const char *split : {"train", "val", "test"})
    if (const auto found = data->pairs.find(split); found != data->pairs.end())
      pairs += (pairs.empty() ? "pairs: " : ", ") + std::string(split) + " " + std::to_string(found->second.dim(0));
  if (!pairs.empty())
    print(pairs);
  return 0;
}

} // namespace

void gnn::data_tool::addDescribe(CLI::App &app, Action &chosen) {
  auto folder = std::make_shared<std::string>();
  CLI::App *command = app.add_subcommand(
      "describe", "Print columns, classes, degrees, and how often edges connect vertices of the same class");
  command->add_option("folder", *folder, "The data set")->required();
  command->callback([&chosen, folder] { chosen = [folder] { return describe(*folder); }; });
}
