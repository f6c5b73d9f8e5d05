//===- NcclApi.h - What is used of NCCL -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of NCCL that the runtime calls, with their types and constants, so that it builds on machines without
// it. Where there is an nccl.h, a test holds all of this against it.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_NCCLAPI_H
#define GNN_CUDA_NCCLAPI_H

#include "runtime/src/cuda/DriverApi.h"

namespace gnn::rt::nccl {

using Status = int;
using Communicator = struct OpaqueCommunicator *;

struct UniqueId {
  char bytes[128];
};

/// As of 2.14, the first in which nothing waits. Later ones take it for what it is.
struct Config {
  size_t size = sizeof(Config);
  unsigned magic = 0xcafebeef, version = 21400;
  int blocking = 0;
};

enum : Status { success = 0, systemError = 2, invalidArgument = 4, remoteError = 6, inProgress = 7 };
enum : int { typeByte = 1 };

} // namespace gnn::rt::nccl

/// F(member, symbol of the library, parameters): all return a Status.
#define GNN_NCCL_FUNCTIONS(F)                                                                                          \
  F(getVersion, ncclGetVersion, (int *version))                                                                        \
  F(getUniqueId, ncclGetUniqueId, (UniqueId * id))                                                                     \
  F(connect, ncclCommInitRankConfig, (Communicator * communicator, int ranks, UniqueId id, int rank, Config *config))  \
  F(abort, ncclCommAbort, (Communicator communicator))                                                                 \
  F(asyncError, ncclCommGetAsyncError, (Communicator communicator, Status * status))                                   \
  F(groupStart, ncclGroupStart, ())                                                                                    \
  F(groupEnd, ncclGroupEnd, ())                                                                                        \
  F(send, ncclSend,                                                                                                    \
    (const void *from, size_t count, int type, int peer, Communicator communicator, cuda::Stream stream))              \
  F(receive, ncclRecv, (void *to, size_t count, int type, int peer, Communicator communicator, cuda::Stream stream))

#endif // GNN_CUDA_NCCLAPI_H
