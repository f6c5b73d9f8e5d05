/* The binary interface of DLPack 1.x (dmlc/dlpack, include/dlpack/dlpack.h), as far as the runtime exchanges it: host
 * memory and that of NVIDIA GPUs.
 *
 * The structs have the layout of their namesakes in dlpack.h (`gnn_dl_managed_tensor_t` is `DLManagedTensorVersioned`);
 * a pointer to the one may be cast to the other. They are declared here because distributions ship older versions
 * without the versioned struct.
 */
#ifndef GNN_DLPACK_H
#define GNN_DLPACK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GNN_DL_MAJOR 1u
#define GNN_DL_MINOR 0u

enum { GNN_DL_CPU = 1, GNN_DL_CUDA = 2, GNN_DL_CUDA_HOST = 3, GNN_DL_CUDA_MANAGED = 13 };
enum { GNN_DL_INT = 0, GNN_DL_UINT = 1, GNN_DL_FLOAT = 2, GNN_DL_BFLOAT = 4, GNN_DL_BOOL = 6 };
enum { GNN_DL_READ_ONLY = 1, GNN_DL_IS_COPIED = 2 };

typedef struct gnn_dl_version_t {
  uint32_t major;
  uint32_t minor;
} gnn_dl_version_t;

typedef struct gnn_dl_device_t {
  int32_t type;
  int32_t id;
} gnn_dl_device_t;

typedef struct gnn_dl_type_t {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
} gnn_dl_type_t;

typedef struct gnn_dl_tensor_t {
  void *data; /* may be NULL where the tensor has no elements */
  gnn_dl_device_t device;
  int32_t ndim;
  gnn_dl_type_t dtype;
  int64_t *shape;
  int64_t *strides; /* in elements; NULL: contiguous in C order */
  uint64_t byte_offset;
} gnn_dl_tensor_t;

typedef struct gnn_dl_managed_tensor_t {
  gnn_dl_version_t version; /* with another major version nothing but `deleter` may be touched */
  void *manager_ctx;
  void (*deleter)(struct gnn_dl_managed_tensor_t *self); /* may be NULL */
  uint64_t flags;
  gnn_dl_tensor_t tensor;
} gnn_dl_managed_tensor_t;

#ifdef __cplusplus
}
#endif
#endif
