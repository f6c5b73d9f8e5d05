//===- ImportVertices.cpp - A table of vertices ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/Encoder.h"
#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/ColumnGuess.h"
#include "tools/gnn-data/ColumnNames.h"
#include "tools/gnn-data/ImportTables.h"
#include "tools/gnn-data/NumberColumn.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace gnn::data_tool;
using gnn::rt::ColumnForm;
using gnn::rt::ColumnKind;
using gnn::rt::Tensor;
using gnn::rt::VertexRecord;

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

/// Calls `read` with the table at each row, in one more pass over it. Throws a data error if there are not `rows` any
/// more.
template <class Read>
void readAgain(const VertexOptions &own, const ImportOptions &options, int64_t rows, Read &&read) {
  const std::unique_ptr<Table> table = openTable(own.file, formOf(own, options), GraphmlPart::Nodes);
  for (; table->next(); --rows) {
    if (rows == 0)
      table->fail("the file has changed while it was read");
    read(*table);
  }
  gnn::rt::require(rows == 0, GNN_ERROR_DATA, own.file, ": the file has changed while it was read");
}

/// Integers and texts become classes, in their order; other numbers are what a regression is to find.
class Labels {
public:
  Labels(Table &table, const VertexOptions &own, const ImportOptions &options, size_t column)
      : table(table), own(own), options(options), path(own.file), column(column), kind(options.labelKind),
        guess(table.columns()[column], table.isText(column), ColumnGuess::Use::Label, options.cells,
              kind == LabelKind::Number ? std::optional(ColumnChoice{ColumnKind::Number, {}}) : std::nullopt) {}

