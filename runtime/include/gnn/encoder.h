/* Encoders: rows of cells, as a table has them, become the feature `x` of vertices.
 *
 * `gnn-data import` writes a file import.json: the columns of each table of vertices with their means, scales and
 * categories. An encoder reads it, and turns other rows into the same features: the import itself encodes with it.
 * docs/data.md describes the kinds of columns. An encoder cannot change once it is loaded.
 */
#ifndef GNN_ENCODER_H
#define GNN_ENCODER_H

#include "gnn/status.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gnn_encoder_t gnn_encoder_t;

/* Loads an import.json. */
GNN_API gnn_status_t gnn_encoder_load(const char *file, gnn_encoder_t **out);
GNN_API void gnn_encoder_destroy(gnn_encoder_t *encoder);

/* In all functions `type` is the type of vertices that a table has; NULL: the only one. */

/* Columns of the table, and numbers of a row of `x`. */
GNN_API gnn_status_t gnn_encoder_shape(const gnn_encoder_t *encoder, const char *type, uint64_t *out_columns,
                                       uint64_t *out_width);

enum {
  GNN_COLUMN_EMPTY = 0,    /* no features: the import met no cell that was not missing */
  GNN_COLUMN_NUMBER = 1,   /* the number; where the import met missing cells, another feature is 1 for these */
  GNN_COLUMN_DATE = 2,     /* days, as a number */
  GNN_COLUMN_CATEGORY = 3, /* a feature for each category, 1 or 0 */
  GNN_COLUMN_TEXT = 4      /* counts of words by their hash */
};

typedef struct gnn_encoder_column_t {
  uint32_t size;          /* sizeof(gnn_encoder_column_t), set by the caller */
  uint32_t kind;          /* GNN_COLUMN_* */
  const char *name;       /* as in the header of the table; borrowed */
  uint64_t first_feature; /* its features are x[first_feature], … */
  uint64_t num_features;
} gnn_encoder_column_t;

GNN_API gnn_status_t gnn_encoder_column(const gnn_encoder_t *encoder, const char *type, uint64_t index,
                                        gnn_encoder_column_t *out);

/* UTF-8, `size` bytes; `text` NULL: missing, as are the words for it (`NA`, `null`, …). */
typedef struct gnn_cell_t {
  const char *text;
  uint64_t size;
} gnn_cell_t;

/* Cells of a column that one call replaced. All three are encoded as missing cells are: a mean, or no category. */
typedef struct gnn_cell_counts_t {
  uint64_t missing;
  uint64_t unseen; /* categories that the import did not meet */
  uint64_t bad;    /* cells that are no number or date in a column of these */
} gnn_cell_counts_t;

/* Encodes `rows` rows of cells in the order of the columns, one behind the other. `out` has room for rows * width
 * numbers. `out_counts` has an entry for each column and is set; it may not be NULL, so that no cell is replaced
 * unnoticed. */
GNN_API gnn_status_t gnn_encoder_encode(const gnn_encoder_t *encoder, const char *type, const gnn_cell_t *cells,
                                        uint64_t rows, float *out, gnn_cell_counts_t *out_counts);

/* Names of classes, as the label's column has them; NULL behind the last. */
GNN_API uint64_t gnn_encoder_num_classes(const gnn_encoder_t *encoder);
GNN_API const char *gnn_encoder_class_name(const gnn_encoder_t *encoder, uint64_t index);

#ifdef __cplusplus
}
#endif
#endif
