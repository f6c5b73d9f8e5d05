//===- FakeDevice.cpp - The device behind the fake libraries --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeDevice.h"

#include <cstdio>
#include <cstdlib>

namespace fake {

std::unique_ptr<FakeContext> context;
thread_local int entered = 0;

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

void FakeStream::doUntil(uint64_t count) {
  while (done < count) {
    Work next = std::move(waiting.front());
    waiting.pop_front();
    ++done;
    if (!context->hasFault)
      next();
  }
}

FakeStream *capturing() {
  if (context)
    for (auto &stream : context->streams)
      if (stream->recorded)
        return stream.get();
  return nullptr;
}

Result queue(Stream handle, Work work) {
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
  return askedAlone([&] {
    for (auto &each : context->streams)
      if (!stream || stream == each.get())
        each->doUntil(stream ? count : each->asked);
    context->showsFault = context->hasFault;
    return context->hasFault ? errorIllegalAddress : success;
  });
}

uint8_t *find(Address address, size_t bytes) {
  uint64_t start = 0;
  ptx::Region *region = context->memory.find(address, bytes, start);
  return region ? region->data.data() + (address - start) : nullptr;
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
