//===- RuntimeTest.cpp - The runtime on a device that is none -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver, memory, code and kernels of runtime/src/cuda over the fake libcuda, and what is said where they fail.
// Cases of the tag [fake] need its settings, or that it does work as late as it may; the others hold on any GPU.
//
//===----------------------------------------------------------------------===//

#include "gnn/error.hpp"
#include "runtime/src/core/Narrow.h"
#include "runtime/src/cpu/Product.h"
#include "runtime/src/cuda/Blas.h"
#include "runtime/src/cuda/DeviceGraph.h"
#include "runtime/src/cuda/DeviceQueues.h"
#include "runtime/src/cuda/DeviceTensor.h"
#include "runtime/src/cuda/DeviceUpdates.h"
#include "runtime/src/cuda/HotCols.h"
#include "runtime/src/program/Fold.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <random>
#include <thread>
#include <utility>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

/// What the fake driver is told while this lives.
struct Fake {
  explicit Fake(const std::string &settings) { setenv("GNN_FAKE_CUDA", settings.c_str(), 1); }
  ~Fake() { unsetenv("GNN_FAKE_CUDA"); }
};

template <class Body> std::pair<gnn_status_t, std::string> failureOf(Body body) {
  try {
    body();
  } catch (const gnn::Error &error) {
    return {error.code(), error.what()};
  }
  return {GNN_OK, ""};
}

std::vector<float> randomNumbers(size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<float> numbers;
  for (size_t i = 0; i < count; ++i)
    numbers.push_back(float(random() % 2001) / 1000 - 1);
  return numbers;
}

/// Arrays on a device.
struct Arrays {
  Arrays() : device(Device::open(0)), scope(*device), kernels(device) {}

  template <class T> cuda::Address put(const std::vector<T> &values) {
    arrays.push_back(device->allocate(values.size() * sizeof(T)));
    device->upload(arrays.back().address(), values.data(), values.size() * sizeof(T));
    return arrays.back().address();
  }
  template <class T> std::vector<T> get(cuda::Address address, size_t count) {
    std::vector<T> values(count);
    device->download(values.data(), address, count * sizeof(T));
    return values;
  }

  std::shared_ptr<Device> device;
  Device::Scope scope;
  DeviceKernels kernels;
  std::vector<DeviceArray> arrays;
};

void checkNear(const std::vector<float> &found, const std::vector<float> &expected) {
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    CHECK(found[i] == Approx(expected[i]).margin(1e-5));
}

} // namespace

TEST_CASE("hot cols are those that most edges read, and edges name them by their place") {
  const int64_t offsets[] = {0, 3, 6}, none[] = {0};
  const uint32_t cols[] = {2, 0, 3, 3, 2, 3};
  gnn_block_t block{};
  block.num_rows = 2;
  block.num_cols = 5;
  block.offsets = offsets;
  block.cols = cols;
  const std::vector<uint32_t> hot = hottestCols(block, 3);
  CHECK(hot == std::vector<uint32_t>{3, 2, 0});
  CHECK(colsByHeat(block, hot, 3) == std::vector<uint32_t>{1, 2, 0, 0, 1, 0});
  CHECK(hottestCols(block, 2) == std::vector<uint32_t>{3, 2});
  CHECK(colsByHeat(block, {3, 2}, 2) == std::vector<uint32_t>{1, 2, 0, 0, 1, 0}); // 2: no hot one, but 0
  CHECK(hottestCols(block, 16) == std::vector<uint32_t>{3, 2, 0, 1, 4});
  block.num_rows = block.num_cols = 0;
  block.offsets = none;
  CHECK(hottestCols(block, 16).empty());
  CHECK(colsByHeat(block, {}, 16).empty());
}

TEST_CASE("what is missing is said", "[fake]") {
  auto open = [](int index = 0) { return failureOf([&] { Device::open(index); }); };
  CHECK(Device::count() == 1);
  CHECK(open().first == GNN_OK);
  CHECK(open(3).first == GNN_ERROR_DEVICE);
  CHECK_THAT(open(3).second, Contains("there is no cuda:3: this machine has 1 device"));
  {
    Fake fake("no-device");
    CHECK(Device::count() == 0);
    CHECK(open().first == GNN_ERROR_DEVICE);
    CHECK_THAT(open().second, Contains("finds no device"));
  }
  {
    Fake fake("driver=11070");
    CHECK(open().first == GNN_ERROR_DEVICE);
    CHECK_THAT(open().second, Contains("too old") && Contains("11.7") && Contains("11.8"));
  }
  CHECK(open().first == GNN_OK);
}

