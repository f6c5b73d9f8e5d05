//===- NumberCheck.cpp - Numbers that would be read as texts --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/NumberCheck.h"
#include "runtime/src/core/Guard.h"
#include "tools/gnn-data/Cells.h"

using namespace gnn::data_tool;

void NumberCheck::see(std::string_view cell, uint64_t line) {
  if (!areNumbers || isMissing(cell) || numberIn(cell))
    return;
  areNumbers = hasDecimalComma(cell) || isTooLarge(cell);
  if (firstLine == 0) {
    first = cell;
    firstLine = line;
  }
}

void NumberCheck::require(const std::string &path, const std::string &column) const {
  if (!areNumbers || firstLine == 0)
    return;
  const bool isDecimal = gnn::data_tool::hasDecimalComma(first);
  rt::fail(GNN_ERROR_DATA, path, ":", firstLine, ": '", first, "' in the column '", column,
           isDecimal
               ? "' has a decimal comma, which is not read: pandas.read_csv(…, decimal=\",\").to_csv(…) writes points"
               : "' is too large for a number of 32 bits",
           "; --drop '", column, "' leaves the column out");
}
