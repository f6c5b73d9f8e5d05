//===- FakeDriver.cpp - A libcuda for machines without a GPU --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of NVIDIA's driver library that the runtime calls, over emulated devices: memory of a device is guarded
// and no memory of this process nor of another device, kernels run as PTX. Found by LD_LIBRARY_PATH. The environment
// variable GNN_FAKE_CUDA makes it fail; it is read whenever it is used:
//
//   no-device         cuInit finds none            driver=11070     the version, of CUDA 11.7; 13000 otherwise
//   arch=75           the chip; 100 otherwise      memory=BYTES     of each device; 1 GiB otherwise
//   fault=KERNEL      that kernel fails            no-graphs        work cannot be recorded
//   no-blas           there is no cuBLASLt         strict-graphs    graphs do not write to memory of the process
//   no-algorithm      cuBLASLt knows none          trace            says what the device is asked for
//   shared=BYTES      of shared memory that a block may have; 227 KiB otherwise
//   devices=4         so many, 16 at most; 1 otherwise
//   peers=2           of how many neighbours each may reach the others' memory, 1: none; all otherwise
//   late=0            that device alone works late; the others do at once what they are asked for
//   topology=FILE     of links: devices have a clock then (FakeClock.h), and do at once what they are asked for
//   clock-only        beside topology=FILE: kernels are priced and not run, so all numbers that they would make are
//   none links             says at the end how many bytes went from which memory to which fault-code=214    what a
//   fault is told as, here CUDA_ERROR_ECC_UNCORRECTABLE; 700 otherwise blas=120800       the version of cuBLASLt,
//   of 12.8; 130100 otherwise
//   no-map            kernels read no memory of the process
//   no-fills          nor are there fills of it      no-read-only     pages for reading alone are not pinned
//   ptx-error=221     PTX is refused so, here as there is no JIT compiler
//   nccl=21000        the version of NCCL, of 2.10.0; 21903 otherwise
//   nccl-fails=1      that rank can't connect      nccl-stalls=3    the third exchange by NCCL never ends
//   nvlinks=4         so many between two neighbours: 0 and 1, 2 and 3
//   nvswitch=18       so many between each device and one switch
//   nccl-tells        NCCL says that a rank is gone; it waits for ever otherwise
//
// Anything else there ends the process.
//
// As with the real one, a kernel's fault shows where something waits for the device, and ends the context: all later
// calls fail until it has been released by all who retained it.
//
//===----------------------------------------------------------------------===//

#include "FakeClock.h"
#include "FakeDevice.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <utility>

using namespace fake;

