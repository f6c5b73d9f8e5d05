//===- TextTable.cpp - Rows of a text file --------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/TextTable.h"
#include "tools/gnn-data/OtherFormats.h"
#include <algorithm>
#include <cstring>

using namespace gnn::data_tool;
using gnn::rt::require;

namespace {

constexpr size_t chunkBytes = size_t(1) << 16;
constexpr size_t sampleBytes = size_t(1) << 20, maxSampleRows = 10000;
constexpr size_t maxRowBytes = size_t(1) << 24;

bool isBlank(std::string_view row) { return row.find_first_not_of(" \t\r") == row.npos; }

} // namespace

TextTable::TextTable(const std::string &path, const TextForm &form)
    : Table(path), file(path, form.isLatin1), delimiter(form.delimiter) {
  fillSample();
  if (end >= 3 && std::memcmp(buffer.data(), "\xef\xbb\xbf", 3) == 0) // a byte order mark
    begin = 3;
  refuseOtherFormats(path, {buffer.data() + begin, end - begin});
  chooseLineEnd();
  readSample();
  require(!sample.empty(), GNN_ERROR_DATA, path, ": there is no row");
  if (!delimiter)
    delimiter = delimiterOf(sample, path, form.rejected && form.rejected->collects());
  for (const TextRow &row : sample) {
    rowLine = row.line;
    if (!splitter.split(row.text, delimiter, cells)) {
      if (first.empty()) // it may name the columns, and says how many there are
        fail("column ", cells.size(), " goes on behind its quotes");
      continue; // read() rejects this row
    }
    if (!first.empty() && cells.size() != first[0].size()) // read() rejects this row
      continue;
    first.emplace_back(cells.begin(), cells.end());
  }
  isNamed = form.hasHeader ? *form.hasHeader : isHeader(first, form.named, path);
  numCells = first[0].size();
  if (isNamed) {
    names = first[0];
    first.erase(first.begin());
    sampleTaken = 1;
  } else {
    for (size_t i = 0; i < numCells; ++i)
      names.push_back(std::to_string(i + 1));
  }
}

std::string TextTable::note() const {
  return path + (isNamed ? ": the first row names the columns" : ": no row names the columns") + ", " +
         delimiterName(delimiter) + " are between them";
}

/// Reads as much as formats are told from; rows are read in smaller chunks later, which stay in caches.
void TextTable::fillSample() {
  buffer.resize(sampleBytes);
  while (end < buffer.size() && fill())
    ;
}

/// Old Macs end lines with CR alone.
void TextTable::chooseLineEnd() {
  const std::string_view text(buffer.data() + begin, end - begin);
  if (text.find('\n') == text.npos && text.find('\r') != text.npos)
    lineEnd = '\r';
}

/// Keeps the first rows as they are: what divides them into cells is not known yet.
void TextTable::readSample() {
  std::string_view row;
  for (size_t bytes = 0; bytes < sampleBytes && sample.size() < maxSampleRows && readLine(row); bytes += row.size())
    sample.push_back({std::string(row), rowLine, rowByte});
}

bool TextTable::read() {
  std::string_view row;
  if (sampleTaken < sample.size()) {
    row = sample[sampleTaken].text;
    rowByte = sample[sampleTaken].byte;
    rowLine = sample[sampleTaken++].line;
  } else if (!readLine(row)) {
    return false;
  }
  rowAsIs = row;
  if (!splitter.split(row, delimiter, cells))
    reject(RowFault::Unquoted, std::to_string(cells.size()), cells.back(), "column ", cells.size(),
           " goes on behind its quotes");
  else if (cells.size() != numCells)
    reject(cells.size() < numCells ? RowFault::MissingColumns : RowFault::TooManyColumns, "",
           std::to_string(cells.size()), cells.size(), cells.size() == 1 ? " column" : " columns", ", expected ",
           numCells);
  if (row[0] == '#' || row[0] == '%')
    fail("the line begins with ", row[0], " and may be a comment or a row: delete it, or put its first cell in quotes");
  return true;
}

