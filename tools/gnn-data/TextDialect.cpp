//===- TextDialect.cpp - How a text file holds a table --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/TextDialect.h"
#include "runtime/src/core/Guard.h"
#include "tools/gnn-data/Cells.h"
#include "tools/gnn-data/ColumnGuess.h"
#include "tools/gnn-data/ColumnNames.h"
#include <algorithm>
#include <cctype>
#include <cstring>
#include <set>

using namespace gnn::data_tool;

namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(blanks);
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

bool isDigits(std::string_view text) { return text.find_first_not_of("0123456789") == text.npos; }

/// Such as `->` or `|`: what is between columns, rather than in one.
bool isPunctuation(std::string_view cell) {
  return cell != "-" && cell.find_first_not_of("-=<>|:,;~/") == cell.npos && !cell.empty();
}

/// `12 45`: numbers that another delimiter would divide.
bool isRowOfNumbers(std::string_view cell) {
  size_t count = 0;
  while (!cell.empty()) {
    const size_t stop = std::min(cell.find(' '), cell.size());
    if (stop > 0 && !numberIn(cell.substr(0, stop)))
      return false;
    count += stop > 0;
    cell.remove_prefix(std::min(stop + 1, cell.size()));
  }
  return count > 1;
}

/// Whether another delimiter divides the cell, other than one in front of a blank, as texts have it.
bool isDivisible(std::string_view cell, char delimiter) {
  if (cell.find("::") != cell.npos)
    return true;
  for (size_t at = 0; (at = cell.find_first_of("\t,;|", at)) != cell.npos; ++at) {
    const bool isInText = delimiter != ' ' && at + 1 < cell.size() && cell[at + 1] == ' ';
    if (!isInText && !(cell[at] == ',' && hasDecimalComma(cell)))
      return true;
  }
  return delimiter != ' ' && isRowOfNumbers(cell);
}

/// How a delimiter divides the rows.
struct Fit {
  size_t columns = 0;     // of the first row
  bool isEqual = true;    // all rows have so many
  bool isPlain = true;    // and no cell could be divided by another delimiter
  uint64_t wrongLine = 0; // of the first row with another number of columns, and that number
  size_t wrongColumns = 0;
  size_t numAlike = 0; // rows with the number of columns of the first
};

Fit fitOf(char delimiter, const std::vector<TextRow> &rows) {
  Fit fit;
  RowSplitter splitter;
  std::vector<std::string_view> cells;
  std::vector<bool> hasDecimals;
  std::vector<std::string> divider; // of columns: punctuation that all of their cells are so far
  for (const TextRow &row : rows) {
    const bool isWhole = splitter.split(row.text, delimiter, cells);
    if (&row == &rows[0]) {
      fit.columns = cells.size();
      hasDecimals.resize(cells.size());
      divider.assign(cells.begin(), cells.end());
    }
    if (!isWhole || cells.size() != fit.columns) {
      fit.isEqual = false;
      if (!fit.wrongLine) {
        fit.wrongLine = row.line;
        fit.wrongColumns = cells.size();
      }
      continue;
    }
    ++fit.numAlike;
    for (size_t i = 0; i < cells.size(); ++i) {
      if (cells[i] != divider[i] || !isPunctuation(cells[i]))
        divider[i].clear();
      const bool isQuoted = cells[i].data() < row.text.data() || cells[i].data() > row.text.data() + row.text.size();
      hasDecimals[i] = hasDecimals[i] || hasDecimalComma(cells[i]);
      fit.isPlain = fit.isPlain && (isQuoted || !isDivisible(cells[i], delimiter));
    }
  }
  fit.isPlain = fit.isPlain && std::count(hasDecimals.begin(), hasDecimals.end(), false) >= 2;
  fit.isEqual =
      fit.isEqual && std::all_of(divider.begin(), divider.end(), [](const std::string &text) { return text.empty(); });
  return fit;
}

size_t countOf(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size())
    ++count;
  return count;
}

/// The place of a delimiter that is not ' ', or the end.
size_t findDelimiter(std::string_view row, char delimiter, size_t from) {
  return std::min(delimiter == ':' ? row.find("::", from) : row.find(delimiter, from), row.size());
}

size_t widthOf(char delimiter) { return delimiter == ':' ? 2 : 1; }

