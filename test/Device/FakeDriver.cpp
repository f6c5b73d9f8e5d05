//===- FakeDriver.cpp - A libcuda for machines without a GPU --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of NVIDIA's driver library that the runtime calls, over the emulated device: memory of the device is
// guarded and no memory of this process, kernels run as PTX. Found by LD_LIBRARY_PATH. The environment variable
// GNN_FAKE_CUDA makes it fail; it is read whenever it is used:
//
//   no-device         cuInit finds none            old-driver       the version is CUDA 11.7
//   arch=75           the chip; 100 otherwise      memory=BYTES     of the device; 1 GiB otherwise
//   fault=KERNEL      that kernel fails            no-graphs        work cannot be recorded
//   trace             says when a graph is launched
//
// As with the real one, a kernel's fault shows where something waits for the device, and ends the context: all later
// calls fail until it has been released by all who retained it.
//
//===----------------------------------------------------------------------===//

#include "PtxMachine.h"
#include "runtime/src/device/DriverApi.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>

using namespace gnn::rt::cuda;

namespace {

/// The value of `key` in GNN_FAKE_CUDA: "" for a key without one, null if it is not there.
std::unique_ptr<std::string> setting(const std::string &key) {
  const char *given = std::getenv("GNN_FAKE_CUDA");
  for (std::string rest = given ? given : ""; !rest.empty();) {
    const size_t comma = rest.find(',');
    const std::string item = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    if (item.compare(0, key.size(), key) == 0 && (item.size() == key.size() || item[key.size()] == '='))
      return std::make_unique<std::string>(item.size() == key.size() ? "" : item.substr(key.size() + 1));
  }
  return nullptr;
}

uint64_t number(const char *key, uint64_t otherwise) {
  auto text = setting(key);
  return text ? std::stoull(*text) : otherwise;
}

using FakeGraph = std::vector<std::function<Result()>>;

/// The one context, of the one device.
struct FakeContext {
  ptx::DeviceMemory memory{number("memory", 1ull << 30)};
  std::unique_ptr<FakeGraph> recorded; // while its stream is captured
  bool isRecordedWhole = true;
  bool hasFault = false;   // after which nothing is done any more,
  bool showsFault = false; // which somebody has been told
};

std::unique_ptr<FakeContext> context;
int retained = 0;
thread_local int entered = 0;

struct FakeFunction {
  ptx::Machine *machine;
  const ptx::Kernel *kernel;
};

struct FakeModule {
  explicit FakeModule(const char *text) : machine(ptx::parse(text)) {}
  ptx::Machine machine;
  std::map<std::string, FakeFunction> functions;
};

using Time = std::chrono::steady_clock::time_point;

/// Does `body` unless the context is missing or has failed.
template <class Body> Result asked(Body body) {
  if (!context || entered == 0)
    return errorInvalidContext;
  if (context->showsFault)
    return errorIllegalAddress;
  return context->hasFault ? success : body();
}

/// The same for what a stream does, now or, while it is captured, whenever the graph is launched.
Result queued(std::function<Result()> body) {
  if (!context || !context->recorded)
    return asked(body);
  context->recorded->push_back(std::move(body));
  return success;
}

/// The same for what waits for the device, as nothing does that is captured.
template <class Body> Result waited(Body body) {
  if (context && context->recorded) {
    context->isRecordedWhole = false;
    return errorCaptureUnsupported;
  }
  if (context)
    context->showsFault |= context->hasFault;
  return asked(body);
}

/// The bytes of device memory at an address, or null.
uint8_t *find(Address address, size_t bytes) {
  uint64_t start = 0;
  ptx::Region *region = context->memory.find(address, bytes, start);
  return region ? region->data.data() + (address - start) : nullptr;
}

void fail(const std::string &what) {
  std::fprintf(stderr, "fake libcuda: %s\n", what.c_str());
  context->hasFault = true;
}

} // namespace

