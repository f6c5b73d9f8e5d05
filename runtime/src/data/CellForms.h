//===- CellForms.h - How tables write numbers and dates ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same number is 1234.5 in one table and "1.234,50 €" in another, and 03/04/2024 is a day of March or of April. A
// column has one form. An import finds it out from all cells and records it, so that other rows are read alike.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_CELLFORMS_H
#define GNN_DATA_CELLFORMS_H

#include <optional>
#include <string>
#include <string_view>

namespace gnn::rt {

struct NumberForm {
  char decimal = '.';
  char thousands = '\0'; // between groups of three digits; ' ' includes blanks that do not break; '\0': no groups
  std::string unit;      // a currency or percent sign before or behind each number; empty: none

  /// Whether numbers are written as in C.
  bool isPlain() const { return decimal == '.' && thousands == '\0' && unit.empty(); }
};

/// The order of the parts of a date: 2024-12-31, 31.12.2024 or 12/31/2024.
enum class DateOrder { YearMonthDay, DayMonthYear, MonthDayYear };

/// The currency or percent sign before or behind a number, as the cell writes it; empty if there is none.
std::string_view unitIn(std::string_view cell);

/// The number of a cell as C writes it, `-1234.50` for `-1.234,50 €`. Nothing if the cell is not written in this form.
std::optional<std::string> plainNumber(std::string_view cell, const NumberForm &form);

/// Days since 1970-01-01 of a date whose parts are divided by `-`, `/` or `.` (by no point if the month is first). The
/// time of day may follow, with fractions of seconds and an offset from UTC: `T12:30`, ` 12:30:05.250+02:00`.
std::optional<double> dateIn(std::string_view cell, DateOrder order = DateOrder::YearMonthDay);

} // namespace gnn::rt

#endif // GNN_DATA_CELLFORMS_H