/// What else seems to be between columns, equally often in every row; empty: nothing.
std::string otherDelimiter(const std::vector<TextRow> &rows) {
  for (const char *other : {"-->", "->", "=>", "--", ":"}) {
    const size_t count = countOf(rows[0].text, other);
    if (count > 0 &&
        std::all_of(rows.begin(), rows.end(), [&](const TextRow &row) { return countOf(row.text, other) == count; }))
      return other;
  }
  return "";
}

/// Rows of different lengths that hold nothing but vertices' numbers.
bool areNeighbours(const std::vector<TextRow> &rows) {
  RowSplitter splitter;
  std::vector<std::string_view> cells;
  return std::all_of(rows.begin(), rows.end(), [&](const TextRow &row) {
    splitter.split(row.text, ' ', cells);
    return std::all_of(cells.begin(), cells.end(), isDigits);
  });
}

std::string columnsText(size_t count) { return std::to_string(count) + (count == 1 ? " column" : " columns"); }

[[noreturn]] void failUnequal(const std::vector<TextRow> &rows, const Fit &best, char delimiter,
                              const std::string &path) {
  if (const std::string other = otherDelimiter(rows); !other.empty())
    gnn::rt::fail(GNN_ERROR_DATA, path, ":", rows[0].line, ": the columns seem to be divided by '", other,
                  "', which is not read: sed 's/", other, "/\\t/g' makes tabs of it");
  gnn::rt::require(
      best.wrongLine > 0, GNN_ERROR_DATA, path, ":", rows[0].line,
      ": a column with nothing but punctuation, which seems to divide columns: expected commas, semicolons, "
      "tabs or blanks between them");
  gnn::rt::require(best.wrongColumns != best.columns, GNN_ERROR_DATA, path, ":", best.wrongLine,
                   ": a column goes on behind its quotes: a quote within quotes is written twice");
  if (delimiter == ' ' && areNeighbours(rows))
    gnn::rt::fail(GNN_ERROR_DATA, path, ":", best.wrongLine, ": ", columnsText(best.wrongColumns), ", expected ",
                  best.columns,
                  " as in the first row. Lists of neighbours (METIS' format, adjacency lists) are not "
                  "read: expected a row for each edge");
  gnn::rt::fail(GNN_ERROR_DATA, path, ":", best.wrongLine, ": ", columnsText(best.wrongColumns), ", expected ",
                best.columns, " as in the first row, with ", delimiterName(delimiter),
                " between columns (--delimiter names another)");
}

/// Whether a cell of the first row's first two columns is in one of these columns of another row, too.
bool recurs(const std::vector<std::vector<std::string>> &rows) {
  std::set<std::string_view> first;
  for (size_t i = 0; i < std::min<size_t>(rows[0].size(), 2); ++i)
    first.insert(rows[0][i]);
  return std::any_of(rows.begin() + 1, rows.end(), [&](const std::vector<std::string> &row) {
    return first.count(row[0]) > 0 || (row.size() > 1 && first.count(row[1]) > 0);
  });
}

/// Whether a text is above nothing but numbers or dates in some column.
bool isAboveNumbers(const std::vector<std::vector<std::string>> &rows) {
  for (size_t column = 0; column < rows[0].size(); ++column) {
    bool areNumbers = !isMissing(rows[0][column]) && !isNumberOrDate(rows[0][column]);
    size_t count = 0;
    for (size_t row = 1; row < rows.size() && areNumbers; ++row)
      if (column < rows[row].size() && !isMissing(rows[row][column])) {
        areNumbers = isNumberOrDate(rows[row][column]);
        ++count;
      }
    if (areNumbers && count > 0)
      return true;
  }
  return false;
}

/// Nothing, 0, 1, …: what pandas writes above an index and columns that have no names.
bool isUnnamedFrame(const std::vector<std::string> &row) {
  if (row.size() < 2 || !isUnnamed(row[0]))
    return false;
  for (size_t i = 1; i < row.size(); ++i)
    if (row[i] != std::to_string(i - 1))
      return false;
  return true;
}

} // namespace

