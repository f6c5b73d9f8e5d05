//===- SweepTest.cpp - Compiled sweeps against plain loops ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every aggregator at odd widths, fixed and open, over empty rows and hubs; and the contract on order: the same bits
// however a row is cut.
//
//===----------------------------------------------------------------------===//

#include "SweepTesting.h"
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace gnnc;
using namespace gnnc::testing;

namespace {

constexpr const char *weightedSum = R"(
  star.kernel @k sweep of 0 to destination
      inputs [#star.operand<row <V, [], f32>>, #star.operand<col <V, [@F], f32>>, #star.operand<edge <E, [], f32>>]
      outputs [#star.operand<row <V, [@F], f32>>] reduce [#gnn.@A] step {
  ^bb0(%v: !gnn.field<D, [], f32>, %u: !gnn.field<S, [@F], f32>, %e: !gnn.field<E, [], f32>):
    %0 = gnn.broadcast %e dims [] : !gnn.field<E, [], f32> -> !gnn.field<E, [@F], f32>
    %1 = gnn.mul %0, %u : (!gnn.field<E, [@F], f32>, !gnn.field<S, [@F], f32>) -> !gnn.field<E, [@F], f32>
    star.contribute [%1] : !gnn.field<E, [@F], f32>
  } end {
  ^bb0(%v: !gnn.field<V, [], f32>, %sum: !gnn.field<V, [@F], f32>):
    %0 = gnn.broadcast %v dims [] : !gnn.field<V, [], f32> -> !gnn.field<V, [@F], f32>
    %1 = gnn.mul %0, %sum : (!gnn.field<V, [@F], f32>, !gnn.field<V, [@F], f32>) -> !gnn.field<V, [@F], f32>
    star.yield %1 : !gnn.field<V, [@F], f32>
  })";

constexpr const char *softmaxOverHeads = R"(
  star.kernel @k sweep of 0 to destination
      inputs [#star.operand<row <V, [@F], f32>>, #star.operand<col <V, [@F], f32>>, #star.operand<col <V, [@F, 8], f32>>]
      outputs [#star.operand<row <V, [@F, 8], f32>>] reduce [#gnn.logsumexp, #star.softmax_sum<0, [0]>] step {
  ^bb0(%t: !gnn.field<D, [@F], f32>, %s: !gnn.field<S, [@F], f32>, %z: !gnn.field<S, [@F, 8], f32>):
    %0 = gnn.add %s, %t : (!gnn.field<S, [@F], f32>, !gnn.field<D, [@F], f32>) -> !gnn.field<E, [@F], f32>
    %1, %2 = star.online_softmax %0 of 0 : !gnn.field<E, [@F], f32> -> !gnn.field<E, [@F], f32>
    %3 = gnn.broadcast %2 dims [0] : !gnn.field<E, [@F], f32> -> !gnn.field<E, [@F, 8], f32>
    %4 = gnn.mul %3, %z : (!gnn.field<E, [@F, 8], f32>, !gnn.field<S, [@F, 8], f32>) -> !gnn.field<E, [@F, 8], f32>
    star.contribute [%0, %4] : !gnn.field<E, [@F], f32>, !gnn.field<E, [@F, 8], f32>
  } end {
  ^bb0(%t: !gnn.field<V, [@F], f32>, %n: !gnn.field<V, [@F], f32>, %sum: !gnn.field<V, [@F, 8], f32>):
    star.yield %sum : !gnn.field<V, [@F, 8], f32>
  })";

/// Numbers behind which lies a page that nobody may read.
class GuardedNumbers {
public:
  explicit GuardedNumbers(const std::vector<float> &numbers) {
    const size_t page = sysconf(_SC_PAGESIZE), size = numbers.size() * sizeof(float);
    const size_t readable = (size + page - 1) / page * page;
    bytes = readable + page;
    pages = static_cast<char *>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    REQUIRE(pages != MAP_FAILED);
    REQUIRE(mprotect(pages + readable, page, PROT_NONE) == 0);
    first = reinterpret_cast<float *>(pages + readable - size);
    std::copy(numbers.begin(), numbers.end(), first);
  }
  GuardedNumbers(const GuardedNumbers &) = delete;
  ~GuardedNumbers() { munmap(pages, bytes); }
  float *data() const { return first; }

private:
  char *pages;
  size_t bytes;
  float *first;
};

} // namespace

