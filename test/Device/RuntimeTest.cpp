//===- RuntimeTest.cpp - The runtime on a device that is none -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver, memory, code and kernels of runtime/src/cuda over the fake libcuda, and what is said where they fail.
// Cases of the tag [fake] need its settings, or that it does work as late as it may; the others hold on any GPU.
//
//===----------------------------------------------------------------------===//

#include "DeviceTesting.h"
#include "runtime/src/cuda/DeviceBlocks.h"
#include "runtime/src/cuda/DeviceQueues.h"
#include "runtime/src/cuda/DeviceTensor.h"
#include "runtime/src/program/Fold.h"

#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

using namespace gnn::rt;
using Catch::Matchers::Contains;

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
  CHECK_THAT(failure.second, Contains("cuda:0 (Fake): out of memory: 2048KB are needed, with 3072KB of 3907KB in use"));
  large = DeviceArray();
  CHECK(device->memory().used() == 0);
  CHECK(device->allocate(2 << 20).address() != 0); // which what is kept must make way for
}

TEST_CASE("a budget is kept where the device has more") {
  std::shared_ptr<Device> device = Device::open(0, /*budget=*/1 << 20);
  Device::Scope scope(*device);
  DeviceArray half = device->allocate(1 << 19);
  CHECK(failureOf([&] { device->allocate(1 << 20); }).first == GNN_ERROR_MEMORY);
  CHECK(failureOf([&] { HostCopy::zeros(device, GNN_F32, {1 << 18}); }).first == GNN_ERROR_MEMORY);
  half = DeviceArray();
  CHECK(device->allocate(1 << 20).address() != 0);
}

TEST_CASE("memory with a copy here is what the device has free, whoever took the rest", "[fake]") {
  Fake fake("memory=1000000");
  std::shared_ptr<Device> device = Device::open(0), other = Device::open(0);
  Device::Scope scope(*device);
  DeviceArray most = other->allocate(800000);
  CHECK(failureOf([&] { HostCopy::zeros(device, GNN_F32, {100000}); }).first == GNN_ERROR_MEMORY);
  CHECK(HostCopy::zeros(device, GNN_F32, {10000}));
}

TEST_CASE("memory that one model keeps makes way for another model", "[fake]") {
  Fake fake("memory=4000000");
  std::shared_ptr<Device> one = Device::open(0), other = Device::open(0);
  Device::Scope scope(*one);
  one->allocate(3 << 20);
  CHECK(one->memory().kept() == 3 << 20);
  CHECK(other->allocate(3 << 20).address() != 0);
  CHECK(one->memory().kept() == 0);
  DeviceArray used = one->allocate(3 << 20); // which does not
  CHECK(failureOf([&] { other->allocate(3 << 20); }).first == GNN_ERROR_MEMORY);
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
    tensor = HostCopy::zeros(device, GNN_F32, {2, 3});
    CHECK(device->memory().used() > 0);
  }
  CHECK(std::vector<float>(tensor.data<float>(), tensor.data<float>() + 6) == std::vector<float>(6, 0.0f));
  tensor.mutableData<float>()[5] = 1;
}

TEST_CASE("a copy in this process is refreshed when it is read, and sent when it was written") {
  Arrays arrays;
  Device &device = *arrays.device;
  Tensor tensor = HostCopy::zeros(arrays.device, GNN_F32, {3});
  const float *here = tensor.data<float>(), seven = 7;
  const cuda::Address there = HostCopy::addressOf(here);
  auto found = [&] { return arrays.get<float>(there, 3); };
  CHECK(found() == std::vector<float>{0, 0, 0});
  tensor.mutableData<float>()[1] = 5;
  CHECK(found() == std::vector<float>{0, 0, 0});
  HostCopy::sendAll(device);
  CHECK(found() == std::vector<float>{0, 5, 0});
  tensor.mutableData<float>()[0] = 1;
  device.upload(HostCopy::addressOf(here + 2, /*isWritten=*/true), &seven, sizeof seven);
  CHECK(found() == std::vector<float>{1, 5, 7});
  CHECK(here[2] == 0);
  CHECK(tensor.as(GNN_F64, "numbers").data<double>()[2] == 7);
  CHECK(here[2] == 7);
  CHECK(HostCopy::addressOf(&seven) == cuda::Address(reinterpret_cast<uintptr_t>(&seven)));
  CHECK(!HostCopy::refresh(&seven));
  CHECK(!HostCopy::refresh(here + 3)); // behind the last element
}

TEST_CASE("what an application has is up to date between runs, and what it wrote is in the next") {
  Arrays arrays;
  Device &device = *arrays.device;
  const float seven = 7;
  Tensor tensor = HostCopy::zeros(arrays.device, GNN_F32, {1});
  const cuda::Address there = HostCopy::addressOf(tensor.data());
  auto atNextRun = [&] {
    HostCopy::sendAll(device);
    return arrays.get<float>(there, 1)[0];
  };
  {
    Tensor lent = tensor.lent(), shared = lent;
    lent = Tensor();
    auto *kept = static_cast<float *>(const_cast<void *>(shared.lentData()));
    CHECK(atNextRun() == 0);
    kept[0] = 9; // says nothing
    CHECK(atNextRun() == 9);
    device.upload(HostCopy::addressOf(tensor.data(), /*isWritten=*/true), &seven, sizeof seven);
    HostCopy::refreshLent(device);
    CHECK(kept[0] == 7);
    kept[0] = 3;
  }
  CHECK(atNextRun() == 3);
  static_cast<float *>(const_cast<void *>(tensor.lentData()))[0] = 4; // nobody may any more
  CHECK(atNextRun() == 3);
}

TEST_CASE("who gives a tensor up that a run has changed does not undo that") {
  Arrays arrays;
  Device &device = *arrays.device;
  const float seven = 7;
  Tensor tensor = HostCopy::zeros(arrays.device, GNN_F32, {1}), lent = tensor.lent();
  const void *here = tensor.lentData();
  device.upload(HostCopy::addressOf(here, /*isWritten=*/true), &seven, sizeof seven);
  lent = Tensor(); // which is not up to date
  HostCopy::sendAll(device);
  CHECK(arrays.get<float>(HostCopy::addressOf(here), 1)[0] == 7);
  CHECK(tensor.data<float>()[0] == 7);
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
  for (auto [error, advice] :
       {std::pair(221, "libnvidia-ptxjitcompiler.so.1"), {222, "newer driver"}, {223, "CUDA_DISABLE_PTX_JIT"}}) {
    Fake fake("ptx-error=" + std::to_string(error));
    auto failure = load({{100, false, machineCode}, {90, true, good}, {80, true, good}});
    CHECK(failure.first == GNN_ERROR_DATA);
    CHECK_THAT(failure.second,
               Contains("sm_100: ") && Contains("PTX of sm_90: ") && Contains("PTX of sm_80: ") && Contains(advice));
  }
  auto malformed = load({{80, true, ".version 7.0\n.entry"}});
  CHECK(malformed.first == GNN_ERROR_DATA);
  CHECK_THAT(malformed.second, Contains("PTX line")); // what the driver has to say
  auto missing = failureOf([&] { DeviceModule(device, {{80, true, good}}, "model.so").function("other"); });
  CHECK(missing.first == GNN_ERROR_DATA);
  CHECK_THAT(missing.second, Contains("has no kernel other"));
}