bool RowSplitter::split(std::string_view row, char delimiter, std::vector<std::string_view> &cells) {
  cells.clear();
  unquoted.clear();
  if (std::memchr(row.data(), '"', row.size()))
    return splitQuoted(row, delimiter, cells);
  if (delimiter == ' ') {
    for (size_t at = 0; (at = row.find_first_not_of(blanks, at)) != row.npos;) {
      const size_t stop = std::min(row.find_first_of(blanks, at), row.size());
      cells.push_back(row.substr(at, stop - at));
      at = stop;
    }
    return true;
  }
  for (;;) {
    const size_t stop = findDelimiter(row, delimiter, 0);
    cells.push_back(trimmed(row.substr(0, stop)));
    if (stop == row.size())
      return true;
    row.remove_prefix(stop + widthOf(delimiter));
  }
}

/// A cell that begins with a quote ends at the next one that is not doubled.
bool RowSplitter::splitQuoted(std::string_view row, char delimiter, std::vector<std::string_view> &cells) {
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
      if (delimiter != ' ' && findDelimiter(row, delimiter, at) != at)
        return false;
    } else {
      const size_t stop =
          delimiter == ' ' ? std::min(row.find_first_of(blanks, at), row.size()) : findDelimiter(row, delimiter, at);
      cells.push_back(trimmed(row.substr(at, stop - at)));
      at = stop;
    }
    if (delimiter == ' ')
      skipBlanks();
    if (at >= row.size())
      return true;
    if (delimiter != ' ')
      at += widthOf(delimiter);
  }
}

char gnn::data_tool::delimiterOf(const std::vector<TextRow> &rows, const std::string &path, bool mayReject) {
  std::string fitting, plain;
  Fit best;
  char bestDelimiter = ' ';
  bool isOneColumn = true;
  for (char delimiter : {'\t', ',', ';', '|', ':', ' '}) {
    const Fit fit = fitOf(delimiter, rows);
    isOneColumn = isOneColumn && fit.columns == 1 && fit.isEqual;
    if (fit.columns > 1 && fit.isEqual)
      (fit.isPlain ? plain : fitting) += delimiter;
    if (delimiter == '\t' || (fit.columns > 1 && (best.columns < 2 || fit.numAlike > best.numAlike))) {
      best = fit;
      bestDelimiter = delimiter;
    }
  }
  if (isOneColumn && otherDelimiter(rows).empty())
    return ' ';
  if (!plain.empty() && (plain[0] == '\t' || plain.size() == 1))
    return plain[0];
  fitting = plain.empty() ? fitting : plain;
  if (fitting.empty() && mayReject && best.columns > 1 && best.numAlike * 2 >= rows.size())
    return bestDelimiter;
  if (fitting.empty())
    failUnequal(rows, best, bestDelimiter, path);
  rt::require(fitting.size() == 1, GNN_ERROR_DATA, path, ": ", delimiterName(fitting[0]), " as well as ",
              delimiterName(fitting.back()), " give every row equally many columns: --delimiter says which are meant");
  return fitting[0];
}

const char *gnn::data_tool::delimiterName(char delimiter) {
  switch (delimiter) {
  case '\t':
    return "tabs";
  case ',':
    return "commas";
  case ';':
    return "semicolons";
  case '|':
    return "bars";
  case ':':
    return "double colons";
  default:
    return "blanks";
  }
}

bool gnn::data_tool::isHeader(const std::vector<std::vector<std::string>> &rows, const std::vector<std::string> &wanted,
                              const std::string &path) {
  const std::vector<std::string> &first = rows[0];
  for (const std::string &name : wanted)
    if (!integerIn(name) && std::count(first.begin(), first.end(), name))
      return true;
  if (isUnnamedFrame(first))
    return true;
  const bool isKnown = namesKeys(first), isAbove = isAboveNumbers(rows), again = recurs(rows),
             hasNumber = std::any_of(first.begin(), first.end(), isNumberOrDate);
  const bool areNumbered = std::any_of(wanted.begin(), wanted.end(), [](const auto &name) { return integerIn(name); });
  if (!again && ((isKnown && (isAbove || !areNumbered)) || (isAbove && !hasNumber)))
    return true;
  if (!isKnown && !isAbove && (hasNumber || again || areNumbered)) // who counts columns has no names for them
    return false;
  rt::fail(GNN_ERROR_DATA, path, ": the first row ('", first[0], first.size() > 1 ? "', '" + first[1] : std::string(),
           first.size() > 2 ? "', …" : "'", ") may name the columns or be data: --header yes or --header no says it");
}
