//===- UnclearColumn.h - Columns that would change their kind ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Refuses columns of numbers or dates that a few cells, or another way to write them, would turn into categories.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_UNCLEARCOLUMN_H
#define GNN_TOOLS_DATA_UNCLEARCOLUMN_H

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace gnn::data_tool {

/// Number of rows with each text of a column.
using CellCounts = std::map<std::string, uint64_t, std::less<>>;

/// Finds columns that are numbers or dates in nine of ten cells or more, and not in all of them as they are read.
/// Cells in other ways to write both, such as `1.234,50` and `31.12.2024`, count among the nine.
class UnclearColumn {
public:
  /// `isText`: cells are no numbers, whatever they look like.
  explicit UnclearColumn(bool isText) : isText(isText) {}
  void see(std::string_view cell, uint64_t line);
  /// Throws a data error that names the first three cells that are not read.
  void require(const std::string &path, const std::string &column) const;

private:
  struct Kind {
    uint64_t numAlike = 0; // cells of this kind, in whatever way they are written
    uint64_t numRefused = 0;
    std::string refused; // the first three cells that are not read as this kind, with their lines
    void see(bool isRead, bool isForeign, std::string_view cell, uint64_t line);
  };

  bool isText;
  uint64_t seen = 0;
  Kind numbers, dates;
};

/// Throws a data error that lists texts of `counts` that differ only in the case of ASCII letters, with their rows.
/// `advice` follows the list.
void requireOneCase(const CellCounts &counts, const std::string &path, const std::string &column,
                    const std::string &advice);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_UNCLEARCOLUMN_H
