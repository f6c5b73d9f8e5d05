//===- TextTable.cpp - Rows of a text file --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/TextTable.h"
#include "tools/gnn-data/Cells.h"
#include <algorithm>
#include <cstring>

using namespace gnn::data_tool;
using gnn::rt::require;

namespace {

constexpr size_t chunkBytes = size_t(1) << 16;
constexpr size_t maxRowBytes = size_t(1) << 24;

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

char delimiterOf(std::string_view row) {
  for (char c : {'\t', ',', ';'})
    if (row.find(c) != row.npos)
      return c;
  return ' ';
}

/// Names of columns are neither numbers nor dates.
bool hasNumber(const std::vector<std::string> &row) {
  return std::any_of(row.begin(), row.end(), [](const std::string &cell) { return numberIn(cell) || dateIn(cell); });
}

/// What columns of edges and ids are called most.
bool namesEnds(const std::vector<std::string> &row) {
  for (std::string cell : row) {
    std::transform(cell.begin(), cell.end(), cell.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    for (const char *name : {"source", "src", "from", "target", "dst", "to", "id", "node", "node_id", "u", "v"})
      if (cell == name)
        return true;
  }
  return false;
}

/// Whether the row has one of these names; numbers are those of columns.
bool hasAny(const std::vector<std::string> &row, const std::vector<std::string> &names) {
  return std::any_of(names.begin(), names.end(), [&](const std::string &name) {
    return !integerIn(name) && std::count(row.begin(), row.end(), name) > 0;
  });
}

} // namespace

TextTable::TextTable(const std::string &path, const TextForm &form)
    : Table(path), file(path), delimiter(form.delimiter) {
  buffer.resize(chunkBytes);
  while (aheadCount < 2 && readRow()) {
    ahead[aheadCount].assign(cells.begin(), cells.end());
    aheadLines[aheadCount++] = rowLine;
  }
  require(aheadCount > 0, GNN_ERROR_DATA, path, ": there is no row");
  const bool looksNamed = namesEnds(ahead[0]) || hasAny(ahead[0], form.named) ||
                          (!hasNumber(ahead[0]) && aheadCount > 1 && hasNumber(ahead[1]));
  isNamed = form.hasHeader.value_or(looksNamed);
  if (isNamed) {
    names = ahead[0];
    aheadTaken = 1;
  } else {
    for (size_t i = 0; i < ahead[0].size(); ++i)
      names.push_back(std::to_string(i + 1));
  }
  numCells = names.size();
}

std::string TextTable::note() const {
  return path + (isNamed ? ": the first row names the columns" : ": no row names the columns");
}

bool TextTable::next() {
  if (aheadTaken < aheadCount) {
    cells.assign(ahead[aheadTaken].begin(), ahead[aheadTaken].end());
    rowLine = aheadLines[aheadTaken++];
  } else if (!readRow()) {
    return false;
  }
  if (cells.size() != numCells)
    fail(cells.size(), " columns, expected ", numCells);
  return true;
}

/// Makes room, and reads more. False: the file is at its end.
bool TextTable::fill() {
  std::memmove(buffer.data(), buffer.data() + begin, end - begin);
  end -= begin;
  begin = 0;
  if (end == buffer.size()) {
    require(end < maxRowBytes, GNN_ERROR_DATA, path, ":", lines + 1, ": the row is longer than 16 MiB");
    buffer.resize(2 * buffer.size());
  }
  const size_t count = file.read(buffer.data() + end, buffer.size() - end);
  end += count;
  return count > 0;
}

/// Cells of the next row that is neither empty nor, before the first, a comment.
bool TextTable::readRow() {
  for (;;) {
    size_t searched = 0;
    bool isQuoted = false;
    if (begin == end && !fill())
      return false;
    const bool mayBeComment = aheadCount == 0 && (buffer[begin] == '#' || buffer[begin] == '%');
    const char *lineEnd = nullptr;
    uint64_t ends = 1;
    for (;;) { // to the end of the row: the first end of a line that is in no quotes
      const char *at = buffer.data() + begin + searched, *limit = buffer.data() + end;
      while ((lineEnd = static_cast<const char *>(std::memchr(at, '\n', size_t(limit - at))))) {
        isQuoted ^= !mayBeComment && std::count(at, lineEnd, '"') % 2 != 0;
        if (!isQuoted)
          break;
        ++ends;
        at = lineEnd + 1;
      }
      if (lineEnd)
        break;
      isQuoted ^= !mayBeComment && std::count(at, limit, '"') % 2 != 0;
      searched = end - begin;
      if (fill())
        continue;
      if (begin == end)
        return false;
      require(!isQuoted, GNN_ERROR_DATA, path, ":", lines + 1, ": a quote is not closed");
      lineEnd = buffer.data() + end;
      break;
    }
    std::string_view row(buffer.data() + begin, size_t(lineEnd - buffer.data()) - begin);
    begin = std::min(end, begin + row.size() + 1);
    rowLine = lines + 1;
    lines += ends;
    if (rowLine == 1 && row.substr(0, 3) == "\xef\xbb\xbf") // a byte order mark
      row.remove_prefix(3);
    require(!std::memchr(row.data(), 0, row.size()), GNN_ERROR_DATA, path, ":", rowLine,
            ": a NUL byte; is the file compressed, in UTF-16 (save it as UTF-8), or no text?");
    row = trimmed(row).empty() ? std::string_view() : row;
    const bool isComment = !row.empty() && aheadCount == 0 && (row[0] == '#' || row[0] == '%');
    if (row.empty() || isComment)
      continue;
    if (!delimiter)
      delimiter = delimiterOf(row);
    split(row);
    return true;
  }
}

void TextTable::split(std::string_view row) {
  cells.clear();
  unquoted.clear();
  if (std::memchr(row.data(), '"', row.size()))
    return splitQuoted(row);
  if (delimiter == ' ') {
    for (size_t at = 0; (at = row.find_first_not_of(" \t\r", at)) != row.npos;) {
      const size_t stop = std::min(row.find_first_of(" \t\r", at), row.size());
      cells.push_back(row.substr(at, stop - at));
      at = stop;
    }
    return;
  }
  for (;;) {
    const char *stop = static_cast<const char *>(std::memchr(row.data(), delimiter, row.size()));
    cells.push_back(trimmed(row.substr(0, stop ? size_t(stop - row.data()) : row.npos)));
    if (!stop)
      return;
    row.remove_prefix(size_t(stop - row.data()) + 1);
  }
}

/// A cell that begins with a quote ends at the next one that is not doubled.
void TextTable::splitQuoted(std::string_view row) {
  size_t at = 0;
  auto skipBlanks = [&] {
    while (at < row.size() && (row[at] == ' ' || row[at] == '\r' || (row[at] == '\t' && delimiter != '\t')))
      ++at;
  };
  for (;;) {
    skipBlanks();
    if (at < row.size() && row[at] == '"') {
      std::string &text = unquoted.emplace_back();
      for (++at; at < row.size(); ++at) {
        if (row[at] == '"' && (++at == row.size() || row[at] != '"'))
          break;
        text += row[at];
      }
      cells.push_back(text);
      skipBlanks();
      if (at < row.size() && row[at] != delimiter && delimiter != ' ')
        fail("column ", cells.size(), " goes on behind its quotes");
    } else {
      const size_t stop =
          std::min(delimiter == ' ' ? row.find_first_of(" \t\r", at) : row.find(delimiter, at), row.size());
      cells.push_back(trimmed(row.substr(at, stop - at)));
      at = stop;
    }
    if (delimiter == ' ')
      skipBlanks();
    if (at >= row.size())
      return;
    if (delimiter != ' ')
      ++at;
  }
}