namespace {

std::array<int, ptx::mostDevices> retained{}; // by device

constexpr size_t flagsOfElf = 48; // whose lowest byte is 90 for sm_90
constexpr uint64_t sharedAlways = 48 << 10, sharedOfMultiprocessor = 228 << 10;

int deviceOf(Context handle) { return int(reinterpret_cast<uintptr_t>(handle)) - 1; }

int numDevices() { return int(std::min(number("devices", 1), ptx::mostDevices)); }

bool isDevice(DeviceId device) { return device >= 0 && device < numDevices(); }

uint64_t sharedOfBlock() { return number("shared", 227 << 10); }

/// It stays as long as somebody speaks of it.
std::shared_ptr<FakeStream> streamOf(Stream handle) {
  for (const std::unique_ptr<FakeContext> &context : contexts)
    if (context)
      for (const std::shared_ptr<FakeStream> &stream : context->streams)
        if (stream.get() == reinterpret_cast<FakeStream *>(handle))
          return stream;
  return nullptr;
}

struct FakeModule;

struct FakeFunction {
  FakeModule *module;
  const ptx::Kernel *kernel;
  uint64_t mostShared = sharedAlways;
};

/// Work that is still to be done keeps it, to find that it is unloaded.
struct FakeModule : std::enable_shared_from_this<FakeModule> {
  FakeModule(const char *text, int device)
      : device(device), machine(ptx::parse(text), /*isCounted=*/FakeClock::get()) {}
  const int device;
  ptx::Machine machine;
  std::map<std::string, FakeFunction> functions;
  bool isLoaded = true;
};

std::map<Module, std::shared_ptr<FakeModule>> modules; // that are loaded

/// Copies that were checked when they were asked for; memory may have been released since. `whence`, `where`: devices,
/// or the process.
void copyBytes(int whence, int where, void *to, const void *from, size_t bytes) {
  if (!to || !from)
    return fail("memory of a copy is no more");
  std::memmove(to, from, bytes);
  if (whence != where)
    noteMoved(whence, where, bytes);
  if (FakeClock *clock = FakeClock::get())
    clock->move(streamAtWork(), whence, where, bytes);
}

/// Bytes of global memory that the kernel moves. What the process goes on with is computed in any case.
uint64_t runOrEstimate(ptx::Machine &machine, const std::string &kernel, const ptx::Grid &grid,
                       const std::vector<uint8_t> &parameters, ptx::DeviceMemory &memory) {
  if (!runsKernels() && kernel != "gnn_draw_edges")
    return machine.estimate(kernel, grid, parameters, memory);
  const uint64_t before = machine.moved();
  machine.run(kernel, grid, parameters, memory);
  return machine.moved() - before;
}

/// Whether the page of `pointer` is mapped for reading alone.
bool isForReading(const void *pointer) {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long long begin = 0, end = 0;
    char access[5] = "";
    if (std::sscanf(line.c_str(), "%llx-%llx %4s", &begin, &end, access) == 3 &&
        begin <= reinterpret_cast<uintptr_t>(pointer) && reinterpret_cast<uintptr_t>(pointer) < end)
      return access[1] != 'w';
  }
  return false;
}

