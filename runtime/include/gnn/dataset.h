/* Data sets: a graph with features, labels and splits, in a folder of .npy files. docs/data-formats.md describes the
 * folder.
 *
 * A data set cannot change once it is made; tensors got from one share its memory and are not to be written.
 */
#ifndef GNN_DATASET_H
#define GNN_DATASET_H

#include "gnn/graph.h"
#include "gnn/status.h"
#include "gnn/tensor.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gnn_dataset_t gnn_dataset_t;

/* Loads a folder and checks everything in it: shapes, ids, labels, splits. */
GNN_API gnn_status_t gnn_dataset_load(const char *folder, gnn_dataset_t **out);
/* The same with the prepared graph (`transforms` are GNN_GRAPH_*, `order` is GNN_ORDER_*), which is kept in the folder
 * "prepared" within: if it is there, edges are neither read nor sorted, else it is made and written. It is made anew
 * when the files of the edges or the number of vertices change; a damaged one is an error. The data set has no tensors
 * "edge_index" and "edge_type" then, no other graph can be made of it, and it can't be saved. Not for a schema. */
GNN_API gnn_status_t gnn_dataset_load_prepared(const char *folder, uint32_t transforms, uint32_t order,
                                               gnn_dataset_t **out, gnn_graph_t **out_graph);
/* Writes a folder (made if absent) with a dataset.json; the files are replaced one by one, dataset.json last. */
GNN_API gnn_status_t gnn_dataset_save(const gnn_dataset_t *dataset, const char *folder);
GNN_API void gnn_dataset_destroy(gnn_dataset_t *dataset);

enum {
  GNN_CLEAN_NONE = 0, /* edges and attributes as they are in the file */
  GNN_CLEAN_PYG = 1   /* as PyTorch Geometric reads it: attributes 0/1, no self loops, symmetric */
};

typedef struct gnn_npz_options_t {
  uint32_t size;            /* sizeof(gnn_npz_options_t) */
  uint32_t clean;           /* GNN_CLEAN_* */
  uint32_t train_per_class; /* the file has no splits: so many vertices of each class for training, */
  uint32_t val_per_class;   /* so many for validation, the rest for testing; both 0: no splits */
  uint64_t seed;            /* of the splits */
} gnn_npz_options_t;

/* Imports a .npz file of the layout of gnn-benchmark (Shchur et al. 2018). `options` may be NULL: nothing is cleaned,
 * no splits. */
GNN_API gnn_status_t gnn_dataset_import_npz(const char *path, const gnn_npz_options_t *options, gnn_dataset_t **out);

typedef struct gnn_generate_options_t {
  uint32_t size;        /* sizeof(gnn_generate_options_t) */
  uint32_t num_classes; /* planted, random graphs */
  int64_t num_vertices; /* planted, random graphs (rmat: rounded up to a power of 2) */
  int64_t num_edges;    /* planted (undirected: twice as many directed ones), random graphs */
  int64_t num_features; /* planted: words; random graphs: dense columns, negative: none */
  uint64_t seed;        /* the same options give the same data set on every machine */
} gnn_generate_options_t;

/* `kind` is one of
 *   karate      Zachary's karate club (1977): 34 vertices, 78 friendships, its two factions as classes; has no options
 *   planted     a citation-like graph: edges mostly within classes, sparse bags of words that hint at the class
 *   relational  edges of types: vertices of class c are linked by type r to those of class c + r (but for a tenth), so
 *               that only types tell the classes; vertices, edges and classes (as many as types) may be chosen
 *   knowledge   a knowledge graph of 4 relations between 8 groups of entities, a tenth of the links held back as the
 *               pairs of "val" and "test"; vertices may be chosen
 *   molecules   trees of atoms (types Atom and Molecule, relations bond and of): the class says whether there is a bond
 *               of type 1 between atoms of kinds 0 and 1; vertices, here molecules, may be chosen
 *   rmat        R-MAT (Chakrabarti, Zhan, Faloutsos 2004; a, b, c = 0.57, 0.19, 0.19): power-law degrees
 *   powerlaw    both ends of an edge drawn by expected degrees of power-law exponent 3, the largest 44 times the mean
 *   hubs        both ends of an edge are one of n / 5 hubs with probability 5/6: two degrees, as in FeatGraph's
 *               rand-100K
 *   uniform     every edge between two random vertices
 * The last four get random features and labels, for measuring rather than learning. `options` may be NULL: the default
 * of each kind; so is every 0 in it. */
GNN_API gnn_status_t gnn_dataset_generate(const char *kind, const gnn_generate_options_t *options, gnn_dataset_t **out);

