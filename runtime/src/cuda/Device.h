//===- Device.h - One GPU ---------------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU with a stream of its own, on which everything is done in order: copies, launches, timing; and a second one for
// copies to the device beside that. Failures are errors of the runtime. Each use has a `Scope` around it, which keeps
// others out meanwhile.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICE_H
#define GNN_CUDA_DEVICE_H

#include "runtime/src/core/Tensor.h"
#include "runtime/src/cuda/DevicePool.h"
#include "runtime/src/cuda/Driver.h"
#include "runtime/src/cuda/LaunchLog.h"

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gnn::rt {

/// A function of a loaded module.
struct DeviceFunction {
  cuda::Function handle = nullptr;
  uint32_t name = 0; // known to the device
};

struct Launch {
  uint32_t blocks, threads; // of a block
  uint32_t sharedBytes = 0; // of a block
};

/// Work that is asked for as one.
struct RecordedGraph {
  cuda::GraphExec exec = nullptr;
  std::vector<uint32_t> kernels; // their names; none if the device tells itself which of them begins
};

class Device : public std::enable_shared_from_this<Device> {
public:
  /// `budget` limits the memory that is taken; 0: what the device has. Throws GNN_ERROR_DEVICE if there is no such
  /// device, or no driver.
  static std::shared_ptr<Device> open(int index, size_t budget = 0);
  /// How many there are; none without a driver.
  static int count();
  ~Device();
  Device(const Device &) = delete;
  Device &operator=(const Device &) = delete;

  int ordinal() const { return index; }
  /// "cuda:0"
  std::string name() const { return "cuda:" + std::to_string(index); }
  /// "cuda:0 (NVIDIA H200)"
  const std::string &label() const { return fullName; }
  /// 90 for sm_90.
  uint32_t arch() const { return architecture; }
  /// As sysfs names it.
  std::string pciName();
  uint32_t multiprocessors() const { return numMultiprocessors; }
  /// Blocks of `threads` and so many bytes of shared memory that the device has at a time.
  int64_t blocksAtOnce(uint32_t threads, size_t sharedBytes) const;

  /// Makes the device's context that of this thread while it lives, and other threads wait. Where that fails, so do the
  /// calls in it.
  class Scope {
  public:
    explicit Scope(Device &device)
        : lock(device.mutex), driver(device.driver), isEntered(driver.contextPush(device.context) == cuda::success) {}
    ~Scope();
    Scope(const Scope &) = delete;
    Scope &operator=(const Scope &) = delete;

  private:
    const std::lock_guard<std::recursive_mutex> lock;
    const cuda::Driver &driver;
    bool isEntered;
  };

  /// Memory of the device. Throws GNN_ERROR_MEMORY, after which everything is as before.
  DeviceArray allocate(size_t bytes) { return DeviceArray(shared_from_this(), pool, bytes); }
  const DevicePool &memory() const { return pool; }

  /// Memory of this process that the device writes to directly (`copyOut`).
  /// `isMapped`: kernels read it too, at `addressOf`.
  std::shared_ptr<void> pinned(size_t bytes, bool isMapped = false);
  cuda::Address addressOf(const std::shared_ptr<void> &mapped);
  bool canMap();

  /// In the order of the stream; `from` may be changed as soon as this returns.
  void upload(cuda::Address to, const void *from, size_t bytes);
  /// Beside what the device computes, in memory that was allocated, or last used in a run that ended (`noteReuse`):
  /// whoever reads `to` awaits `ready` first.
  void uploadAside(cuda::Address to, const void *from, size_t bytes, cuda::Event ready);
  /// From the memory of cuda:`other`, where what is read must be done. Waits for that, if it is another.
  void copyFrom(int other, cuda::Address to, cuda::Address from, size_t bytes);
  /// Copies go straight from the memory of another device to that of this one from now on, if the machine can.
  void reach(Device &other);
  bool reaches(const Device &other) const { return reached.count(other.index) > 0; }
  /// Whether the way to the memory of another device has all atomics, as NVLink has and PCIe has not.
  bool hasAtomicsTo(const Device &other);
  /// From the memory of another device, on a stream of this one: whoever asks has awaited, there, what is read.
  void copyBetween(cuda::Address to, const Device &other, cuda::Address from, size_t bytes, cuda::Stream on);
  /// Later work waits for the event, which may be another device's.
  void await(cuda::Event ready) { await(ready, stream); }
  void await(cuda::Event ready, cuda::Stream on);
  /// Returns when an event is over. Others may use the device meanwhile: not to be called in a `Scope`.
  void awaitAside(cuda::Event event);
  /// Whether an event is over; waits for nothing.
  bool isOver(cuda::Event event);
  /// Copies beside the device's work wait for what it was asked for before this.
  void noteReuse() { isReused = true; }
  /// Returns when `to` is filled.
  void download(void *to, cuda::Address from, size_t bytes);
  void copy(cuda::Address to, cuda::Address from, size_t bytes);
  /// To pinned memory, which is filled after the next `finish`.
  void copyOut(void *to, cuda::Address from, size_t bytes);
  void fillZeros(cuda::Address to, size_t bytes);

  /// Function `name` of a module, which must stay loaded. Throws GNN_ERROR_DATA if it has none.
  DeviceFunction function(cuda::Module module, const std::string &name);
  /// Blocks of the function may have so many bytes of shared memory from now on. Throws GNN_ERROR_DEVICE if the device
  /// has less.
  void allowShared(const DeviceFunction &function, size_t bytes);
  /// For what others launch on `workStream`: so that a fault is told with its name.
  uint32_t addFunctionName(std::string name) { return log.addName(std::move(name)); }
  void announce(uint32_t functionName, bool isFirst);
  cuda::Stream workStream() const { return stream; }
  /// `parameters` has a pointer to the value of each; `isFirst`: this was not launched before. A fault shows in a later
  /// call, which names the function.
  void launch(const DeviceFunction &function, const Launch &launch, void **parameters, bool isFirst = true);
  /// On another stream, while nothing is recorded.
  void launchAside(const DeviceFunction &function, const Launch &launch, void **parameters, cuda::Stream on);
  /// Records the calls that `ask` makes instead of executing them; `launch` executes them. None if the driver cannot
  /// record them. An Error thrown by `ask` gives none; other exceptions are rethrown, and the device is as before.
  std::optional<RecordedGraph> recordGraph(const std::function<void()> &ask);
  void launch(const RecordedGraph &graph);
  /// Waits for all that was asked for.
  void finish();

  /// Another stream, whose work is beside that of others; `close` waits for it. Null may be closed too.
  cuda::Stream openStream();
  void close(cuda::Stream opened);

  cuda::Event createEvent();
  void record(cuda::Event event) { record(event, stream); }
  void record(cuda::Event event, cuda::Stream on);
  /// Seconds between two recorded events that are over.
  double secondsBetween(cuda::Event begin, cuda::Event end);
  void destroy(cuda::Event event) {
    if (event)
      driver.eventDestroy(event);
  }

  /// The work between the two calls is timed as a whole.
  void beginRun() { record(runBegin); }
  void endRun();
  /// How long the last such run took; waits for it. Throws GNN_ERROR_ARGUMENT if there was none.
  double lastRunSeconds();

  const cuda::Driver &api() const { return driver; }
  /// Throws GNN_ERROR_DEVICE unless `result` is success.
  void check(cuda::Result result, const std::string &what);
  /// Waits for all that was asked for. Throws GNN_ERROR_DEVICE if a kernel's fault, of any user of the device, has
  /// ended its work for good.
  void settle();

private:
  /// A piece of memory that the device reads and writes directly, and when that is over.
  struct Stage {
    void *memory = nullptr;
    cuda::Event done = nullptr;
  };

  Device(const cuda::Driver &driver, int index);
  void start(size_t budget);
  [[noreturn]] void reportFault(const std::string &what);
  std::optional<RecordedGraph> tryToRecord(const std::function<void()> &ask, bool isTold);
  bool tell(uint32_t functionName);
  void wait(cuda::Event event);
  void noteEnd();
  void copyStaged(cuda::Address to, const void *from, size_t bytes, cuda::Stream on);

  const cuda::Driver &driver;
  std::recursive_mutex mutex; // of what a `Scope` is for
  const int index;
  cuda::DeviceId id = 0;
  std::string fullName;
  uint32_t architecture = 0, numMultiprocessors = 0;
  size_t blockShared = 0, multiprocessorShared = 0; // bytes of shared memory
  cuda::Context context = nullptr;
  cuda::Stream stream = nullptr, copies = nullptr;
  cuda::Event reusable = nullptr; // when copies may write to what was used before
  bool isReused = false;
  cuda::Event runBegin = nullptr, runEnd = nullptr;
  bool hasRun = false;
  DevicePool pool;
  Stage stages[2]; // used in turns
  unsigned nextStage = 0;
  LaunchLog log;
  const bool tellsAll = LaunchLog::tellsAll();
  bool canTell = true;                   // the driver writes `progress`
  volatile uint32_t *progress = nullptr; // pinned memory, for `log`
  cuda::Address progressAddress = 0;
  std::set<int> reached;                     // the devices of `reach`
  std::vector<uint32_t> *recorded = nullptr; // what a graph that is being recorded launches
  bool tellsRecorded = false;
  bool isBusy = false; // with a kernel, perhaps
  std::string fault;   // what ended the device's work for good
};

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICE_H
