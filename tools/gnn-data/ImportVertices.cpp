//===- ImportVertices.cpp - A table of vertices ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/ImportTables.h"
#include <algorithm>
#include <map>

using namespace gnn::data_tool;
using gnn::rt::Tensor;

namespace {

constexpr size_t maxClasses = 100000;

/// Integers and texts become classes, in their order; other numbers are what a regression is to find.
class Labels {
public:
  Labels(TextTable &table, const std::string &path, size_t column) : table(table), path(path), column(column) {}

  void take() {
    const std::string_view cell = table.cell(column);
    if (isMissing(cell)) {
      classes.push_back(-1);
      values.push_back(0);
      missingLine = missingLine ? missingLine : table.line();
      return;
    }
    const std::optional<double> number = numberIn(cell);
    areNumbers = areNumbers && number;
    areIntegers = areIntegers && integerIn(cell);
    values.push_back(float(number.value_or(0)));
    auto found = numbers.find(cell);
    if (found == numbers.end()) {
      if (numbers.size() > maxClasses && !areNumbers)
        table.fail("more than ", maxClasses, " different labels");
      if (numbers.size() <= maxClasses)
        found = numbers.emplace(std::string(cell), int64_t(numbers.size())).first;
    }
    classes.push_back(found == numbers.end() ? -1 : found->second);
  }

  void finish(gnn::rt::Dataset &data, Notes &notes) {
    const std::string &name = table.columns()[column];
    if (areNumbers && (!areIntegers || numbers.size() > maxClasses)) {
      gnn::rt::require(!missingLine, GNN_ERROR_DATA, path, ":", missingLine, ": no ", name,
                       ", expected a number: only classes may be missing");
      data.labels = Tensor::of(values);
      notes.push_back("target " + name + ": number");
      return;
    }
    std::vector<std::string> names;
    for (const auto &[text, number] : numbers)
      names.push_back(text);
    std::sort(names.begin(), names.end(), [&](const std::string &a, const std::string &b) {
      return areIntegers ? *integerIn(a) < *integerIn(b) : a < b;
    });
    std::vector<int64_t> classOf(names.size());
    bool areUsual = true;
    for (size_t i = 0; i < names.size(); ++i) {
      classOf[size_t(numbers.find(names[i])->second)] = int64_t(i);
      areUsual = areUsual && names[i] == std::to_string(i);
    }
    for (int64_t &label : classes)
      label = label < 0 ? label : classOf[size_t(label)];
    data.labels = Tensor::of(classes);
    data.numClasses = int64_t(names.size());
    std::string list;
    for (size_t i = 0; i < std::min<size_t>(names.size(), 8); ++i)
      list += (i ? ", " : "") + names[i];
    notes.push_back("target " + name + ": " + std::to_string(names.size()) + " classes, " + list +
                    (names.size() > 8 ? ", …" : ""));
    if (!areUsual)
      data.classNames = std::move(names);
  }

private:
  TextTable &table;
  const std::string &path;
  const size_t column;
  std::map<std::string, int64_t, std::less<>> numbers; // by first appearance
  std::vector<int64_t> classes;
  std::vector<float> values;
  bool areNumbers = true, areIntegers = true;
  uint64_t missingLine = 0;
};

/// The split that a cell names, or an empty text.
std::string splitNamed(std::string_view cell) {
  std::string word(cell);
  std::transform(word.begin(), word.end(), word.begin(), [](unsigned char c) { return char(std::tolower(c)); });
  if (word == "train" || word == "training")
    return "train";
  if (word == "val" || word == "valid" || word == "validation" || word == "dev")
    return "val";
  return word == "test" ? "test" : "";
}

} // namespace

VertexIds gnn::data_tool::importVertices(const ImportOptions &options, rt::Dataset &data, Notes &notes,
                                         nlohmann::ordered_json &record, std::set<std::string> &found) {
  // The first pass: ids, labels and splits, and what the other columns hold.
  TextTable table(options.vertices, options.form);
  const std::vector<std::string> &names = table.columns();
  const size_t id = options.id.empty() ? 0 : table.column(options.id);
  notes.push_back(headerNote(options.vertices, table));
  std::optional<size_t> split;
  std::optional<Labels> labels;
  std::vector<size_t> columns;
  std::vector<ColumnType> types;
  std::optional<size_t> label;
  if (!options.label.empty())
    labels.emplace(table, options.vertices, *(label = table.column(options.label)));
  if (!options.split.empty() && options.split.find(',') == std::string::npos)
    split = table.column(options.split);
  for (size_t column = 0; column < names.size(); ++column)
    if (column != id && column != label && column != split &&
        !std::count(options.dropped.begin(), options.dropped.end(), names[column])) {
      columns.push_back(column);
      types.emplace_back(names[column]);
    }
  found.insert(names.begin(), names.end());
  IdColumn ids;
  std::map<std::string, std::vector<int64_t>> splits;
  for (; table.next();) {
    const int64_t row = int64_t(ids.size());
    if (isMissing(table.cell(id)))
      table.fail("the column '", names[id], "' is '", table.cell(id),
                 "', which stands for nothing, expected the vertex's id");
    ids.add(table.cell(id));
    if (labels)
      labels->take();
    if (split && !isMissing(table.cell(*split))) {
      const std::string name = splitNamed(table.cell(*split));
      if (name.empty())
        table.fail("the split is '", table.cell(*split), "', expected train, val, test or nothing");
      splits[name].push_back(row);
    }
    for (size_t i = 0; i < columns.size(); ++i)
      types[i].see(table.cell(columns[i]));
  }
  data.numVertices = int64_t(ids.size());
  if (labels)
    labels->finish(data, notes);
  for (const auto &[name, rows] : splits)
    data.splits[name] = Tensor::of(rows);

  // The second pass: features.
  size_t width = 0;
  for (const ColumnType &type : types) {
    width += type.numFeatures();
    notes.push_back(type.summary());
    record["columns"].push_back(type.json(options.isScaled));
  }
  if (width > 0) {
    Tensor features = Tensor::empty(GNN_F32, {data.numVertices, int64_t(width)});
    float *row = features.mutableData<float>(), *end = row + features.count();
    TextTable again(options.vertices, options.form);
    while (again.next()) {
      if (row == end)
        again.fail("the file has changed while it was read");
      for (size_t i = 0; i < columns.size(); ++i) {
        types[i].write(again.cell(columns[i]), options.isScaled, row);
        row += types[i].numFeatures();
      }
    }
    rt::require(row == end, GNN_ERROR_DATA, options.vertices, ": the file has changed while it was read");
    data.vertexFeatures["x"] = {features, std::nullopt};
  }
  return VertexIds::ofRows(std::move(ids), options.vertices);
}
