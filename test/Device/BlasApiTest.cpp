//===- BlasApiTest.cpp - Our declarations against cublasLt.h --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled where there is a cublasLt.h, as DriverApiTest.cpp where there is a cuda.h.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/BlasApi.h"
#include "ApiSignature.h"

#include <cstddef>
#include <cublasLt.h>

namespace {

using namespace gnn::rt::blas;
namespace cuda = gnn::rt::cuda;

#define CHECK_SIGNATURE(member, symbol, parameters)                                                                    \
  static_assert(isSame<Status parameters, decltype(::symbol)>, #symbol);
GNN_BLAS_FUNCTIONS(CHECK_SIGNATURE)

static_assert(sizeof(Algorithm) == sizeof(cublasLtMatmulAlgo_t) &&
              sizeof(Heuristic) == sizeof(cublasLtMatmulHeuristicResult_t));
static_assert(offsetof(Heuristic, workspaceBytes) == offsetof(cublasLtMatmulHeuristicResult_t, workspaceSize));
static_assert(offsetof(Heuristic, state) == offsetof(cublasLtMatmulHeuristicResult_t, state));
static_assert(int(success) == CUBLAS_STATUS_SUCCESS && int(invalidValue) == CUBLAS_STATUS_INVALID_VALUE);
static_assert(int(notSupported) == CUBLAS_STATUS_NOT_SUPPORTED);
static_assert(int(typeF32) == CUDA_R_32F && int(computeF32) == CUBLAS_COMPUTE_32F);
static_assert(int(asIs) == CUBLAS_OP_N && int(transposed) == CUBLAS_OP_T);
static_assert(int(operationTransposeA) == CUBLASLT_MATMUL_DESC_TRANSA);
static_assert(int(operationTransposeB) == CUBLASLT_MATMUL_DESC_TRANSB);
static_assert(int(preferenceWorkspaceBytes) == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES);
static_assert(int(preferenceReductionSchemes) == CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK);
static_assert(int(preferenceAlignmentA) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES);
static_assert(int(preferenceAlignmentB) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES);
static_assert(int(preferenceAlignmentC) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES);
static_assert(int(preferenceAlignmentD) == CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES);
static_assert(int(reductionInComputeType) == CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE);

} // namespace
