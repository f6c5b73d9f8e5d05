//===- ParquetTable.h - Rows of a Parquet file ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read by Apache Arrow, in builds that found it.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_PARQUETTABLE_H
#define GNN_TOOLS_DATA_PARQUETTABLE_H

#include "tools/gnn-data/Table.h"
#include <memory>

namespace gnn::data_tool {

/// Columns of numbers, booleans, texts, dates, times, decimals and dictionaries of these, a batch of rows at a time.
/// Cells are texts as a CSV file would have them; nulls are empty. Columns of anything else, such as lists, are not
/// there; note() says so.
class ParquetTable : public Table {
public:
  /// Throws an I/O error, or a data error that says what Arrow found.
  explicit ParquetTable(const std::string &path);
  ~ParquetTable() override;

  std::string note() const override;
  bool isText(size_t column) const override;

private:
  bool read() override;

  class Reader;
  std::unique_ptr<Reader> reader;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_PARQUETTABLE_H