TEST_CASE("a weighted sum") {
  Block block = makeBlock(degrees, numCols, 1);
  atEveryWidth([&](Target target, int64_t width, const std::string &dim) {
    Kernel kernel(text(weightedSum, dim), target, {{"F", width}});
    std::vector<float> v = randomNumbers(degrees.size(), 2), u = randomNumbers(numCols * width, 3),
                       e = randomNumbers(block.cols.size(), 4);
    std::vector<float> output(degrees.size() * width);
    kernel.tensors = {v.data(), u.data(), e.data(), output.data()};
    runEveryWay(kernel, block, output);

    std::vector<double> expected(output.size());
    for (size_t row = 0; row < degrees.size(); ++row)
      for (int64_t i = 0; i < width; ++i) {
        double sum = 0;
        for (int64_t edge = block.offsets[row]; edge < block.offsets[row + 1]; ++edge)
          sum += double(e[edge]) * u[block.cols[edge] * width + i];
        expected[row * width + i] = v[row] * sum;
      }
    checkClose(output, expected, 1e-5);
  });
}

TEST_CASE("logsumexp") {
  Block block = makeBlock(degrees, numCols, 5);
  atEveryWidth([&](Target target, int64_t width, const std::string &dim) {
    Kernel kernel(text(weightedSum, dim, "logsumexp"), target, {{"F", width}});
    std::vector<float> v(degrees.size(), 1), u = randomNumbers(numCols * width, 6),
                                             e = randomNumbers(block.cols.size(), 7);
    for (float &number : e)
      number *= 30;
    std::vector<float> output(degrees.size() * width);
    kernel.tensors = {v.data(), u.data(), e.data(), output.data()};
    runEveryWay(kernel, block, output);
    std::vector<double> expected(output.size());
    for (size_t row = 0; row < degrees.size(); ++row)
      for (int64_t i = 0; i < width; ++i) {
        double sum = 0;
        for (int64_t edge = block.offsets[row]; edge < block.offsets[row + 1]; ++edge)
          sum += std::exp(double(e[edge]) * u[block.cols[edge] * width + i]);
        expected[row * width + i] = degrees[row] == 0 ? 0 : std::log(sum); // 0 over nothing, as every aggregator gives
      }
    checkClose(output, expected, 2e-6);
  });
}

TEST_CASE("max gives the first of equals and its edge") {
  constexpr const char *kernelText = R"(
    star.kernel @k sweep of 0 to destination inputs [#star.operand<col <V, [@F], f32>>]
        outputs [#star.operand<row <V, [@F], f32>>, #star.operand<row <V, [@F], i64>>] reduce [#gnn.max] step {
    ^bb0(%u: !gnn.field<S, [@F], f32>):
      star.contribute [%u] : !gnn.field<S, [@F], f32>
    } end {
    ^bb0(%max: !gnn.field<V, [@F], f32>, %arg: !gnn.field<V, [@F], i64>):
      star.yield %max, %arg : !gnn.field<V, [@F], f32>, !gnn.field<V, [@F], i64>
    })";
  Block block = makeBlock(degrees, numCols, 8);
  atEveryWidth([&](Target target, int64_t width, const std::string &dim) {
    Kernel kernel(text(kernelText, dim), target, {{"F", width}});
    std::vector<float> u = randomNumbers(numCols * width, 9), output(degrees.size() * width);
    std::vector<int64_t> args(output.size());
    kernel.tensors = {u.data(), output.data(), args.data()};
    runEveryWay(kernel, block, output);
    for (size_t row = 0; row < degrees.size(); ++row)
      for (int64_t i = 0; i < width; ++i) {
        float best = 0;
        int64_t arg = -1;
        for (int64_t edge = block.offsets[row]; edge < block.offsets[row + 1]; ++edge)
          if (float number = u[block.cols[edge] * width + i]; arg < 0 || number > best) {
            best = number;
            arg = edge;
          }
        if (output[row * width + i] != best || args[row * width + i] != arg)
          FAIL("row " << row << ", element " << i << ": " << output[row * width + i] << " of edge "
                      << args[row * width + i]);
      }
  });
}