/// Whether memory is of this device.
bool isOf(int device, Address address, size_t bytes) {
  return ptx::DeviceMemory::deviceOf(address) == device && findAnywhere(address, bytes);
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

Result cuInit(unsigned) {
  const Alone alone;
  static bool isTold = runsKernels();
  if (!std::exchange(isTold, true))
    std::fprintf(stderr, "fake libcuda: clock-only: no kernel is run, so no number that comes out means anything but "
                         "bytes and seconds\n");
  return setting("no-device") ? errorNoDevice : success;
}

Result cuDriverGetVersion(int *version) {
  const Alone alone;
  *version = int(number("driver", 13000));
  return success;
}

Result cuGetErrorName(Result error, const char **text) {
  const Alone alone;
  *text = error == errorIllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_OF_THE_FAKE";
  return success;
}

Result cuGetErrorString(Result error, const char **text) {
  const Alone alone;
  *text = error == errorIllegalAddress ? "an illegal memory access was encountered" : "see the number";
  return success;
}

Result cuDeviceGetCount(int *count) {
  const Alone alone;
  *count = numDevices();
  return success;
}

Result cuDeviceGet(DeviceId *device, int ordinal) {
  const Alone alone;
  *device = ordinal;
  return isDevice(ordinal) ? success : errorInvalidDevice;
}

Result cuDeviceGetName(char *name, int length, DeviceId) {
  const Alone alone;
  std::snprintf(name, size_t(length), runsKernels() ? "Fake" : "Fake, clock only");
  return success;
}

Result cuDeviceGetAttribute(int *value, int attribute, DeviceId device) {
  const Alone alone;
  const int arch = int(number("arch", 100));
  *value = attribute == attributeMajor                  ? arch / 10
           : attribute == attributeMinor                ? arch % 10
           : attribute == attributeMultiprocessorShared ? int(sharedOfMultiprocessor)
           : attribute == attributeBlockShared          ? int(sharedOfBlock())
           : attribute == attributePciDomain            ? 0xffff // no system has one
           : attribute == attributeMapsHost             ? !setting("no-map")
           : attribute == attributePciDevice            ? device
                                                        : 2;
  return success;
}

Result cuDevicePrimaryCtxRetain(Context *out, DeviceId device) {
  const Alone alone;
  if (!isDevice(device))
    return errorInvalidDevice;
  if (retained[size_t(device)]++ == 0)
    contexts[size_t(device)] = std::make_unique<FakeContext>(device);
  *out = reinterpret_cast<Context>(uintptr_t(device) + 1);
  return success;
}

Result cuDevicePrimaryCtxRelease_v2(DeviceId device) {
  const Alone alone;
  if (!isDevice(device) || retained[size_t(device)] == 0)
    return errorInvalidContext;
  if (--retained[size_t(device)] > 0)
    return success;
  contexts[size_t(device)]->finish(); // others may wait for it
  contexts[size_t(device)] = nullptr;
  return success;
}

Result cuCtxPushCurrent_v2(Context handle) {
  const Alone alone;
  entered.push_back(deviceOf(handle));
  return success;
}

Result cuCtxPopCurrent_v2(Context *) {
  const Alone alone;
  entered.pop_back();
  return success;
}

Result cuDeviceCanAccessPeer(int *can, DeviceId device, DeviceId other) {
  const Alone alone;
  if (!isDevice(device) || !isDevice(other))
    return errorInvalidDevice;
  *can = canBePeers(device, other);
  return success;
}

/// Of two that NVLink connects.
Result cuDeviceGetP2PAttribute(int *value, int attribute, DeviceId device, DeviceId other) {
  const Alone alone;
  if (!isDevice(device) || !isDevice(other) || device == other || attribute != peerAtomics)
    return errorInvalidValue;
  *value = canBePeers(device, other) && (setting("nvswitch") || (setting("nvlinks") && device / 2 == other / 2));
  return success;
}

Result cuCtxEnablePeerAccess(Context handle, unsigned flags) {
  const Alone alone;
  return askedAlone([&] {
    const int other = deviceOf(handle);
    if (flags != 0 || !isDevice(other) || !contexts[size_t(other)])
      return errorInvalidValue;
    if (!canBePeers(current()->device, other))
      return errorPeersUnsupported;
    return current()->peers.insert(other).second ? success : errorPeersAlready;
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

Result cuMemGetInfo_v2(size_t *free, size_t *total) {
  const Alone alone;
  return asked([&] {
    *total = number("memory", 1ull << 30);
    *free = *total - current()->memory.used();
    return success;
  });
}

Result cuMemAlloc_v2(Address *address, size_t bytes) {
  const Alone alone;
  return askedAlone([&] {
    *address = current()->memory.allocate(bytes);
    if (*address && !runsKernels())
      ptx::fillWithNone(find(*address, bytes), *address, bytes);
    return *address ? success : errorOutOfMemory;
  });
}

Result cuMemFree_v2(Address address) {
  const Alone alone;
  if (Result result = waitFor(nullptr, 0); result != success)
    return result;
  return current()->memory.release(address) ? success : errorInvalidValue;
}

Result cuMemHostAlloc(void **pointer, size_t bytes, unsigned flags) {
  const Alone alone;
  return askedAlone([&] {
    constexpr size_t page = 4096;
    *pointer = std::aligned_alloc(page, (bytes + page - 1) / page * page);
    if (flags & hostDeviceMap)
      ptx::MappedMemory::get().add(*pointer, bytes);
    return success;
  });
}

/// Memory of the process that is in a page with some that was registered before is refused.
Result cuMemHostRegister_v2(void *pointer, size_t bytes, unsigned flags) {
  const Alone alone;
  return askedAlone([&] {
    if (bytes == 0 || !(flags & hostDeviceMap))
      return errorInvalidValue;
    if (setting("no-map"))
      return errorOutOfMemory;
    if (flags & hostReadOnly ? bool(setting("no-read-only")) : isForReading(pointer))
      return errorInvalidValue;
    return ptx::MappedMemory::get().add(pointer, bytes) ? success : errorInvalidValue;
  });
}

Result cuMemHostUnregister(void *pointer) {
  const Alone alone;
  if (current())
    waitFor(nullptr, 0);
  return ptx::MappedMemory::get().remove(pointer) ? success : errorInvalidValue;
}

Result cuMemHostGetDevicePointer_v2(Address *address, void *pointer, unsigned) {
  const Alone alone;
  *address = reinterpret_cast<Address>(pointer);
  return success;
}

Result cuMemFreeHost(void *pointer) {
  const Alone alone;
  if (current())
    waitFor(nullptr, 0);
  ptx::MappedMemory::get().remove(pointer);
  std::free(pointer);
  return success;
}

Result cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes, Stream stream) {
  const Alone alone;
  if (!find(to, bytes))
    return errorInvalidValue;
  return queue(stream, [=] { copyBytes(host, ptx::DeviceMemory::deviceOf(to), find(to, bytes), from, bytes); });
}

Result cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, Stream stream) {
  const Alone alone;
  if (!find(from, bytes))
    return errorInvalidValue;
  return queue(stream, [=] { copyBytes(ptx::DeviceMemory::deviceOf(from), host, to, find(from, bytes), bytes); });
}

Result cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, Stream stream) {
  const Alone alone;
  if (!find(to, bytes) || !find(from, bytes))
    return errorInvalidValue;
  return queue(stream, [=] {
    copyBytes(ptx::DeviceMemory::deviceOf(from), ptx::DeviceMemory::deviceOf(to), find(to, bytes), find(from, bytes),
              bytes);
  });
}

/// Whether they are peers or not.
Result cuMemcpyPeerAsync(Address to, Context there, Address from, Context here, size_t bytes, Stream stream) {
  const Alone alone;
  const int where = deviceOf(there), whence = deviceOf(here);
  if (!isOf(where, to, bytes) || !isOf(whence, from, bytes))
    return errorInvalidValue;
  return queue(stream, [=] { copyBytes(whence, where, findAnywhere(to, bytes), findAnywhere(from, bytes), bytes); });
}

Result cuMemsetD8Async(Address to, unsigned char value, size_t count, Stream stream) {
  const Alone alone;
  if (!find(to, count))
    return errorInvalidValue;
  return queue(stream, [=] {
    if (uint8_t *memory = find(to, count))
      std::memset(memory, value, count);
    if (FakeClock *clock = FakeClock::get())
      clock->kernel(streamAtWork(), double(count), 0, /*isLaunched=*/false);
  });
}

/// For memory of the process that the device sees too.
Result cuMemsetD32Async(Address to, unsigned value, size_t count, Stream stream) {
  const Alone alone;
  if (setting("no-fills") || (capturing() && setting("strict-graphs")))
    return errorInvalidValue;
  return queue(stream, [=] {
    for (size_t i = 0; i < count; ++i)
      reinterpret_cast<unsigned *>(to)[i] = value;
  });
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

Result cuModuleLoadDataEx(Module *module, const void *image, unsigned count, int *options, void **values) {
  const Alone alone;
  const auto *text = static_cast<const char *>(image);
  if (std::strncmp(text,
                   "\x7f"
                   "ELF",
                   4) == 0) {
    if (setting("trace")) // its length is known by nobody
      trace("machine code of sm_" + std::to_string(uint8_t(text[flagsOfElf])) + ", which the fake does not run");
    return errorInvalidImage;
  }
  if (setting("ptx-error"))
    return Result(number("ptx-error", 0));
  try {
    if (!current())
      return errorInvalidContext;
    auto made = std::make_shared<FakeModule>(text, current()->device);
    *module = reinterpret_cast<Module>(made.get());
    modules[*module] = std::move(made);
    return success;
  } catch (const ptx::Error &error) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == jitErrorLog)
        std::strcpy(static_cast<char *>(values[i]), error.what());
    return errorInvalidPtx;
  }
}

