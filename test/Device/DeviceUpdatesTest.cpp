//===- DeviceUpdatesTest.cpp - Updates of parameters on a device ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cases of the tag [fake] need the fake libcuda; the others hold on any GPU.
//
//===----------------------------------------------------------------------===//

#include "DeviceTesting.h"
#include "runtime/src/cpu/ClipGradients.h"
#include "runtime/src/cuda/DeviceTensor.h"

#include <cmath>
#include <cstring>

using namespace gnn::rt;

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
    Tensor values[3], state = HostCopy::zeros(arrays.device, GNN_F32, {7});
    for (Tensor &tensor : values)
      tensor = HostCopy::zeros(arrays.device, GNN_F32, {count});
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

TEST_CASE("gradients are clipped on a device as on the processor") {
  Arrays arrays;
  const int64_t counts[] = {9000, 5}; // several blocks; less than one
  cuda::Address numbers = arrays.put(std::vector<DeviceKernels::StepNumbers>{{0, 0.1f, 0, 0}});
  for (double mostNorm : {0.0, 0.5, 1e9}) {
    CAPTURE(mostNorm);
    Team team(2);
    std::vector<cuda::Address> results{arrays.put(std::vector<float>{1})};
    std::vector<Tensor> values;
    std::vector<std::vector<float>> gradients;
    std::vector<Update> updates, expected;
    for (int64_t count : counts) {
      gradients.push_back(randomNumbers(count, uint64_t(count)));
      results.push_back(arrays.put(gradients.back()));
      values.push_back(HostCopy::zeros(arrays.device, GNN_F32, {count}));
      updates.push_back({GNN_F32, count, values.back().mutableData(), nullptr, nullptr, nullptr, 0, 1});
    }
    for (size_t i = 0; i < 2; ++i)
      expected.push_back({GNN_F32, counts[i], nullptr, gradients[i].data(), nullptr, nullptr, 0, 1});
    if (mostNorm > 0)
      clipGradients(team, mostNorm, expected);
    const TrainingStep step{0, {false, 0.1, 0.1, 1}, updates, {}, mostNorm};
    DeviceUpdates launches(*arrays.device, arrays.kernels, step, results, numbers);
    CHECK(launches.isFor(step));
    CHECK(!launches.isFor({0, {false, 0.1, 0.1, 1}, updates, {}, mostNorm + 1}));
    launches.launch(*arrays.device);
    arrays.device->finish();
    for (size_t i = 0; i < 2; ++i)
      for (int64_t k = 0; k < counts[i]; ++k)
        REQUIRE(values[i].data<float>()[k] == Approx(-0.1f * gradients[i][size_t(k)]).epsilon(1e-6));
  }
}
