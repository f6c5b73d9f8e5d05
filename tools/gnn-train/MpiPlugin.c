/*===- MpiPlugin.c - The library over MPI -----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===*/

#include "tools/gnn-train/MpiPlugin.h"

#include <mpi.h>
#include <string.h>

_Static_assert(sizeof(MPI_Request) <= sizeof(gnn_mpi_request_t), "a request has no room");

static MPI_Comm channels[2];

static void library(char *text) {
  char all[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(all, &length);
  length = (int)strcspn(all, ",\n"); /* what follows says how it was built */
  for (char *tab = strchr(all, '\t'); tab; tab = strchr(tab, '\t'))
    *tab = ' ';
  length = length < GNN_MPI_MOST_OF_TEXT ? length : GNN_MPI_MOST_OF_TEXT - 1;
  memcpy(text, all, (size_t)length);
  text[length] = 0;
}

static void describe(int error, char *text) {
  char all[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(error, all, &length);
  length = length < GNN_MPI_MOST_OF_TEXT ? length : GNN_MPI_MOST_OF_TEXT - 1;
  memcpy(text, all, (size_t)length);
  text[length] = 0;
}

static int start(int *rank, int *size) {
  int threads = 0, error = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &threads);
  if (!error && threads < MPI_THREAD_SERIALIZED)
    error = MPI_ERR_OTHER;
  for (int i = 0; i < 2 && !error; ++i) {
    error = MPI_Comm_dup(MPI_COMM_WORLD, &channels[i]);
    if (!error)
      error = MPI_Comm_set_errhandler(channels[i], MPI_ERRORS_RETURN);
  }
  if (!error)
    error = MPI_Comm_rank(MPI_COMM_WORLD, rank);
  return error ? error : MPI_Comm_size(MPI_COMM_WORLD, size);
}

static int finish(void) { return MPI_Finalize(); }

static void keep(MPI_Request request, gnn_mpi_request_t *where) { memcpy(where, &request, sizeof request); }

static int send(int channel, int to, int tag, const void *from, int bytes, gnn_mpi_request_t *request) {
  MPI_Request own = MPI_REQUEST_NULL;
  const int error = MPI_Isend(from, bytes, MPI_BYTE, to, tag, channels[channel], &own);
  keep(own, request);
  return error;
}

static int receive(int channel, int from, void *to, int most, gnn_mpi_request_t *request) {
  MPI_Request own = MPI_REQUEST_NULL;
  const int source = from == GNN_MPI_ANY_RANK ? MPI_ANY_SOURCE : from;
  const int error = MPI_Irecv(to, most, MPI_BYTE, source, MPI_ANY_TAG, channels[channel], &own);
  keep(own, request);
  return error;
}

static int test(gnn_mpi_request_t *request, gnn_mpi_status_t *status) {
  MPI_Request own;
  MPI_Status found;
  memcpy(&own, request, sizeof own);
  const int error = MPI_Test(&own, &status->is_done, &found);
  keep(own, request);
  if (error || !status->is_done)
    return error;
  status->from = found.MPI_SOURCE;
  status->tag = found.MPI_TAG;
  return MPI_Get_count(&found, MPI_BYTE, &status->bytes);
}

static int cancel(gnn_mpi_request_t *request) {
  MPI_Request own;
  memcpy(&own, request, sizeof own);
  const int error = MPI_Cancel(&own);
  return error ? error : MPI_Wait(&own, MPI_STATUS_IGNORE);
}

/* The one function that is exported. */
__attribute__((visibility("default"))) const gnn_mpi_t *gnn_mpi(void) {
  static const gnn_mpi_t functions = {GNN_MPI_VERSION, library, describe, start, finish, send, receive, test, cancel};
  return &functions;
}