Result cuModuleUnload(Module module) {
  const Alone alone;
  reinterpret_cast<FakeModule *>(module)->isLoaded = false;
  modules.erase(module);
  return success;
}

Result cuModuleGetFunction(Function *function, Module module, const char *name) {
  const Alone alone;
  auto &owner = *reinterpret_cast<FakeModule *>(module);
  auto found = owner.machine.module().kernels.find(name);
  if (found == owner.machine.module().kernels.end())
    return errorNotFound;
  auto made = owner.functions.try_emplace(name, FakeFunction{&owner, &found->second});
  *function = reinterpret_cast<Function>(&made.first->second);
  return success;
}

Result cuFuncSetAttribute(Function handle, int attribute, int value) {
  const Alone alone;
  if (attribute != functionMaxShared || value < 0 || uint64_t(value) > sharedOfBlock())
    return errorInvalidValue;
  reinterpret_cast<FakeFunction *>(handle)->mostShared = uint64_t(value);
  return success;
}

Result cuLaunchKernel(Function handle, unsigned gridX, unsigned, unsigned, unsigned blockX, unsigned, unsigned,
                      unsigned sharedBytes, Stream stream, void **parameters, void **) {
  const Alone alone;
  const FakeFunction function = *reinterpret_cast<FakeFunction *>(handle);
  const ptx::Kernel &kernel = *function.kernel;
  if (!current() || function.module->device != current()->device)
    return errorInvalidContext;
  if (gridX == 0 || blockX == 0 || blockX > 1024 || sharedBytes > function.mostShared)
    return errorInvalidValue;
  std::vector<uint8_t> bytes(kernel.parameterBytes);
  for (size_t i = 0; i < kernel.parameters.size(); ++i)
    std::memcpy(bytes.data() + kernel.parameters[i].offset, parameters[i], kernel.parameters[i].bytes);
  trace("launch of " + kernel.name);
  return queue(stream, [=, &kernel, module = function.module->shared_from_this()] {
    if (!module->isLoaded)
      return fail(kernel.name + " runs, but its module was unloaded");
    if (isToFail(kernel.name))
      return;
    try {
      const uint64_t before = module->machine.readOfHost();
      const uint64_t moved = runOrEstimate(module->machine, kernel.name, {gridX, blockX, sharedBytes}, bytes,
                                           contexts[size_t(module->device)]->memory);
      const uint64_t ofHost = module->machine.readOfHost() - before;
      if (ofHost > 0)
        noteMoved(host, module->device, ofHost);
      if (FakeClock *clock = FakeClock::get()) {
        clock->kernel(streamAtWork(), double(moved), 0, /*isLaunched=*/true);
        if (ofHost > 0)
          clock->move(streamAtWork(), host, module->device, ofHost);
      }
    } catch (const ptx::Error &error) {
      fail(error.what());
    }
  });
}

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

