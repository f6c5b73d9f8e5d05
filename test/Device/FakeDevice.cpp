//===- FakeDevice.cpp - The device behind the fake libraries --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>

namespace fake {

std::unique_ptr<FakeContext> context;
thread_local std::vector<int> entered;

enum class Value { None, Number, Name };

static const std::map<std::string, Value> knownSettings{
    {"blas", Value::Number},        {"arch", Value::Number},       {"devices", Value::Number},
    {"fault-code", Value::Number},  {"driver", Value::Number},     {"fault", Value::Name},
    {"memory", Value::Number},      {"no-algorithm", Value::None}, {"no-blas", Value::None},
    {"no-device", Value::None},     {"no-graphs", Value::None},    {"shared", Value::Number},
    {"strict-graphs", Value::None}, {"trace", Value::None}};

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

void FakeStream::doUntil(uint64_t count) {
  while (done < count) {
    Work next = std::move(waiting.front());
    waiting.pop_front();
    ++done;
    if (!context->hasFault)
      next();
  }
}

static std::recursive_mutex ofCalls;

Alone::Alone() { ofCalls.lock(); }
Alone::~Alone() { ofCalls.unlock(); }

Result faultCode() { return Result(number("fault-code", errorIllegalAddress)); }

FakeStream *capturing() {
  if (context)
    for (auto &stream : context->streams)
      if (stream->recorded)
        return stream.get();
  return nullptr;
}

Result queue(Stream handle, Work work) {
  const Alone alone;
  return asked([&] {
    auto &stream = *reinterpret_cast<FakeStream *>(handle);
    if (stream.recorded) {
      stream.recorded->work.push_back(std::move(work));
    } else {
      stream.waiting.push_back(std::move(work));
      ++stream.asked;
    }
    return success;
  });
}

Result waitFor(FakeStream *stream, uint64_t count) {
  const Alone alone;
  return askedAlone([&] {
    for (auto &each : context->streams)
      if (!stream || stream == each.get())
        each->doUntil(stream ? count : each->asked);
    context->showsFault = context->hasFault;
    return context->hasFault ? faultCode() : success;
  });
}

uint8_t *find(Address address, size_t bytes) {
  uint64_t start = 0;
  ptx::Region *region = context->memory.find(address, bytes, start);
  return region ? region->data.data() + (address - start) : nullptr;
}

int ownerOf(Address address) {
  auto after = context->owners.upper_bound(address);
  return after == context->owners.begin() || address >= 1ull << 44 ? -1 : std::prev(after)->second;
}

void fail(const std::string &what) {
  std::fprintf(stderr, "fake libcuda: %s\n", what.c_str());
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
