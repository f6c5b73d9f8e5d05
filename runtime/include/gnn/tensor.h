/* Tensors: dense row-major arrays in host memory, or that of a GPU, owned or borrowed from the application without a
 * copy. */
#ifndef GNN_TENSOR_H
#define GNN_TENSOR_H

#include "gnn/dlpack.h"
#include "gnn/program.h"
#include "gnn/status.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GNN_MAX_RANK 8

/* A tensor: element type (GNN_F32 … GNN_BOOL of gnn/program.h), shape and reference-counted storage. */
typedef struct gnn_tensor_t gnn_tensor_t;

/* A new tensor of zeros in storage aligned to 64 bytes. `shape` has `rank` extents, each at least 0; rank 0 is a
 * scalar. */
GNN_API gnn_status_t gnn_tensor_create(uint32_t element, uint32_t rank, const int64_t *shape, gnn_tensor_t **out);

/* A view of the caller's memory, C order, aligned to its element. `release(context)` is called once, on any thread,
 * when the last user of the memory is gone (or never, if NULL: then the memory must outlive all users). On failure
 * `release` is not called. */
GNN_API gnn_status_t gnn_tensor_view(void *data, uint32_t element, uint32_t rank, const int64_t *shape,
                                     void (*release)(void *), void *context, gnn_tensor_t **out);

/* Another handle on the same storage. */
GNN_API gnn_status_t gnn_tensor_share(const gnn_tensor_t *tensor, gnn_tensor_t **out);
GNN_API void gnn_tensor_destroy(gnn_tensor_t *tensor);

GNN_API uint32_t gnn_tensor_element(const gnn_tensor_t *tensor);
GNN_API uint32_t gnn_tensor_rank(const gnn_tensor_t *tensor);
GNN_API const int64_t *gnn_tensor_shape(const gnn_tensor_t *tensor); /* [rank] */
GNN_API int64_t gnn_tensor_count(const gnn_tensor_t *tensor);        /* number of elements */
GNN_API const void *gnn_tensor_data(const gnn_tensor_t *tensor);     /* never NULL; of a GPU's, an address there */
/* N of cuda:N whose memory the data are in; -1: host memory. */
GNN_API int32_t gnn_tensor_device(const gnn_tensor_t *tensor);
/* Another handle on the same storage or, for a tensor of a GPU, a copy in host memory. */
GNN_API gnn_status_t gnn_tensor_to_host(const gnn_tensor_t *tensor, gnn_tensor_t **out);
/* The same memory for writing; fails for a tensor imported as read-only. */
GNN_API gnn_status_t gnn_tensor_mutable_data(gnn_tensor_t *tensor, void **out);

/* DLPack 1.x. Export shares the storage: the consumer calls `deleter` once. Import takes `managed` over on success and
 * shares its memory; what is not contiguous, misaligned or of another width (float16, bfloat16, small integers) is
 * converted to the next type of ours and `managed` released at once. On failure `managed` still belongs to the caller.
 * Tensors of a GPU (kDLCUDA) are shared too, and must be contiguous and of a type of ours. What computes them must be
 * over when they are handed in, as it is in those that are given out. */
GNN_API gnn_status_t gnn_tensor_to_dlpack(const gnn_tensor_t *tensor, gnn_dl_managed_tensor_t **out);
GNN_API gnn_status_t gnn_tensor_from_dlpack(gnn_dl_managed_tensor_t *managed, gnn_tensor_t **out);

#ifdef __cplusplus
}
#endif
#endif
