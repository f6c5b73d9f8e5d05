/* The version of the C interface, for programs that open the runtime by dlopen. */
#ifndef GNN_VERSION_H
#define GNN_VERSION_H

#include "gnn/status.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Incremented when a function or a struct changes in a way that programs compiled before do not survive. */
#define GNN_INTERFACE_VERSION 1u

/* GNN_INTERFACE_VERSION of the runtime that is loaded. */
GNN_API uint32_t gnn_interface_version(void);

#ifdef __cplusplus
}
#endif
#endif
