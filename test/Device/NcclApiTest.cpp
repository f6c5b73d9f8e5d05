//===- NcclApiTest.cpp - Our declarations against nccl.h ------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled where there is an nccl.h, as DriverApiTest.cpp where there is a cuda.h.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/NcclApi.h"
#include "ApiSignature.h"

#include <cstddef>
#include <nccl.h>

using namespace gnn::rt::nccl;
namespace cuda = gnn::rt::cuda;

/// Passed by value: they are as large, and nothing but bytes.
static_assert(sizeof(UniqueId) == sizeof(ncclUniqueId) && alignof(UniqueId) == alignof(ncclUniqueId));
template <> struct Passed<ncclUniqueId> { using type = UniqueId; };

namespace {

#define CHECK_SIGNATURE(member, symbol, parameters)                                                                    \
  static_assert(isSame<Status parameters, decltype(::symbol)>, #symbol);
GNN_NCCL_FUNCTIONS(CHECK_SIGNATURE)

static_assert(offsetof(Config, size) == offsetof(ncclConfig_t, size));
static_assert(offsetof(Config, magic) == offsetof(ncclConfig_t, magic));
static_assert(offsetof(Config, version) == offsetof(ncclConfig_t, version));
static_assert(offsetof(Config, blocking) == offsetof(ncclConfig_t, blocking));
static_assert(int(success) == ncclSuccess && int(systemError) == ncclSystemError);
static_assert(int(invalidArgument) == ncclInvalidArgument && int(remoteError) == ncclRemoteError);
static_assert(int(inProgress) == ncclInProgress && int(typeByte) == ncclUint8);

} // namespace
