//===- Labels.cpp - What rows are labelled and when -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/Labels.h"
#include "tools/gnn-data/Cells.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace gnn::data_tool;
using gnn::rt::ColumnForm;
using gnn::rt::ColumnKind;
using gnn::rt::require;
using gnn::rt::Tensor;

namespace {

constexpr size_t maxClasses = 100000;

/// Whether the classes are called by their numbers.
bool areUsual(const std::vector<std::string> &classes) {
  for (size_t i = 0; i < classes.size(); ++i)
    if (classes[i] != std::to_string(i))
      return false;
  return true;
}

void setClasses(gnn::rt::Dataset &data, const std::vector<std::string> &classes) {
  data.numClasses = int64_t(classes.size());
  if (!areUsual(classes))
    data.classNames = classes;
}

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

TimeColumn::TimeColumn(const Table &table, const std::string &column, const ColumnChoices &choices,
                       const CellOptions &options)
    : cells(options), place(table.column(column)),
      guess(table.columns()[place], table.isText(place), ColumnGuess::Use::Feature, options,
            choiceOf(choices, table.columns()[place])) {}

ColumnForm TimeColumn::form(const std::string &file) const {
  const ColumnForm form = guess.form(file);
  require(form.kind == ColumnKind::Number || form.kind == ColumnKind::Date, GNN_ERROR_DATA, file, ": the column '",
          guess.name, "' of --by is ", form.kindName(), ", expected dates or numbers");
  return form;
}

std::vector<double> TimeColumn::times(const RereadTable &table, int64_t rows) const {
  const ColumnForm read = form(table.file);
  std::vector<double> times;
  table.forRows(rows, [&](const Table &row) {
    const std::string_view cell = row.cell(place);
    const std::optional<double> value = cells.isMissing(cell) ? std::nullopt : read.value(cell);
    times.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
  });
  return times;
}

std::optional<Shares> gnn::data_tool::sharesOf(const std::string &split, const std::string &option) {
  const size_t comma = split.find(',');
  std::string parts[] = {split.substr(0, comma), comma == split.npos ? "" : split.substr(comma + 1)};
  std::optional<double> numbers[2];
  for (int i = 0; i < 2; ++i) {
    if (parts[i].empty() || parts[i].back() != '%')
      return std::nullopt;
    parts[i].pop_back();
    numbers[i] = numberIn(parts[i]);
  }
  require(numbers[0] && numbers[1] && *numbers[0] >= 0 && *numbers[1] >= 0 && *numbers[0] + *numbers[1] <= 100,
          GNN_ERROR_ARGUMENT, option, " ", split, ": expected two shares that are 100% at most together");
  return Shares{*numbers[0], *numbers[1]};
}

Boundaries gnn::data_tool::boundariesOf(const std::string &split, const std::string &option, const ColumnForm &form,
                                        std::vector<double> times) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Boundaries result;
  result.column = form.name;
  result.areDates = form.kind == ColumnKind::Date;
  if (const std::optional<Shares> shares = sharesOf(split, option)) {
    std::sort(times.begin(), times.end());
    const auto after = [&](double share) { // what is at the time of the last row belongs to it
      const size_t end = size_t(std::llround(double(times.size()) * share / 100));
      const auto later = end == 0 ? times.begin() : std::upper_bound(times.begin(), times.end(), times[end - 1]);
      return end == 0 ? -infinity : later == times.end() ? infinity : *later;
    };
    result.val = after(shares->train);
    result.test = after(shares->train + shares->val);
    return result;
  }
  const auto time = [&](const std::string &text) {
    const std::optional<double> read = result.areDates && dateIn(text) ? dateIn(text) : form.value(text);
    require(read.has_value(), GNN_ERROR_ARGUMENT, option, " ", split, ": '", text, "' is no ", form.kindName(),
            " like those of the column '", form.name, "'");
    return *read;
  };
  const size_t comma = split.find(',');
  require(comma != split.npos, GNN_ERROR_ARGUMENT, option, " ", split, ": expected two shares or boundaries");
  result.val = time(split.substr(0, comma));
  result.test = time(split.substr(comma + 1));
  require(result.val <= result.test, GNN_ERROR_ARGUMENT, option, " ", split,
          ": the second boundary is before the first");
  return result;
}

Labels::Labels(const Table &table, RereadTable of, const ImportOptions &importOptions, size_t place)
    : again(std::move(of)), options(importOptions), column(place), kind(options.labelKind),
      guess(table.columns()[column], table.isText(column), ColumnGuess::Use::Label, options.cells,
            kind == LabelKind::Number ? std::optional(ColumnChoice{ColumnKind::Number, {}}) : std::nullopt) {}

