//===- BlasApi.h - What is used of cuBLASLt ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of cuBLASLt that the runtime calls, with their types and constants, so that it builds on machines
// without the CUDA toolkit. Where there is a cublasLt.h, a test holds all of this against it.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_BLASAPI_H
#define GNN_CUDA_BLASAPI_H

#include "runtime/src/cuda/DriverApi.h"

#include <cstdint>

namespace gnn::rt::blas {

using Status = int;
using Handle = struct OpaqueHandle *;
using Operation = struct OpaqueOperation *;
using Layout = struct OpaqueLayout *;
using Preference = struct OpaquePreference *;

struct Algorithm {
  uint64_t data[8];
};

struct Heuristic {
  Algorithm algorithm;
  size_t workspaceBytes;
  Status state; // success: the rest is valid
  float waves;
  int reserved[4];
};

enum : Status { success = 0, invalidValue = 7, notSupported = 15 };
enum : int { typeF32 = 0, typeF16 = 2, typeBf16 = 14, computeF32 = 68 };
enum : int32_t { asIs = 0, transposed = 1 };
enum : int { operationTransposeA = 3, operationTransposeB = 4 };
enum : int {
  preferenceWorkspaceBytes = 1,   // uint64_t
  preferenceReductionSchemes = 3, // uint32_t
  preferenceAlignmentA = 5,       // uint32_t, in bytes, as those of B, C and D, which follow
  preferenceAlignmentB = 6,
  preferenceAlignmentC = 7,
  preferenceAlignmentD = 8
};
/// Partial sums of the type that is computed in, in the workspace: added in the same order every time.
enum : uint32_t { reductionInComputeType = 2 };

} // namespace gnn::rt::blas

/// F(member, symbol of the library, parameters): all return a Status. Matrices are stored column by column.
#define GNN_BLAS_FUNCTIONS(F)                                                                                          \
  F(create, cublasLtCreate, (Handle * handle))                                                                         \
  F(destroy, cublasLtDestroy, (Handle handle))                                                                         \
  F(operationCreate, cublasLtMatmulDescCreate, (Operation * operation, int computeType, int scaleType))                \
  F(operationDestroy, cublasLtMatmulDescDestroy, (Operation operation))                                                \
  F(operationSet, cublasLtMatmulDescSetAttribute,                                                                      \
    (Operation operation, int attribute, const void *value, size_t bytes))                                             \
  F(layoutCreate, cublasLtMatrixLayoutCreate,                                                                          \
    (Layout * layout, int type, uint64_t rows, uint64_t columns, int64_t leadingDimension))                            \
  F(layoutDestroy, cublasLtMatrixLayoutDestroy, (Layout layout))                                                       \
  F(preferenceCreate, cublasLtMatmulPreferenceCreate, (Preference * preference))                                       \
  F(preferenceDestroy, cublasLtMatmulPreferenceDestroy, (Preference preference))                                       \
  F(preferenceSet, cublasLtMatmulPreferenceSetAttribute,                                                               \
    (Preference preference, int attribute, const void *value, size_t bytes))                                           \
  F(findAlgorithms, cublasLtMatmulAlgoGetHeuristic,                                                                    \
    (Handle handle, Operation operation, Layout a, Layout b, Layout c, Layout d, Preference preference, int most,      \
     Heuristic *found, int *count))                                                                                    \
  F(multiply, cublasLtMatmul,                                                                                          \
    (Handle handle, Operation operation, const void *alpha, const void *a, Layout layoutA, const void *b,              \
     Layout layoutB, const void *beta, const void *c, Layout layoutC, void *d, Layout layoutD,                         \
     const Algorithm *algorithm, void *workspace, size_t workspaceBytes, cuda::Stream stream))

#endif // GNN_CUDA_BLASAPI_H
