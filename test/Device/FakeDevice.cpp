//===- FakeDevice.cpp - The device behind the fake libraries --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"
#include "FakeClock.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <thread>
#include <utility>

namespace fake {

static std::map<std::pair<int, int>, uint64_t> moved; // bytes, by from and to

std::array<std::unique_ptr<FakeContext>, ptx::mostDevices> contexts;
thread_local std::vector<int> entered;

/// Whose work is being done; work that waits for another stream does that one's meanwhile.
static FakeContext *atWork = nullptr;
static const FakeStream *working = nullptr;

enum class Value { None, Number, Name };

static const std::map<std::string, Value> knownSettings{
    {"arch", Value::Number},        {"blas", Value::Number},       {"clock-only", Value::None},
    {"devices", Value::Number},     {"driver", Value::Number},     {"fault", Value::Name},
    {"fault-code", Value::Number},  {"late", Value::Number},       {"links", Value::None},
    {"memory", Value::Number},      {"nccl", Value::Number},       {"nccl-fails", Value::Number},
    {"nccl-stalls", Value::Number}, {"nccl-tells", Value::None},   {"no-algorithm", Value::None},
    {"no-blas", Value::None},       {"nvlinks", Value::Number},    {"nvswitch", Value::Number},
    {"no-device", Value::None},     {"no-fills", Value::None},     {"no-graphs", Value::None},
    {"no-map", Value::None},        {"no-read-only", Value::None}, {"ptx-error", Value::Number},
    {"peers", Value::Number},       {"shared", Value::Number},     {"strict-graphs", Value::None},
    {"topology", Value::Name},      {"trace", Value::None}};

static bool isNumber(const std::string &text) {
  return !text.empty() && text.size() < 19 && text.find_first_not_of("0123456789") == std::string::npos;
}

/// Abort, which tests of errors do not take for one.
static void checkSetting(const std::string &item, const std::string &key, const std::string &value) {
  auto known = knownSettings.find(key);
  if (known == knownSettings.end())
    std::fprintf(stderr, "fake libcuda: GNN_FAKE_CUDA has no setting '%s'\n", item.c_str());
  else if (known->second == Value::Number && !isNumber(value))
    std::fprintf(stderr, "fake libcuda: GNN_FAKE_CUDA: '%s' is no number\n", item.c_str());
  else if ((known->second == Value::None) != value.empty())
    std::fprintf(stderr, "fake libcuda: GNN_FAKE_CUDA: '%s' %s\n", item.c_str(),
                 value.empty() ? "needs a value" : "has no value");
  else
    return;
  std::abort();
}

std::unique_ptr<std::string> setting(const std::string &wanted) {
  std::unique_ptr<std::string> found;
  const char *given = std::getenv("GNN_FAKE_CUDA");
  for (std::string rest = given ? given : ""; !rest.empty();) {
    const size_t comma = rest.find(',');
    const std::string item = rest.substr(0, comma);
    rest = comma == std::string::npos ? "" : rest.substr(comma + 1);
    const size_t equals = item.find('=');
    const std::string key = item.substr(0, equals), value = equals == std::string::npos ? "" : item.substr(equals + 1);
    checkSetting(item, key, value);
    if (key == wanted && !found)
      found = std::make_unique<std::string>(value);
  }
  return found;
}

uint64_t number(const char *key, uint64_t otherwise) {
  auto text = setting(key);
  return text ? std::stoull(*text) : otherwise;
}

/// That of a peer.
static ptx::DeviceMemory *memoryOfOther(int device, Address address) {
  const int owner = ptx::DeviceMemory::deviceOf(address);
  const bool isPeer = owner >= 0 && contexts[size_t(owner)] && contexts[size_t(device)]->peers.count(owner);
  return isPeer ? &contexts[size_t(owner)]->memory : nullptr;
}

FakeContext::FakeContext(int number)
    : device(number), memory(fake::number("memory", 1ull << 30), number,
                             [number](uint64_t address) { return memoryOfOther(number, address); }) {}

void FakeContext::finish() {
  for (const std::shared_ptr<FakeStream> &stream : streams)
    stream->doUntil(stream->asked);
}

FakeContext *current() { return entered.empty() ? nullptr : contexts[size_t(entered.back())].get(); }

/// What was asked of a context that is no more was done before it ended.
bool FakeStream::tryUntil(uint64_t count) {
  while (done < count) {
    if (waiting.front().isReady && !waiting.front().isReady())
      return false;
    Work next = std::move(waiting.front().work);
    waiting.pop_front();
    ++done;
    FakeContext *const before = std::exchange(atWork, contexts[size_t(device)].get());
    const FakeStream *const streamBefore = std::exchange(working, this);
    if (!atWork->hasFault)
      next();
    atWork = before;
    working = streamBefore;
  }
  return true;
}

void FakeStream::doUntil(uint64_t count) {
  while (!tryUntil(count))
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

const FakeStream *streamAtWork() { return working; }

static std::recursive_mutex ofCalls;

Alone::Alone() { ofCalls.lock(); }
Alone::~Alone() { ofCalls.unlock(); }

Result faultCode() { return Result(number("fault-code", errorIllegalAddress)); }

FakeStream *capturing() {
  if (FakeContext *context = current())
    for (auto &stream : context->streams)
      if (stream->recorded)
        return stream.get();
  return nullptr;
}

Result queue(Stream handle, Work work, IsReady isReady) {
  const Alone alone;
  return asked([&] {
    auto &stream = *reinterpret_cast<FakeStream *>(handle);
    if (stream.device != current()->device)
      return errorInvalidContext;
    if (stream.recorded) {
      stream.recorded->work.push_back(std::move(work));
    } else {
      stream.waiting.push_back({std::move(work), std::move(isReady)});
      ++stream.asked;
      if (FakeClock::get() || (setting("late") && number("late", 0) != uint64_t(stream.device)))
        stream.tryUntil(stream.asked);
    }
    return success;
  });
}

Result waitFor(FakeStream *stream, uint64_t count) {
  const Alone alone;
  return askedAlone([&] {
    FakeContext *context = stream ? contexts[size_t(stream->device)].get() : current();
    if (!context) // all of it was done
      return Result(success);
    if (stream)
      stream->doUntil(count);
    else
      context->finish();
    for (size_t i = 0; FakeClock::get() && !stream && i < context->streams.size(); ++i)
      FakeClock::get()->reach(FakeClock::get()->mark(context->streams[i].get()));
    context->showsFault = context->hasFault;
    return context->hasFault ? faultCode() : success;
  });
}

uint8_t *find(Address address, size_t bytes) {
  FakeContext *const context = atWork ? atWork : current();
  uint64_t start = 0;
  ptx::Region *const region = context ? context->memory.find(address, bytes, start) : nullptr;
  return region ? region->data.data() + (address - start) : nullptr;
}

uint8_t *findAnywhere(Address address, size_t bytes) {
  const int owner = ptx::DeviceMemory::deviceOf(address);
  uint64_t start = 0;
  for (const std::unique_ptr<FakeContext> &context : contexts)
    if (context && (owner < 0 || owner == context->device))
      if (ptx::Region *region = context->memory.findOwn(address, bytes, start))
        return region->data.data() + (address - start);
  return nullptr;
}

bool canBePeers(int device, int other) {
  if (const FakeClock *clock = FakeClock::get())
    return device != other && clock->arePeers(device, other);
  const auto group = int(std::max<uint64_t>(number("peers", ptx::mostDevices), 1));
  return device != other && device / group == other / group;
}

bool arePeers(int device, int other) {
  auto reaches = [](int from, int to) {
    const FakeContext *context = contexts[size_t(from)].get();
    return context && context->peers.count(to) > 0;
  };
  return reaches(device, other) || reaches(other, device);
}

void noteMoved(int from, int to, uint64_t bytes) {
  if (from != host && to != host && !arePeers(from, to)) {
    moved[{from, host}] += bytes;
    moved[{host, to}] += bytes;
  } else {
    moved[{from, to}] += bytes;
  }
}

uint64_t bytesMoved(int from, int to) {
  const Alone alone;
  const auto found = moved.find({from, to});
  return found == moved.end() ? 0 : found->second;
}

/// When the process ends.
static const struct Links {
  ~Links() {
    auto nameOf = [](int memory) { return memory == host ? std::string("host") : "cuda:" + std::to_string(memory); };
    if (setting("links"))
      for (const auto &[ends, bytes] : moved)
        std::fprintf(stderr, "fake libcuda: %s -> %s: %llu bytes\n", nameOf(ends.first).c_str(),
                     nameOf(ends.second).c_str(), static_cast<unsigned long long>(bytes));
  }
} links;

/// Outside of all work it is what the current context was asked for.
void fail(const std::string &what) {
  std::fprintf(stderr, "fake libcuda: %s\n", what.c_str());
  if (FakeContext *context = atWork ? atWork : current())
    context->hasFault = true;
}

bool isToFail(const std::string &name) {
  auto culprit = setting("fault");
  if (!culprit || *culprit != name)
    return false;
  fail(name + " was told to fail");
  return true;
}

void trace(const std::string &what) {
  if (setting("trace"))
    std::fprintf(stderr, "fake libcuda: %s\n", what.c_str());
}

} // namespace fake