extern "C" {

#pragma GCC visibility push(default)
#define DECLARE(member, symbol, parameters) Result symbol parameters;
GNN_CUDA_FUNCTIONS(DECLARE)
#undef DECLARE
#pragma GCC visibility pop

//===----------------------------------------------------------------------===//
// The driver, the device, its context
//===----------------------------------------------------------------------===//

Result cuInit(unsigned) { return setting("no-device") ? errorNoDevice : success; }

Result cuDriverGetVersion(int *version) {
  *version = setting("old-driver") ? 11070 : 12040;
  return success;
}

Result cuGetErrorName(Result error, const char **text) {
  *text = error == errorIllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OF_THE_FAKE";
  return success;
}

Result cuGetErrorString(Result error, const char **text) {
  *text = error == errorIllegalAddress ? "an illegal memory access was encountered" : "see the number";
  return success;
}

Result cuDeviceGetCount(int *count) {
  *count = 1;
  return success;
}

Result cuDeviceGet(DeviceId *device, int ordinal) {
  *device = 0;
  return ordinal == 0 ? success : errorInvalidDevice;
}

Result cuDeviceGetName(char *name, int length, DeviceId) {
  std::snprintf(name, size_t(length), "Fake");
  return success;
}

Result cuDeviceGetAttribute(int *value, int attribute, DeviceId) {
  const int arch = int(number("arch", 100));
  *value = attribute == attributeMajor ? arch / 10 : attribute == attributeMinor ? arch % 10 : 2;
  return success;
}

Result cuDevicePrimaryCtxRetain(Context *out, DeviceId) {
  if (retained++ == 0)
    context = std::make_unique<FakeContext>();
  *out = reinterpret_cast<Context>(context.get());
  return success;
}

Result cuDevicePrimaryCtxRelease_v2(DeviceId) {
  if (--retained == 0)
    context = nullptr;
  return success;
}

Result cuCtxPushCurrent_v2(Context) {
  ++entered;
  return success;
}

Result cuCtxPopCurrent_v2(Context *) {
  --entered;
  return success;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Result cuMemGetInfo_v2(size_t *free, size_t *total) {
  *total = number("memory", 1ull << 30);
  *free = *total - context->memory.used();
  return success;
}

Result cuMemAlloc_v2(Address *address, size_t bytes) {
  return asked([&] {
    *address = context->memory.allocate(bytes);
    return *address ? success : errorOutOfMemory;
  });
}

Result cuMemAllocManaged(Address *address, size_t bytes, unsigned) {
  return asked([&] {
    *address = context->memory.allocateShared(bytes);
    return success;
  });
}

Result cuMemFree_v2(Address address) {
  return waited([&] { return context->memory.release(address) ? success : errorInvalidValue; });
}

Result cuMemHostAlloc(void **pointer, size_t bytes, unsigned) {
  *pointer = std::malloc(bytes);
  return success;
}

Result cuMemHostGetDevicePointer_v2(Address *address, void *pointer, unsigned) {
  *address = reinterpret_cast<Address>(pointer);
  return success;
}

Result cuMemFreeHost(void *pointer) {
  std::free(pointer);
  return success;
}

Result cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes, Stream) {
  return queued([=] {
    uint8_t *memory = find(to, bytes);
    if (memory)
      std::memcpy(memory, from, bytes);
    return memory ? success : errorInvalidValue;
  });
}

Result cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, Stream) {
  return queued([=] {
    const uint8_t *memory = find(from, bytes);
    if (memory)
      std::memcpy(to, memory, bytes);
    return memory ? success : errorInvalidValue;
  });
}

Result cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, Stream) {
  return queued([=] {
    uint8_t *target = find(to, bytes);
    const uint8_t *source = find(from, bytes);
    if (target && source)
      std::memmove(target, source, bytes);
    return target && source ? success : errorInvalidValue;
  });
}

Result cuMemsetD8Async(Address to, unsigned char value, size_t count, Stream) {
  return queued([=] {
    uint8_t *memory = find(to, count);
    if (memory)
      std::memset(memory, value, count);
    return memory ? success : errorInvalidValue;
  });
}

/// For memory of the process that the device sees too.
Result cuMemsetD32Async(Address to, unsigned value, size_t count, Stream) {
  return queued([=] {
    for (size_t i = 0; i < count; ++i)
      reinterpret_cast<unsigned *>(to)[i] = value;
    return success;
  });
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Result cuModuleLoadDataEx(Module *module, const void *image, unsigned count, int *options, void **values) {
  const auto *text = static_cast<const char *>(image);
  if (std::strncmp(text,
                   "\x7f"
                   "ELF",
                   4) == 0)
    return errorInvalidImage;
  try {
    *module = reinterpret_cast<Module>(new FakeModule(text));
    return success;
  } catch (const ptx::Error &error) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == jitErrorLog)
        std::strcpy(static_cast<char *>(values[i]), error.what());
    return errorInvalidPtx;
  }
}

