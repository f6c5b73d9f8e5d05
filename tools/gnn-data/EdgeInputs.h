//===- EdgeInputs.h - Columns of edges that become inputs -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most columns of edges are numbers as programs write them, which one pass over the table reads. Other columns take two
// more: one guesses whether they are dates, booleans, categories or numbers in another form, the next one reads them.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_EDGEINPUTS_H
#define GNN_TOOLS_DATA_EDGEINPUTS_H

#include "runtime/src/data/Dataset.h"
#include "tools/gnn-data/ColumnGuess.h"
#include "tools/gnn-data/Labels.h"
#include "tools/gnn-data/NumberColumn.h"
#include "tools/gnn-data/Table.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnn::data_tool {

/// A column that is not all numbers as programs write them. A second pass over the table guesses what it is, a third
/// one reads it so.
class OtherCells {
public:
  OtherCells(const std::string &name, const CellOptions &options, std::optional<ColumnChoice> choice)
      : guess(name, /*isText=*/false, ColumnGuess::Use::EdgeInput, options, choice), isChosen(choice.has_value()),
        options(options) {}

  void see(std::string_view cell, uint64_t line) { guess.see(cell, line); }
  /// Whether the third pass is to read the column. Throws a data error that begins with `file` if its cells do not
  /// decide what it is.
  bool decide(const std::string &file);
  /// Throws a data error of `table` if the cell is not as it was guessed.
  void take(std::string_view cell, const Table &table);

  bool isRead() const { return isDecided; }
  const rt::ColumnForm &form() const { return decided; }
  const std::vector<uint64_t> &missing() const { return missingRows; }
  uint64_t numBad() const { return bad; }
  /// Cells of categories that no training row has; known after `tensor`.
  uint64_t numUnseen() const { return unseen; }
  /// One row for each cell: numbers, 1 and 0 of booleans, seconds since 1970 of dates (i64), 1 for the cell's category.
  /// If rows have phases, means and categories are those of the rows that train; other categories have no 1.
  rt::Tensor tensor(const std::vector<Phase> &phases);

private:
  ColumnGuess guess;
  const bool isChosen;
  const CellOptions options;
  rt::ColumnForm decided;
  bool isDecided = false;
  bool add(std::string_view cell);
  void addMissing();
  void keepCategories(const std::vector<Phase> &phases);

  uint64_t numRows = 0, bad = 0, unseen = 0;
  NumberColumn numbers;
  std::vector<int64_t> seconds; // of dates
  std::vector<uint8_t> codes;   // of booleans and categories
  std::vector<uint64_t> missingRows;
};

/// A column of the edges, read by one pass or three.
struct EdgeInput {
  size_t column; // of the table
  std::string name;
  bool areNumbers; // as far as they have been read
  const CellOptions *options;
  uint64_t firstBad = 0; // line of the first cell that is no number, and the cell
  std::string badCell = "";
  NumberColumn numbers = {};
  bool isKeyOfRows = false;                        // called as a key, such as order_id, and no number is there twice
  bool hasNoCategory = false;                      // in the rows that train
  std::optional<OtherCells> others = std::nullopt; // of the further passes

  /// Takes a cell of the first pass.
  void take(std::string_view cell, uint64_t line);
  /// Adds the input `name`, and NAME_missing where cells are missing. Returns what it is, for the user; or nothing, and
  /// the column is left out.
  /// If edges have phases, means and categories are those of the edges that train.
  std::optional<std::string> moveInto(std::map<std::string, rt::Feature> &inputs, const std::string &input,
                                      const std::vector<Phase> &phases);
  /// Why the column is left out.
  std::string fault() const;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_EDGEINPUTS_H