TEST_CASE("memory that was given back serves again, until the device has no other", "[fake]") {
  Fake fake("memory=4000000");
  std::shared_ptr<Device> device = Device::open(0);
  Device::Scope scope(*device);
  cuda::Address first = 0;
  {
    DeviceArray array = device->allocate(1000);
    first = array.address();
    CHECK(device->memory().used() == 1024);
  }
  CHECK(device->memory().used() == 0);
  CHECK(device->memory().kept() == 1024);
  CHECK(device->allocate(1024).address() == first);
  DeviceArray large = device->allocate(3 << 20);
  CHECK(device->allocate(1 << 19).address() != 0);
  CHECK(device->memory().kept() > 0);
  auto failure = failureOf([&] { device->allocate(2 << 20); });
  CHECK(failure.first == GNN_ERROR_MEMORY);
  CHECK_THAT(failure.second, Contains("cuda:0 (Fake): out of memory: 2 MiB are needed, with 3 MiB of 4 MiB in use"));
  large = DeviceArray();
  CHECK(device->memory().used() == 0);
  CHECK(device->allocate(2 << 20).address() != 0); // which what is kept must make way for
}

TEST_CASE("a budget is kept where the device has more") {
  std::shared_ptr<Device> device = Device::open(0, /*budget=*/1 << 20);
  Device::Scope scope(*device);
  DeviceArray half = device->allocate(1 << 19);
  CHECK(failureOf([&] { device->allocate(1 << 20); }).first == GNN_ERROR_MEMORY);
  CHECK(failureOf([&] { device->sharedZeros(GNN_F32, {1 << 18}); }).first == GNN_ERROR_MEMORY);
  half = DeviceArray();
  CHECK(device->allocate(1 << 20).address() != 0);
}

TEST_CASE("shared memory is what the device has free, whoever took the rest", "[fake]") {
  Fake fake("memory=1000000");
  std::shared_ptr<Device> device = Device::open(0), other = Device::open(0);
  Device::Scope scope(*device);
  DeviceArray most = other->allocate(800000);
  CHECK(failureOf([&] { device->sharedZeros(GNN_F32, {100000}); }).first == GNN_ERROR_MEMORY);
  CHECK(device->sharedZeros(GNN_F32, {10000}));
}

TEST_CASE("a run is timed by the device") {
  Arrays arrays;
  CHECK_THAT(failureOf([&] { arrays.device->lastRunSeconds(); }).second, Contains("nothing was computed"));
  cuda::Address there = arrays.put(std::vector<float>(8));
  arrays.device->beginRun();
  arrays.device->fillZeros(there, 32);
  arrays.device->endRun();
  CHECK(arrays.device->lastRunSeconds() > 0);
}

TEST_CASE("large arrays are copied piece by piece") {
  Arrays arrays;
  std::vector<uint32_t> values((size_t(9) << 20) / sizeof(uint32_t) + 5);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = uint32_t(i * 2654435761u);
  cuda::Address there = arrays.put(values);
  CHECK(arrays.get<uint32_t>(there, values.size()) == values);
  cuda::Address copy = arrays.put(std::vector<uint32_t>(values.size()));
  arrays.device->copy(copy, there, values.size() * sizeof(uint32_t));
  CHECK(arrays.get<uint32_t>(copy, values.size()) == values);
}

TEST_CASE("this process and the device see the same tensors, which outlive who made them") {
  Tensor tensor;
  {
    std::shared_ptr<Device> device = Device::open(0);
    Device::Scope scope(*device);
    tensor = device->sharedZeros(GNN_F32, {2, 3});
    CHECK(device->memory().used() > 0);
  }
  CHECK(std::vector<float>(tensor.data<float>(), tensor.data<float>() + 6) == std::vector<float>(6, 0.0f));
  tensor.mutableData<float>()[5] = 1;
}

