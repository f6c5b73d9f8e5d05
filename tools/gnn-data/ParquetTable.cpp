//===- ParquetTable.cpp - Rows of a Parquet file --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/ParquetTable.h"
#include <arrow/array.h>
#include <arrow/compute/cast.h>
#include <arrow/io/file.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <parquet/arrow/reader.h>
#include <parquet/exception.h>

using namespace gnn::data_tool;
using gnn::rt::require;

namespace {

constexpr int64_t batchRows = 1 << 14;

const arrow::DataType &valueType(const arrow::DataType &type) {
  return type.id() == arrow::Type::DICTIONARY ? *static_cast<const arrow::DictionaryType &>(type).value_type() : type;
}

bool isOfTexts(const arrow::DataType &type) {
  return arrow::is_string(valueType(type).id()) || type.id() == arrow::Type::DICTIONARY;
}

bool isReadable(const arrow::DataType &whole) {
  const arrow::DataType &type = valueType(whole);
  return arrow::is_numeric(type.id()) || arrow::is_string(type.id()) || arrow::is_decimal(type.id()) ||
         type.id() == arrow::Type::BOOL || type.id() == arrow::Type::DATE32 || type.id() == arrow::Type::DATE64 ||
         type.id() == arrow::Type::TIMESTAMP;
}

} // namespace

class ParquetTable::Reader {
public:
  Reader(const std::string &path, std::vector<std::string> &names) : path(path) {
    guarded([&] {
      const auto file = valueOf(arrow::io::ReadableFile::Open(path));
      parquet::arrow::FileReaderBuilder builder;
      check(builder.Open(file));
      parquet::ArrowReaderProperties properties;
      properties.set_batch_size(batchRows);
      check(builder.properties(properties)->Build(&reader));
      std::shared_ptr<arrow::Schema> schema;
      check(reader->GetSchema(&schema));
      std::vector<int> leaves; // of the columns to read; one that is nested has several
      int leaf = 0;
      for (const auto &field : schema->fields()) {
        if (isReadable(*field->type())) {
          names.push_back(field->name());
          types.push_back(field->type());
          leaves.push_back(leaf);
        } else {
          others += (others.empty() ? "" : ", ") + field->name() + " (" + field->type()->ToString() + ")";
        }
        leaf += leavesOf(*field->type());
      }
      std::vector<int> groups;
      for (int group = 0; group < reader->num_row_groups(); ++group)
        groups.push_back(group);
      batches = batchesOf(*reader, groups, leaves);
    });
    require(!names.empty(), GNN_ERROR_DATA, path, ": there is no column of numbers, texts or dates");
  }

  const std::string &notRead() const { return others; }
  bool isText(size_t column) const { return isOfTexts(*types[column]); }

  /// Fills the cells of the next row; false: there is none.
  bool next(std::vector<std::string_view> &cells) {
    while (row == rows)
      if (!readBatch())
        return false;
    for (size_t column = 0; column < cells.size(); ++column)
      cells[column] = texts[column]->IsNull(row) ? std::string_view() : texts[column]->GetView(row);
    ++row;
    return true;
  }

private:
  /// Arrow returns what went wrong, and the parts of it for Parquet throw it.
  template <class Body> void guarded(Body &&body) const {
    try {
      body();
    } catch (const parquet::ParquetException &error) {
      gnn::rt::fail(GNN_ERROR_DATA, path, ": ", error.what());
    }
  }
  void check(const arrow::Status &status) const {
    require(status.ok(), status.IsOutOfMemory() ? GNN_ERROR_MEMORY : GNN_ERROR_DATA, path, ": ", status.message());
  }
  template <class T> T valueOf(arrow::Result<T> result) const {
    check(result.status());
    return std::move(result).ValueUnsafe();
  }

  /// Newer Arrows return the reader, older ones fill it in.
  template <class File>
  std::unique_ptr<arrow::RecordBatchReader> batchesOf(File &file, const std::vector<int> &groups,
                                                      const std::vector<int> &leaves) const {
    if constexpr (requires { file.GetRecordBatchReader(groups, leaves); }) {
      return valueOf(file.GetRecordBatchReader(groups, leaves));
    } else {
      std::unique_ptr<arrow::RecordBatchReader> filled;
      check(file.GetRecordBatchReader(groups, leaves, &filled));
      return filled;
    }
  }

  static int leavesOf(const arrow::DataType &type) {
    if (type.id() == arrow::Type::DICTIONARY || type.num_fields() == 0)
      return 1;
    int leaves = 0;
    for (const auto &field : type.fields())
      leaves += leavesOf(*field->type());
    return leaves;
  }

  bool readBatch() {
    std::shared_ptr<arrow::RecordBatch> batch;
    guarded([&] { check(batches->ReadNext(&batch)); });
    if (!batch)
      return false;
    texts.clear();
    for (int column = 0; column < batch->num_columns(); ++column)
      texts.push_back(textsOf(batch->column(column)));
    row = 0;
    rows = batch->num_rows();
    return true;
  }

  std::shared_ptr<arrow::StringArray> textsOf(std::shared_ptr<arrow::Array> values) const {
    if (values->type_id() == arrow::Type::DICTIONARY) // of which not every type of values becomes texts at once
      values = castTo(values, static_cast<const arrow::DictionaryType &>(*values->type()).value_type());
    if (values->type_id() == arrow::Type::DATE64)
      values = castTo(values, arrow::date32());
    if (values->type_id() == arrow::Type::TIMESTAMP) // UTC; cells have seconds
      values = castTo(values, arrow::timestamp(arrow::TimeUnit::SECOND));
    return std::static_pointer_cast<arrow::StringArray>(castTo(values, arrow::utf8()));
  }

  std::shared_ptr<arrow::Array> castTo(const std::shared_ptr<arrow::Array> &values,
                                       const std::shared_ptr<arrow::DataType> &type) const {
    return valueOf(arrow::compute::Cast(arrow::Datum(values), arrow::compute::CastOptions::Unsafe(type))).make_array();
  }

  const std::string &path;
  std::unique_ptr<parquet::arrow::FileReader> reader;
  std::unique_ptr<arrow::RecordBatchReader> batches;
  std::vector<std::shared_ptr<arrow::DataType>> types;
  std::string others;
  std::vector<std::shared_ptr<arrow::StringArray>> texts; // of the batch
  int64_t row = 0, rows = 0;
};

ParquetTable::ParquetTable(const std::string &file) : Table(file), reader(std::make_unique<Reader>(path, names)) {
  cells.resize(names.size());
}

ParquetTable::~ParquetTable() = default;

std::string ParquetTable::note() const {
  return reader->notRead().empty() ? "" : path + ": not read: " + reader->notRead();
}

bool ParquetTable::isText(size_t column) const { return reader->isText(column); }

bool ParquetTable::read() {
  if (!reader->next(cells))
    return false;
  ++rowLine;
  return true;
}
