//===- Labels.h - What rows are labelled and when ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The label, the split and the time of the rows of a table, of vertices or of edges.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_LABELS_H
#define GNN_TOOLS_DATA_LABELS_H

#include "runtime/src/data/Dataset.h"
#include "runtime/src/data/ImportRecord.h"
#include "tools/gnn-data/ColumnGuess.h"
#include "tools/gnn-data/NumberColumn.h"
#include "tools/gnn-data/Table.h"
#include "tools/gnn-data/TableOptions.h"
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnn::data_tool {

/// A table that is read more than once.
struct RereadTable {
  std::string file;
  std::function<std::unique_ptr<Table>()> open;

  /// Calls `read` with the table at each row, in one more pass over it. Throws a data error if there are not `rows` any
  /// more.
  template <class Read> void forRows(int64_t rows, Read &&read) const {
    const std::unique_ptr<Table> table = open();
    for (; table->next(); --rows) {
      if (rows == 0)
        table->fail("the file has changed while it was read");
      read(*table);
    }
    rt::require(rows == 0, GNN_ERROR_DATA, file, ": the file has changed while it was read");
  }
};

/// The times from which rows are for validation and for testing, in the unit of the column of --by.
struct Boundaries {
  std::string column;    // of --by
  bool areDates = false; // days since 1970; else numbers
  double val = 0, test = 0;

  /// NaN, no time, is later than all others.
  Phase phase(double time) const { return time < val ? Phase::Train : time < test ? Phase::Val : Phase::Test; }
};

/// Parts of 100 for training and validation.
struct Shares {
  double train = 0, val = 0;
};
/// "60%,20%"; nothing for another text. Throws an argument error, which begins with `option`, for shares that are more
/// than all.
std::optional<Shares> sharesOf(const std::string &split, const std::string &option);

/// The boundaries that `split` names: as times like those that `form` reads, or as shares of `times`. Throws an
/// argument error, which begins with `option`, if `split` is neither.
Boundaries boundariesOf(const std::string &split, const std::string &option, const rt::ColumnForm &form,
                        std::vector<double> times);

/// A column of dates or numbers.
class TimeColumn {
public:
  TimeColumn(const Table &table, const std::string &column, const ColumnChoices &choices, const CellOptions &cells);

  size_t column() const { return place; }
  /// As --column takes it.
  std::string kind(const std::string &file) const { return choiceText(guess.form(file)); }
  void take(const Table &table) { guess.see(table.cell(place), table.line()); }
  /// After all rows were taken. Throws a data error if they are neither dates nor numbers.
  rt::ColumnForm form(const std::string &file) const;
  /// The times of all rows, by one more pass; NaN: a cell is missing.
  std::vector<double> times(const RereadTable &table, int64_t rows) const;

private:
  const CellOptions cells;
  const size_t place;
  ColumnGuess guess;
};

/// Integers and texts become classes, in their order; other numbers are what a regression is to find.
class Labels {
public:
  Labels(const Table &table, RereadTable again, const ImportOptions &options, size_t column);

  void take(const Table &table);
  bool lastIsMissing() const { return isLastMissing; }
  /// Sets the labels of `data`. `known` are the classes of an earlier import, if it had any. Returns those that there
  /// are now.
  std::vector<std::string> finish(rt::Dataset &data, const std::vector<std::string> &known,
                                  std::vector<std::string> &notes);

private:
  void readAs(const rt::ColumnForm &form);

  const RereadTable again;
  const ImportOptions &options;
  const size_t column;
  const LabelKind kind;
  ColumnGuess guess;
  std::map<std::string, int64_t, std::less<>> numbers; // by first appearance
  std::vector<int64_t> classes;
  std::vector<double> values;
  uint64_t numMissing = 0;
  bool areNumbers = true, areIntegers = true, areWhole = true, isLastMissing = false;
  uint64_t missingLine = 0;
};

/// All that a table says of labels: takes its rows, then fills a data set without a schema whose labels and splits are
/// those of the rows.
class Labelling {
public:
  /// `name`: the type of vertices or the relation of edges, as records call it.
  Labelling(const Table &table, RereadTable again, const LabelColumns &names, const ColumnChoices &choices,
            const ImportOptions &options, std::string name);

  /// Whether a column is the label or the split.
  bool reads(size_t column) const { return column == labelColumn || column == splitColumn; }
  std::optional<size_t> timeColumn() const { return time ? std::optional(time->column()) : std::nullopt; }
  std::string timeKind() const { return time->kind(again.file); }
  /// Takes the table's row: the vertex with this id, or an edge, which has none.
  void take(const Table &table, std::string_view id = {});
  /// Sets labels, classes and splits of `data` and the label of `record`.
  void finish(rt::Dataset &data, rt::ImportRecord &record, std::vector<std::string> &notes);
  /// After finish(): the phases of the rows, and what divides them; empty without --by.
  const std::vector<Phase> &phases() const { return phasesOfRows; }
  /// The rows of the split "train", which have a label and a time; empty without --by.
  const std::vector<bool> &trainingRows() const { return isTraining; }
  const std::optional<Boundaries> &boundaries() const { return divided; }

private:
  void splitByTime(rt::Dataset &data, std::vector<std::string> &notes);

  const RereadTable again;
  const ImportOptions &options;
  const std::string name;
  std::optional<Labels> labels;
  std::optional<TimeColumn> time;
  std::optional<size_t> labelColumn, splitColumn;
  int64_t numRows = 0;
  std::string labelName;
  std::map<std::string, std::vector<int64_t>> splits;
  std::vector<Phase> phasesOfRows;
  std::vector<bool> isTraining;
  std::optional<Boundaries> divided;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_LABELS_H
