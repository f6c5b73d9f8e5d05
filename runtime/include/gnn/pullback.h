/* Models as differentiable functions: outputs now, gradients later (vector-Jacobian products). Of libraries that were
 * compiled with `gnnc --vjp`, on processors, over whole graphs.
 *
 *   gnn_pullback_create    what a model is to be over a graph: which gradients, with dropout or without
 *   gnn_pullback_forward   outputs; what backward needs goes into the caller's workspace
 *   gnn_pullback_backward  for gradients of the outputs (cotangents), gradients by parameters and inputs
 *
 * All memory is the caller's, and a pullback does not change: any number of forward calls may wait for their backward
 * calls, each with a workspace of its own, and threads may call with one pullback at once. Backward only reads the
 * workspace, so it may be called several times, with other cotangents. Gradients are those of the numbers that were
 * computed: gradients of gradients are not there, and backward cannot be differentiated.
 *
 * Tables over vertices are in the order of original ids, and gradients of inputs over edges in the order of the edges
 * that the graph was made of: that of an edge is the sum over all edges that the model makes of it (mirrored and
 * inverse ones). Bits do not depend on the number of threads.
 */
#ifndef GNN_PULLBACK_H
#define GNN_PULLBACK_H

#include "gnn/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gnn_pullback_t gnn_pullback_t;

typedef struct gnn_pullback_options_t {
  uint32_t size;             /* sizeof(gnn_pullback_options_t) */
  uint32_t is_training;      /* not 0: as in training: with dropout, statistics of the graph at hand, next states */
  const char *const *wanted; /* parameters and inputs by which gradients are wanted. What others alone need is not
                                computed, and not kept. NULL: all that have gradients */
  uint32_t num_wanted;
  uint32_t reserved;
} gnn_pullback_options_t;

/* Lists of tensors, each in the order in which calls take or give them. */
enum {
  GNN_PULLBACK_PARAMETERS = 0, /* parameters and states, as gnn_model_parameter_name numbers them */
  GNN_PULLBACK_OUTPUTS = 1,    /* outputs as gnn_model_output_name numbers them; in training then next states, by the
                                  names of the states */
  GNN_PULLBACK_COTANGENTS = 2, /* outputs that parameters or inputs flow into */
  GNN_PULLBACK_GRADIENTS = 3   /* by parameters, then by inputs */
};

typedef struct gnn_pullback_item_t {
  const char *name;
  uint32_t element; /* GNN_F32 ... */
  uint32_t rank;
  const int64_t *shape;
} gnn_pullback_item_t;

/* Plans calls for a model over a graph, and for inputs of these shapes; sparse inputs must have their entries in these
 * places. The inputs bind open dimensions. `options` may be NULL. A mismatch if the library has no gradients; an
 * argument error for a name in `wanted` that has none, such as an input of integers or sparse rows. The pullback keeps
 * model and graph alive. It wants the model alone if that has no parameters yet. */
GNN_API gnn_status_t gnn_pullback_create(gnn_model_t *model, const gnn_graph_t *graph, const gnn_input_t *inputs,
                                         uint32_t num_inputs, const gnn_pullback_options_t *options,
                                         gnn_pullback_t **out);
GNN_API void gnn_pullback_destroy(gnn_pullback_t *pullback);

/* One of the lists above; NULL if there is no such list. */
GNN_API const gnn_pullback_item_t *gnn_pullback_list(const gnn_pullback_t *pullback, uint32_t list, uint32_t *count);
/* Bytes of a workspace. It must be aligned to 64. */
GNN_API uint64_t gnn_pullback_workspace_bytes(const gnn_pullback_t *pullback);

/* Computes the outputs, which have as many entries as their list, into tensors of the caller. `parameters` have as many
 * as theirs, or are NULL: the model's own. Dropout is drawn by seed and step (docs/dev/abi.md), as a training step
 * draws it. */
GNN_API gnn_status_t gnn_pullback_forward(const gnn_pullback_t *pullback, const gnn_input_t *inputs,
                                          uint32_t num_inputs, const gnn_tensor_t *const *parameters, uint64_t seed,
                                          uint64_t step, void *workspace, gnn_tensor_t *const *outputs);
/* Computes the gradients, into tensors of the caller. Inputs and parameters must be those of the forward call that
 * wrote the workspace. A cotangent may be NULL: 0. An argument error for a workspace that no forward call of this
 * pullback has written; or if the model's own parameters were used and something that may have changed them (loading,
 * training) has had the model since. What the caller writes to storage of parameters goes unnoticed. */
GNN_API gnn_status_t gnn_pullback_backward(const gnn_pullback_t *pullback, const gnn_input_t *inputs,
                                           uint32_t num_inputs, const gnn_tensor_t *const *parameters,
                                           const void *workspace, const gnn_tensor_t *const *cotangents,
                                           gnn_tensor_t *const *gradients);

#ifdef __cplusplus
}
#endif
#endif
