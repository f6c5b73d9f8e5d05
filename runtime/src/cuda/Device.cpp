//===- Device.cpp - One GPU -----------------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/Device.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/links/FoundTopology.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

namespace gnn::rt {

namespace {

/// Copies go through two pieces of this size: one is filled while the device reads the other.
constexpr size_t stageBytes = size_t(4) << 20;

/// Errors that end a context: everything after them fails too (CUDA driver API, CUresult).
bool endsContext(cuda::Result error) {
  switch (error) {
  case cuda::errorMemoryBits:
  case cuda::errorLinkBits:
  case cuda::errorContained:
  case cuda::errorIllegalAddress:
  case cuda::errorLaunchTimeout:
  case cuda::errorContextIsDestroyed:
  case cuda::errorAssert:
  case cuda::errorTensorMemoryLeak:
  case cuda::errorExternalDevice:
    return true;
  default:
    return error >= cuda::errorHardwareStack && error <= cuda::errorLaunchFailed;
  }
}

} // namespace

Device::Scope::~Scope() {
  cuda::Context popped = nullptr;
  if (isEntered)
    driver.contextPop(&popped);
}

int Device::count() {
  try {
    int count = 0;
    return cuda::Driver::get().deviceGetCount(&count) == cuda::success ? count : 0;
  } catch (const Error &) {
    return 0;
  }
}

std::shared_ptr<Device> Device::open(int index, size_t budget) {
  std::shared_ptr<Device> device(new Device(cuda::Driver::get(), index));
  device->start(budget);
  return device;
}

Device::Device(const cuda::Driver &used, int ordinal)
    : driver(used), index(ordinal), fullName(name()), pool(*this, ordinal), log(ordinal) {}

void Device::start(size_t budget) {
  int count = 0, major = 0, minor = 0, processors = 0, shared = 0, sharedOfBlock = 0;
  check(driver.deviceGetCount(&count), "counting devices");
  require(index >= 0 && index < count, GNN_ERROR_DEVICE, "there is no ", name(), ": this machine has ", count,
          count == 1 ? " device" : " devices");
  check(driver.deviceGet(&id, index), "opening the device");
  char text[256] = "";
  check(driver.deviceGetName(text, int(sizeof text), id), "opening the device");
  fullName += std::string(" (") + text + ")";
  check(driver.deviceGetAttribute(&major, cuda::attributeMajor, id), "opening the device");
  check(driver.deviceGetAttribute(&minor, cuda::attributeMinor, id), "opening the device");
  check(driver.deviceGetAttribute(&processors, cuda::attributeMultiprocessors, id), "opening the device");
  check(driver.deviceGetAttribute(&shared, cuda::attributeMultiprocessorShared, id), "opening the device");
  check(driver.deviceGetAttribute(&sharedOfBlock, cuda::attributeBlockShared, id), "opening the device");
  architecture = uint32_t(10 * major + minor);
  numMultiprocessors = uint32_t(processors);
  multiprocessorShared = size_t(shared);
  blockShared = size_t(sharedOfBlock);

  check(driver.primaryContextRetain(&context, id), "opening the device");
  Scope scope(*this);
  size_t free = 0, total = 0;
  check(driver.memoryInfo(&free, &total), "opening the device");
  pool.setBudget(budget ? std::min(budget, total) : total);
  stream = openStream();
  copies = openStream();
  for (cuda::Event *event : {&reusable, &runBegin, &runEnd})
    *event = createEvent();
  for (Stage &stage : stages) {
    check(driver.hostAllocate(&stage.memory, stageBytes, 0), "memory for copies");
    stage.done = createEvent();
    record(stage.done);
  }
  void *counter = nullptr;
  check(driver.hostAllocate(&counter, sizeof(uint32_t), cuda::hostDeviceMap), "memory for copies");
  progress = static_cast<volatile uint32_t *>(counter);
  *progress = 0;
  check(driver.hostAddress(&progressAddress, counter, 0), "memory for copies");
  log.setProgress(progress);
}

Device::~Device() {
  if (!context)
    return;
  {
    Scope scope(*this);
    close(stream);
    close(copies);
    for (cuda::Event event : {reusable, runBegin, runEnd})
      destroy(event);
    pool.releaseKept();
    for (Stage &stage : stages) {
      if (stage.done)
        driver.eventDestroy(stage.done);
      if (stage.memory)
        driver.hostRelease(stage.memory);
    }
    log.setProgress(nullptr);
    if (progress)
      driver.hostRelease(const_cast<uint32_t *>(progress));
  }
  driver.primaryContextRelease(id);
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

void Device::check(cuda::Result result, const std::string &what) {
  if (!fault.empty())
    fail(GNN_ERROR_DEVICE, fault);
  if (result == cuda::success)
    return;
  if (endsContext(result))
    reportFault(log.faultOf(driver.describe(result)));
  require(result != cuda::errorOutOfMemory, GNN_ERROR_MEMORY, fullName, ": out of memory: ", what);
  fail(GNN_ERROR_DEVICE, fullName, ": ", what, ": ", driver.describe(result));
}

void Device::reportFault(const std::string &what) {
  fault = fullName + ": " + what +
          "; end this process: its context on the device is lost, and with it all that its models had there";
  fail(GNN_ERROR_DEVICE, fault);
}

void Device::settle() {
  check(cuda::success, "waiting");
  if (const std::string known = log.knownFault(); !known.empty())
    reportFault(known);
  if (isBusy)
    finish();
}

void Device::wait(cuda::Event event) { check(driver.eventSynchronize(event), "waiting"); }

/// After a wait for all that was asked for.
void Device::noteEnd() {
  log.noteEnd();
  isBusy = false;
}

void Device::finish() {
  check(driver.streamSynchronize(stream), "waiting");
  noteEnd();
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

std::shared_ptr<void> Device::pinned(size_t bytes, bool isMapped) {
  void *memory = nullptr;
  check(driver.hostAllocate(&memory, bytes, isMapped ? cuda::hostDeviceMap : 0), "memory for copies");
  return {memory, [device = shared_from_this()](void *owned) {
            Scope scope(*device);
            device->driver.hostRelease(owned);
          }};
}

cuda::Address Device::addressOf(const std::shared_ptr<void> &mapped) {
  cuda::Address address = 0;
  check(driver.hostAddress(&address, mapped.get(), /*flags=*/0), "memory for copies");
  return address;
}

bool Device::canMap() {
  int can = 0;
  check(driver.deviceGetAttribute(&can, cuda::attributeMapsHost, id), "asking for memory of the process");
  return can != 0;
}

void Device::copyStaged(cuda::Address to, const void *from, size_t bytes, cuda::Stream on) {
  for (size_t begin = 0; begin < bytes; begin += stageBytes) {
    Stage &stage = stages[nextStage++ % 2];
    const size_t count = std::min(stageBytes, bytes - begin);
    wait(stage.done);
    std::memcpy(stage.memory, static_cast<const char *>(from) + begin, count);
    check(driver.copyToDevice(to + begin, stage.memory, count, on), "copying to the device");
    check(driver.eventRecord(stage.done, on), "recording an event");
  }
}

void Device::upload(cuda::Address to, const void *from, size_t bytes) { copyStaged(to, from, bytes, stream); }

void Device::uploadAside(cuda::Address to, const void *from, size_t bytes, cuda::Event ready) {
  if (std::exchange(isReused, false)) {
    record(reusable);
    check(driver.streamWait(copies, reusable, 0), "copying to the device");
  }
  copyStaged(to, from, bytes, copies);
  check(driver.eventRecord(ready, copies), "recording an event");
}

void Device::await(cuda::Event ready, cuda::Stream on) { check(driver.streamWait(on, ready, 0), "waiting"); }

void Device::awaitAside(cuda::Event event) {
  cuda::Result result = driver.contextPush(context);
  if (result == cuda::success) {
    result = driver.eventSynchronize(event);
    cuda::Context left = nullptr;
    driver.contextPop(&left);
  }
  Scope scope(*this);
  check(result, "waiting");
}

bool Device::isOver(cuda::Event event) {
  const cuda::Result result = driver.eventQuery(event);
  if (result != cuda::errorNotReady)
    check(result, "waiting");
  return result == cuda::success;
}

void Device::download(void *to, cuda::Address from, size_t bytes) {
  struct Pending {
    Stage *stage;
    size_t begin, count;
  } before{nullptr, 0, 0};
  auto take = [&](const Pending &pending) {
    if (!pending.stage)
      return;
    wait(pending.stage->done);
    std::memcpy(static_cast<char *>(to) + pending.begin, pending.stage->memory, pending.count);
  };
  for (size_t begin = 0; begin < bytes; begin += stageBytes) {
    Pending next{&stages[nextStage++ % 2], begin, std::min(stageBytes, bytes - begin)};
    wait(next.stage->done);
    check(driver.copyToHost(next.stage->memory, from + begin, next.count, stream), "copying from the device");
    record(next.stage->done);
    take(before);
    before = next;
  }
  take(before);
  if (bytes)
    noteEnd();
}

void Device::copy(cuda::Address to, cuda::Address from, size_t bytes) {
  if (bytes)
    check(driver.copyOnDevice(to, from, bytes, stream), "copying on the device");
}

/// cuMemcpyDtoD is for memory that one context reaches; this goes through memory of the process where GPUs do not reach
/// each other's.
void Device::copyFrom(int other, cuda::Address to, cuda::Address from, size_t bytes) {
  if (other == index)
    return copy(to, from, bytes);
  cuda::DeviceId otherId = 0;
  cuda::Context otherContext = nullptr;
  check(driver.deviceGet(&otherId, other), "opening another device");
  check(driver.primaryContextRetain(&otherContext, otherId), "opening another device");
  cuda::Result result = bytes ? driver.copyBetween(to, context, from, otherContext, bytes, stream) : cuda::success;
  if (result == cuda::success)
    result = driver.streamSynchronize(stream);
  driver.primaryContextRelease(otherId);
  check(result, "copying from another device");
}

void Device::reach(Device &other) {
  int can = 0;
  check(driver.deviceCanAccessPeer(&can, id, other.id), "asking for peers");
  if (!can)
    return;
  const cuda::Result result = driver.enablePeerAccess(other.context, /*flags=*/0);
  if (result != cuda::errorPeersAlready) // others may use the same context
    check(result, "reaching the memory of " + other.fullName);
  reached.insert(other.index);
}

bool Device::hasAtomicsTo(const Device &other) {
  int has = 0;
  check(driver.deviceGetP2PAttribute(&has, cuda::peerAtomics, id, other.id), "asking for peers");
  return has != 0;
}

std::string Device::pciName() {
  int numbers[3] = {}, *next = numbers;
  for (int attribute : {cuda::attributePciDomain, cuda::attributePciBus, cuda::attributePciDevice})
    check(driver.deviceGetAttribute(next++, attribute, id), "asking where the device is");
  return rt::pciName(numbers[0], numbers[1], numbers[2]);
}

void Device::copyBetween(cuda::Address to, const Device &other, cuda::Address from, size_t bytes, cuda::Stream on) {
  if (bytes)
    check(driver.copyBetween(to, context, from, other.context, bytes, on), "copying from " + other.fullName);
}

void Device::copyOut(void *to, cuda::Address from, size_t bytes) {
  check(driver.copyToHost(to, from, bytes, stream), "copying from the device");
}

void Device::fillZeros(cuda::Address to, size_t bytes) {
  if (bytes)
    check(driver.fillBytes(to, 0, bytes, stream), "filling memory");
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

DeviceFunction Device::function(cuda::Module module, const std::string &name) {
  DeviceFunction function;
  cuda::Result result = driver.moduleFunction(&function.handle, module, name.c_str());
  require(result != cuda::errorNotFound, GNN_ERROR_DATA, "the code for ", fullName, " has no kernel ", name);
  check(result, "kernel " + name);
  function.name = addFunctionName("kernel " + name);
  return function;
}

void Device::allowShared(const DeviceFunction &function, size_t bytes) {
  constexpr size_t always = 48 << 10; // that any function may have
  const std::string &name = log.name(function.name);
  require(bytes <= blockShared, GNN_ERROR_DEVICE, fullName, ": ", name, " wants ", bytes,
          " bytes of shared memory for the rows of hot vertices, but a block has at most ", blockShared,
          ": choose a smaller `hot`");
  if (bytes > always) // all that there is, for whoever launches it with more
    check(driver.functionSetAttribute(function.handle, cuda::functionMaxShared, int(blockShared)), name);
}

int64_t Device::blocksAtOnce(uint32_t threads, size_t sharedBytes) const {
  constexpr size_t mostThreads = 2048, ofSystem = 1 << 10; // of a multiprocessor; bytes that each block loses
  const size_t blocks = std::min(mostThreads / threads, multiprocessorShared / (sharedBytes + ofSystem));
  return int64_t(std::max<size_t>(blocks, 1)) * numMultiprocessors;
}

/// Where the driver does not write to memory of the process, kernels are no longer told, and work goes on.
bool Device::tell(uint32_t functionName) {
  const cuda::Result result =
      canTell ? driver.fillWords(progressAddress, functionName + 1, 1, stream) : cuda::errorInvalidValue;
  if (endsContext(result))
    check(result, "launching");
  canTell = canTell && (recorded || result == cuda::success); // graphs may refuse what streams do not
  return result == cuda::success;
}

void Device::announce(uint32_t functionName, bool isFirst) {
  isBusy = true;
  if (recorded) {
    if (!tellsRecorded || !tell(functionName))
      recorded->push_back(functionName);
  } else if (!(isFirst || tellsAll) || !tell(functionName)) {
    log.noteUntold(functionName);
  }
}

void Device::launch(const DeviceFunction &function, const Launch &shape, void **parameters, bool isFirst) {
  announce(function.name, isFirst);
  check(driver.launch(function.handle, shape.blocks, 1, 1, shape.threads, 1, 1, shape.sharedBytes, stream, parameters,
                      nullptr),
        log.name(function.name));
}

void Device::launchAside(const DeviceFunction &function, const Launch &shape, void **parameters, cuda::Stream on) {
  log.noteUntold(function.name);
  check(driver.launch(function.handle, shape.blocks, 1, 1, shape.threads, 1, 1, shape.sharedBytes, on, parameters,
                      nullptr),
        log.name(function.name));
}

std::optional<RecordedGraph> Device::recordGraph(const std::function<void()> &ask) {
  std::optional<RecordedGraph> graph;
  if (tellsAll) // which a graph need not take: it is a write to memory of the process
    graph = tryToRecord(ask, /*isTold=*/true);
  return graph ? graph : tryToRecord(ask, /*isTold=*/false);
}

void Device::launch(const RecordedGraph &graph) {
  isBusy = true;
  log.noteUntold(graph.kernels);
  check(driver.graphLaunch(graph.exec, stream), "launching");
}

std::optional<RecordedGraph> Device::tryToRecord(const std::function<void()> &ask, bool isTold) {
  RecordedGraph made;
  check(driver.captureBegin(stream, cuda::captureOfThread), "recording");
  recorded = &made.kernels;
  tellsRecorded = isTold;
  bool isWhole = true;
  std::exception_ptr failure;
  try {
    ask();
  } catch (const Error &) { // all of it is asked for again, one by one
    isWhole = false;
  } catch (...) { // std::bad_alloc: the stream must not stay as it is
    failure = std::current_exception();
  }
  recorded = nullptr;
  cuda::Graph graph = nullptr;
  isWhole = driver.captureEnd(stream, &graph) == cuda::success && isWhole && !failure;
  if (isWhole && driver.graphInstantiate(&made.exec, graph, /*flags=*/0) != cuda::success)
    made.exec = nullptr;
  if (graph)
    driver.graphDestroy(graph);
  if (failure)
    std::rethrow_exception(failure);
  return made.exec ? std::optional(std::move(made)) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Time
//===----------------------------------------------------------------------===//

cuda::Event Device::createEvent() {
  cuda::Event event = nullptr;
  check(driver.eventCreate(&event, cuda::eventDefault), "making an event");
  return event;
}

void Device::record(cuda::Event event, cuda::Stream on) { check(driver.eventRecord(event, on), "recording an event"); }

cuda::Stream Device::openStream() {
  cuda::Stream opened = nullptr;
  check(driver.streamCreate(&opened, cuda::streamNonBlocking), "making a stream");
  return opened;
}

void Device::close(cuda::Stream opened) {
  if (!opened)
    return;
  driver.streamSynchronize(opened);
  driver.streamDestroy(opened);
}

double Device::secondsBetween(cuda::Event begin, cuda::Event end) {
  float milliseconds = 0;
  check(driver.eventElapsedTime(&milliseconds, begin, end), "timing");
  return double(milliseconds) * 1e-3;
}

void Device::endRun() {
  record(runEnd);
  hasRun = true;
}

double Device::lastRunSeconds() {
  require(hasRun, GNN_ERROR_ARGUMENT, "nothing was computed on ", fullName, " yet");
  wait(runEnd);
  return secondsBetween(runBegin, runEnd);
}

} // namespace gnn::rt
