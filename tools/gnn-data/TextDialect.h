//===- TextDialect.h - How a text file holds a table ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is between columns, and whether the first row names them. A guess fits every row of a sample, and where two
// guesses fit, neither is taken.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_TEXTDIALECT_H
#define GNN_TOOLS_DATA_TEXTDIALECT_H

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnn::data_tool {

/// Divides rows into cells. Quotes are those of RFC 4180.
class RowSplitter {
public:
  /// Fills `cells`, which are valid until the next call and while the row is. False: the last of them goes on behind
  /// its quotes. The delimiter ' ' stands for any number of blanks and tabs, ':' for two colons.
  bool split(std::string_view row, char delimiter, std::vector<std::string_view> &cells);

private:
  bool splitQuoted(std::string_view row, char delimiter, std::vector<std::string_view> &cells);

  std::deque<std::string> unquoted; // cells whose text is not in the row as it is
};

/// A row as it is in the file, and its line.
struct TextRow {
  std::string text;
  uint64_t line = 0, byte = 0;
};

/// What is between the columns of all rows: one of "\t,;|: ", as above. Throws a data error where none gives the rows
/// equally many columns, or more than one could be meant. With `mayReject` it is enough if half of them have as many as
/// the first.
char delimiterOf(const std::vector<TextRow> &rows, const std::string &path, bool mayReject);
/// "commas", …
const char *delimiterName(char delimiter);

/// Whether the first row names the columns. Throws a data error where that cannot be told. `wanted` are columns that
/// the user names or numbers: a row that has such a name is a header.
bool isHeader(const std::vector<std::vector<std::string>> &rows, const std::vector<std::string> &wanted,
              const std::string &path);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_TEXTDIALECT_H
