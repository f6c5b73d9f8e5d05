//===- DriverApi.h - What is used of the CUDA driver ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of NVIDIA's driver library that the runtime calls, with their types and constants, so that it builds on
// machines without the CUDA toolkit. Where there is a cuda.h, a test holds all of this against it.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DRIVERAPI_H
#define GNN_CUDA_DRIVERAPI_H

#include <cstddef>

namespace gnn::rt::cuda {

using Result = int;
using DeviceId = int;
using Address = unsigned long long; // of memory that the device reads
using Context = struct OpaqueContext *;
using Module = struct OpaqueModule *;
using Function = struct OpaqueFunction *;
using Stream = struct OpaqueStream *;
using Event = struct OpaqueEvent *;
using Graph = struct OpaqueGraph *;
using GraphExec = struct OpaqueGraphExec *;

enum : Result {
  success = 0,
  errorInvalidValue = 1,
  errorOutOfMemory = 2,
  errorNoDevice = 100,
  errorInvalidDevice = 101,
  errorInvalidImage = 200,
  errorInvalidContext = 201,
  errorNoBinaryForGpu = 209,
  errorMemoryBits = 214, // that ECC cannot correct
  errorPeersUnsupported = 217,
  errorInvalidPtx = 218,
  errorLinkBits = 220, // the same of NVLink
  errorNoJitCompiler = 221,
  errorNewerPtx = 222, // than the JIT compiler knows
  errorJitDisabled = 223,
  errorContained = 226,
  errorNotFound = 500,
  errorNotReady = 600,
  errorIllegalAddress = 700,
  errorLaunchTimeout = 702,
  errorPeersAlready = 704,
  errorContextIsDestroyed = 709,
  errorAssert = 710,
  errorHardwareStack = 714, // and, up to the next, other faults of kernels
  errorLaunchFailed = 719,
  errorTensorMemoryLeak = 721,
  errorCaptureUnsupported = 900,
  errorExternalDevice = 911
};

enum : int {
  attributeMultiprocessors = 16,
  attributeMapsHost = 19, // whether kernels read memory of the process
  attributePciBus = 33,
  attributePciDevice = 34,
  attributePciDomain = 50,
  attributeMajor = 75,
  attributeMinor = 76,
  attributeMultiprocessorShared = 81, // bytes of shared memory
  attributeBlockShared = 97           // the same, of a block whose function asks for it
};
enum : int { functionMaxShared = 8 };
enum : int { peerAtomics = 3 }; // all of them
enum : unsigned { streamNonBlocking = 1, hostPortable = 1, hostDeviceMap = 2, hostReadOnly = 8 };
enum : unsigned { eventDefault = 0 };
enum : int { jitErrorLog = 5, jitErrorLogBytes = 6, captureOfThread = 1 };

} // namespace gnn::rt::cuda