  void take() {
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

  bool lastIsMissing() const { return isLastMissing; }

  /// `known` are the classes of an earlier import, if it had any. Returns those that there are now.
  std::vector<std::string> finish(gnn::rt::Dataset &data, const std::vector<std::string> &known, bool hasSplit,
                                  Notes &notes) {
    const std::string &name = table.columns()[column];
    if (kind != LabelKind::Class && known.empty())
      if (const ColumnForm form = guess.form(path); form.kind == ColumnKind::Number && !areNumbers)
        readAs(form);
    const bool areToPredict = kind == LabelKind::Number || (kind == LabelKind::Auto && !areIntegers);
    if (known.empty() && areNumbers && (areToPredict || numbers.size() > maxClasses)) {
      gnn::rt::require(!missingLine || hasSplit, GNN_ERROR_DATA, path, ":", missingLine, ": no ", name,
                       ", expected a number: --split, as 60%,20%, leaves vertices without one out of all splits",
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
        gnn::rt::require(std::count(known.begin(), known.end(), text) > 0, GNN_ERROR_DATA, path, ": the ", name, " '",
                         text, "' is no class of the earlier import");
      gnn::rt::require(numbers.size() <= maxClasses, GNN_ERROR_DATA, path, ": more than ", maxClasses,
                       " different labels");
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

private:
  /// Labels that are numbers as `form` writes them.
  void readAs(const ColumnForm &form) {
    values.clear();
    areNumbers = true;
    readAgain(own, options, int64_t(classes.size()), [&](const Table &again) {
      const std::string_view cell = again.cell(column);
      const bool isAbsent = options.cells.isMissing(cell);
      const std::optional<double> number = isAbsent ? std::nullopt : form.value(cell);
      values.push_back(number.value_or(std::numeric_limits<double>::quiet_NaN()));
      areWhole = areWhole && (isAbsent || (number && *number == std::floor(*number)));
    });
  }

  Table &table;
  const VertexOptions &own;
  const ImportOptions &options;
  const std::string &path;
  const size_t column;
  const LabelKind kind;
  std::map<std::string, int64_t, std::less<>> numbers; // by first appearance
  std::vector<int64_t> classes;
  std::vector<double> values;
  uint64_t numMissing = 0;
  bool areNumbers = true, areIntegers = true, areWhole = true, isLastMissing = false;
  uint64_t missingLine = 0;
  ColumnGuess guess;
};

/// Divides rows by a column of dates or numbers: the earlier ones train.
class TimeSplit {
public:
  TimeSplit(const Table &table, const VertexOptions &own, const ImportOptions &options)
      : own(own), options(options), place(table.column(own.by)),
        guess(table.columns()[place], table.isText(place), ColumnGuess::Use::Feature, options.cells,
              choiceOf(own.choices, table.columns()[place])) {}

  size_t column() const { return place; }
  /// As --column takes it.
  std::string kind() const { return choiceText(guess.form(own.file)); }
  void take(const Table &table) { guess.see(table.cell(place), table.line()); }

  /// Sets the splits of the labelled rows. Returns which rows train.
  std::vector<bool> split(gnn::rt::Dataset &data, Notes &notes) const {
    const ColumnForm form = guess.form(own.file);
    gnn::rt::require(form.kind == ColumnKind::Number || form.kind == ColumnKind::Date, GNN_ERROR_DATA, own.file,
                     ": the column '", guess.name, "' of --by is ", form.kindName(), ", expected dates or numbers");
    std::vector<std::pair<double, int64_t>> rows; // values
    int64_t row = 0;
    uint64_t numMissing = 0;
    readAgain(own, options, data.numVertices, [&](const Table &table) {
      const std::string_view cell = table.cell(place);
      const std::optional<double> value = options.cells.isMissing(cell) ? std::nullopt : form.value(cell);
      if (const bool isLabelled = data.numClasses > 0 ? data.labels.values<int64_t>()[size_t(row)] >= 0
                                                      : !std::isnan(gnn::rt::numberAt(data.labels, row));
          isLabelled && value)
        rows.emplace_back(*value, row);
      else if (isLabelled)
        ++numMissing;
      ++row;
    });
    std::sort(rows.begin(), rows.end());
    const size_t ends[] = {0, end(rows, form, 0), end(rows, form, 1), rows.size()};
    gnn::rt::require(ends[1] <= ends[2], GNN_ERROR_ARGUMENT, "--split ", options.split,
                     ": the second boundary is before the first");
    std::string text = "split by " + guess.name + ":";
    std::vector<bool> isTraining(size_t(data.numVertices));
    constexpr const char *names[] = {"train", "val", "test"};
    for (int part = 0; part < 3; ++part) {
      std::vector<int64_t> vertices;
      for (size_t i = ends[part]; i < ends[part + 1]; ++i)
        vertices.push_back(rows[i].second);
      for (int64_t vertex : vertices)
        isTraining[size_t(vertex)] = part == 0;
      std::sort(vertices.begin(), vertices.end());
      data.splits[names[part]] = Tensor::of(vertices);
      text += std::string(part ? ", " : " ") + names[part] + " " + std::to_string(vertices.size());
    }
    gnn::rt::require(ends[1] > 0, GNN_ERROR_DATA, own.file, ": --split ", options.split, " --by ", guess.name,
                     " leaves nothing to train on");
    notes.push_back(
        text + (numMissing ? ", " + std::to_string(numMissing) + " without it are in no split" : "") +
        (own.like ? std::string() // which has them
                  : "; means and categories of " + (own.type.empty() ? "vertices" : own.type) + " are those of train"));
    return isTraining;
  }

private:
  /// How many of the sorted rows are before the end of training (0) or of validation (1).
  size_t end(const std::vector<std::pair<double, int64_t>> &rows, const ColumnForm &form, int which) const {
    const size_t comma = options.split.find(',');
    std::string first = options.split.substr(0, comma), second = options.split.substr(comma + 1);
    if (!first.empty() && !second.empty() && first.back() == '%' && second.back() == '%') {
      first.pop_back();
      second.pop_back();
      const std::optional<double> train = numberIn(first), val = numberIn(second);
      gnn::rt::require(train && val && *train >= 0 && *val >= 0 && *train + *val <= 100, GNN_ERROR_ARGUMENT, "--split ",
                       options.split, ": expected two shares that are 100% at most together");
      const double share = which == 0 ? *train : *train + *val;
      size_t end = size_t(std::llround(double(rows.size()) * share / 100));
      while (end > 0 && end < rows.size() && rows[end].first == rows[end - 1].first)
        ++end; // what is at one time is in one split
      return end;
    }
    const std::string &text = which == 0 ? first : second;
    const std::optional<double> boundary =
        form.kind == ColumnKind::Date && dateIn(text) ? dateIn(text) : form.value(text);
    gnn::rt::require(boundary.has_value(), GNN_ERROR_ARGUMENT, "--split ", options.split, ": '", text, "' is no ",
                     form.kindName(), " like those of the column '", guess.name, "'");
    return size_t(std::lower_bound(rows.begin(), rows.end(), std::pair(*boundary, int64_t(-1))) - rows.begin());
  }

  const VertexOptions &own;
  const ImportOptions &options;
  const size_t place;
  ColumnGuess guess;
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

/// "age: number, 3 missing, 2 features".
std::string summaryOf(const ColumnForm &form, const std::vector<ColumnGuess> &seen, const std::string &column,
                      uint64_t numBad) {
  const auto guess = std::find_if(seen.begin(), seen.end(), [&](const ColumnGuess &of) { return of.name == column; });
  std::string text = form.name + ": " + form.kindName() + wordsFor(form);
  if (form.kind == ColumnKind::Category)
    text += " of " + std::to_string(form.values.size());
  if (guess != seen.end() && guess->numMissing())
    text += ", " + std::to_string(guess->numMissing()) + " missing";
  if (numBad)
    text += ", " + std::to_string(numBad) + " bad, read as missing";
  if (guess != seen.end() && !guess->firstOther().empty() && !form.hasValues())
    text += ", no numbers: " + guess->firstOther();
  return text + (form.numFeatures() > 1 ? ", " + std::to_string(form.numFeatures()) + " features" : "");
}

/// The columns of the table that an earlier import made features of, in its order. Others of `columns` are noted.
std::vector<size_t> columnsLike(const VertexOptions &own, const Table &table, const ImportOptions &options,
                                const std::vector<size_t> &columns, Notes &notes) {
  std::vector<size_t> chosen;
  for (const ColumnForm &form : own.like->columns) {
    const auto found =
        std::find_if(columns.begin(), columns.end(),
                     [&](size_t column) { // of columns of one name the next
                       return table.columns()[column] == form.name && !std::count(chosen.begin(), chosen.end(), column);
                     });
    gnn::rt::require(found != columns.end(), GNN_ERROR_DATA, own.file, ": there is no column '", form.name,
                     "', of which ", options.likeFolder, " has features");
    chosen.push_back(*found);
  }
  const std::string &label = options.like->label;
  for (size_t column : columns)
    if (!std::count(chosen.begin(), chosen.end(), column))
      notes.push_back(table.columns()[column] == label
                          ? label + " is what " + options.likeFolder + " predicts: --label " + label + " reads it"
                          : "column " + table.columns()[column] + " is left out: " + options.likeFolder + " has none");
  return chosen;
}

std::string typeName(const VertexOptions &own) { return own.type.empty() ? gnn::rt::plainType : own.type; }

/// Throws a data error that says why the cell of the table's row has no features.
[[noreturn]] void failAtBadCell(const Table &table, std::string_view cell, const ColumnForm &form,
                                const ImportOptions &options) {
  if (const auto number = numberIn(cell); form.kind == ColumnKind::Number && number && !fitsFloat(*number))
    table.fail("the column '", form.name, "' is '", cell,
               "', which 32 bits would round: --scale standard keeps its difference from the mean, --drop leaves the "
               "column out");
  table.fail("the column '", form.name, "' is '", cell, "', expected a ", form.kindName(),
             options.like ? ", as in " + options.likeFolder : std::string());
}

/// A further pass over the table, for the feature `x`. Returns the counts of cells, by column.
std::vector<gnn_cell_counts_t> writeFeatures(const VertexOptions &own, const ImportOptions &options,
                                             const VertexRecord &record, const std::vector<size_t> &columns,
                                             gnn::rt::Dataset &part) {
  std::vector<gnn_cell_counts_t> counts(columns.size());
  const size_t width = record.width();
  if (width == 0)
    return counts;
  Tensor features = Tensor::empty(GNN_F32, {part.numVertices, int64_t(width)});
  float *row = features.mutableData<float>();
  std::vector<std::string_view> cells(columns.size());
  readAgain(own, options, part.numVertices, [&](const Table &table) {
    for (size_t i = 0; i < columns.size(); ++i)
      cells[i] = table.cell(columns[i]);
    gnn::rt::encodeRow(record, cells.data(), row, counts.data());
    for (size_t i = 0; i < columns.size(); ++i)
      if (counts[i].bad && !options.cells.badAreMissing)
        failAtBadCell(table, cells[i], record.columns[i], options);
    row += width;
  });
  part.vertexFeatures["x"] = {features, std::nullopt};
  return counts;
}

/// Sets the forms of all columns but those without features, which are noted and taken out of `guesses` and `columns`.
void leaveOut(const VertexOptions &own, std::vector<ColumnGuess> &guesses, std::vector<size_t> &columns,
              std::vector<ColumnForm> &forms, Notes &notes) {
  std::vector<ColumnGuess> used;
  std::vector<size_t> usedColumns;
  for (size_t i = 0; i < guesses.size(); ++i) {
    ColumnForm form = guesses[i].form(own.file);
    if (const std::string why = guesses[i].whyLeftOut(form); !why.empty()) {
      notes.push_back("column " + guesses[i].name + " is left out: " + why);
      continue;
    }
    forms.push_back(std::move(form));
    used.push_back(std::move(guesses[i]));
    usedColumns.push_back(columns[i]);
  }
  guesses.swap(used);
  columns.swap(usedColumns);
}

/// Sets means and scales: those that the guesses computed on the way, the others by one more pass over the table. If
/// `isTraining` says which rows train, means, scales, categories and flags of missing cells are of these alone.
void measure(const VertexOptions &own, const ImportOptions &options, const std::vector<ColumnGuess> &guesses,
             const std::vector<size_t> &columns, int64_t rows, const std::vector<bool> &isTraining,
             std::vector<ColumnForm> &forms) {
  std::vector<std::optional<Moments>> moments;
  std::vector<size_t> unknown;
  for (size_t i = 0; i < forms.size(); ++i) {
    moments.push_back(isTraining.empty() ? guesses[i].moments(forms[i]) : std::nullopt);
    if (!isTraining.empty() || (forms[i].hasValues() && !moments[i]))
      unknown.push_back(i);
  }
  for (size_t i : unknown) {
    moments[i].emplace();
    if (!isTraining.empty()) {
      forms[i].saysMissing = false;
      forms[i].values.clear();
    }
  }
  size_t row = 0;
  if (!unknown.empty())
    readAgain(own, options, rows, [&](const Table &table) {
      if (!isTraining.empty() && !isTraining[row++])
        return;
      for (size_t i : unknown) {
        const std::string_view cell = table.cell(columns[i]);
        ColumnForm &form = forms[i];
        const bool isAbsent = options.cells.isMissing(cell);
        const std::optional<double> value = isAbsent || !form.hasValues() ? std::nullopt : form.value(cell);
        if (value)
          moments[i]->add(*value);
        else if (form.hasValues())
          form.saysMissing = true;
        else if (form.kind == ColumnKind::Category && !isAbsent)
          if (const auto at = std::lower_bound(form.values.begin(), form.values.end(), cell);
              at == form.values.end() || *at != cell)
            form.values.emplace(at, cell);
      }
    });
  for (size_t i = 0; i < forms.size(); ++i) {
    if (!forms[i].hasValues())
      continue;
    const double deviation = moments[i]->deviation();
    forms[i].mean = moments[i]->mean();
    if (options.isScaled && forms[i].kind != ColumnKind::Boolean)
      forms[i].scale = deviation > 0 ? 1 / deviation : 0;
  }
}

/// The column of ids: the one that the user names, else one that is called as a key of its type. A table of a data set
/// without a schema may have them in the first column, whatever it is called.
size_t columnOfKeys(const Table &table, const VertexOptions &own) {
  const std::vector<std::string> &names = table.columns();
  if (!own.id.empty())
    return table.column(own.id);
  if (!table.hasNames())
    return 0;
  if (own.type.empty())
    return columnOfIds(names).value_or(0);
  const std::vector<size_t> keys = keysOf(names, own.type);
  const std::string say = ": --id " + own.type + "=COLUMN says which column has the ids";
  gnn::rt::require(!keys.empty(), GNN_ERROR_DATA, own.file, ": no column is called id or ", own.type, "_id", say);
  gnn::rt::require(keys.size() == 1, GNN_ERROR_DATA, own.file, ": the ids may be in the column '", names[keys[0]],
                   "' or '", names[keys.back()], "'", say);
  return keys[0];
}

} // namespace

/// Rejects rows without an id, with the id of an earlier row, or with a cell that is not of its column's kind, if the
/// import goes on after such faults.
static void rejectRows(const VertexOptions &own, const ImportOptions &options) {
  const auto open = [&] { return openTable(own.file, formOf(own, options), GraphmlPart::Nodes); };
  std::unique_ptr<Table> table = open();
  const size_t id = columnOfKeys(*table, own);
  CellOptions cells = options.cells;
  cells.badAreMissing = true;
  std::optional<size_t> by;
  if (!own.by.empty())
    by = table->column(own.by);
  std::vector<std::pair<size_t, ColumnGuess>> guesses;
  for (size_t column = 0; column < table->columns().size(); ++column) {
    const std::string &name = table->columns()[column];
    if (column != id && !(column == 0 && table->hasNames() && isUnnamed(name)) && name != own.label &&
        name != own.split && !std::count(own.dropped.begin(), own.dropped.end(), name))
      guesses.emplace_back(column, ColumnGuess(name, table->isText(column), ColumnGuess::Use::Feature, cells,
                                               choiceOf(own.choices, name)));
  }
  TextIndex ids;
  while (table->next()) {
    const std::string_view key = table->cell(id);
    if (key.empty())
      table->reject(RowFault::MissingId, table->columns()[id], key, "the column '", table->columns()[id],
                    "' is empty, expected the vertex's id");
    else if (const int64_t known = ids.size(); ids.numberOf(key) < known)
      table->reject(RowFault::DuplicateId, table->columns()[id], key, "the id '", key, "' is there twice");
    else
      for (auto &[column, guess] : guesses)
        guess.see(table->cell(column), table->line());
  }
  if (!own.rejected->collects() || options.cells.badAreMissing)
    return;
  std::vector<ColumnForm> forms;
  for (const auto &[column, guess] : guesses) {
    const auto like = [&, &name = guess.name](const ColumnForm &form) { return form.name == name; };
    const auto earlier = own.like ? std::find_if(own.like->columns.begin(), own.like->columns.end(), like)
                                  : std::vector<ColumnForm>::const_iterator();
    forms.push_back(!own.like || column == by            ? guess.form(own.file)
                    : earlier != own.like->columns.end() ? *earlier
                                                         : ColumnForm()); // which is not read
  }
  for (table = open(); table->next();)
    for (size_t i = 0; i < forms.size(); ++i) {
      const std::string_view cell = table->cell(guesses[i].first);
      if (!forms[i].hasValues() || options.cells.isMissing(cell) || forms[i].value(cell))
        continue;
      table->reject(RowFault::Cast, forms[i].name, cell, "the column '", forms[i].name, "' is '", cell,
                    "', expected a ", forms[i].kindName());
      break;
    }
}

TextForm gnn::data_tool::formOf(const VertexOptions &own, const ImportOptions &options) {
  TextForm form = options.form;
  form.named = own.dropped;
  form.named.insert(form.named.end(), {own.id, own.label, own.split, own.by});
  form.rejected = own.rejected;
  if (own.like)
    for (const ColumnForm &column : own.like->columns)
      form.named.push_back(column.name);
  return form;
}

VertexIds gnn::data_tool::importVertices(const VertexOptions &own, const ImportOptions &options, rt::Dataset &data,
                                         Notes &notes, rt::ImportRecord &record) {
  if (options.faults.areGiven())
    rejectRows(own, options);
  // The first pass: ids, labels and splits, and what the other columns hold.
  const std::unique_ptr<Table> opened = openTable(own.file, formOf(own, options), GraphmlPart::Nodes);
  Table &table = *opened;
  const std::vector<std::string> &names = table.columns();
  const size_t id = columnOfKeys(table, own);
  if (const std::string note = table.note(); !note.empty())
    notes.push_back(note);
  std::optional<size_t> split;
  std::optional<Labels> labels;
  std::optional<size_t> label;
  if (!own.label.empty())
    labels.emplace(table, own, options, *(label = table.column(own.label)));
  if (!own.split.empty())
    split = table.column(own.split);
  std::optional<TimeSplit> times;
  if (!own.by.empty())
    times.emplace(table, own, options);
  std::vector<size_t> columns;
  std::vector<ColumnGuess> guesses;
  for (size_t column = 0; column < names.size(); ++column)
    if (column != id && column != label && column != split && !(times && column == times->column()) &&
        !(column == 0 && table.hasNames() && isUnnamed(names[0])) &&
        !std::count(own.dropped.begin(), own.dropped.end(), names[column])) {
      columns.push_back(column);
      guesses.emplace_back(names[column], table.isText(column), ColumnGuess::Use::Feature, options.cells,
                           choiceOf(own.choices, names[column]));
    }
  IdColumn ids;
  std::map<std::string, std::vector<int64_t>> splits;
  for (; table.next();) {
    const int64_t row = int64_t(ids.size());
    if (table.cell(id).empty())
      table.fail("the column '", names[id], "' is empty, expected the vertex's id");
    ids.add(table.cell(id));
    if (labels)
      labels->take();
    if (split && !options.cells.isMissing(table.cell(*split))) {
      const std::string name = splitNamed(table.cell(*split));
      if (name.empty())
        table.fail("the split is '", table.cell(*split), "', expected train, val, test or nothing");
      if (labels && labels->lastIsMissing())
        table.fail("the vertex '", table.cell(id), "' is in the split ", name,
                   " and has no label: vertices without one are in no split");
      splits[name].push_back(row);
    }
    if (times)
      times->take(table);
    for (size_t i = 0; i < columns.size(); ++i)
      guesses[i].see(table.cell(columns[i]), table.line());
  }
  data.numVertices = int64_t(ids.size());
  const bool isLabelledLike = options.like && options.like->labelled == typeName(own);
  const std::vector<std::string> earlier = isLabelledLike ? options.like->classes : std::vector<std::string>();
  if (label || isLabelledLike) {
    record.labelled = typeName(own);
    record.label = label ? names[*label] : options.like->label;
  }
  if (labels)
    record.classes = labels->finish(data, earlier, !options.split.empty(), notes);
  else if (!earlier.empty())
    setClasses(data, record.classes = earlier);
  for (const auto &[name, rows] : splits)
    data.splits[name] = Tensor::of(rows);
  std::vector<bool> isTraining;
  if (times)
    isTraining = times->split(data, notes);

  VertexRecord &features = record.vertices.emplace_back(VertexRecord{typeName(own), {}});
  if (own.like) {
    features.columns = own.like->columns;
    columns = columnsLike(own, table, options, columns, notes);
  } else {
    leaveOut(own, guesses, columns, features.columns, notes);
    measure(own, options, guesses, columns, data.numVertices, isTraining, features.columns);
  }
  const std::vector<gnn_cell_counts_t> counts = writeFeatures(own, options, features, columns, data);
  for (size_t i = 0; i < columns.size(); ++i)
    notes.push_back(summaryOf(features.columns[i], guesses, names[columns[i]], counts[i].bad));
  TableDecisions &decisions = notes.tables.emplace_back();
  decisions.name = own.type;
  decisions.file = own.file;
  decisions.keys = {names[id]};
  for (const std::string &name : names) {
    const auto form = std::find_if(features.columns.begin(), features.columns.end(),
                                   [&](const ColumnForm &column) { return column.name == name; });
    if (form != features.columns.end())
      decisions.columns.emplace_back(name, choiceText(*form));
    else if (times && name == names[times->column()])
      decisions.columns.emplace_back(name, times->kind());
    else if (name != names[id] && name != own.label && name != own.split && !isUnnamed(name))
      decisions.columns.emplace_back(name, "drop");
  }
  for (size_t i = 0; i < columns.size(); ++i)
    if (counts[i].unseen)
      notes.push_back(features.columns[i].name + ": " + std::to_string(counts[i].unseen) + " of no category in " +
                      (own.like ? options.likeFolder : "the training rows"));
  return VertexIds::ofRows(std::move(ids), [&](size_t twice) {
    const std::unique_ptr<Table> again = openTable(own.file, formOf(own, options), GraphmlPart::Nodes);
    for (size_t row = 0; again->next(); ++row)
      if (row == twice)
        again->fail("the id '", again->cell(id), "' is there twice");
    gnn::rt::fail(GNN_ERROR_DATA, own.file, ": the file has changed while it was read");
  });
}