TEST_CASE("attention over heads") {
  constexpr const char *kernelText = R"(
    star.kernel @k sweep of 0 to destination
        inputs [#star.operand<row <V, [@F], f32>>, #star.operand<col <V, [@F], f32>>, #star.operand<col <V, [@F, out], f32>>]
        outputs [#star.operand<row <V, [@F, out], f32>>, #star.operand<edge <E, [@F], f32>>] reduce [#gnn.sum] step {
    ^bb0(%t: !gnn.field<D, [@F], f32>, %s: !gnn.field<S, [@F], f32>, %z: !gnn.field<S, [@F, out], f32>):
      %0 = gnn.add %s, %t : (!gnn.field<S, [@F], f32>, !gnn.field<D, [@F], f32>) -> !gnn.field<E, [@F], f32>
      %1 = gnn.exp %0 : !gnn.field<E, [@F], f32>
      %2 = gnn.broadcast %1 dims [0] : !gnn.field<E, [@F], f32> -> !gnn.field<E, [@F, out], f32>
      %3 = gnn.mul %2, %z : (!gnn.field<E, [@F, out], f32>, !gnn.field<S, [@F, out], f32>) -> !gnn.field<E, [@F, out], f32>
      star.contribute [%3] edges [%1] : !gnn.field<E, [@F, out], f32>, !gnn.field<E, [@F], f32>
    } end {
    ^bb0(%t: !gnn.field<V, [@F], f32>, %sum: !gnn.field<V, [@F, out], f32>):
      star.yield %sum : !gnn.field<V, [@F, out], f32>
    })";
  Block block = makeBlock(degrees, numCols, 10);
  for (Target target : runnableTargets())
    for (int64_t heads : {1, 3, 8})
      for (int64_t out : {5, 8})
        for (bool open : {false, true}) {
          INFO(target.name() << ", " << heads << " heads of " << out << (open ? ", open" : ", fixed"));
          std::string module = text(kernelText, open ? "heads" : std::to_string(heads));
          if (!open)
            for (size_t at; (at = module.find(", out]")) != std::string::npos;)
              module.replace(at, 6, ", " + std::to_string(out) + "]");
          Kernel kernel(module, target, {{"heads", heads}, {"out", out}});
          std::vector<float> t = randomNumbers(degrees.size() * heads, 11), s = randomNumbers(numCols * heads, 12);
          std::vector<float> z = randomNumbers(numCols * heads * out, 13);
          std::vector<float> output(degrees.size() * heads * out), alphas(block.cols.size() * heads);
          kernel.tensors = {t.data(), s.data(), z.data(), output.data(), alphas.data()};
          runEveryWay(kernel, block, output);
          std::vector<double> expected(output.size()), expectedAlphas(alphas.size());
          for (size_t row = 0; row < degrees.size(); ++row)
            for (int64_t edge = block.offsets[row]; edge < block.offsets[row + 1]; ++edge)
              for (int64_t h = 0; h < heads; ++h) {
                int64_t col = block.cols[edge];
                double alpha = std::exp(double(s[col * heads + h]) + t[row * heads + h]);
                expectedAlphas[edge * heads + h] = alpha;
                for (int64_t i = 0; i < out; ++i)
                  expected[(row * heads + h) * out + i] += alpha * z[(col * heads + h) * out + i];
              }
          checkClose(output, expected, 1e-5);
          checkClose(alphas, expectedAlphas, 1e-6);
        }
}

