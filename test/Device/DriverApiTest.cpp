//===- DriverApiTest.cpp - Our declarations against cuda.h ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled where there is a cuda.h: what DriverApi.h says of types, constants and the names of functions is what NVIDIA
// says.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DriverApi.h"
#include "ApiSignature.h"

#include <cuda.h>

namespace {

using namespace gnn::rt::cuda;

#define CHECK_SIGNATURE(member, symbol, parameters)                                                                    \
  static_assert(isSame<Result parameters, decltype(::symbol)>, #symbol);
// Where newer versions of cuda.h mean a newer function by a name, as with cuEventElapsedTime, that one is looked at.
GNN_CUDA_FUNCTIONS(CHECK_SIGNATURE)

static_assert(std::is_same_v<Address, CUdeviceptr> && std::is_same_v<DeviceId, CUdevice>);
static_assert(int(success) == CUDA_SUCCESS && int(errorInvalidValue) == CUDA_ERROR_INVALID_VALUE);
static_assert(int(errorOutOfMemory) == CUDA_ERROR_OUT_OF_MEMORY && int(errorNoDevice) == CUDA_ERROR_NO_DEVICE);
static_assert(int(errorInvalidDevice) == CUDA_ERROR_INVALID_DEVICE);
static_assert(int(errorInvalidImage) == CUDA_ERROR_INVALID_IMAGE);
static_assert(int(errorInvalidContext) == CUDA_ERROR_INVALID_CONTEXT);
static_assert(int(errorNoBinaryForGpu) == CUDA_ERROR_NO_BINARY_FOR_GPU);
static_assert(int(errorInvalidPtx) == CUDA_ERROR_INVALID_PTX && int(errorNotFound) == CUDA_ERROR_NOT_FOUND);
static_assert(int(errorPeersUnsupported) == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
static_assert(int(errorPeersAlready) == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
static_assert(int(errorNotReady) == CUDA_ERROR_NOT_READY && int(errorIllegalAddress) == CUDA_ERROR_ILLEGAL_ADDRESS);
static_assert(int(errorMemoryBits) == CUDA_ERROR_ECC_UNCORRECTABLE);
static_assert(int(errorLinkBits) == CUDA_ERROR_NVLINK_UNCORRECTABLE);
static_assert(int(errorLaunchTimeout) == CUDA_ERROR_LAUNCH_TIMEOUT && int(errorAssert) == CUDA_ERROR_ASSERT);
static_assert(int(errorContextIsDestroyed) == CUDA_ERROR_CONTEXT_IS_DESTROYED);
static_assert(int(errorHardwareStack) == CUDA_ERROR_HARDWARE_STACK_ERROR);
static_assert(int(errorLaunchFailed) == CUDA_ERROR_LAUNCH_FAILED);
#if CUDA_VERSION >= 13000
static_assert(int(errorContained) == CUDA_ERROR_CONTAINED && int(errorExternalDevice) == CUDA_ERROR_EXTERNAL_DEVICE);
static_assert(int(errorTensorMemoryLeak) == CUDA_ERROR_TENSOR_MEMORY_LEAK);
#endif
static_assert(int(attributeMultiprocessors) == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(int(attributeMapsHost) == CU_DEVICE_ATTRIBUTE_CAN_MAP_HOST_MEMORY);
static_assert(int(attributePciBus) == CU_DEVICE_ATTRIBUTE_PCI_BUS_ID);
static_assert(int(attributePciDevice) == CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
static_assert(int(attributePciDomain) == CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID);
static_assert(int(attributeMajor) == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(int(attributeMinor) == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(int(attributeMultiprocessorShared) == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
static_assert(int(attributeBlockShared) == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
static_assert(int(functionMaxShared) == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(unsigned(streamNonBlocking) == CU_STREAM_NON_BLOCKING);
static_assert(unsigned(hostReadOnly) == CU_MEMHOSTREGISTER_READ_ONLY);
static_assert(int(errorNoJitCompiler) == CUDA_ERROR_JIT_COMPILER_NOT_FOUND);
static_assert(int(errorNewerPtx) == CUDA_ERROR_UNSUPPORTED_PTX_VERSION);
static_assert(int(errorJitDisabled) == CUDA_ERROR_JIT_COMPILATION_DISABLED);
static_assert(unsigned(hostDeviceMap) == CU_MEMHOSTALLOC_DEVICEMAP && unsigned(eventDefault) == CU_EVENT_DEFAULT);
static_assert(unsigned(hostDeviceMap) == CU_MEMHOSTREGISTER_DEVICEMAP);
static_assert(unsigned(hostPortable) == CU_MEMHOSTREGISTER_PORTABLE);
static_assert(int(errorCaptureUnsupported) == CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED);
static_assert(int(captureOfThread) == CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
static_assert(int(jitErrorLog) == CU_JIT_ERROR_LOG_BUFFER &&
              int(jitErrorLogBytes) == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);

} // namespace