Result cuStreamCreate(Stream *stream, unsigned) {
  const Alone alone;
  return asked([&] {
    current()->streams.push_back(std::make_shared<FakeStream>(current()->device));
    *stream = reinterpret_cast<Stream>(current()->streams.back().get());
    return success;
  });
}

/// It is kept: events speak of it.
Result cuStreamDestroy_v2(Stream) { return success; }

Result cuStreamSynchronize(Stream handle) {
  const Alone alone;
  trace("the process waits");
  auto *stream = reinterpret_cast<FakeStream *>(handle);
  const Result result = waitFor(stream, stream->asked);
  if (FakeClock *clock = FakeClock::get())
    clock->reach(clock->mark(stream));
  return result;
}

/// The event may be of another device. One that another stream was given before it was captured says nothing to the
/// capture, and is refused.
Result cuStreamWaitEvent(Stream handle, Event event, unsigned) {
  const Alone alone;
  const FakeEvent until = *reinterpret_cast<FakeEvent *>(event);
  if (reinterpret_cast<FakeStream *>(handle)->recorded)
    return askedAlone([] { return success; });
  return queue(handle, [=] {
    if (until.stream)
      until.stream->doUntil(until.count);
    if (FakeClock *clock = FakeClock::get(); clock && until.mark)
      clock->wait(streamAtWork(), *until.mark);
  });
}

Result cuEventCreate(Event *event, unsigned) {
  const Alone alone;
  *event = reinterpret_cast<Event>(new FakeEvent());
  return success;
}

Result cuEventDestroy_v2(Event event) {
  const Alone alone;
  delete reinterpret_cast<FakeEvent *>(event);
  return success;
}

