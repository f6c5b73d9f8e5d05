/* Graphs: an edge list prepared for execution, as CSR by destination and by source, with the transforms that models ask
 * for.
 *
 * Edge ids. Edge `i` of the list given has id `i`; edges that a transform adds get the following ids, so a table over
 * edges has `gnn_graph_num_edge_ids` rows. Symmetry: the k-th edge of a type from u to v, by id, is the counterpart of
 * the k-th from v to u; an edge without a counterpart is mirrored, in the order of these edges. Inverse relations add
 * for each edge i an edge num + i of type + number of types. Self loops come last: each vertex without a loop gets one,
 * in vertex order; with edge types, loops that are added have none: their type is -1, and they come last in their row.
 * One loop leaves out all loops of a vertex but the one of the largest id, and adds loops as self loops does. No loops
 * leaves out all. The ids of what is left out stay unused: tables over edges have their rows. Loop kinds leaves out
 * none, adds loops as self loops does, and makes types GNN_EDGE_*. Order of transforms: symmetric, inverse relations,
 * no loops, one loop, self loops.
 *
 * Order. Edges of a row are ordered by type, then prepared index of the other end, then id, whatever the number of
 * threads.
 */
#ifndef GNN_GRAPH_H
#define GNN_GRAPH_H

#include "gnn/program.h"
#include "gnn/status.h"
#include "gnn/tensor.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gnn_graph_t gnn_graph_t;

/* How vertices lie in memory, for speed; ids, and what is bound and returned, stay in the order of ids. */
enum {
  GNN_ORDER_GIVEN = 0,
  GNN_ORDER_DEGREE = 1,    /* vertices by falling in-degree */
  GNN_ORDER_LOCALITY = 2,  /* neighbours near each other: reverse Cuthill-McKee */
  GNN_ORDER_COMMUNITY = 3, /* members of communities of the transformed graph side by side */
  GNN_ORDER_METIS = 4      /* the same of METIS's parts; GNN_ERROR_ARGUMENT where there is no METIS */
};

typedef struct gnn_graph_options_t {
  uint32_t size;            /* sizeof(gnn_graph_options_t) */
  uint32_t transforms;      /* GNN_GRAPH_* of gnn/program.h */
  uint32_t order;           /* GNN_ORDER_* */
  uint32_t num_types;       /* of edges; 0: the largest in `edge_type` + 1 */
  const int64_t *edge_type; /* [num_edges] 0 <= type < num_types, or NULL */
} gnn_graph_options_t;

/* Copies the list and prepares it. Ids must be in [0, num_vertices), num_vertices below 2^32 - 1. `options` may be
 * NULL. The empty graph is legal. */
GNN_API gnn_status_t gnn_graph_from_edges(const int64_t *src, const int64_t *dst, int64_t num_edges,
                                          int64_t num_vertices, const gnn_graph_options_t *options, gnn_graph_t **out);
/* Graphs with several types of vertices or relations. */
typedef struct gnn_vertices_t {
  const char *name;
  int64_t count;
} gnn_vertices_t;

typedef struct gnn_edges_t {
  const char *name;
  uint32_t source, destination; /* indices of vertex types */
  uint32_t num_types;           /* of edges; 0: the largest in `edge_type` + 1 */
  uint32_t reserved;
  int64_t num_edges;
  const int64_t *src, *dst; /* [num_edges] ids within their types */
  const int64_t *edge_type; /* [num_edges], or NULL */
} gnn_edges_t;

/* Copies all of it. Names of vertex types are distinct, and those of relations between the same types. A model finds
 * its types and relations by name. At least one of each; the functions below that speak of vertices and edges speak of
 * the first. */
GNN_API gnn_status_t gnn_graph_from_schema(const gnn_vertices_t *vertices, uint32_t num_vertex_types,
                                           const gnn_edges_t *edges, uint32_t num_relations, gnn_graph_t **out);
/* The same graph with further transforms applied (the same object if it has them already). */
GNN_API gnn_status_t gnn_graph_transform(const gnn_graph_t *graph, uint32_t transforms, gnn_graph_t **out);
GNN_API void gnn_graph_destroy(gnn_graph_t *graph);

GNN_API int64_t gnn_graph_num_vertices(const gnn_graph_t *graph);
GNN_API int64_t gnn_graph_num_edges(const gnn_graph_t *graph);
GNN_API int64_t gnn_graph_num_edge_ids(const gnn_graph_t *graph);
GNN_API uint32_t gnn_graph_num_edge_types(const gnn_graph_t *graph); /* 0: edges have no types */
GNN_API uint32_t gnn_graph_transforms(const gnn_graph_t *graph);

GNN_API uint32_t gnn_graph_num_vertex_types(const gnn_graph_t *graph);
GNN_API uint32_t gnn_graph_num_relations(const gnn_graph_t *graph);
/* What `index` < number is; names are borrowed, the edges themselves are not told (NULL). */
GNN_API gnn_status_t gnn_graph_vertex_type(const gnn_graph_t *graph, uint32_t index, gnn_vertices_t *out);
GNN_API gnn_status_t gnn_graph_relation(const gnn_graph_t *graph, uint32_t index, gnn_edges_t *out);

/* The whole graph as one block, rows being destinations (GNN_TO_DESTINATION) or sources (GNN_TO_SOURCE). Borrowed. */
GNN_API gnn_status_t gnn_graph_block(const gnn_graph_t *graph, uint32_t direction, gnn_block_t *out);

/* A table over the edges that were given, [edges, …], extended by rows for the edges that transforms added: a mirrored
 * or inverse edge has the row of its original, a new self loop has ones. */
GNN_API gnn_status_t gnn_graph_extend_edges(const gnn_graph_t *graph, const gnn_tensor_t *rows, gnn_tensor_t **out);

#ifdef __cplusplus
}
#endif
#endif