TEST_CASE("softmax sums over heads") {
  constexpr int64_t out = 8;
  Block block = makeBlock(degrees, numCols, 20);
  atEveryWidth(
      [&](Target target, int64_t heads, const std::string &dim) {
        Kernel kernel(text(softmaxOverHeads, dim), target, {{"F", heads}});
        std::vector<float> t = randomNumbers(degrees.size() * heads, 21), s = randomNumbers(numCols * heads, 22);
        std::vector<float> z = randomNumbers(numCols * heads * out, 23), output(degrees.size() * heads * out);
        kernel.tensors = {t.data(), s.data(), z.data(), output.data()};
        runEveryWay(kernel, block, output);
        std::vector<double> expected(output.size());
        for (size_t row = 0; row < degrees.size(); ++row)
          for (int64_t h = 0; h < heads; ++h) {
            double *of = &expected[(row * heads + h) * out], total = 0;
            for (int64_t edge = block.offsets[row]; edge < block.offsets[row + 1]; ++edge) {
              const int64_t from = block.cols[edge] * heads + h;
              const double weight = std::exp(double(s[from]) + t[row * heads + h]);
              total += weight;
              for (int64_t i = 0; i < out; ++i)
                of[i] += weight * z[from * out + i];
            }
            for (int64_t i = 0; i < out && total > 0; ++i)
              of[i] /= total;
          }
        checkClose(output, expected, 1e-5);
      },
      {1, 3, 4});
}

