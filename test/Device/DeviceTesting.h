//===- DeviceTesting.h - What tests of devices share ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_DEVICETESTING_H
#define GNNC_TEST_DEVICETESTING_H

#include "gnn/error.hpp"
#include "runtime/src/cuda/Device.h"
#include "runtime/src/cuda/DeviceKernels.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

/// What the fake driver is told while this lives.
struct Fake {
  explicit Fake(const std::string &settings) { setenv("GNN_FAKE_CUDA", settings.c_str(), 1); }
  ~Fake() { unsetenv("GNN_FAKE_CUDA"); }
};

template <class Body> inline std::pair<gnn_status_t, std::string> failureOf(Body body) {
  try {
    body();
  } catch (const gnn::Error &error) {
    return {error.code(), error.what()};
  }
  return {GNN_OK, ""};
}

inline std::vector<float> randomNumbers(size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<float> numbers;
  for (size_t i = 0; i < count; ++i)
    numbers.push_back(float(random() % 2001) / 1000 - 1);
  return numbers;
}

/// Arrays on a device.
struct Arrays {
  Arrays() : device(gnn::rt::Device::open(0)), scope(*device), kernels(device) {}

  template <class T> gnn::rt::cuda::Address put(const std::vector<T> &values) {
    arrays.push_back(device->allocate(values.size() * sizeof(T)));
    device->upload(arrays.back().address(), values.data(), values.size() * sizeof(T));
    return arrays.back().address();
  }
  template <class T> std::vector<T> get(gnn::rt::cuda::Address address, size_t count) {
    std::vector<T> values(count);
    device->download(values.data(), address, count * sizeof(T));
    return values;
  }

  std::shared_ptr<gnn::rt::Device> device;
  gnn::rt::Device::Scope scope;
  gnn::rt::DeviceKernels kernels;
  std::vector<gnn::rt::DeviceArray> arrays;
};

inline void checkNear(const std::vector<float> &found, const std::vector<float> &expected) {
  REQUIRE(found.size() == expected.size());
  for (size_t i = 0; i < found.size(); ++i)
    CHECK(found[i] == Catch::Detail::Approx(expected[i]).margin(1e-5));
}

#endif // GNNC_TEST_DEVICETESTING_H