Result cuModuleUnload(Module module) {
  delete reinterpret_cast<FakeModule *>(module);
  return success;
}

Result cuModuleGetFunction(Function *function, Module module, const char *name) {
  auto &owner = *reinterpret_cast<FakeModule *>(module);
  auto found = owner.machine.module().kernels.find(name);
  if (found == owner.machine.module().kernels.end())
    return errorNotFound;
  auto made = owner.functions.try_emplace(name, FakeFunction{&owner.machine, &found->second});
  *function = reinterpret_cast<Function>(&made.first->second);
  return success;
}

Result cuLaunchKernel(Function handle, unsigned gridX, unsigned, unsigned, unsigned blockX, unsigned, unsigned,
                      unsigned, Stream, void **parameters, void **) {
  const FakeFunction function = *reinterpret_cast<FakeFunction *>(handle);
  const ptx::Kernel &kernel = *function.kernel;
  if (gridX == 0 || blockX == 0 || blockX > 1024)
    return errorInvalidValue;
  std::vector<uint8_t> bytes(kernel.parameterBytes);
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    std::memcpy(bytes.data() + kernel.parameters[i].offset, parameters[i], kernel.parameters[i].bytes);
  return queued([=, &kernel] {
    if (auto culprit = setting("fault"); culprit && *culprit == kernel.name) {
      fail("kernel " + kernel.name + " was told to fail");
      return success;
    }
    try {
      function.machine->run(kernel.name, {gridX, blockX}, bytes, context->memory);
    } catch (const ptx::Error &error) {
      fail(error.what());
    }
    return success;
  });
}

//===----------------------------------------------------------------------===//
// Streams and events: everything is done when it is asked for
//===----------------------------------------------------------------------===//

Result cuStreamCreate(Stream *stream, unsigned) {
  *stream = reinterpret_cast<Stream>(context.get());
  return success;
}

Result cuStreamDestroy_v2(Stream) { return success; }

Result cuStreamSynchronize(Stream) {
  return waited([] { return success; });
}

Result cuEventCreate(Event *event, unsigned) {
  *event = reinterpret_cast<Event>(new Time());
  return success;
}

Result cuEventDestroy_v2(Event event) {
  delete reinterpret_cast<Time *>(event);
  return success;
}

Result cuEventRecord(Event event, Stream) {
  return queued([=] {
    *reinterpret_cast<Time *>(event) = std::chrono::steady_clock::now();
    return success;
  });
}

Result cuEventSynchronize(Event) {
  return waited([] { return success; });
}

Result cuEventElapsedTime(float *milliseconds, Event begin, Event end) {
  *milliseconds =
      std::chrono::duration<float, std::milli>(*reinterpret_cast<Time *>(end) - *reinterpret_cast<Time *>(begin))
          .count();
  return success;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Result cuStreamBeginCapture_v2(Stream, int) {
  return asked([] {
    context->recorded = std::make_unique<FakeGraph>();
    context->isRecordedWhole = !setting("no-graphs");
    return success;
  });
}

Result cuStreamEndCapture(Stream, Graph *graph) {
  return asked([&] {
    std::unique_ptr<FakeGraph> recorded = std::move(context->recorded);
    *graph = context->isRecordedWhole ? reinterpret_cast<Graph>(recorded.release()) : nullptr;
    return *graph ? success : errorCaptureUnsupported;
  });
}

Result cuGraphInstantiateWithFlags(GraphExec *exec, Graph graph, unsigned long long) {
  *exec = reinterpret_cast<GraphExec>(new FakeGraph(*reinterpret_cast<FakeGraph *>(graph)));
  return success;
}

Result cuGraphLaunch(GraphExec exec, Stream) {
  if (setting("trace"))
    std::fprintf(stderr, "fake libcuda: a graph is launched\n");
  for (const auto &step : *reinterpret_cast<FakeGraph *>(exec))
    if (Result result = asked(step); result != success)
      return result;
  return success;
}

Result cuGraphDestroy(Graph graph) {
  delete reinterpret_cast<FakeGraph *>(graph);
  return success;
}

Result cuGraphExecDestroy(GraphExec exec) {
  delete reinterpret_cast<FakeGraph *>(exec);
  return success;
}

} // extern "C"
