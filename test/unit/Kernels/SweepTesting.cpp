//===- SweepTesting.cpp - Sweeps at every width and cut -------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepTesting.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <random>

namespace gnnc::testing {

const std::vector<int64_t> degrees = {3, 0, 1, 2500, 17, 0, 1024, 5, 2048, 1};

std::vector<float> randomNumbers(size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<float> numbers(count);
  for (float &number : numbers)
    number = (random() % 2001) / 1000.0f - 1;
  return numbers;
}

std::string text(std::string pattern, const std::string &dim, const std::string &aggregator) {
  auto replace = [&](const std::string &from, const std::string &to) {
    for (size_t at; (at = pattern.find(from)) != std::string::npos;)
      pattern.replace(at, from.size(), to);
  };
  replace("@F", dim);
  replace("@A", aggregator);
  return pattern;
}

void runEveryWay(Kernel &kernel, const Block &block, const std::vector<std::vector<float> *> &outputs) {
  auto run = [&](auto &&way) {
    std::vector<std::vector<float>> results;
    for (std::vector<float> *output : outputs)
      std::fill(output->begin(), output->end(), -99);
    way();
    for (const std::vector<float> *output : outputs)
      results.push_back(*output);
    return results;
  };
  const std::vector<std::vector<float>> whole = run([&] { kernel.run(block); });
  auto isSame = [&](auto &&way) {
    const std::vector<std::vector<float>> results = run(way);
    for (size_t i = 0; i < results.size(); ++i)
      CHECK(std::memcmp(whole[i].data(), results[i].data(), whole[i].size() * sizeof(float)) == 0);
  };
  std::vector<int64_t> inside, atBoundary;
  for (int64_t degree : degrees) {
    inside.push_back(degree * 2 / 3);
    atBoundary.push_back(std::min<int64_t>(degree, GNN_SEGMENT_LENGTH));
  }
  auto inPieces = [&] {
    for (const std::vector<int64_t> &cut : {inside, atBoundary}) {
      isSame([&] { kernel.runCut(block, cut); });
      isSame([&] { kernel.runInOrder(block, cut); });
    }
    isSame([&] { kernel.runMerged(block); });
  };
  inPieces();
  if (!kernel.hasPasses())
    return;
  kernel.inPasses = true;
  isSame([&] { kernel.run(block); });
  inPieces();
}

void checkClose(const std::vector<float> &actual, const std::vector<double> &expected, double tolerance) {
  double largest = 1e-30, worst = 0;
  for (double number : expected)
    largest = std::max(largest, std::fabs(number));
  for (size_t i = 0; i < actual.size(); ++i)
    worst = std::max(worst, std::fabs(actual[i] - expected[i]) / largest);
  CHECK(worst <= tolerance);
}

/// The emulated device is slow.
constexpr int64_t widestOnDevice = 33;

void atEveryWidth(const std::function<void(Target target, int64_t width, const std::string &dim)> &test,
                  const std::vector<int64_t> &widths) {
  for (Target target : runnableTargets())
    for (int64_t width : widths)
      for (bool open : {false, true}) {
        if (!target.isa && width > widestOnDevice)
          continue;
        INFO(target.name() << ", width " << width << (open ? ", open" : ", fixed"));
        test(target, width, open ? "F" : std::to_string(width));
      }
}

} // namespace gnnc::testing
