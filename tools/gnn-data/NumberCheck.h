//===- NumberCheck.h - Numbers that would be read as texts ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_NUMBERCHECK_H
#define GNN_TOOLS_DATA_NUMBERCHECK_H

#include <cstdint>
#include <string>
#include <string_view>

namespace gnn::data_tool {

/// Finds columns of numbers some of which are not read as numbers: with a decimal comma, or too large for 32 bits. Such
/// a column would become categories or classes.
class NumberCheck {
public:
  void see(std::string_view cell, uint64_t line);
  /// Throws a data error that locates the first such number, unless the column has other texts as well.
  void require(const std::string &path, const std::string &column) const;

private:
  bool areNumbers = true;
  std::string first;
  uint64_t firstLine = 0; // 0: there is none
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_NUMBERCHECK_H
