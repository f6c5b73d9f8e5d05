//===- FakeDevice.h - The device behind the fake libraries ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contexts of the fake libcuda (FakeDriver.cpp), libcublasLt (FakeBlas.cpp) and libnccl (FakeNccl.cpp): memory of
// the emulated devices and streams of work, and what crosses the links between them. Work is done as late as the
// interface allows: when something waits for it. So whoever forgets to wait for another stream, or changes what is
// still to be copied, gets other numbers.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_DEVICE_FAKEDEVICE_H
#define GNNC_TEST_DEVICE_FAKEDEVICE_H

#include "PtxMachine.h"
#include "runtime/src/cuda/DriverApi.h"

#include <array>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace fake {

using namespace gnn::rt::cuda;

/// The value of `key` in GNN_FAKE_CUDA: "" for a key without one, null if it is not there. Ends the process if there is
/// anything in GNN_FAKE_CUDA that is none of the settings of FakeDriver.cpp: a test with such a one shows nothing.
std::unique_ptr<std::string> setting(const std::string &key);
uint64_t number(const char *key, uint64_t otherwise);

/// Any thread may call the libraries; they do one thing at a time.
struct Alone {
  Alone();
  ~Alone();
};

using Work = std::function<void()>;
/// Whether work can be done that another process has a part in; null: always.
using IsReady = std::function<bool()>;

struct FakeGraph {
  std::vector<Work> work;
  bool isWhole = true; // nothing was asked for that cannot be recorded
};

struct FakeStream {
  explicit FakeStream(int device) : device(device) {}

  struct Item {
    Work work;
    IsReady isReady;
  };

  const int device;
  std::deque<Item> waiting;
  uint64_t asked = 0, done = 0;
  std::unique_ptr<FakeGraph> recorded; // while it is captured

  void doUntil(uint64_t count);
  /// As far as that is ready; whether all of it is done.
  bool tryUntil(uint64_t count);
};

struct FakeEvent {
  std::shared_ptr<FakeStream> stream; // that it was recorded on last, as the count-th work
  uint64_t count = 0;
  std::shared_ptr<std::chrono::steady_clock::time_point> time;
  std::shared_ptr<size_t> mark; // of FakeClock, where there is one
};

/// The context of a device.
struct FakeContext {
  explicit FakeContext(int device);
  /// Does all that was asked for.
  void finish();

  const int device;
  ptx::DeviceMemory memory;
  std::vector<std::shared_ptr<FakeStream>> streams;
  std::set<int> peers;     // devices whose memory this one reads and writes, as cuCtxEnablePeerAccess was told
  bool hasFault = false;   // after which nothing is done any more,
  bool showsFault = false; // which somebody has been told
};

/// By device; null: nobody has retained it.
extern std::array<std::unique_ptr<FakeContext>, ptx::mostDevices> contexts;
extern thread_local std::vector<int> entered; // the devices whose contexts were pushed

/// Whose work is being done.
const FakeStream *streamAtWork();

/// The context that this thread has entered; null if it has none.
FakeContext *current();

/// What a kernel's fault is told as.
Result faultCode();

/// The stream of the current context that is being captured, or null.
FakeStream *capturing();

/// Does `body` unless the context is missing or has failed.
template <class Body> Result asked(Body body) {
  if (!current())
    return errorInvalidContext;
  return current()->showsFault ? faultCode() : body();
}

/// The same for what must not be asked for while work is recorded.
template <class Body> Result askedAlone(Body body) {
  if (FakeStream *stream = capturing()) {
    stream->recorded->isWhole = false;
    return errorCaptureUnsupported;
  }
  return asked(body);
}

/// Work for a stream of the current context, done later or, while it is captured, whenever the graph is launched.
Result queue(Stream stream, Work work, IsReady isReady = nullptr);

/// What waits for a stream until its work `count`, or for all streams of the current context (null).
Result waitFor(FakeStream *stream, uint64_t count);

/// Memory at an address that the device at work, or else the current one, reads and writes: its own and that of
/// its peers; null if it does not.
uint8_t *find(Address address, size_t bytes);
/// The same of whatever device it is of.
uint8_t *findAnywhere(Address address, size_t bytes);

/// Whether the devices could reach each other's memory.
bool canBePeers(int device, int other);
/// Whether copies from one device to another go straight there: one of them was told to reach the other.
bool arePeers(int device, int other);

/// Of links: the memory of the process.
constexpr int host = -1;
/// Counts bytes that go from one memory to another. Between devices that are no peers they go by that of the process.
void noteMoved(int from, int to, uint64_t bytes);
/// Of this process so far.
uint64_t bytesMoved(int from, int to);

/// The device at work fails for good.
void fail(const std::string &what);
/// The same if GNN_FAKE_CUDA says that `name` does.
bool isToFail(const std::string &name);
/// Says what is asked for, if GNN_FAKE_CUDA wants to know.
void trace(const std::string &what);

} // namespace fake

#endif // GNNC_TEST_DEVICE_FAKEDEVICE_H
