//===- DeviceQueuesTest.cpp - Copies and tickets of a device --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of the tag [fake] need the fake libcuda; the others hold on any GPU.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cuda/DeviceQueues.h"
#include "DeviceTesting.h"

#include <random>
#include <utility>

using namespace gnn::rt;
using Catch::Matchers::Contains;

TEST_CASE("copies go on beside what the device computes, and who awaits them finds them", "[fake]") {
  Arrays arrays;
  Device &device = *arrays.device;
  const std::vector<float> ones(8, 1.0f), twos(8, 2.0f);
  cuda::Address there = arrays.put(ones), result = arrays.put(std::vector<float>(8));
  cuda::Event ready = device.createEvent();
  device.uploadAside(there, twos.data(), 32, ready);
  device.copy(result, there, 32); // before the copy, which nobody awaits
  CHECK(arrays.get<float>(result, 8) == ones);
  device.await(ready);
  device.copy(result, there, 32);
  CHECK(arrays.get<float>(result, 8) == twos);

  device.copy(result, there, 32); // asked for before memory was used again
  device.noteReuse();
  device.uploadAside(there, ones.data(), 32, ready);
  device.await(ready);
  CHECK(arrays.get<float>(result, 8) == twos);
  CHECK(arrays.get<float>(there, 8) == ones);
  device.destroy(ready);
}

TEST_CASE("queues of a device are streams that await each other's events") {
  auto device = Device::open(0);
  constexpr size_t numSlots = 5, width = 64;
  for (unsigned seed = 0; seed < 200; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    std::vector<DeviceArray> slots;
    std::vector<std::vector<int>> sources, stored;
    std::vector<int> expected(numSlots, -1), storedExpected; // as if one were done after the other
    sources.reserve(64);
    stored.reserve(64);
    {
      DeviceQueues queues(device);
      {
        Device::Scope scope(*device);
        for (size_t s = 0; s < numSlots; ++s)
          slots.push_back(device->allocate(width * sizeof(int)));
        for (DeviceArray &slot : slots)
          device->upload(slot.address(), std::vector<int>(width, -1).data(), width * sizeof(int));
        queues.noteAllocated();
      }
      auto at = [&](size_t slot) { return reinterpret_cast<void *>(slots[slot].address()); };
      const size_t bytes = width * sizeof(int);
      const Ticket uploaded = queues.ask(Queue::Work, {}, [] {});
      std::vector<Ticket> written(numSlots, uploaded);
      std::vector<std::vector<Ticket>> read(numSlots);
      auto writer = [&](size_t slot, std::vector<Ticket> after, Queue queue, std::function<void()> work) {
        after.push_back(written[slot]);
        after.insert(after.end(), read[slot].begin(), read[slot].end());
        read[slot].clear();
        return written[slot] = queues.ask(queue, after, std::move(work));
      };
      for (int i = 0; i < 40; ++i) {
        const size_t to = random() % numSlots, from = random() % numSlots;
        if (const unsigned kind = random() % 3; kind == 0) {
          const void *source = sources.emplace_back(width, i).data();
          writer(to, {}, Queue::Load,
                 [&queues, to = at(to), source] { queues.transfer(Queue::Load, to, source, bytes); });
          expected[to] = i;
        } else if (kind == 1 && to != from) {
          const Ticket copied = writer(to, {written[from]}, Queue::Work, [&, to, from] {
            Device::Scope scope(*device);
            device->copy(slots[to].address(), slots[from].address(), bytes);
          });
          read[from].push_back(copied);
          expected[to] = expected[from];
        } else if (kind == 2) {
          void *target = stored.emplace_back(width, -2).data();
          read[from].push_back(queues.ask(Queue::Store, {written[from]}, [&queues, target, from = at(from)] {
            queues.transfer(Queue::Store, target, from, bytes);
          }));
          storedExpected.push_back(expected[from]);
        }
      }
      for (size_t s = 0; s < numSlots; ++s) {
        written[s].await();
        for (const Ticket &ticket : read[s])
          ticket.await();
      }
    }
    for (size_t i = 0; i < stored.size(); ++i)
      CHECK(stored[i] == std::vector<int>(width, storedExpected[i]));
    Device::Scope scope(*device);
    for (size_t s = 0; s < numSlots; ++s) {
      std::vector<int> found(width);
      device->download(found.data(), slots[s].address(), width * sizeof(int));
      CHECK(found == std::vector<int>(width, expected[s]));
    }
  }
}

TEST_CASE("a ticket has the fault of a device, and tickets of other engines are awaited before it is asked", "[fake]") {
  auto device = Device::open(0);
  DeviceQueues queues(device);
  DeviceArray there = [&] {
    Device::Scope scope(*device);
    return device->allocate(sizeof(int));
  }();
  auto *to = reinterpret_cast<void *>(there.address());
  int source = 7, target = 0;
  struct Late : Queues {
    ~Late() override { close(); }
  } late;
  const Ticket held = late.ask(Queue::Work, {}, [&] { source = 8; });
  const Ticket load =
      queues.ask(Queue::Load, {held}, [&] { queues.transfer(Queue::Load, to, &source, sizeof source); });
  queues.ask(Queue::Store, {load}, [&] { queues.transfer(Queue::Store, &target, to, sizeof target); }).await();
  CHECK(target == 8);
  const Ticket wrong =
      queues.ask(Queue::Load, {}, [&] { queues.transfer(Queue::Load, nullptr, &source, sizeof source); });
  CHECK_THROWS_WITH(wrong.await(), Contains("copying to the device"));
  const Ticket next = queues.ask(Queue::Store, {wrong}, [&] { target = 0; });
  CHECK_THROWS_WITH(next.await(), Contains("copying to the device"));
  CHECK(target == 8);
}
