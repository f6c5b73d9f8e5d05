//===- ColumnGuess.h - The kind of a column, from all of its cells -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass over a table shows each cell to the guess of its column. Then the column has one kind, and numbers and dates
// one form, that all cells fit. Where none fits, or two do and would give other values, the import ends with an error
// that says what decides: a column never changes its kind in silence because of a few cells.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_COLUMNGUESS_H
#define GNN_TOOLS_DATA_COLUMNGUESS_H

#include "runtime/src/data/ColumnForm.h"
#include "tools/gnn-data/TableOptions.h"
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gnn::data_tool {

/// Number of rows with each text of a column.
using CellCounts = std::map<std::string, uint64_t, std::less<>>;

/// Mean and deviation of numbers as they come (Welford 1962).
class Moments {
public:
  void add(double value);
  double mean() const { return average; }
  double deviation() const;

private:
  uint64_t count = 0;
  double average = 0, squares = 0;
};

class ColumnGuess {
public:
  /// Inputs of edges may be integers and reals of 64 bits, others are reals of 32. Labels that are almost numbers are
  /// classes.
  enum class Use { Feature, EdgeInput, Label };

  /// `isText`: no cell is a number, whatever it looks like. `choice`: the kind that the user gives the column.
  ColumnGuess(std::string name, bool isText, Use use, const CellOptions &options,
              std::optional<ColumnChoice> choice = std::nullopt);
  void see(std::string_view cell, uint64_t line);

  /// The kind, the form of numbers and dates, and the categories; `Text` where cells are of no other kind. Throws a
  /// data error that begins with `path` if the cells do not decide.
  rt::ColumnForm form(const std::string &path) const;
  /// Why vertices get no features from a column of this form, which the user did not ask for: it tells none of them
  /// apart, or nearly all. Empty: they get some.
  std::string whyLeftOut(const rt::ColumnForm &form) const;
  /// Those of the values of such a form, if they were computed on the way.
  std::optional<Moments> moments(const rt::ColumnForm &form) const;

  const std::string name;
  uint64_t numMissing() const { return missing; }
  uint64_t numSeen() const { return seen; }
  /// Whether a cell is a number that the column cannot hold.
  bool hasTooLarge() const { return numTooLarge > 0; }
  /// Different texts; one more than categories may be stands for any number.
  const CellCounts &texts() const { return different; }
  /// The first cell that is no number where cells before it were, and its line; or an empty text.
  const std::string &firstOther() const { return other; }

private:
  /// Cells that one form reads, and the first that it does not.
  struct Reading {
    uint64_t numRead = 0;
    uint64_t numRefused = 0;
    std::string refused;
    void see(bool isRead, std::string_view cell, uint64_t line);
  };

  static constexpr size_t numNumberForms = 8, numOrders = 3;
  bool seeNumber(std::string_view cell, uint64_t line);
  void seeDate(std::string_view cell, uint64_t line);
  std::optional<double> number(std::string_view plain) const;
  bool isAllowed(const rt::NumberForm &form) const;
  std::optional<size_t> bestNumberForm(const std::string &path, bool mustFit) const;
  std::optional<size_t> bestOrder(const std::string &path, bool mustFit) const;
  bool isAccepted(const Reading &reading) const;
  rt::ColumnForm chosen(const std::string &path) const;
  void setCategories(rt::ColumnForm &form, const std::string &path) const;
  std::string unit(const std::string &path) const;
  [[noreturn]] void failAlmost(const std::string &path, const Reading &reading, const char *kind,
                               const char *example) const;

  const bool isText;
  const Use use;
  const CellOptions options;
  const std::optional<ColumnChoice> choice;
  uint64_t seen = 0, missing = 0;
  std::array<Reading, numNumberForms> numbers;
  std::array<Reading, numOrders> dates;
  Reading booleans;
  uint64_t numNumberLike = 0, numDateLike = 0; // in whatever form, also in one that is not read
  uint64_t numPlain = 0;                       // numbers as programs write them
  CellCounts units;                            // of other numbers; the empty text counts those without one
  std::string ambiguousNumber, ambiguousDate;  // cells that two forms read differently
  uint64_t numTooLarge = 0;
  std::string tooLarge, other;
  uint64_t tooLargeLine = 0;
  Moments ofPlainNumbers, ofDates;
  CellCounts different; // up to one more than categories may be
};

/// Whether a cell is a number or a date, in whatever form.
bool isNumberOrDate(std::string_view cell);

/// ", decimal comma, in €": how numbers and dates are written, if not as programs do.
std::string wordsFor(const rt::ColumnForm &form);

/// The kind of a column as --column has it: "number", "date:dmy".
std::string choiceText(const rt::ColumnForm &form);

/// Throws a data error that lists texts of `counts` that differ only in the case of ASCII letters, with their rows.
/// `advice` follows the list.
void requireOneCase(const CellCounts &counts, const std::string &path, const std::string &column,
                    const std::string &advice);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_COLUMNGUESS_H
