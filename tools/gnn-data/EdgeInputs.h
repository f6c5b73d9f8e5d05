//===- EdgeInputs.h - Columns of edges that become inputs -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Most columns of edges are numbers, which one pass over the table reads. Only where a column is not, a second pass
// reads it as booleans, dates or categories.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_EDGEINPUTS_H
#define GNN_TOOLS_DATA_EDGEINPUTS_H

#include "runtime/src/data/Dataset.h"
#include "tools/gnn-data/NumberColumn.h"
#include "tools/gnn-data/UnclearColumn.h"
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnn::data_tool {

/// A column that is not all numbers, as a second pass over the table finds it.
class OtherCells {
public:
  enum class Kind { Boolean, Date, Category, LeftOut };

  void take(std::string_view cell, uint64_t line);
  /// Throws a data error that names the file and the column if nine of ten cells, but not all, are numbers or dates, or
  /// if categories differ only in case.
  Kind kind(const std::string &file, const std::string &column) const;

  /// One row for each cell: 1 and 0 of booleans, seconds since 1970 of dates (i64), 1 for the cell's category.
  rt::Tensor booleans() const;
  rt::Tensor dates() const;
  rt::Tensor categories() const;
  /// In the order of the inputs.
  std::vector<std::string> categoryNames() const;
  const std::vector<uint64_t> &missing() const { return missingRows; }
  /// The line of the first cell that is neither true nor false, of a column that begins with one that is; else 0.
  uint64_t lineWithoutBoolean() const { return beginWithBoolean ? firstNoBoolean : 0; }

private:
  uint64_t numRows = 0;
  std::vector<uint64_t> missingRows;
  UnclearColumn unclear{/*isText=*/false};
  bool areDates = true, beginWithBoolean = false;
  uint64_t firstNoBoolean = 0;  // line of the first cell that is neither true nor false
  bool areMany = false;         // more categories than there may be
  bool areOddNumbers = true;    // each is a number, or one with a decimal comma or too large
  std::vector<int64_t> seconds; // of dates, as long as all are
  std::vector<uint8_t> codes;   // of categories, by their first appearance
  std::map<std::string, uint8_t, std::less<>> codeOf;
  CellCounts counts; // of these
};

/// A column of the edges, read by one pass or two.
struct EdgeInput {
  size_t column; // of the table
  std::string name;
  bool areNumbers;       // as far as they have been read
  uint64_t firstBad = 0; // line of the first cell that is no number, and the cell
  std::string badCell = "";
  NumberColumn numbers = {};
  bool isKeyOfRows = false;                        // called as a key, such as order_id, and no number is there twice
  std::optional<OtherCells> others = std::nullopt; // of the second pass

  /// Takes a cell of the first pass.
  void take(std::string_view cell, uint64_t line);
  /// Adds the input `name`, and NAME_missing where cells are missing. Returns what it is, for the user; or nothing, and
  /// the column is left out.
  std::optional<std::string> moveInto(std::map<std::string, rt::Feature> &inputs, const std::string &input,
                                      const std::string &file);
  /// Why the column is left out.
  std::string fault() const;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_EDGEINPUTS_H
