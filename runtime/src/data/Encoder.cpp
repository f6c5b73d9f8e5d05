//===- Encoder.cpp - Rows of cells become features ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The encoding of a row, and the C interface; the contracts are in gnn/encoder.h.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/Encoder.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Options.h"
#include "runtime/src/io/FileSystem.h"
#include <algorithm>

using namespace gnn::rt;

void gnn::rt::encodeRow(const VertexRecord &table, const std::string_view *cells, float *out,
                        gnn_cell_counts_t *counts) {
  for (size_t i = 0; i < table.columns.size(); ++i) {
    const ColumnForm &column = table.columns[i];
    const CellState state = column.write(cells[i], out);
    counts[i].missing += state == CellState::Missing;
    counts[i].unseen += state == CellState::Unseen;
    counts[i].bad += state == CellState::Bad;
    out += column.numFeatures();
  }
}

namespace {

const VertexRecord &tableOf(const gnn_encoder_t *encoder, const char *type) {
  return encoder->record.table(type ? type : "");
}

} // namespace

gnn_status_t gnn_encoder_load(const char *file, gnn_encoder_t **out) {
  return guard([&] {
    require(file && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = new gnn_encoder_t{ImportRecord::parse(readFile(file).span(), file)};
  });
}

void gnn_encoder_destroy(gnn_encoder_t *encoder) { delete encoder; }

gnn_status_t gnn_encoder_shape(const gnn_encoder_t *encoder, const char *type, uint64_t *out_columns,
                               uint64_t *out_width) {
  return guard([&] {
    require(encoder && out_columns && out_width, GNN_ERROR_ARGUMENT, "an argument is NULL");
    const VertexRecord &table = tableOf(encoder, type);
    *out_columns = table.columns.size();
    *out_width = table.width();
  });
}

gnn_status_t gnn_encoder_column(const gnn_encoder_t *encoder, const char *type, uint64_t index,
                                gnn_encoder_column_t *out) {
  return guard([&] {
    require(encoder && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    const VertexRecord &table = tableOf(encoder, type);
    require(index < table.columns.size(), GNN_ERROR_ARGUMENT, "there is no column ", index, ", expected 0 to ",
            int64_t(table.columns.size()) - 1);
    gnn_encoder_column_t info{};
    for (uint64_t i = 0; i < index; ++i)
      info.first_feature += table.columns[i].numFeatures();
    const ColumnForm &column = table.columns[index];
    info.kind = uint32_t(column.kind);
    info.name = column.name.c_str();
    info.num_features = column.numFeatures();
    writeStruct(info, out, "gnn_encoder_column");
  });
}

gnn_status_t gnn_encoder_encode(const gnn_encoder_t *encoder, const char *type, const gnn_cell_t *cells, uint64_t rows,
                                float *out, gnn_cell_counts_t *out_counts) {
  return guard([&] {
    require(encoder && ((cells && out) || rows == 0) && out_counts, GNN_ERROR_ARGUMENT, "an argument is NULL");
    const VertexRecord &table = tableOf(encoder, type);
    const size_t columns = table.columns.size(), width = table.width();
    std::fill_n(out_counts, columns, gnn_cell_counts_t{});
    std::vector<std::string_view> row(columns);
    for (uint64_t i = 0; i < rows; ++i, cells += columns, out += width) {
      for (size_t column = 0; column < columns; ++column)
        row[column] =
            cells[column].text ? std::string_view(cells[column].text, size_t(cells[column].size)) : std::string_view();
      encodeRow(table, row.data(), out, out_counts);
    }
  });
}

uint64_t gnn_encoder_num_classes(const gnn_encoder_t *encoder) { return encoder->record.classes.size(); }

const char *gnn_encoder_class_name(const gnn_encoder_t *encoder, uint64_t index) {
  return index < encoder->record.classes.size() ? encoder->record.classes[index].c_str() : nullptr;
}
