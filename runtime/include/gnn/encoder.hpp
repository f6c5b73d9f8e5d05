//===- encoder.hpp - Rows of cells become features, in C++ ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thin owner of gnn_encoder_t. Failures throw gnn::Error.
//
//   gnn::Encoder encoder = gnn::Encoder::load("shop/import.json");
//   gnn::Encoder::Table customers = encoder.table("customer", {"age", "since", "country"});
//   std::vector<float> x(customers.width());
//   gnn::EncodeReport report = customers.encode({{"44", "2019-02-01", "DE"}}, x.data());
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ENCODER_HPP
#define GNN_ENCODER_HPP

#include "gnn/encoder.h"
#include "gnn/error.hpp"
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gnn {

/// A row; a view without data is a missing cell.
using Cells = std::vector<std::string_view>;

/// Cells of one call that were replaced, by column.
class EncodeReport {
public:
  EncodeReport(std::vector<std::string> columns, std::vector<gnn_cell_counts_t> counts)
      : names(std::move(columns)), counts(std::move(counts)) {}

  uint64_t missing(const std::string &column) const { return of(column).missing; }
  uint64_t unseen(const std::string &column) const { return of(column).unseen; }
  uint64_t bad(const std::string &column) const { return of(column).bad; }
  /// Over all columns.
  gnn_cell_counts_t total() const {
    gnn_cell_counts_t sum{};
    for (const gnn_cell_counts_t &count : counts) {
      sum.missing += count.missing;
      sum.unseen += count.unseen;
      sum.bad += count.bad;
    }
    return sum;
  }

private:
  const gnn_cell_counts_t &of(const std::string &column) const {
    for (size_t i = 0; i < names.size(); ++i)
      if (names[i] == column)
        return counts[i];
    throw Error(GNN_ERROR_ARGUMENT, "the encoder has no column '" + column + "'");
  }

  std::vector<std::string> names;
  std::vector<gnn_cell_counts_t> counts;
};

class Encoder {
public:
  Encoder() = default;
  Encoder(Encoder &&other) noexcept : handle(std::exchange(other.handle, nullptr)) {}
  Encoder &operator=(Encoder &&other) noexcept {
    std::swap(handle, other.handle);
    return *this;
  }
  ~Encoder() { gnn_encoder_destroy(handle); }

  /// Loads an import.json.
  static Encoder load(const std::string &file) {
    Encoder result;
    check(gnn_encoder_load(file.c_str(), &result.handle));
    return result;
  }

  /// One table of vertices, whose rows the caller gives in its own order of columns. Valid while the encoder is.
  class Table {
  public:
    /// Numbers of an encoded row.
    uint64_t width() const { return numFeatures; }
    /// Names of the encoder's columns, in the order of their features.
    const std::vector<std::string> &columns() const { return names; }
    /// Cells of a row: as many as the caller has named columns.
    size_t numCells() const { return given; }

    /// Writes rows.size() * width() numbers. Throws an argument error for a row of another length.
    [[nodiscard]] EncodeReport encode(const std::vector<Cells> &rows, float *out) const {
      std::vector<gnn_cell_t> cells;
      cells.reserve(rows.size() * names.size());
      for (const Cells &row : rows) {
        if (row.size() != given)
          throw Error(GNN_ERROR_ARGUMENT,
                      "a row has " + std::to_string(row.size()) + " cells, expected " + std::to_string(given));
        for (size_t place : places)
          cells.push_back({row[place].data(), row[place].size()});
      }
      std::vector<gnn_cell_counts_t> counts(names.size());
      check(gnn_encoder_encode(encoder, type.c_str(), cells.data(), rows.size(), out, counts.data()));
      return {names, std::move(counts)};
    }

  private:
    friend class Encoder;

    const gnn_encoder_t *encoder = nullptr;
    std::string type;
    std::vector<std::string> names;
    std::vector<size_t> places; // in the caller's row, of each column
    size_t given = 0;
    uint64_t numFeatures = 0;
  };

  /// `columns` are those of the caller's rows, in any order, with others that are not encoded; empty: the encoder's.
  /// `type` may be empty where there is one table. Throws an argument error if one is missing or is there twice.
  Table table(const std::string &type, const std::vector<std::string> &columns = {}) const {
    Table result;
    result.encoder = handle;
    result.type = type;
    uint64_t count = 0;
    check(gnn_encoder_shape(handle, type.c_str(), &count, &result.numFeatures));
    for (uint64_t i = 0; i < count; ++i) {
      gnn_encoder_column_t info{sizeof(gnn_encoder_column_t), 0, nullptr, 0, 0};
      check(gnn_encoder_column(handle, type.c_str(), i, &info));
      result.names.push_back(info.name);
      result.places.push_back(columns.empty() ? size_t(i) : placeOf(info.name, columns));
    }
    result.given = columns.empty() ? size_t(count) : columns.size();
    return result;
  }

  std::vector<std::string> classNames() const {
    std::vector<std::string> names;
    for (uint64_t i = 0; i < gnn_encoder_num_classes(handle); ++i)
      names.push_back(gnn_encoder_class_name(handle, i));
    return names;
  }

  gnn_encoder_t *get() const { return handle; }

private:
  static size_t placeOf(const std::string &name, const std::vector<std::string> &columns) {
    size_t place = columns.size();
    for (size_t i = 0; i < columns.size(); ++i) {
      if (columns[i] != name)
        continue;
      if (place < columns.size())
        throw Error(GNN_ERROR_ARGUMENT, "the column '" + name + "' is there twice");
      place = i;
    }
    if (place == columns.size())
      throw Error(GNN_ERROR_ARGUMENT, "there is no column '" + name + "', which the encoder reads");
    return place;
  }

  gnn_encoder_t *handle = nullptr;
};

} // namespace gnn

#endif // GNN_ENCODER_HPP
