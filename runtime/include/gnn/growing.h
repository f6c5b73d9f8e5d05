/* Graphs that grow while models answer over them: vertices with their features and edges are appended, and a snapshot
 * is the graph as it was when it was taken.
 *
 * Bits. An answer over a snapshot has the bits of gnn_model_infer_at over a graph prepared from all edges of the
 * snapshot at once, in the order in which they were given and appended.
 *
 * Memory. Edges that are appended lie in a list beside those that are prepared, with 20 bytes each, until all are
 * prepared again; a vertex that has some is read a little slower. This happens when the list is full, in the call that
 * appends, or by gnn_growing_graph_compact. There is memory for more vertices than there are; rows of features that are
 * not used yet are memory, too.
 *
 * Threads. All functions here may be called from any number of threads at once, those of one growing graph too. Nobody
 * waits for a snapshot, nor for an answer over one. Calls that append or compact wait for each other.
 */
#ifndef GNN_GROWING_H
#define GNN_GROWING_H

#include "gnn/graph.h"
#include "gnn/model.h"
#include "gnn/status.h"
#include "gnn/tensor.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gnn_growing_graph_t gnn_growing_graph_t;
typedef struct gnn_snapshot_t gnn_snapshot_t;

typedef struct gnn_growing_options_t {
  uint32_t size;     /* sizeof(gnn_growing_options_t) */
  uint32_t is_fixed; /* not 0: what there is no room for is a memory error. 0: more room is made */
  int64_t vertices;  /* room for so many vertices beside those given, of each type; 0: an eighth of these, or 1024 */
  int64_t edges;     /* the same for edges, of each relation. Without is_fixed: room in the list, at least an eighth of
                        the edges that are prepared, or 1024 */
  int64_t stored_bytes; /* memory for stored rows of each model that answers (gnn_snapshot_store); 0: none are stored */
} gnn_growing_options_t;

/* A graph as gnn_graph_from_schema makes it, with dense features of vertices: `inputs` [vertices, …] are named "x" or,
 * where there are several types of vertices, "Paper.x". Copies all of it. Element types are those that models read.
 * `options` may be NULL. */
GNN_API gnn_status_t gnn_growing_graph_create(const gnn_vertices_t *vertices, uint32_t num_vertex_types,
                                              const gnn_edges_t *edges, uint32_t num_relations,
                                              const gnn_input_t *inputs, uint32_t num_inputs,
                                              const gnn_growing_options_t *options, gnn_growing_graph_t **out);
/* Snapshots may outlive it. */
GNN_API void gnn_growing_graph_destroy(gnn_growing_graph_t *graph);

/* Appends all of it at once: no snapshot has a part. `vertices` are types by name with how many more there are; these
 * get the ids that follow. `inputs` are their rows [more, …] of all features of these types, under the names and in the
 * element types of the graph. `edges` are relations by name and ends, with edges among all vertices, old and new;
 * num_types is 0 or the graph's. Types of edges that the graph was not made with are a data error. */
GNN_API gnn_status_t gnn_growing_graph_append(gnn_growing_graph_t *graph, const gnn_vertices_t *vertices,
                                              uint32_t num_vertex_types, const gnn_input_t *inputs, uint32_t num_inputs,
                                              const gnn_edges_t *edges, uint32_t num_relations);
/* Prepares all edges together, as an application may wish to do in a thread of its own before the list is full. Takes
 * about the time and memory of making the graph, on all threads of oneTBB. What a model keeps of a graph it makes anew
 * in the first call over a later snapshot. */
GNN_API gnn_status_t gnn_growing_graph_compact(gnn_growing_graph_t *graph);

/* The graph as it is now. */
GNN_API gnn_status_t gnn_growing_graph_snapshot(gnn_growing_graph_t *graph, gnn_snapshot_t **out);
GNN_API void gnn_snapshot_destroy(gnn_snapshot_t *snapshot);
/* Of the type or relation of that index < number, as the graph was made; -1 for another index, and of NULL. */
GNN_API int64_t gnn_snapshot_num_vertices(const gnn_snapshot_t *snapshot, uint32_t vertex_type);
GNN_API int64_t gnn_snapshot_num_edges(const gnn_snapshot_t *snapshot, uint32_t relation);

/* Vertices that are asked for together. */
typedef struct gnn_request_t {
  const char *vertex_type; /* NULL where the model has only one */
  const int64_t *vertices; /* [num_vertices] ids */
  int64_t num_vertices;
} gnn_request_t;

/* Answers `requests` as gnn_model_infer_at does, all over one snapshot; each has the bits that it has alone. `out` has
 * room for num_requests times gnn_model_num_outputs handles, request by request. What is prepared for a snapshot serves
 * all that follow, until edges are prepared again.
 *
 * A mismatch for a model that reads sparse inputs, inputs of edges, inputs of another element type than the graph has
 * or with normalized rows, that has parameters for each vertex, or whose answers depend on all vertices. An argument
 * error for a vertex that the snapshot has not. */
GNN_API gnn_status_t gnn_snapshot_infer(const gnn_snapshot_t *snapshot, gnn_model_t *model,
                                        const gnn_request_t *requests, uint32_t num_requests, gnn_tensor_t **out);

/* Stored rows. With `stored_bytes`, a model keeps what it has computed in earlier layers of the vertices that save the
 * most edges: those with many, whom many others read. An answer takes such a row as if it were an input and does not go
 * over the edges of its vertex. Edges that are appended make it forget just the rows that depend on them: the next
 * answer that needs one computes it again, and keeps it. Answers have the bits that they have without. Whatever may
 * change the model's parameters makes it forget all.
 *
 * Which vertices these are follows from numbers of edges, at the first answer and whenever all edges have been prepared
 * again. A memory error at the first answer where there is no room for a row, a mismatch for a model on a GPU. A model
 * of one layer has no earlier ones: it stores nothing. */
typedef struct gnn_stored_rows_t {
  uint32_t size; /* sizeof(gnn_stored_rows_t), set by the caller */
  uint32_t reserved;
  int64_t chosen; /* vertices whose rows are stored */
  int64_t known;  /* of these: all rows are as in the newest snapshot that was asked about */
  int64_t taken;  /* rows that answers have taken since these vertices were chosen */
} gnn_stored_rows_t;

/* Computes all stored rows that are not known over a snapshot, so that no answer has to: before a service begins, or
 * after edges were appended. `state`: what there is then; may be NULL. An argument error for a graph without
 * `stored_bytes`. */
GNN_API gnn_status_t gnn_snapshot_store(const gnn_snapshot_t *snapshot, gnn_model_t *model, gnn_stored_rows_t *state);
/* The newest snapshot over which gnn_snapshot_store has ended with this model; the present one where there is none, and
 * for a graph without `stored_bytes`. Answers over it take their rows as they were while the rows of a later one are
 * being computed, so that none is late because edges are appended: one thread appends and another stores, again and
 * again, and those who answer ask for this. Rows that change are in memory twice meanwhile. It stays so as long as
 * nobody asks about later snapshots than those that are stored. */
GNN_API gnn_status_t gnn_growing_graph_stored_snapshot(gnn_growing_graph_t *graph, gnn_model_t *model,
                                                       gnn_snapshot_t **out);
/* As gnn_snapshot_store without computing anything. */
GNN_API gnn_status_t gnn_snapshot_stored_rows(const gnn_snapshot_t *snapshot, gnn_model_t *model,
                                              gnn_stored_rows_t *state);

#ifdef __cplusplus
}
#endif
#endif
