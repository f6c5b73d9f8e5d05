//===- Table.cpp - Rows of cells ------------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/Table.h"
#include "tools/gnn-data/Cells.h"
#include <algorithm>

using namespace gnn::data_tool;

bool Table::next() {
  while (++numRead, read()) {
    if (rejected)
      rejected->see(numRead);
    if (!rejected || !rejected->has(numRead - 1))
      return true;
  }
  return false;
}

std::string Table::rowText() const {
  std::string text;
  for (std::string_view cell : cells)
    (text += text.empty() ? "" : ",") += cell;
  return text;
}

void Table::addRejected(RowFault fault, const std::string &column, std::string_view value, std::string message) const {
  rejected->add(numRead - 1, {rowLine, rowByte, fault, column, std::string(value), rowText(), std::move(message)});
}

size_t Table::column(const std::string &nameOrNumber) const {
  const auto found = std::find(names.begin(), names.end(), nameOrNumber);
  if (found != names.end())
    return size_t(found - names.begin());
  const std::optional<int64_t> number = integerIn(nameOrNumber);
  if (number && *number >= 1 && *number <= int64_t(names.size()))
    return size_t(*number - 1);
  std::string known;
  for (const std::string &name : names)
    known += (known.empty() ? "" : ", ") + name;
  rt::fail(GNN_ERROR_ARGUMENT, path, ": there is no column '", nameOrNumber, "'; there are ", known,
           isNamed ? "" : " (--header yes: the first row names them)");
}