/// The event may be destroyed before that is done, so its time is not in it.
Result cuEventRecord(Event handle, Stream on) {
  const Alone alone;
  auto *event = reinterpret_cast<FakeEvent *>(handle);
  const std::shared_ptr<FakeStream> stream = streamOf(on);
  if (!stream)
    return errorInvalidValue;
  auto time = std::make_shared<std::chrono::steady_clock::time_point>();
  event->time = time;
  auto mark = std::make_shared<size_t>(0);
  event->mark = mark;
  Result result = queue(on, [time, mark] {
    *time = std::chrono::steady_clock::now();
    if (FakeClock *clock = FakeClock::get())
      *mark = clock->mark(streamAtWork());
  });
  event->stream = stream;
  event->count = stream->asked;
  return result;
}

Result cuEventQuery(Event handle) {
  const Alone alone;
  const FakeEvent event = *reinterpret_cast<FakeEvent *>(handle);
  return askedAlone([&] {
    if (event.stream && !event.stream->tryUntil(event.count))
      return Result(errorNotReady);
    current()->showsFault = current()->hasFault;
    return current()->hasFault ? faultCode() : Result(success);
  });
}

Result cuEventSynchronize(Event handle) {
  const Alone alone;
  const FakeEvent event = *reinterpret_cast<FakeEvent *>(handle);
  const Result result = event.stream ? waitFor(event.stream.get(), event.count) : askedAlone([] { return success; });
  if (FakeClock *clock = FakeClock::get(); clock && event.mark)
    clock->reach(*event.mark);
  return result;
}

Result cuEventElapsedTime(float *milliseconds, Event begin, Event end) {
  const Alone alone;
  const FakeEvent &first = *reinterpret_cast<FakeEvent *>(begin), &last = *reinterpret_cast<FakeEvent *>(end);
  for (const FakeEvent *event : {&first, &last})
    if (!event->stream || event->stream->done < event->count)
      return errorNotReady;
  if (const FakeClock *clock = FakeClock::get()) {
    *milliseconds = float(1e3 * (clock->timeOf(*last.mark) - clock->timeOf(*first.mark)));
    return success;
  }
  *milliseconds = std::chrono::duration<float, std::milli>(*last.time - *first.time).count();
  return success;
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

Result cuStreamBeginCapture_v2(Stream stream, int) {
  const Alone alone;
  return askedAlone([&] {
    auto &recorded = reinterpret_cast<FakeStream *>(stream)->recorded;
    recorded = std::make_unique<FakeGraph>();
    recorded->isWhole = !setting("no-graphs");
    return success;
  });
}

Result cuStreamEndCapture(Stream stream, Graph *graph) {
  const Alone alone;
  return asked([&] {
    std::unique_ptr<FakeGraph> recorded = std::move(reinterpret_cast<FakeStream *>(stream)->recorded);
    *graph = recorded->isWhole ? reinterpret_cast<Graph>(recorded.release()) : nullptr;
    return *graph ? success : errorCaptureUnsupported;
  });
}

Result cuGraphInstantiateWithFlags(GraphExec *exec, Graph graph, unsigned long long) {
  const Alone alone;
  auto *copy = new FakeGraph();
  copy->work = reinterpret_cast<FakeGraph *>(graph)->work;
  *exec = reinterpret_cast<GraphExec>(copy);
  return success;
}

Result cuGraphLaunch(GraphExec exec, Stream stream) {
  const Alone alone;
  trace("launch of a graph");
  for (const Work &step : reinterpret_cast<FakeGraph *>(exec)->work)
    if (Result result = queue(stream, step); result != success)
      return result;
  return success;
}

Result cuGraphDestroy(Graph graph) {
  const Alone alone;
  delete reinterpret_cast<FakeGraph *>(graph);
  return success;
}

Result cuGraphExecDestroy(GraphExec exec) {
  const Alone alone;
  delete reinterpret_cast<FakeGraph *>(exec);
  return success;
}

/// For tests: bytes that went from the memory of one device to that of another since the process began; -1: that of the
/// process.
__attribute__((visibility("default"))) uint64_t gnnFakeBytesMoved(int from, int to) { return bytesMoved(from, to); }

} // extern "C"