TEST_CASE("tensors of a device are read and destroyed by any thread while it works") {
  std::shared_ptr<Device> device = Device::open(0);
  std::atomic<bool> isOver{false};
  std::atomic<int> wrong{0};
  std::mutex mutex;
  std::vector<Tensor> handedOver;
  auto take = [&] {
    std::lock_guard<std::mutex> lock(mutex);
    return std::exchange(handedOver, {});
  };
  std::vector<std::thread> others;
  for (int t = 0; t < 2; ++t)
    others.emplace_back([&] {
      while (!isOver) {
        std::vector<Tensor> taken = take();
        if (!taken.empty())
          wrong += taken.back().onHost().data<float>()[0] != float(taken.back().count());
      }
    });
  for (int i = 0; i < 400; ++i) {
    std::vector<Tensor> made;
    for (int64_t count = 1; count < 500; ++count) {
      Device::Scope scope(*device);
      made.push_back(deviceTensor(device, device->allocate(size_t(count) * sizeof(float)), GNN_F32, {count}));
    }
    const std::vector<float> numbers(1000, 1000.0f);
    Device::Scope scope(*device);
    made.push_back(copyToDevice(device, Tensor::of(numbers)));
    std::lock_guard<std::mutex> lock(mutex);
    handedOver.insert(handedOver.end(), made.begin(), made.end());
  }
  isOver = true;
  for (std::thread &other : others)
    other.join();
  handedOver.clear();
  CHECK(wrong == 0);
  CHECK(device->memory().used() == 0);
}

TEST_CASE("products are those of the processor") {
  Arrays arrays;
  for (auto [m, n, k] : {std::tuple(1, 1, 1), std::tuple(70, 5, 33), std::tuple(3, 130, 16), std::tuple(64, 64, 17)}) {
    CAPTURE(m, n, k);
    std::vector<float> a = randomNumbers(size_t(m * k)), b = randomNumbers(size_t(k * n), 2), expected(size_t(m * n));
    cuda::Address left = arrays.put(a), right = arrays.put(b), result = arrays.put(expected);
    for (bool transposed : {false, true}) {
      multiply(GNN_F32, transposed, m, n, k, a.data(), b.data(), expected.data());
      const Matrix matrix = transposed ? Matrix{right, k, 1} : Matrix{right, 1, n};
      arrays.kernels.multiply({left, k, 1}, matrix, result, m, n, k, k).launch(*arrays.device);
      checkNear(arrays.get<float>(result, expected.size()), expected);
    }
  }
}

TEST_CASE("products of 16-bit numbers are those of the same numbers in f32, by cuBLASLt too") {
  const auto [element, precision] =
      GENERATE(std::pair<uint32_t, float>(GNN_BF16, 0x1.01p-8f), std::pair<uint32_t, float>(GNN_F16, 0x1.01p-11f));
  CAPTURE(element);
  Arrays arrays;
  std::unique_ptr<Blas> blas = Blas::open(arrays.device);
  REQUIRE(blas);
  const int64_t m = 70, n = 5, k = 33;
  auto narrow = [element = element](const std::vector<float> &numbers) {
    std::vector<uint16_t> result(numbers.size());
    roundTo(element, numbers.data(), result.data(), int64_t(numbers.size()));
    return result;
  };
  auto wide = [element = element](const std::vector<uint16_t> &numbers) {
    std::vector<float> result(numbers.size());
    widen(element, numbers.data(), result.data(), int64_t(numbers.size()));
    return result;
  };
  const std::vector<float> exact = randomNumbers(size_t(k * n), 2);
  const std::vector<uint16_t> a = narrow(randomNumbers(size_t(m * k))), b = narrow(exact);
  std::vector<float> expected(size_t(m * n));
  const cuda::Address left = arrays.put(a), right = arrays.put(b), result = arrays.put(expected);
  const cuda::Address parameter = arrays.put(exact), rounded = arrays.put(std::vector<uint16_t>(b.size()));
  multiply(GNN_F32, false, m, n, k, wide(a).data(), wide(b).data(), expected.data());
  arrays.kernels.multiply({left, k, 1, element}, {right, 1, n, element}, result, m, n, k, k).launch(*arrays.device);
  checkNear(arrays.get<float>(result, expected.size()), expected);
  arrays.kernels.round(element, parameter, rounded, k * n).launch(*arrays.device);
  CHECK(arrays.get<uint16_t>(rounded, b.size()) == b);
  std::optional<BlasCall> call = blas->prepare({left, rounded, result, m, n, k, false, false, element});
  REQUIRE(call);
  call->launch(*arrays.device);
  checkNear(arrays.get<float>(result, expected.size()), expected);

  // Of a parameter that stays f32, and with a result of 16 bits: near ties it may be the next one.
  multiply(GNN_F32, false, m, n, k, wide(a).data(), exact.data(), expected.data());
  arrays.kernels.multiply({left, k, 1, element}, {parameter, 1, n}, result, m, n, k, k, element).launch(*arrays.device);
  const std::vector<float> found = wide(arrays.get<uint16_t>(result, expected.size()));
  for (size_t i = 0; i < found.size(); ++i)
    CHECK(std::abs(found[i] - expected[i]) <= std::abs(expected[i]) * precision);
  call = blas->prepare({left, rounded, result, m, n, k, false, false, element, element});
  REQUIRE(call);
  call->launch(*arrays.device);
  multiply(GNN_F32, false, m, n, k, wide(a).data(), wide(b).data(), expected.data());
  const std::vector<float> again = wide(arrays.get<uint16_t>(result, expected.size()));
  for (size_t i = 0; i < again.size(); ++i)
    CHECK(std::abs(again[i] - expected[i]) <= std::abs(expected[i]) * precision);
}

