//===- FakeDevice.h - The device behind the fake libraries ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The context of the fake libcuda (FakeDriver.cpp) and libcublasLt (FakeBlas.cpp): memory of the emulated device and
// streams of work. Work is done as late as the interface allows: when something waits for it. So whoever forgets to
// wait for another stream, or changes what is still to be copied, gets other numbers.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_DEVICE_FAKEDEVICE_H
#define GNNC_TEST_DEVICE_FAKEDEVICE_H

#include "PtxMachine.h"
#include "runtime/src/cuda/DriverApi.h"

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <memory>
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

struct FakeGraph {
  std::vector<Work> work;
  bool isWhole = true; // nothing was asked for that cannot be recorded
};

struct FakeStream {
  std::deque<Work> waiting;
  uint64_t asked = 0, done = 0;
  std::unique_ptr<FakeGraph> recorded; // while it is captured

  void doUntil(uint64_t count);
};

struct FakeEvent {
  FakeStream *stream = nullptr; // that it was recorded on last, as the count-th work
  uint64_t count = 0;
  std::shared_ptr<std::chrono::steady_clock::time_point> time;
};

/// The context of the device, or of all devices: they share memory and streams, but each piece of memory is of one.
struct FakeContext {
  ptx::DeviceMemory memory{number("memory", 1ull << 30)};
  std::map<Address, int> owners; // the device that each piece of memory begins on
  std::vector<std::unique_ptr<FakeStream>> streams;
  bool hasFault = false;   // after which nothing is done any more,
  bool showsFault = false; // which somebody has been told
};

extern std::unique_ptr<FakeContext> context;
extern thread_local std::vector<int> entered; // the devices whose contexts were pushed

/// What a kernel's fault is told as.
Result faultCode();

/// The stream that is being captured, or null.
FakeStream *capturing();

/// Does `body` unless the context is missing or has failed.
template <class Body> Result asked(Body body) {
  if (!context || entered.empty())
    return errorInvalidContext;
  return context->showsFault ? faultCode() : body();
}

/// The same for what must not be asked for while work is recorded.
template <class Body> Result askedAlone(Body body) {
  if (FakeStream *stream = capturing()) {
    stream->recorded->isWhole = false;
    return errorCaptureUnsupported;
  }
  return asked(body);
}

/// Work for a stream, done later or, while it is captured, whenever the graph is launched.
Result queue(Stream stream, Work work);

/// What waits for a stream until its work `count`, or for all streams (null).
Result waitFor(FakeStream *stream, uint64_t count);

/// The bytes of device memory at an address, or null.
uint8_t *find(Address address, size_t bytes);
/// The device that memory is of; -1: of the process and all of them.
int ownerOf(Address address);

/// The device fails for good.
void fail(const std::string &what);
/// The same if GNN_FAKE_CUDA says that `name` does.
bool isToFail(const std::string &name);
/// Says what is asked for, if GNN_FAKE_CUDA wants to know.
void trace(const std::string &what);

} // namespace fake

#endif // GNNC_TEST_DEVICE_FAKEDEVICE_H
