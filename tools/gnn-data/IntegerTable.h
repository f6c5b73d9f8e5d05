//===- IntegerTable.h - Files of whole numbers ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_INTEGERTABLE_H
#define GNN_TOOLS_DATA_INTEGERTABLE_H

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace gnn::data_tool {

/// Bounds of the integers of a file, and the number of its rows.
struct IntegerBounds {
  int64_t least = std::numeric_limits<int64_t>::min(), most = std::numeric_limits<int64_t>::max();
  int64_t rows = -1; // negative: any number
};

/// The columns of a file of integers with commas between them and without names. Throws a data error that names the
/// line of what is none, or is out of bounds.
std::vector<std::vector<int64_t>> integersIn(const std::string &path, const IntegerBounds &bounds = {});

/// The only column of such a file.
std::vector<int64_t> integerColumnIn(const std::string &path, const IntegerBounds &bounds = {});

/// The cell without blanks around it.
std::string_view trimmed(std::string_view cell);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_INTEGERTABLE_H
