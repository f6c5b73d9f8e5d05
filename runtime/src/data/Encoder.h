//===- Encoder.h - Rows of cells become features ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one implementation of the encoding that import.json records. gnn-data import and gnn_encoder_encode
// (gnn/encoder.h) both call it, so a row gives the same bits in training and in a service.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_ENCODER_H
#define GNN_DATA_ENCODER_H

#include "gnn/encoder.h"
#include "runtime/src/data/ImportRecord.h"

namespace gnn::rt {

/// Writes the features of a row to `out`, table.width() numbers, and counts cells that are missing, unseen or bad.
/// `cells` and `counts` have an entry for each column of the table.
void encodeRow(const VertexRecord &table, const std::string_view *cells, float *out, gnn_cell_counts_t *counts);

} // namespace gnn::rt

struct gnn_encoder_t {
  gnn::rt::ImportRecord record;
};

#endif // GNN_DATA_ENCODER_H