TEST_CASE("products over rows go through partial sums that are folded in order") {
  Arrays arrays;
  const int64_t rows = 150, k = 7, n = 66, slotRows = 64, slots = 3;
  std::vector<float> a = randomNumbers(size_t(rows * k)), b = randomNumbers(size_t(rows * n), 2),
                     expected(size_t(k * n));
  multiplyTransposed(GNN_F32, rows, n, k, a.data(), b.data(), expected.data());
  cuda::Address left = arrays.put(a), right = arrays.put(b), result = arrays.put(expected);
  cuda::Address partials = arrays.put(std::vector<float>(size_t(slots * k * n)));
  arrays.kernels.multiply({left, 1, k}, {right, 1, n}, partials, k, n, rows, slotRows).launch(*arrays.device);
  arrays.kernels.fold(GNN_FOLD_SUM, GNN_F32, result, partials, size_t(k * n) * 4, slots, k * n).launch(*arrays.device);
  checkNear(arrays.get<float>(result, expected.size()), expected);
}

TEMPLATE_TEST_CASE("folds are those of the processor, with NaNs", "", float, int32_t, int64_t) {
  Arrays arrays;
  const size_t slots = 4, stride = 3 * sizeof(TestType) + 8, count = 3;
  std::vector<char> bytes(slots * stride);
  for (size_t s = 0; s < slots; ++s)
    for (size_t i = 0; i < count; ++i) {
      auto value = TestType(int(s * 7 + i * 5) % 11 - 5);
      if constexpr (std::is_floating_point_v<TestType>)
        value = s == i ? NAN : value / 3;
      std::memcpy(bytes.data() + s * stride + i * sizeof value, &value, sizeof value);
    }
  cuda::Address there = arrays.put(bytes), result = arrays.put(std::vector<TestType>(count));
  for (uint32_t kind : {GNN_FOLD_SUM, GNN_FOLD_MAX, GNN_FOLD_MIN}) {
    std::vector<TestType> expected(count);
    std::memcpy(expected.data(), bytes.data(), count * sizeof(TestType));
    for (size_t s = 1; s < slots; ++s)
      foldInto(kind, elementOf<TestType>(), 0, int64_t(count), expected.data(), bytes.data() + s * stride);
    arrays.kernels.fold(kind, elementOf<TestType>(), result, there, stride, int64_t(slots), int64_t(count))
        .launch(*arrays.device);
    std::vector<TestType> found = arrays.get<TestType>(result, count);
    for (size_t i = 0; i < count; ++i) {
      CAPTURE(kind, i, found[i], expected[i]);
      CHECK((found[i] == expected[i] || (found[i] != found[i] && expected[i] != expected[i])));
    }
  }
}

