//===- TextTable.h - Rows of a text file ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns between commas, semicolons, tabs or blanks, read a row at a time in bounded memory. Quotes are those of
// RFC 4180. Lines that begin with # or % before the first row are comments, as SNAP and Matrix Market write them.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_TEXTTABLE_H
#define GNN_TOOLS_DATA_TEXTTABLE_H

#include "tools/gnn-data/Table.h"
#include "tools/gnn-data/TextFile.h"
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace gnn::data_tool {

/// How a file is read; what is not said is found out from its first two rows.
struct TextForm {
  char delimiter = 0;             // ' ': any number of blanks
  std::optional<bool> hasHeader;  // whether the first row names the columns
  std::vector<std::string> named; // columns that somebody asks for: a row that has one names the columns
};

/// A table without names of columns, whatever its first row looks like.
inline TextForm plainForm(char delimiter) { return {delimiter, false, {}}; }

class TextTable : public Table {
public:
  /// Throws an I/O error, or a data error if the file is empty. A row has as many cells as the first.
  TextTable(const std::string &path, const TextForm &form);

  /// From the next row on there are so many columns: they differ from those of the first row.
  void expectColumns(size_t count) { numCells = count; }

  std::string note() const override;
  bool next() override;

private:
  bool readRow();
  bool fill();
  void split(std::string_view row);
  void splitQuoted(std::string_view row);

  TextFile file;
  char delimiter;
  size_t numCells = 0;
  std::vector<char> buffer;
  size_t begin = 0, end = 0; // of what is read and not yet taken, in the buffer
  uint64_t lines = 0;
  std::deque<std::string> unquoted; // cells whose text is not in the buffer as it is
  std::vector<std::string> ahead[2];
  uint64_t aheadLines[2] = {};
  size_t aheadCount = 0, aheadTaken = 0;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_TEXTTABLE_H