GNN_API const char *gnn_dataset_name(const gnn_dataset_t *dataset);
GNN_API int64_t gnn_dataset_num_vertices(const gnn_dataset_t *dataset);
GNN_API int64_t gnn_dataset_num_edges(const gnn_dataset_t *dataset);
GNN_API int64_t gnn_dataset_num_classes(const gnn_dataset_t *dataset);     /* 0: labels are no classes, or absent */
GNN_API uint32_t gnn_dataset_num_edge_types(const gnn_dataset_t *dataset); /* 0: edges have no types */

/* What labels and splits are of: with a schema a type of vertices or the edges "SOURCE:RELATION:DESTINATION", without
 * one "edge" for edges or "" for vertices. Borrowed. */
GNN_API const char *gnn_dataset_labelled(const gnn_dataset_t *dataset);

/* A data set that is divided by time has edges that are later than those a model may be trained on. Makes the data set
 * with the edges that are known in `split`, "train" or "val", and their features, labels and splits; the same data set
 * where all are known. */
GNN_API gnn_status_t gnn_dataset_known_to(const gnn_dataset_t *dataset, const char *split, gnn_dataset_t **out);

/* The prepared graph, of all edges; `transforms` are GNN_GRAPH_*, `order` is GNN_ORDER_*. */
GNN_API gnn_status_t gnn_dataset_graph(const gnn_dataset_t *dataset, uint32_t transforms, uint32_t order,
                                       gnn_graph_t **out);

enum { GNN_FEATURE_VERTEX = 0, GNN_FEATURE_EDGE = 1 };
typedef struct gnn_feature_info_t {
  uint32_t size;      /* sizeof(gnn_feature_info_t), set by the caller */
  uint32_t domain;    /* GNN_FEATURE_* */
  const char *name;   /* unique within its domain; borrowed */
  uint32_t is_sparse; /* vertices only */
  uint32_t element;
  int64_t columns;  /* product of the extents after the first */
  int64_t nonzeros; /* sparse: stored values; dense: all */
} gnn_feature_info_t;

GNN_API uint32_t gnn_dataset_num_features(const gnn_dataset_t *dataset);
GNN_API gnn_status_t gnn_dataset_feature_info(const gnn_dataset_t *dataset, uint32_t index, gnn_feature_info_t *out);

/* A feature as a dense tensor [vertices or edges, …]; a sparse one is expanded. */
GNN_API gnn_status_t gnn_dataset_dense_feature(const gnn_dataset_t *dataset, uint32_t domain, const char *name,
                                               gnn_tensor_t **out);
/* A vertex feature as CSR: indptr i64 [vertices + 1], indices i32 and values f32 or f64 [nonzeros]; a dense one is
 * compressed. */
GNN_API gnn_status_t gnn_dataset_sparse_feature(const gnn_dataset_t *dataset, const char *name,
                                                gnn_tensor_t **out_indptr, gnn_tensor_t **out_indices,
                                                gnn_tensor_t **out_values, int64_t *out_columns);

/* Of a data set with a schema features are called "Paper.x", and there is no "edge_index": gnn_dataset_graph has it
 * all. */
/* "edge_index" i64 [2, edges], "edge_type" i64 [edges], "labels" [vertices or edges, …] (i64 for classes, -1 where
 * unlabelled), and the ids of the splits "train", "val", "test" i64 [any], the pairs "train_pairs", "val_pairs",
 * "test_pairs" i64 [any, 2 or 3]. A mismatch where the data set has no such tensor. */
GNN_API gnn_status_t gnn_dataset_tensor(const gnn_dataset_t *dataset, const char *name, gnn_tensor_t **out);

/* The user's ids of vertices, in both directions. Vertices of a data set without ids are called by their numbers. */
typedef struct gnn_vertex_ids_t gnn_vertex_ids_t;

/* `type` is a type of vertices; NULL for a data set without a schema. */
GNN_API gnn_status_t gnn_dataset_vertex_ids(const gnn_dataset_t *dataset, const char *type, gnn_vertex_ids_t **out);
GNN_API void gnn_vertex_ids_destroy(gnn_vertex_ids_t *ids);
GNN_API int64_t gnn_vertex_ids_count(const gnn_vertex_ids_t *ids);
/* The number of the vertex with the id `text` of `size` bytes; a mismatch if there is none. */
GNN_API gnn_status_t gnn_vertex_ids_find(const gnn_vertex_ids_t *ids, const char *text, uint64_t size,
                                         int64_t *out_vertex);
/* The id of a vertex: `*out_size` bytes without a 0 behind them, borrowed. */
GNN_API gnn_status_t gnn_vertex_ids_text(const gnn_vertex_ids_t *ids, int64_t vertex, const char **out_text,
                                         uint64_t *out_size);

#ifdef __cplusplus
}
#endif
#endif