TEST_CASE("products by cuBLASLt are those of the processor") {
  Arrays arrays;
  std::unique_ptr<Blas> blas = Blas::open(arrays.device);
  REQUIRE(blas);
  CHECK_THAT(blas->name(), Contains("cuBLASLt 1"));
  CHECK(arrays.device->memory().used() >= 32 << 20); // the workspace
  for (auto size : {std::tuple(1, 1, 1), std::tuple(70, 5, 33), std::tuple(3, 130, 16), std::tuple(17, 9, 200)}) {
    const int m = std::get<0>(size), n = std::get<1>(size), k = std::get<2>(size); // which lambdas capture
    CAPTURE(m, n, k);
    std::vector<float> a = randomNumbers(size_t(m * k)), b = randomNumbers(size_t(k * n), 2), expected(size_t(m * n));
    cuda::Address left = arrays.put(a), right = arrays.put(b), result = arrays.put(expected);
    auto compute = [&](bool transposeA, bool transposeB) {
      std::optional<BlasCall> call = blas->prepare({left, right, result, m, n, k, transposeA, transposeB});
      REQUIRE(call);
      call->launch(*arrays.device);
      checkNear(arrays.get<float>(result, expected.size()), expected);
    };
    for (bool transposed : {false, true}) {
      multiply(GNN_F32, transposed, m, n, k, a.data(), b.data(), expected.data());
      compute(false, transposed);
    }
    multiplyTransposed(GNN_F32, k, n, m, a.data(), b.data(), expected.data());
    compute(true, false);
  }
}

TEST_CASE("operands of products need not be aligned, and no workspace is taken of a small budget") {
  std::shared_ptr<Device> device = Device::open(0, /*budget=*/1 << 20);
  Device::Scope scope(*device);
  std::unique_ptr<Blas> blas = Blas::open(device);
  REQUIRE(blas);
  CHECK(device->memory().used() == 0);
  DeviceArray array = device->allocate(4096);
  std::vector<float> a = randomNumbers(200), b = randomNumbers(200, 2);
  const cuda::Address left = array.address() + 4, right = array.address() + 1000, result = array.address() + 2056;
  device->upload(left, a.data(), 800);
  device->upload(right, b.data(), 800);
  std::optional<BlasCall> call = blas->prepare({left, right, result, 2, 2, 100, false, false});
  REQUIRE(call);
  call->launch(*device);
  float expected[4], found[4];
  multiply(GNN_F32, false, 2, 2, 100, a.data(), b.data(), expected);
  device->download(found, result, sizeof found);
  checkNear({found, found + 4}, {expected, expected + 4});
}

TEST_CASE("without cuBLASLt, or an algorithm of it, there is no product by it", "[fake]") {
  Arrays arrays;
  {
    Fake fake("no-blas");
    CHECK(!Blas::open(arrays.device));
  }
  Fake fake("no-algorithm");
  cuda::Address numbers = arrays.put(std::vector<float>(8));
  CHECK(!Blas::open(arrays.device)->prepare({numbers, numbers, numbers, 1, 1, 1, false, false}));
}

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

