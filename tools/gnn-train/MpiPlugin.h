/*===- MpiPlugin.h - What a library over MPI gives ----------------*- C -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MPI has no binary interface that its libraries share. What differs between them is behind these functions, in a
// library of its own, libgnnrt-mpi.so, which is compiled with the MPI that it is for. It exports gnn_mpi.
//
//===----------------------------------------------------------------------===*/

#ifndef GNN_TOOLS_TRAIN_MPIPLUGIN_H
#define GNN_TOOLS_TRAIN_MPIPLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GNN_MPI_VERSION 1

/* Two that know nothing of each other: of data, and of why a rank ends. */
enum { GNN_MPI_DATA, GNN_MPI_ENDINGS };
enum { GNN_MPI_MOST_OF_TAG = 32767, GNN_MPI_MOST_OF_TEXT = 512, GNN_MPI_ANY_RANK = -1 };

typedef uint64_t gnn_mpi_request_t;

typedef struct gnn_mpi_status_t {
  int is_done, from, tag, bytes; /* the last three of what was received */
} gnn_mpi_status_t;

/* Functions return 0, or an error of MPI for `describe`. None but `start` and `finish` waits. */
typedef struct gnn_mpi_t {
  int version; /* GNN_MPI_VERSION */
  /* Of GNN_MPI_MOST_OF_TEXT characters at most. */
  void (*library)(char *text);
  void (*describe)(int error, char *text);
  /* Once in a process. */
  int (*start)(int *rank, int *size);
  int (*finish)(void);
  int (*send)(int channel, int to, int tag, const void *from, int bytes, gnn_mpi_request_t *request);
  /* Of any tag, and of no more than `most` bytes. */
  int (*receive)(int channel, int from, void *to, int most, gnn_mpi_request_t *request);
  int (*test)(gnn_mpi_request_t *request, gnn_mpi_status_t *status);
  /* Of a receive that has got nothing. */
  int (*cancel)(gnn_mpi_request_t *request);
} gnn_mpi_t;

typedef const gnn_mpi_t *gnn_mpi_function_t(void);

#ifdef __cplusplus
}
#endif

#endif /* GNN_TOOLS_TRAIN_MPIPLUGIN_H */