/// Makes room, and reads more. False: the file is at its end.
bool TextTable::fill() {
  if (begin > 0)
    std::memmove(buffer.data(), buffer.data() + begin, end - begin);
  end -= begin;
  dropped += begin;
  begin = 0;
  if (end == buffer.size()) {
    require(end < maxRowBytes, GNN_ERROR_DATA, path, ":", lines + 1, ": the row is longer than 16 MiB");
    buffer.resize(2 * buffer.size());
  }
  const size_t count = file.read(buffer.data() + end, std::min(buffer.size() - end, chunkBytes));
  const char *added = buffer.data() + end;
  hasOddBytes = hasOddBytes || std::memchr(added, 0, count) || std::memchr(added, '\r', count);
  end += count;
  return count > 0;
}

/// Whether the end of `text`, a part of the line at `begin`, is in quotes. Quotes open where a cell begins, or where
/// doubled ones have closed; `19" tv` has none.
bool TextTable::isQuotedAfter(const char *text, const char *stop, bool isQuoted) const {
  while ((text = static_cast<const char *>(std::memchr(text, '"', size_t(stop - text))))) {
    const bool isFirst = text == buffer.data() + begin;
    isQuoted = !isQuoted && (isFirst || std::strchr("\t,;|: \"", text[-1]));
    ++text;
  }
  return isQuoted;
}

/// The end of the line at `begin`: the first one that is in no quotes. Null: the file ends before.
const char *TextTable::findLineEnd(bool mayBeComment, uint64_t &lineEnds) {
  bool isQuoted = false;
  for (size_t searched = 0;;) {
    const char *at = buffer.data() + begin + searched, *limit = buffer.data() + end;
    while (const auto *stop = static_cast<const char *>(std::memchr(at, lineEnd, size_t(limit - at)))) {
      isQuoted = !mayBeComment && isQuotedAfter(at, stop, isQuoted);
      if (!isQuoted)
        return stop;
      ++lineEnds;
      at = stop + 1;
    }
    isQuoted = !mayBeComment && isQuotedAfter(at, limit, isQuoted);
    searched = end - begin;
    if (!fill()) {
      require(!isQuoted, GNN_ERROR_DATA, path, ":", lines + 1, ": a quote is not closed");
      return nullptr;
    }
  }
}

/// Before the first row every line with such a sign is a comment, later ones with nothing or a blank behind it: ids
/// may begin with the sign, too.
bool TextTable::isComment(std::string_view row) const {
  row.remove_prefix(row.find_first_not_of(' '));
  return (row[0] == '#' || row[0] == '%') && (sample.empty() || row.size() == 1 || std::strchr(" \t\r#%", row[1]));
}

/// The next row that is neither empty nor a comment.
bool TextTable::readLine(std::string_view &row) {
  for (;;) {
    if (begin == end && !fill())
      return false;
    const bool mayBeComment = buffer[begin] == '#' || buffer[begin] == '%';
    uint64_t lineEnds = 1;
    const char *stop = findLineEnd(mayBeComment, lineEnds);
    row = {buffer.data() + begin, (stop ? size_t(stop - buffer.data()) : end) - begin};
    begin = std::min(end, begin + row.size() + 1);
    rowByte = dropped + size_t(row.data() - buffer.data());
    rowLine = lines + 1;
    lines += lineEnds;
    if (hasOddBytes) {
      require(row.find('\0') == row.npos, GNN_ERROR_DATA, path, ":", rowLine,
              ": a NUL byte; is the file compressed, in UTF-16 (save it as UTF-8), or no text?");
      const size_t cr = row.find('\r');
      require(cr == row.npos || isBlank(row.substr(cr)) || row.find('"') != row.npos, GNN_ERROR_DATA, path, ":",
              rowLine, ": a CR in the middle of the line: tr '\\r' '\\n' makes one kind of line end");
    }
    if (!isBlank(row) && !isComment(row))
      return true;
  }
}
