//===- Cells.h - What a cell of a table says --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_CELLS_H
#define GNN_DATA_CELLS_H

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gnn::rt {

/// The number that all of `text` is, if 32 bits can hold one as large.
std::optional<double> numberIn(std::string_view text);
/// The number that all of `text` is, if 64 bits can hold one as large.
std::optional<double> realIn(std::string_view text);
/// Whether 32 bits hold a number as well as they hold 0.1: exactly, or rounded to a part of a whole.
bool fitsFloat(double value);
/// The value of true or false, yes or no, or their first letters, in upper or lower case.
std::optional<bool> booleanIn(std::string_view text);
/// Whether `text` is nothing, or one of `words`; without these, what people and databases write: NA, NaN, null, None,
/// \N.
bool isMissing(std::string_view text, const std::vector<std::string> &words = {});

} // namespace gnn::rt

#endif // GNN_DATA_CELLS_H