TEST_CASE("updates have the bits of the processor, and a step that is not finite changes nothing") {
  Arrays arrays;
  const int64_t count = 9000; // several blocks look through it
  std::vector<float> gradient = randomNumbers(count), nextState = randomNumbers(7, 3);
  cuda::Address numbers = arrays.put(std::vector<DeviceKernels::StepNumbers>(1));
  const std::vector<cuda::Address> results{arrays.put(std::vector<float>{1}), arrays.put(gradient),
                                           arrays.put(nextState)};
  for (bool hasMoments : {false, true}) {
    std::vector<float> p[2], m[2], v[2];
    for (int side : {0, 1}) {
      p[side] = randomNumbers(count, 2);
      m[side] = v[side] = std::vector<float>(count, 0.0f);
    }
    Tensor values[3], state = arrays.device->sharedZeros(GNN_F32, {7});
    for (Tensor &tensor : values)
      tensor = arrays.device->sharedZeros(GNN_F32, {count});
    std::memcpy(values[0].mutableData(), p[1].data(), size_t(count) * 4);
    const std::vector<Update> updates{{GNN_F32, count, values[0].mutableData(), nullptr, values[1].mutableData(),
                                       values[2].mutableData(), 0.01, 0.999}};
    const std::vector<StateUpdate> states{{state.mutableData(), 2, GNN_F32, 28}};
    auto stepWith = [&](const UpdateRule &rule) { return TrainingStep{0, rule, updates, states}; };
    const UpdateRule first{hasMoments, 0.1, 0.1, 1.5};
    DeviceUpdates launches(*arrays.device, arrays.kernels, stepWith(first), results, numbers);
    CHECK(launches.isFor(stepWith(first)));
    CHECK(!launches.isFor(stepWith({!hasMoments, 0.1, 0.1, 1.5})));
    CHECK(!launches.isFor({0, first, {}, states}));
    CHECK(!launches.isFor({0, first, updates, {}}));
    /// What is put at an element of a result, 0 the loss, 1 the gradient, 2 the next state.
    struct Change {
      size_t result;
      int64_t element;
      float number;
    };
    for (const Change &change : std::vector<Change>{{0, 0, 1.0f},
                                                    {0, 0, NAN},
                                                    {0, 0, 2.0f},
                                                    {0, 0, INFINITY},
                                                    {1, 0, NAN},
                                                    {1, count - 1, INFINITY},
                                                    {0, 0, -INFINITY},
                                                    {2, 6, NAN},
                                                    {0, 0, -3.0f},
                                                    {1, 4096, -INFINITY},
                                                    {0, 0, 0.0f}}) {
      CAPTURE(change.result, change.element, change.number);
      const float loss = change.result == 0 ? change.number : 5;
      const bool isLearnt = std::isfinite(change.number);
      UpdateRule rule{hasMoments, 0.1 / (4 + loss), 0.1 / (4 + loss), 1.5 / (4 + loss)};
      DeviceKernels::StepNumbers now{0, float(rule.rate), float(rule.stepSize), float(rule.rootCorrection)};
      arrays.device->upload(numbers, &now, sizeof now);
      arrays.device->upload(results[0], &loss, sizeof loss);
      const cuda::Address there = results[change.result] + cuda::Address(change.element) * 4;
      float good = loss;
      if (change.result > 0)
        good = (change.result == 1 ? gradient : nextState)[size_t(change.element)];
      arrays.device->upload(there, &change.number, 4);
      if (isLearnt)
        applyUpdate(rule, {GNN_F32, count, p[0].data(), gradient.data(), m[0].data(), v[0].data(), 0.01, 0.999}, 0,
                    count);
      else
        std::memset(state.mutableData(), 0, 28);
      launches.launch(*arrays.device);
      arrays.device->finish();
      const auto verdict = arrays.get<DeviceKernels::StepVerdict>(launches.verdict(), 1)[0];
      CHECK(verdict.refusedBy == (isLearnt ? DeviceKernels::nothing : int32_t(change.result)));
      CHECK(std::memcmp(&verdict.loss, &loss, sizeof loss) == 0);
      CHECK(std::memcmp(p[0].data(), values[0].data(), size_t(count) * 4) == 0);
      CHECK(std::memcmp(m[0].data(), values[1].data(), hasMoments ? size_t(count) * 4 : 0) == 0);
      CHECK(std::memcmp(v[0].data(), values[2].data(), hasMoments ? size_t(count) * 4 : 0) == 0);
      CHECK(state.data<float>()[6] == (isLearnt ? nextState[6] : 0));
      arrays.device->upload(there, &good, 4);
    }
  }
}

TEST_CASE("what is asked for again and again is recorded, where the driver can", "[fake]") {
  for (const std::string settings : {"", "no-graphs"}) {
    Fake fake(settings);
    Arrays arrays;
    cuda::Address number = arrays.put(std::vector<float>{0, 0}), result = arrays.put(std::vector<float>{0});
    DeviceCall fold = arrays.kernels.fold(GNN_FOLD_SUM, GNN_F32, result, number, 4, 2, 1);
    unsigned asked = 0;
    DeviceGraph graph(arrays.device);
    for (float run = 1; run <= 4; ++run) {
      CAPTURE(settings, run);
      arrays.device->upload(number, &run, sizeof run);
      graph.run([&] {
        ++asked;
        fold.launch(*arrays.device);
        arrays.device->copy(number + 4, result, 4); // of the next run
      });
      CHECK(arrays.get<float>(result, 1)[0] == run * (run + 1) / 2);
    }
    CHECK(asked == (settings.empty() ? 2 : 5));
  }
}

