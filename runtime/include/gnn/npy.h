/* Single tensors in NumPy's .npy files. */
#ifndef GNN_NPY_H
#define GNN_NPY_H

#include "gnn/status.h"
#include "gnn/tensor.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads bool, integers and reals of 16 to 64 bits, converting to the next type of ours. Data is checked as if from a
 * stranger; arrays of Python objects are refused. */
GNN_API gnn_status_t gnn_npy_load(const char *path, gnn_tensor_t **out);
/* Replaces `path` atomically. */
GNN_API gnn_status_t gnn_npy_save(const gnn_tensor_t *tensor, const char *path);

#ifdef __cplusplus
}
#endif
#endif
