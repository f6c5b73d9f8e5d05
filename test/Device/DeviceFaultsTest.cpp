//===- DeviceFaultsTest.cpp - What is said of a device that fails ---------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of the tag [fake] need the fake libcuda; the others hold on any GPU.
//
//===----------------------------------------------------------------------===//

#include "DeviceTesting.h"
#include "runtime/src/cpu/Product.h"
#include "runtime/src/cuda/DeviceQueues.h"
#include "runtime/src/program/Fold.h"

#include <cstdlib>
#include <utility>

using namespace gnn::rt;
using Catch::Matchers::Contains;

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

TEST_CASE("where the device cannot tell which kernel begins, work goes on and a fault is of those asked for",
          "[fake]") {
  Fake fake("no-fills");
  Arrays arrays;
  cuda::Address number = arrays.put(std::vector<float>{1, 2}), result = arrays.put(std::vector<float>{0});
  auto fold = [&] { return arrays.kernels.fold(GNN_FOLD_SUM, GNN_F32, result, number, 4, 2, 1); };
  fold().launch(*arrays.device);
  CHECK(arrays.get<float>(result, 1)[0] == 3);
  Fake later("no-fills,fault=gnn_fold_sum_f32");
  fold().launch(*arrays.device);
  CHECK_THAT(failureOf([&] { arrays.device->finish(); }).second,
             Contains("cuda:0 (Fake): kernel gnn_fold_sum_f32 failed"));
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
    CHECK_THAT(message, Contains("cuda:0 (Fake): kernel gnn_fold_sum_f32 failed") && Contains("ILLEGAL_ADDRESS") &&
                            Contains("end this process"));
    Arrays again;
    again.device->finish();
  }
}