/// What is said of a fault in the fold over sums, after one in maxima, when both have run before: as a graph if it was
/// `recorded`, with GNN_NAME_FAULTS if it `tells`.
static std::string faultOfSecond(bool recorded, bool tells, const std::string &settings) {
  Fake fake(settings);
  if (tells)
    setenv("GNN_NAME_FAULTS", "1", 1);
  Arrays arrays;
  unsetenv("GNN_NAME_FAULTS");
  cuda::Address number = arrays.put(std::vector<float>{0, 0}), result = arrays.put(std::vector<float>{0});
  DeviceCall max = arrays.kernels.fold(GNN_FOLD_MAX, GNN_F32, result, number, 4, 2, 1);
  DeviceCall sum = arrays.kernels.fold(GNN_FOLD_SUM, GNN_F32, result, number, 4, 2, 1);
  DeviceGraph graph(arrays.device);
  auto run = [&] {
    max.launch(*arrays.device);
    sum.launch(*arrays.device);
  };
  for (int i = 0; i < 2; ++i)
    recorded ? graph.run(run) : run();
  arrays.device->finish();
  Fake later(settings + (settings.empty() ? "" : ",") + "fault=gnn_fold_sum_f32");
  recorded ? graph.run(run) : run();
  return failureOf([&] { arrays.device->finish(); }).second;
}

TEST_CASE("a fault of later launches is of one of those since the last wait, or told if that is wanted", "[fake]") {
  const std::string exact = "cuda:0 (Fake): kernel gnn_fold_sum_f32 failed: CUDA_ERROR_ILLEGAL_ADDRESS",
                    one = "cuda:0 (Fake): one of kernel gnn_fold_sum_f32, kernel gnn_fold_max_f32 (GNN_NAME_FAULTS=1 "
                          "in the environment says which) failed: CUDA_ERROR_ILLEGAL_ADDRESS";
  for (bool recorded : {true, false}) {
    CAPTURE(recorded);
    CHECK_THAT(faultOfSecond(recorded, /*tells=*/false, ""), Contains(one));
    CHECK_THAT(faultOfSecond(recorded, /*tells=*/true, ""), Contains(exact));
  }
  CHECK_THAT(faultOfSecond(true, /*tells=*/true, "strict-graphs"), Contains(one)); // graphs that cannot tell
}

TEST_CASE("whoever of the users of a device notices a fault, it is that of the kernel which failed", "[fake]") {
  Fake fake("fault=gnn_fold_sum_f32");
  Arrays one, other;
  cuda::Address slots = one.put(std::vector<float>(8)), result = other.put(std::vector<float>(8));
  auto product = other.kernels.multiply({result, 1, 1}, {result, 1, 1}, result, 1, 1, 1, 1);
  product.launch(*other.device);
  other.device->settle();
  one.kernels.fold(GNN_FOLD_SUM, GNN_F32, slots, slots, 4, 2, 1).launch(*one.device);
  cuda::Event asked = one.device->createEvent();
  one.device->record(asked);
  other.device->await(asked);
  auto found = failureOf([&] { other.device->finish(); });
  CHECK(found.first == GNN_ERROR_DEVICE);
  CHECK_THAT(found.second, Contains("kernel gnn_fold_sum_f32 failed"));
  CHECK(failureOf([&] { one.device->finish(); }).second == found.second);
  CHECK(failureOf([&] { one.device->settle(); }).second == found.second);
  CHECK(failureOf([] { Device::open(0); }).second == found.second); // the same context
  one.device->destroy(asked);
}

TEST_CASE("errors that end a context are told from others", "[fake]") {
  for (auto [code, isLast] : {std::pair(214, true),
                              {220, true},
                              {226, true},
                              {700, true},
                              {702, true},
                              {710, true},
                              {716, true},
                              {719, true},
                              {911, true},
                              {1, false},
                              {701, false},
                              {720, false}}) {
    CAPTURE(code);
    Fake fake("fault=gnn_fold_sum_f32,fault-code=" + std::to_string(code));
    Arrays arrays;
    cuda::Address slots = arrays.put(std::vector<float>(8));
    arrays.kernels.fold(GNN_FOLD_SUM, GNN_F32, slots, slots, 4, 2, 1).launch(*arrays.device);
    const std::string said = failureOf([&] { arrays.device->finish(); }).second;
    CHECK((said.find("kernel gnn_fold_sum_f32 failed") != std::string::npos) == isLast);
  }
}

TEST_CASE("who fails while work is recorded ends that", "[fake]") {
  Arrays arrays;
  cuda::Address number = arrays.put(std::vector<float>{1, 2}), result = arrays.put(std::vector<float>{0});
  DeviceCall fold = arrays.kernels.fold(GNN_FOLD_SUM, GNN_F32, result, number, 4, 2, 1);
  DeviceGraph graph(arrays.device);
  graph.run([&] { fold.launch(*arrays.device); });
  CHECK_THROWS_AS(graph.run([&] {
    fold.launch(*arrays.device);
    throw std::bad_alloc();
  }),
                  std::bad_alloc);
  arrays.device->finish(); // which the driver refuses while it records
  for (int run = 0; run < 2; ++run) {
    arrays.device->fillZeros(result, 4);
    graph.run([&] { fold.launch(*arrays.device); });
    CHECK(arrays.get<float>(result, 1)[0] == 3);
  }
}

