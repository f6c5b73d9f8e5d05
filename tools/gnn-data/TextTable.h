//===- TextTable.h - Rows of a text file ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Columns between commas, semicolons, tabs or blanks, read a row at a time in bounded memory. Lines that begin with #
// or % are comments, as SNAP and Matrix Market write them.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_TEXTTABLE_H
#define GNN_TOOLS_DATA_TEXTTABLE_H

#include "tools/gnn-data/Table.h"
#include "tools/gnn-data/TextDialect.h"
#include "tools/gnn-data/TextFile.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace gnn::data_tool {

/// How a file is read; what is not said is found out from a sample of its rows.
struct TextForm {
  char delimiter = 0;             // ' ': any number of blanks
  std::optional<bool> hasHeader;  // whether the first row names the columns
  std::vector<std::string> named; // columns that somebody asks for: a row that has one names the columns
  std::shared_ptr<RejectedRows> rejected = nullptr; // of the table; null: faults are errors
  bool isLatin1 = false;                            // ISO 8859-1, else UTF-8
};

/// A table without names of columns, whatever its first row looks like.
inline TextForm plainForm(char delimiter) { return {delimiter, false, {}, nullptr}; }

class TextTable : public Table {
public:
  /// Throws an I/O error, or a data error if the file is empty, of another format, or could be read in two ways. A row
  /// has as many cells as the first.
  TextTable(const std::string &path, const TextForm &form);

  /// From the next row on there are so many columns: they differ from those of the first row.
  void expectColumns(size_t count) { numCells = count; }

  std::string note() const override;

private:
  bool read() override;
  std::string rowText() const override { return std::string(rowAsIs); }
  void fillSample();
  void chooseLineEnd();
  void readSample();
  bool readLine(std::string_view &row);
  bool isQuotedAfter(const char *text, const char *stop, bool isQuoted) const;
  const char *findLineEnd(bool mayBeComment, uint64_t &lineEnds);
  bool isComment(std::string_view row) const;
  bool fill();

  TextFile file;
  char delimiter, lineEnd = '\n';
  size_t numCells = 0;
  std::vector<char> buffer;
  size_t begin = 0, end = 0;       // of what is read and not yet taken, in the buffer
  bool hasOddBytes = false;        // NUL, or CR where lines end in LF: rows are searched for them
  uint64_t lines = 0, dropped = 0; // lines that were read, bytes that have left the buffer
  std::string_view rowAsIs;
  RowSplitter splitter;
  std::vector<TextRow> sample; // the first rows, until they are taken
  size_t sampleTaken = 0;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_TEXTTABLE_H