void Labels::take(const Table &table) {
  std::string_view cell = table.cell(column);
  isLastMissing = options.cells.isMissing(cell);
  if (isLastMissing) {
    classes.push_back(-1);
    values.push_back(std::numeric_limits<double>::quiet_NaN());
    ++numMissing;
    missingLine = missingLine ? missingLine : table.line();
    return;
  }
  const std::optional<double> number = numberIn(cell);
  guess.see(cell, table.line());
  if (const size_t point = cell.find('.'); // 1.0, as pandas writes classes where some are missing
      kind == LabelKind::Class && number && *number == std::floor(*number) && point != std::string_view::npos &&
      cell.find_first_not_of('0', point + 1) == std::string_view::npos)
    cell = cell.substr(0, point);
  areNumbers = areNumbers && number;
  areWhole = areWhole && number && *number == std::floor(*number);
  areIntegers = areIntegers && integerIn(cell);
  values.push_back(number.value_or(0));
  auto found = numbers.find(cell);
  if (found == numbers.end()) {
    if (numbers.size() > maxClasses && !areNumbers)
      table.fail("more than ", maxClasses, " different labels");
    if (numbers.size() <= maxClasses)
      found = numbers.emplace(std::string(cell), int64_t(numbers.size())).first;
  }
  classes.push_back(found == numbers.end() ? -1 : found->second);
}

std::vector<std::string> Labels::finish(gnn::rt::Dataset &data, const std::vector<std::string> &known,
                                        std::vector<std::string> &notes) {
  const std::string &name = guess.name, &path = again.file;
  if (kind != LabelKind::Class && known.empty())
    if (const ColumnForm form = guess.form(path); form.kind == ColumnKind::Number && !areNumbers)
      readAs(form);
  const bool areToPredict = kind == LabelKind::Number || (kind == LabelKind::Auto && !areIntegers);
  if (known.empty() && areNumbers && (areToPredict || numbers.size() > maxClasses)) {
    require(!missingLine || !options.split.empty(), GNN_ERROR_DATA, path, ":", missingLine, ": no ", name,
            ", expected a number: --split, as 60%,20%, leaves rows without one out of all splits",
            areWhole && kind == LabelKind::Auto ? " (--label-kind class makes classes of them)" : "");
    data.labels = narrowed(Tensor::of(values));
    notes.push_back("target " + name + ": number" +
                    (numMissing ? ", " + std::to_string(numMissing) + " missing, which are in no split" : "") +
                    (areWhole && kind == LabelKind::Auto ? " (--label-kind class makes classes of them)" : ""));
    return {};
  }
  std::vector<std::string> names;
  for (const auto &[text, number] : numbers)
    names.push_back(text);
  std::sort(names.begin(), names.end(), [&](const std::string &a, const std::string &b) {
    return areIntegers ? *integerIn(a) < *integerIn(b) : a < b;
  });
  if (!known.empty()) {
    for (const std::string &text : names)
      require(std::count(known.begin(), known.end(), text) > 0, GNN_ERROR_DATA, path, ": the ", name, " '", text,
              "' is no class of the earlier import");
    require(numbers.size() <= maxClasses, GNN_ERROR_DATA, path, ": more than ", maxClasses, " different labels");
    names = known;
  }
  std::vector<uint64_t> rowsOf(numbers.size());
  for (int64_t label : classes)
    if (label >= 0)
      ++rowsOf[size_t(label)];
  CellCounts counts;
  for (const auto &[text, number] : numbers)
    counts[text] = rowsOf[size_t(number)];
  if (known.empty())
    requireOneCase(counts, path, name, "write the classes alike");
  std::vector<int64_t> classOf(numbers.size());
  for (size_t i = 0; i < names.size(); ++i)
    if (auto found = numbers.find(names[i]); found != numbers.end())
      classOf[size_t(found->second)] = int64_t(i);
  for (int64_t &label : classes)
    label = label < 0 ? label : classOf[size_t(label)];
  data.labels = Tensor::of(classes);
  setClasses(data, names);
  std::string list;
  for (size_t i = 0; i < std::min<size_t>(names.size(), 8); ++i)
    list += (i ? ", " : "") + names[i];
  notes.push_back("target " + name + ": " + std::to_string(names.size()) + " classes, " + list +
                  (names.size() > 8 ? ", …" : ""));
  if (areIntegers && names.size() > 1 && names[0] == "-1" && *integerIn(names[1]) >= 0)
    notes.push_back("target " + name +
                    ": -1 is one of the classes; where it stands for no label, leave the cell empty");
  return names;
}