TEST_CASE("memory of another device is copied", "[fake]") {
  Fake fake("devices=2");
  std::shared_ptr<Device> here = Device::open(0), there = Device::open(1);
  const std::vector<float> values = randomNumbers(8);
  std::vector<float> found(8);
  DeviceArray from, to;
  {
    Device::Scope scope(*there);
    from = there->allocate(32);
    there->upload(from.address(), values.data(), 32);
    there->finish();
  }
  Device::Scope scope(*here);
  to = here->allocate(32);
  CHECK(failureOf([&] { here->copy(to.address(), from.address(), 32); }).first == GNN_ERROR_DEVICE);
  here->copyFrom(1, to.address(), from.address(), 32);
  here->download(found.data(), to.address(), 32);
  CHECK(found == values);
}

TEST_CASE("the image that fits a device best is loaded", "[fake]") {
  const char good[] = ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n";
  const char machineCode[] = "\x7f"
                             "ELF";
  std::shared_ptr<Device> device = Device::open(0); // sm_100
  Device::Scope scope(*device);
  auto load = [&](const std::vector<DeviceImage> &images) {
    return failureOf([&] { DeviceModule(device, images, "model.so").function("k"); });
  };
  CHECK(load({{90, false, machineCode}, {80, true, good}, {90, true, good}}).first == GNN_OK);
  CHECK(DeviceModule(device, {{80, true, good}, {90, true, good}, {110, true, good}}, "model.so").code() ==
        "PTX of sm_90");
  auto none = load({{90, false, machineCode}, {110, true, good}});
  CHECK(none.first == GNN_ERROR_MISMATCH);
  CHECK_THAT(none.second,
             Contains("model.so has no code for cuda:0 (Fake), which is sm_100, but for sm_90, PTX of sm_110"));
  CHECK(DeviceModule(device, {{100, false, machineCode}, {80, true, good}}, "model.so").code() == "PTX of sm_80");
  auto refused = load({{100, false, machineCode}, {110, true, good}});
  CHECK(refused.first == GNN_ERROR_DATA);
  CHECK_THAT(refused.second, Contains("does not accept its code, sm_100"));
  auto malformed = load({{80, true, ".version 7.0\n.entry"}});
  CHECK(malformed.first == GNN_ERROR_DATA);
  CHECK_THAT(malformed.second, Contains("PTX line")); // what the driver has to say
  auto missing = failureOf([&] { DeviceModule(device, {{80, true, good}}, "model.so").function("other"); });
  CHECK(missing.first == GNN_ERROR_DATA);
  CHECK_THAT(missing.second, Contains("has no kernel other"));
}

TEST_CASE("a fault is reported with the kernel's name, and the process goes on", "[fake]") {
  for (bool isPlanted : {true, false}) {
    std::string message;
    {
      Fake fake(isPlanted ? "fault=gnn_fold_sum_f32" : "");
      Arrays arrays;
      cuda::Address slots = arrays.put(std::vector<float>(64)), result = arrays.put(std::vector<float>(64));
      auto product = arrays.kernels.multiply({slots, 1, 1}, {slots, 1, 1}, result, 1, 1, 1, 1), last = product;
      auto fold = arrays.kernels.fold(GNN_FOLD_SUM, GNN_F32, result, slots, 4, isPlanted ? 2 : 10000, 1);
      product.launch(*arrays.device);
      fold.launch(*arrays.device); // reads past the end where nothing is planted
      last.launch(*arrays.device);
      auto failure = failureOf([&] { arrays.device->finish(); });
      CHECK(failure.first == GNN_ERROR_DEVICE);
      message = failure.second;
      CHECK(failureOf([&] { arrays.device->allocate(64 << 20); }).second == message);
      CHECK(failureOf([&] { product.launch(*arrays.device); }).second == message);
    }
    CHECK_THAT(message, Contains("cuda:0 (Fake): kernel gnn_fold_sum_f32 failed") && Contains("ILLEGAL_ADDRESS"));
    Arrays again;
    again.device->finish();
  }
}