/// F(member, symbol of the library, parameters): all return a Result.
#define GNN_CUDA_FUNCTIONS(F)                                                                                          \
  F(init, cuInit, (unsigned flags))                                                                                    \
  F(driverGetVersion, cuDriverGetVersion, (int *version))                                                              \
  F(getErrorName, cuGetErrorName, (Result error, const char **text))                                                   \
  F(getErrorString, cuGetErrorString, (Result error, const char **text))                                               \
  F(deviceGetCount, cuDeviceGetCount, (int *count))                                                                    \
  F(deviceGet, cuDeviceGet, (DeviceId * device, int ordinal))                                                          \
  F(deviceGetName, cuDeviceGetName, (char *name, int length, DeviceId device))                                         \
  F(deviceGetAttribute, cuDeviceGetAttribute, (int *value, int attribute, DeviceId device))                            \
  F(deviceCanAccessPeer, cuDeviceCanAccessPeer, (int *can, DeviceId device, DeviceId other))                           \
  F(deviceGetP2PAttribute, cuDeviceGetP2PAttribute, (int *value, int attribute, DeviceId from, DeviceId to))           \
  F(primaryContextRetain, cuDevicePrimaryCtxRetain, (Context * context, DeviceId device))                              \
  F(primaryContextRelease, cuDevicePrimaryCtxRelease_v2, (DeviceId device))                                            \
  F(contextPush, cuCtxPushCurrent_v2, (Context context))                                                               \
  F(contextPop, cuCtxPopCurrent_v2, (Context * context))                                                               \
  F(enablePeerAccess, cuCtxEnablePeerAccess, (Context other, unsigned flags))                                          \
  F(memoryInfo, cuMemGetInfo_v2, (size_t * free, size_t * total))                                                      \
  F(allocate, cuMemAlloc_v2, (Address * address, size_t bytes))                                                        \
  F(release, cuMemFree_v2, (Address address))                                                                          \
  F(hostAllocate, cuMemHostAlloc, (void **pointer, size_t bytes, unsigned flags))                                      \
  F(hostAddress, cuMemHostGetDevicePointer_v2, (Address * address, void *pointer, unsigned flags))                     \
  F(hostRegister, cuMemHostRegister_v2, (void *pointer, size_t bytes, unsigned flags))                                 \
  F(hostUnregister, cuMemHostUnregister, (void *pointer))                                                              \
  F(hostRelease, cuMemFreeHost, (void *pointer))                                                                       \
  F(copyToDevice, cuMemcpyHtoDAsync_v2, (Address to, const void *from, size_t bytes, Stream stream))                   \
  F(copyToHost, cuMemcpyDtoHAsync_v2, (void *to, Address from, size_t bytes, Stream stream))                           \
  F(copyOnDevice, cuMemcpyDtoDAsync_v2, (Address to, Address from, size_t bytes, Stream stream))                       \
  F(copyBetween, cuMemcpyPeerAsync,                                                                                    \
    (Address to, Context toContext, Address from, Context fromContext, size_t bytes, Stream stream))                   \
  F(fillBytes, cuMemsetD8Async, (Address to, unsigned char value, size_t count, Stream stream))                        \
  F(fillWords, cuMemsetD32Async, (Address to, unsigned value, size_t count, Stream stream))                            \
  F(moduleLoad, cuModuleLoadDataEx, (Module * module, const void *image, unsigned count, int *options, void **values)) \
  F(moduleUnload, cuModuleUnload, (Module module))                                                                     \
  F(moduleFunction, cuModuleGetFunction, (Function * function, Module module, const char *name))                       \
  F(functionSetAttribute, cuFuncSetAttribute, (Function function, int attribute, int value))                           \
  F(launch, cuLaunchKernel,                                                                                            \
    (Function function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX, unsigned blockY,              \
     unsigned blockZ, unsigned sharedBytes, Stream stream, void **parameters, void **extra))                           \
  F(streamCreate, cuStreamCreate, (Stream * stream, unsigned flags))                                                   \
  F(streamDestroy, cuStreamDestroy_v2, (Stream stream))                                                                \
  F(streamSynchronize, cuStreamSynchronize, (Stream stream))                                                           \
  F(eventCreate, cuEventCreate, (Event * event, unsigned flags))                                                       \
  F(streamWait, cuStreamWaitEvent, (Stream stream, Event event, unsigned flags))                                       \
  F(eventDestroy, cuEventDestroy_v2, (Event event))                                                                    \
  F(eventRecord, cuEventRecord, (Event event, Stream stream))                                                          \
  F(eventQuery, cuEventQuery, (Event event))                                                                           \
  F(eventSynchronize, cuEventSynchronize, (Event event))                                                               \
  F(eventElapsedTime, cuEventElapsedTime, (float *milliseconds, Event begin, Event end))                               \
  F(captureBegin, cuStreamBeginCapture_v2, (Stream stream, int mode))                                                  \
  F(captureEnd, cuStreamEndCapture, (Stream stream, Graph * graph))                                                    \
  F(graphInstantiate, cuGraphInstantiateWithFlags, (GraphExec * exec, Graph graph, unsigned long long flags))          \
  F(graphLaunch, cuGraphLaunch, (GraphExec exec, Stream stream))                                                       \
  F(graphDestroy, cuGraphDestroy, (Graph graph))                                                                       \
  F(graphExecDestroy, cuGraphExecDestroy, (GraphExec exec))

#endif // GNN_CUDA_DRIVERAPI_H