// Few elements of open dimensions have versions of their own; which one runs is seen in the speed alone.
TEST_CASE("open heads and widths have the bits of known ones") {
  constexpr const char *kernelText = R"(
    star.kernel @k sweep of 0 to destination
        inputs [#star.operand<row <V, [@A], f32>>, #star.operand<row <V, [@F], f32>>, #star.operand<col <V, [@A], f32>>]
        outputs [#star.operand<row <V, [@A], f32>>, #star.operand<row <V, [@F], f32>>]
        reduce [#gnn.logsumexp, #star.softmax_sum<0, [0]>, #gnn.sum] step {
    ^bb0(%y: !gnn.field<D, [@A], f32>, %t: !gnn.field<D, [@F], f32>, %z: !gnn.field<S, [@A], f32>):
      %0 = gnn.mul %z, %y : (!gnn.field<S, [@A], f32>, !gnn.field<D, [@A], f32>) -> !gnn.field<E, [@A], f32>
      %1 = gnn.reduce #gnn.sum %0 dim 1 : (!gnn.field<E, [@A], f32>) -> !gnn.field<E, [@F], f32>
      %2 = gnn.add %1, %t : (!gnn.field<E, [@F], f32>, !gnn.field<D, [@F], f32>) -> !gnn.field<E, [@F], f32>
      %3, %4 = star.online_softmax %2 of 0 : !gnn.field<E, [@F], f32> -> !gnn.field<E, [@F], f32>
      %5 = gnn.dropout_mask site 1 probability 5.000000e-01 : !gnn.field<E, [@F], f32>
      %6 = gnn.mul %4, %5 : (!gnn.field<E, [@F], f32>, !gnn.field<E, [@F], f32>) -> !gnn.field<E, [@F], f32>
      %7 = gnn.broadcast %6 dims [0] : !gnn.field<E, [@F], f32> -> !gnn.field<E, [@A], f32>
      %8 = gnn.mul %7, %z : (!gnn.field<E, [@A], f32>, !gnn.field<S, [@A], f32>) -> !gnn.field<E, [@A], f32>
      star.contribute [%2, %8, %1] : !gnn.field<E, [@F], f32>, !gnn.field<E, [@A], f32>, !gnn.field<E, [@F], f32>
    } end {
    ^bb0(%y: !gnn.field<V, [@A], f32>, %t: !gnn.field<V, [@F], f32>, %n: !gnn.field<V, [@F], f32>, %sum: !gnn.field<V, [@A], f32>, %scores: !gnn.field<V, [@F], f32>):
      star.yield %sum, %scores : !gnn.field<V, [@A], f32>, !gnn.field<V, [@F], f32>
    })";
  auto withDims = [&](const std::string &both, const std::string &ofHeads) { return text(kernelText, ofHeads, both); };
  const Block block = makeBlock(degrees, numCols, 40);
  const std::pair<int64_t, int64_t> shapes[] = {{1, 1},  {1, 17}, {2, 31}, {2, 33}, {3, 7},
                                                {4, 16}, {5, 8},  {7, 1},  {8, 8},  {9, 2}};
  for (Target target : runnableTargets())
    for (auto [heads, out] : shapes) {
      if (!target.isa)
        continue;
      INFO(target.name() << ", " << heads << " heads of " << out);
      const GuardedNumbers y(randomNumbers(degrees.size() * heads * out, 41));
      const GuardedNumbers t(randomNumbers(degrees.size() * heads, 42)), z(randomNumbers(numCols * heads * out, 43));
      auto compute = [&](const std::string &module) {
        Kernel kernel(module, target, {{"heads", heads}, {"out", out}});
        std::vector<float> sums(degrees.size() * heads * out), scores(degrees.size() * heads);
        kernel.tensors = {y.data(), t.data(), z.data(), sums.data(), scores.data()};
        runEveryWay(kernel, block, sums);
        sums.insert(sums.end(), scores.begin(), scores.end());
        return sums;
      };
      const std::vector<float> open = compute(withDims("heads, out", "heads"));
      const std::vector<float> expected =
          compute(withDims(std::to_string(heads) + ", " + std::to_string(out), std::to_string(heads)));
      CHECK(std::memcmp(open.data(), expected.data(), open.size() * sizeof(float)) == 0);
    }
}

// Threads of a head have its normaliser in common: where some still read that of the row before, none may load the
// next.
TEST_CASE("groups of a device that go on with several cut rows") {
  constexpr int64_t heads = 4, out = 8, numRows = 100; // more than one block has groups
  Kernel kernel(text(softmaxOverHeads, std::to_string(heads)), {std::nullopt, nullptr}, {{"F", heads}});
  std::vector<float> t = randomNumbers(numRows * heads, 31), s = randomNumbers(numCols * heads, 32);
  std::vector<float> z = randomNumbers(numCols * heads * out, 33), output(numRows * heads * out);
  kernel.tensors = {t.data(), s.data(), z.data(), output.data()};
  const Block block = makeBlock(std::vector<int64_t>(numRows, 3), numCols, 30);
  kernel.run(block);
  const std::vector<float> whole = output;
  kernel.runCut(block, std::vector<int64_t>(numRows, 3)); // all that is left are the totals
  CHECK(output == whole);
}

TEST_CASE("a filter leaves edges out") {
  constexpr const char *kernelText = R"(
    star.kernel @k sweep of 0 to destination inputs [#star.operand<col <V, [@F], f32>>, #star.operand<edge <E, [], i1>>]
        outputs [#star.operand<row <V, [@F], f32>>] reduce [#gnn.sum] step {
    ^bb0(%u: !gnn.field<S, [@F], f32>, %e: !gnn.field<E, [], i1>):
      star.contribute [%u] filters [%e] of [0] : !gnn.field<S, [@F], f32>, !gnn.field<E, [], i1>
    } end {
    ^bb0(%sum: !gnn.field<V, [@F], f32>):
      star.yield %sum : !gnn.field<V, [@F], f32>
    })";
  Block block = makeBlock(degrees, numCols, 14);
  atEveryWidth([&](Target target, int64_t width, const std::string &dim) {
    Kernel kernel(text(kernelText, dim), target, {{"F", width}});
    std::vector<float> u = randomNumbers(numCols * width, 15), output(degrees.size() * width);
    std::vector<uint8_t> keep(block.cols.size());
    for (size_t edge = 0; edge < keep.size(); ++edge)
      keep[edge] = edge % 3 != 0;
    kernel.tensors = {u.data(), keep.data(), output.data()};
    runEveryWay(kernel, block, output);
    std::vector<double> expected(output.size());
    for (size_t row = 0; row < degrees.size(); ++row)
      for (int64_t edge = block.offsets[row]; edge < block.offsets[row + 1]; ++edge)
        for (int64_t i = 0; i < width && keep[edge]; ++i)
          expected[row * width + i] += u[block.cols[edge] * width + i];
    checkClose(output, expected, 1e-5);
  });
}