void Labels::readAs(const ColumnForm &form) {
  values.clear();
  areNumbers = true;
  again.forRows(int64_t(classes.size()), [&](const Table &table) {
    const std::string_view cell = table.cell(column);
    const bool isAbsent = options.cells.isMissing(cell);
    const std::optional<double> number = isAbsent ? std::nullopt : form.value(cell);
    values.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
    areWhole = areWhole && (isAbsent || (number && *number == std::floor(*number)));
  });
}

Labelling::Labelling(const Table &table, RereadTable of, const LabelColumns &names, const ColumnChoices &choices,
                     const ImportOptions &importOptions, std::string tableName)
    : again(std::move(of)), options(importOptions), name(std::move(tableName)) {
  if (!names.label.empty()) {
    labelColumn = table.column(names.label);
    labelName = table.columns()[*labelColumn];
    labels.emplace(table, again, options, *labelColumn);
  }
  if (!names.split.empty())
    splitColumn = table.column(names.split);
  if (labels && !names.by.empty()) // else it orders other splits
    time.emplace(table, names.by, choices, options.cells);
}

void Labelling::take(const Table &table, std::string_view id) {
  if (labels)
    labels->take(table);
  if (time)
    time->take(table);
  const int64_t row = numRows++;
  if (!splitColumn || options.cells.isMissing(table.cell(*splitColumn)))
    return;
  const std::string_view cell = table.cell(*splitColumn);
  const std::string split = splitNamed(cell);
  if (split.empty())
    table.fail("the split is '", cell, "', expected train, val, test or nothing");
  if (labels && labels->lastIsMissing())
    table.fail(id.empty() ? "the edge" : "the vertex '" + std::string(id) + "'", " is in the split ", split,
               " and has no label: ", id.empty() ? "edges" : "vertices", " without one are in no split");
  splits[split].push_back(row);
}

void Labelling::finish(gnn::rt::Dataset &data, gnn::rt::ImportRecord &record, std::vector<std::string> &notes) {
  const bool isLabelledLike = options.like && options.like->labelled == name;
  const std::vector<std::string> earlier = isLabelledLike ? options.like->classes : std::vector<std::string>();
  if (labels || isLabelledLike) {
    record.labelled = name;
    record.label = labels ? labelName : options.like->label;
  }
  if (labels)
    record.classes = labels->finish(data, earlier, notes);
  else if (!earlier.empty())
    setClasses(data, record.classes = earlier);
  for (const auto &[split, rows] : splits)
    data.splits[split] = Tensor::of(rows);
  if (time)
    splitByTime(data, notes);
}

void Labelling::splitByTime(gnn::rt::Dataset &data, std::vector<std::string> &notes) {
  const ColumnForm form = time->form(again.file);
  const std::vector<double> times = time->times(again, numRows);
  std::vector<double> ofLabelled;
  std::vector<bool> isLabelled;
  uint64_t numMissing = 0;
  for (int64_t row = 0; row < numRows; ++row) {
    isLabelled.push_back(data.numClasses > 0 ? data.labels.values<int64_t>()[size_t(row)] >= 0
                                             : !std::isnan(gnn::rt::numberAt(data.labels, row)));
    if (isLabelled.back() && !std::isnan(times[size_t(row)]))
      ofLabelled.push_back(times[size_t(row)]);
    else if (isLabelled.back())
      ++numMissing;
  }
  divided = boundariesOf(options.split, "--split", form, std::move(ofLabelled));
  std::vector<int64_t> parts[3];
  for (int64_t row = 0; row < numRows; ++row) {
    phasesOfRows.push_back(divided->phase(times[size_t(row)]));
    if (isLabelled[size_t(row)] && !std::isnan(times[size_t(row)]))
      parts[size_t(phasesOfRows.back())].push_back(row);
  }
  isTraining.resize(size_t(numRows));
  for (int64_t row : parts[0])
    isTraining[size_t(row)] = true;
  std::string text = "split by " + form.name + ":";
  constexpr const char *names[] = {"train", "val", "test"};
  for (int part = 0; part < 3; ++part) {
    data.splits[names[part]] = Tensor::of(parts[part]);
    text += std::string(part ? ", " : " ") + names[part] + " " + std::to_string(parts[part].size());
  }
  require(!parts[0].empty(), GNN_ERROR_DATA, again.file, ": --split ", options.split, " --by ", form.name,
          " leaves nothing to train on");
  notes.push_back(text + (numMissing ? ", " + std::to_string(numMissing) + " without it are in no split" : "") +
                  (options.like ? std::string() // which has them
                                : "; means and categories of " +
                                      (name == gnn::rt::plainType       ? "vertices"
                                       : name == gnn::rt::plainRelation ? "edges"
                                                                        : name) +
                                      " are those of train"));
}
