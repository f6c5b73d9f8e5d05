//===- PeersTest.cpp - Several devices ------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each of the devices of the fake libcuda has memory of its own, and what goes from one to another is counted.
//
//===----------------------------------------------------------------------===//

#include "DeviceTesting.h"
#include "runtime/src/cuda/DeviceQueues.h"

#include <array>
#include <dlfcn.h>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

constexpr int host = -1;

/// Bytes that went from the memory of one device to another's since this was made.
class Moved {
public:
  Moved() {
    for (int from = host; from < 4; ++from)
      for (int to = host; to < 4; ++to)
        before[size_t(from + 1)][size_t(to + 1)] = all(from, to);
  }
  uint64_t between(int from, int to) const { return all(from, to) - before[size_t(from + 1)][size_t(to + 1)]; }

private:
  static uint64_t all(int from, int to) {
    static auto *moved =
        reinterpret_cast<uint64_t (*)(int, int)>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), "gnnFakeBytesMoved"));
    return moved(from, to);
  }
  std::array<std::array<uint64_t, 5>, 5> before{};
};

/// Four devices with an array of 8 numbers each, which are those of device 0 on it and 0 on others.
struct Four {
  Four() {
    for (int d = 0; d < 4; ++d) {
      devices.push_back(Device::open(d));
      Device::Scope scope(*devices.back());
      arrays.push_back(devices.back()->allocate(32));
      devices.back()->upload(arrays.back().address(), (d == 0 ? values : std::vector<float>(8)).data(), 32);
      devices.back()->finish();
    }
  }
  void reachAll() {
    for (auto &device : devices)
      for (auto &other : devices)
        if (device != other) {
          Device::Scope scope(*device);
          device->reach(*other);
        }
  }
  void *at(int device) { return reinterpret_cast<void *>(arrays[size_t(device)].address()); }
  std::vector<float> get(int device) {
    std::vector<float> found(8);
    Device::Scope scope(*devices[size_t(device)]);
    devices[size_t(device)]->download(found.data(), arrays[size_t(device)].address(), 32);
    return found;
  }

  const std::vector<float> values = randomNumbers(8);
  std::vector<std::shared_ptr<Device>> devices;
  std::vector<DeviceArray> arrays;
};

} // namespace

TEST_CASE("devices have memory of their own, and reach another's once they were told to", "[fake]") {
  Fake fake("devices=4,peers=2,memory=8388608");
  Four four;
  Device &first = *four.devices[0];
  Device::Scope scope(first);
  const DeviceArray most = first.allocate(6 << 20); // the others have as much beside it
  CHECK_NOTHROW([&] {
    Device::Scope there(*four.devices[3]);
    four.devices[3]->allocate(6 << 20);
  }());
  const cuda::Address own = four.arrays[0].address(), next = four.arrays[1].address();
  CHECK_THROWS_WITH(first.copy(own, next, 32), Contains("copying on the device"));
  CHECK_THROWS_WITH(first.upload(next, four.values.data(), 32), Contains("copying to the device"));
  four.reachAll();
  CHECK((first.reaches(*four.devices[1]) && !first.reaches(*four.devices[2])));
  CHECK_NOTHROW(first.copy(next, own, 32));
  CHECK_THROWS_WITH(first.copy(own, four.arrays[2].address(), 32), Contains("copying on the device"));
  first.finish();
  CHECK(four.get(1) == four.values);
}

TEST_CASE("bytes are counted by the link that they take", "[fake]") {
  for (const bool arePeers : {true, false}) {
    Fake fake(arePeers ? "devices=4" : "devices=4,peers=1");
    CAPTURE(arePeers);
    Four four;
    four.reachAll();
    const Moved moved;
    Device &third = *four.devices[2];
    Device::Scope scope(third);
    third.copyBetween(four.arrays[2].address(), *four.devices[0], four.arrays[0].address(), 32, third.workStream());
    third.finish();
    CHECK(moved.between(0, 2) == (arePeers ? 32 : 0));
    CHECK(moved.between(0, host) == (arePeers ? 0 : 32)); // by the memory of the process
    CHECK(moved.between(host, 2) == (arePeers ? 0 : 32));
    CHECK(moved.between(2, 0) == 0);
    CHECK(four.get(2) == four.values);
    CHECK(moved.between(2, host) == 32);
  }
}

TEST_CASE("devices await each other's copies", "[fake]") {
  Fake fake("devices=4");
  Four four;
  four.reachAll();
  {
    std::vector<std::unique_ptr<DeviceQueues>> queues;
    for (auto &device : four.devices)
      queues.push_back(std::make_unique<DeviceQueues>(device));
    const std::vector<float> twos(8, 2.0f);
    Ticket arrived =
        queues[0]->ask(Queue::Load, {}, [&] { queues[0]->transfer(Queue::Load, four.at(0), twos.data(), 32); });
    for (int d = 1; d < 4; ++d)
      arrived = queues[size_t(d)]->ask(Queue::Load, {arrived}, [&, d] {
        queues[size_t(d)]->transferFrom(*four.devices[size_t(d - 1)], four.at(d), four.at(d - 1), 32);
      });
    arrived.await();
    CHECK(four.get(3) == twos);
  }
}
