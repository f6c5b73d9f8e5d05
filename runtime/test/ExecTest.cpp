//===- ExecTest.cpp - Tests of libraries and the whole-graph executor -----===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeData.h"
#include "gnn/error.hpp"
#include "runtime/src/cpu/Product.h"
#include "runtime/src/program/Fold.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>

using namespace gnn::rt;
using Catch::Matchers::Contains;

namespace {

std::shared_ptr<const Library> openFake(const FakeLibrary &fake) {
  return Library::fromTable(&fake.library, "fake.so");
}

template <class T> bool sameBits(const std::vector<T> &a, const std::vector<T> &b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

/// The loss of the fake model without dropout in double, straight from its formula.
double referenceLoss(const FakeData &data, const std::vector<float> &w, const std::vector<float> &b) {
  const Csr &csr = data.graph->edgeSet().relation().csr(GNN_TO_DESTINATION);
  const float *x = data.features.at("x").dense.data<float>();
  int64_t in = data.features.at("x").dense.dim(1);
  double loss = 0;
  for (int64_t v : data.train) {
    std::vector<double> y(b.begin(), b.end());
    for (int64_t e = csr.offsets[size_t(v)]; e < csr.offsets[size_t(v) + 1]; ++e)
      for (int64_t i = 0; i < in; ++i)
        for (size_t c = 0; c < b.size(); ++c)
          y[c] += double(x[csr.cols[size_t(e)] * in + i]) * w[size_t(i) * b.size() + c] / double(csr.degree(v));
    double sum = 0;
    for (double value : y)
      sum += std::exp(value);
    loss += std::log(sum) - y[size_t(data.features.at("y").dense.data<int64_t>()[v])];
  }
  return loss / double(data.train.size());
}

} // namespace

TEST_CASE("a library of another version or with a wrong index is refused") {
  FakeLibrary fake;
  CHECK(openFake(fake)->name() == "Fake");
  SECTION("ABI version") {
    fake.library.abi_version = 99;
    CHECK_THROWS_WITH(openFake(fake), Contains("fake.so") && Contains("version 99") &&
                                          Contains("version " + std::to_string(GNN_ABI_VERSION)));
  }
  SECTION("magic") {
    fake.library.magic = 1;
    CHECK_THROWS_WITH(openFake(fake), Contains("not a library compiled by gnnc"));
  }
  SECTION("size of a record") {
    fake.tensors[2].size = 64;
    CHECK_THROWS_WITH(openFake(fake), Contains("gnn_tensor_info_t has 64 bytes"));
  }
  SECTION("tensor of a step") {
    const uint32_t wrong[] = {0, 1, 99};
    fake.inferSteps[0].tensors = wrong;
    CHECK_THROWS_WITH(openFake(fake), Contains("step 0 is wrong"));
  }
  SECTION("phase") {
    fake.trainSteps[4].phase = GNN_PHASE_FORWARD; // it makes a gradient
    CHECK_THROWS_WITH(openFake(fake), Contains("step 4 is wrong"));
  }
  SECTION("layer") {
    fake.inferSteps[1].layer = 1; // it is the only one
    CHECK_THROWS_WITH(openFake(fake), Contains("step 1 is wrong"));
  }
  SECTION("use") {
    const auto change = GENERATE(
        +[](gnn_use_t &use) { use.tensor = 99; }, +[](gnn_use_t &use) { use.accesses ^= 2; },
        +[](gnn_use_t &use) { ++use.depth; }, +[](gnn_use_t &use) { ++use.first; }, +[](gnn_use_t &use) { --use.last; },
        +[](gnn_use_t &use) { use.is_kept ^= 1; });
    change(fake.uses[1][2]);
    CHECK_THROWS_WITH(openFake(fake), Contains("use 2 is wrong"));
  }
  SECTION("a use too few") {
    --fake.programs[1].num_uses;
    CHECK_THROWS_WITH(openFake(fake), Contains("use 0 is wrong"));
  }
  SECTION("extent of a shape") {
    const uint32_t wrong[] = {1000};
    fake.tensors[0].shape = wrong;
    CHECK_THROWS_WITH(openFake(fake), Contains("tensor 0 is wrong"));
  }
  SECTION("instruction set") {
    CHECK_THROWS_WITH(Library::fromTable(&fake.library, "fake.so", "x86-64-v9"),
                      Contains("x86-64-v9") && Contains("x86-64-v2"));
  }
  SECTION("file") { CHECK_THROWS_WITH(Library::open("/nowhere/model.so"), Contains("/nowhere/model.so")); }
}

TEST_CASE("dimensions come from data, the user or defaults, and contradictions name both") {
  FakeLibrary fake;
  auto library = openFake(fake);
  Dims dims(library);
  SECTION("defaults") {
    dims.bind("in", 5, "-D in=5");
    dims.finish();
    CHECK(dims.extents()[FakeLibrary::InClasses] == 15);
    CHECK(dims.extents()[FakeLibrary::TotalBytes] == 16);
  }
  SECTION("missing") { CHECK_THROWS_WITH(dims.finish(), Contains("'in'") && Contains("open")); }
  SECTION("contradiction") {
    dims.bind("in", 5, "-D in=5");
    CHECK_THROWS_WITH(dims.bind("in", 6, "width of x"), Contains("5 (-D in=5)") && Contains("6 (width of x)"));
  }
  SECTION("unknown name") {
    CHECK_THROWS_WITH(dims.bind("hiden", 5, "-D hiden=5"), Contains("hiden") && Contains("in, classes"));
  }
  SECTION("an expression is checked") {
    dims.bind("in", 5, "-D in=5");
    dims.bindExtent(FakeLibrary::InClasses, 16, "size of W");
    CHECK_THROWS_WITH(dims.finish(), Contains("size of W is 16") && Contains("in * classes = 15"));
  }
  SECTION("a negative extent") {
    fake.terms[4].coefficient = -8;
    dims.bind("in", 5, "-D in=5");
    CHECK_THROWS_WITH(dims.finish(), Contains("-8 * classes") && Contains("no less than 0"));
  }
  SECTION("overflow") {
    dims.bind("in", INT64_MAX / 2, "-D in");
    CHECK_THROWS_WITH(dims.finish(), Contains("too large"));
  }
}

TEST_CASE("data that does not fit is refused with its name") {
  FakeLibrary fake;
  FakeData data(20, 60);
  SECTION("missing feature") {
    data.features.erase("x");
    auto library = openFake(fake);
    Dims dims(library);
    dims.bind("in", 6, "-D in=6");
    dims.finish();
    CHECK_THROWS_WITH(Binding(library, dims, data.graph, data.features, true, "test data"),
                      Contains("input 'x'") && Contains("test data") && Contains("it has y"));
  }
  SECTION("width other than compiled") {
    fake.dims[0].fixed = 9;
    CHECK_THROWS_WITH(FakeRun(fake, data, GNN_PROGRAM_INFER, 1),
                      Contains("'in' is 9") && Contains("6 (width of x in test data)"));
  }
  SECTION("wrong number of vertices") {
    data.features["x"].dense = Tensor::zeros(GNN_F32, {19, 6});
    CHECK_THROWS_WITH(FakeRun(fake, data, GNN_PROGRAM_INFER, 1), Contains("[19, 6]") && Contains("[20, 6]"));
  }
}

TEST_CASE("temporaries that live together do not overlap and share memory otherwise") {
  FakeLibrary fake;
  FakeData data(3000, 9000);
  FakeRun run(fake, data, GNN_PROGRAM_TRAIN, 1);
  const MemoryPlan &plan = run.executor.plan();
  REQUIRE(plan.tensors.size() == 4); // %z, %y, %dy, %dz
  size_t sum = 0;
  for (const PlannedTensor &a : plan.tensors) {
    sum += a.bytes;
    CHECK(a.offset % 64 == 0);
    CHECK(a.offset + a.bytes <= plan.arenaBytes);
    for (const PlannedTensor &b : plan.tensors)
      if (&a != &b && a.firstStep <= b.lastStep && b.firstStep <= a.lastStep)
        CHECK((a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset));
  }
  const size_t slots = 384; // of the step that sums over rows, while both tensors that it reads are alive
  CHECK(plan.arenaBytes == sum / 2 + slots); // two of four are alive at any time
  CHECK_THAT(plan.listing(*run.library), Contains("%dy: 36032 bytes"));
  SECTION("reading before writing is an error") {
    std::swap(fake.trainSteps[1], fake.trainSteps[2]);
    fake.describe();
    CHECK_THROWS_WITH(FakeRun(fake, data, GNN_PROGRAM_TRAIN, 1), Contains("reads %y before it is computed"));
  }
}

TEST_CASE("what a step needs while it runs lies in memory that no tensor has then") {
  FakeLibrary fake;
  FakeData data(20, 60);
  FakeRun run(fake, data, GNN_PROGRAM_TRAIN, 1);
  const gnn_program_t &program = *run.library->program(GNN_PROGRAM_TRAIN);
  const size_t bytes = 640;
  const MemoryPlan plan = planMemory(
      *run.library, program, [&](uint32_t) { return bytes; }, {}, {}, std::vector<size_t>(program.num_steps, bytes));
  REQUIRE(plan.stepOffsets.size() == program.num_steps);
  for (uint32_t s = 0; s < program.num_steps; ++s)
    for (const PlannedTensor &tensor : plan.tensors)
      if (tensor.firstStep <= s && s <= tensor.lastStep)
        CHECK((plan.stepOffsets[s] + bytes <= tensor.offset || tensor.offset + bytes <= plan.stepOffsets[s]));
  CHECK(plan.arenaBytes == 3 * bytes); // two tensors are alive at any time
}

TEST_CASE("products match plain loops in both element types") {
  const int64_t m = 37, k = 11, n = 5;
  std::mt19937 random(3);
  std::vector<double> a(size_t(m * k)), b(size_t(k * n)), c(size_t(m * n));
  for (auto *v : {&a, &b})
    for (double &value : *v)
      value = double(random() % 100) / 10 - 5;
  std::vector<double> transposed(size_t(k * n));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t p = 0; p < k; ++p) {
        c[size_t(i * n + j)] += a[size_t(i * k + p)] * b[size_t(p * n + j)];
        transposed[size_t(j * k + p)] = b[size_t(p * n + j)];
      }
  std::vector<double> result(size_t(m * n)), sums(size_t(k * n)), expected(size_t(k * n));
  multiply(GNN_F64, false, m, n, k, a.data(), b.data(), result.data());
  for (size_t i = 0; i < c.size(); ++i)
    CHECK(result[i] == Approx(c[i]));
  multiply(GNN_F64, true, m, n, k, a.data(), transposed.data(), result.data());
  for (size_t i = 0; i < c.size(); ++i)
    CHECK(result[i] == Approx(c[i]));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; j < n; ++j)
        expected[size_t(p * n + j)] += a[size_t(i * k + p)] * c[size_t(i * n + j)];
  multiplyTransposed(GNN_F64, m, n, k, a.data(), c.data(), sums.data());
  std::vector<float> af(a.begin(), a.end()), cf(c.begin(), c.end()), sf(sums.size());
  multiplyTransposed(GNN_F32, m, n, k, af.data(), cf.data(), sf.data());
  for (size_t i = 0; i < sums.size(); ++i) {
    CHECK(sums[i] == Approx(expected[i]));
    CHECK(sf[i] == Approx(expected[i]).epsilon(1e-4).margin(1e-2));
  }
  std::vector<float> tf(transposed.begin(), transposed.end()), rf(c.size());
  multiply(GNN_F32, true, m, n, k, af.data(), tf.data(), rf.data());
  for (size_t i = 0; i < c.size(); ++i)
    CHECK(rf[i] == Approx(c[i]).epsilon(1e-4).margin(1e-3));
  CHECK(partialRows(1) == leastPartialRows);
  CHECK((100'000'000 + partialRows(100'000'000) - 1) / partialRows(100'000'000) <= maxPartials);
}

TEST_CASE("products that are summed over rows have every row once, however wide they are") {
  // small whole numbers, so that sums in f32 are exact in any order
  const int64_t k = GENERATE(1, 64, 1500), m = GENERATE(0, 1, 31, 700), n = 3;
  std::mt19937 random(5);
  std::vector<float> a(size_t(m * k)), b(size_t(m * n));
  for (auto *v : {&a, &b})
    for (float &value : *v)
      value = float(random() % 7) - 3;
  std::vector<float> sums(size_t(k * n), 2), expected(size_t(k * n), 2);
  for (int64_t i = 0; i < m; ++i)
    for (int64_t p = 0; p < k; ++p)
      for (int64_t j = 0; j < n; ++j)
        expected[size_t(p * n + j)] += a[size_t(i * k + p)] * b[size_t(i * n + j)];
  multiplyTransposed(GNN_F32, m, n, k, a.data(), b.data(), sums.data(), /*accumulate=*/true);
  CHECK(sums == expected);
  multiplyTransposed(GNN_F32, m, n, k, a.data(), b.data(), sums.data());
  for (float &value : sums)
    value += 2;
  CHECK(sums == expected);
}

TEST_CASE("evaluation gives the loss of the formula") {
  FakeLibrary fake;
  FakeData data(1500, 4000);
  FakeRun run(fake, data, GNN_PROGRAM_EVALUATE, 2);
  run.executor.run(0);
  double loss = 0;
  for (int64_t v : data.train)
    loss += run.executor.result(1).data<float>()[v];
  CHECK(loss / double(data.train.size()) == Approx(referenceLoss(data, run.w, run.b)).epsilon(1e-5));
}

TEST_CASE("a training step has the same bits at any number of threads and in any vertex order the same loss") {
  FakeLibrary fake;
  FakeData data(5000, 20000);
  uint64_t key = stepKey(1, 2);
  FakeRun one(fake, data, GNN_PROGRAM_TRAIN, 1);
  one.executor.run(key);
  for (unsigned threads : {2u, 4u}) {
    FakeRun many(fake, data, GNN_PROGRAM_TRAIN, threads);
    for (int repeat = 0; repeat < 20; ++repeat)
      many.executor.run(key);
    for (uint32_t i = 0; i < 3; ++i)
      CHECK(sameBits(values(one.executor.result(i)), values(many.executor.result(i))));
  }
  FakeRun otherKey(fake, data, GNN_PROGRAM_TRAIN, 2);
  otherKey.executor.run(stepKey(1, 3));
  CHECK_FALSE(sameBits(values(one.executor.result(0)), values(otherKey.executor.result(0))));

  FakeData sorted(5000, 20000, GNN_ORDER_DEGREE);
  FakeRun reordered(fake, sorted, GNN_PROGRAM_TRAIN, 2);
  REQUIRE(reordered.binding.order(0) != nullptr);
  reordered.executor.run(key);
  for (uint32_t i = 0; i < 3; ++i)
    for (int64_t j = 0; j < one.executor.result(i).count(); ++j)
      CHECK(reordered.executor.result(i).data<float>()[j] ==
            Approx(one.executor.result(i).data<float>()[j]).epsilon(1e-4).margin(1e-6));
}

TEST_CASE("a result that was taken is not written again") {
  FakeLibrary fake;
  FakeData data(100, 300);
  FakeRun run(fake, data, GNN_PROGRAM_INFER, 1);
  run.executor.run(0);
  Tensor first = run.executor.takeResult(0);
  std::vector<float> before = values(first);
  run.w[0] += 1;
  run.executor.run(0);
  CHECK(sameBits(before, values(first)));
  CHECK_FALSE(sameBits(before, values(run.executor.result(0))));
}

TEST_CASE("a result that was given up is written again in its place") {
  FakeLibrary fake;
  FakeData data(100, 300);
  FakeRun run(fake, data, GNN_PROGRAM_INFER, 1);
  run.executor.run(0);
  const void *first = run.executor.takeResult(0).data();
  run.executor.run(0);
  CHECK(run.executor.takeResult(0).data() == first);
}

TEST_CASE("an empty graph runs") {
  FakeLibrary fake;
  FakeData data(0, 0);
  FakeRun run(fake, data, GNN_PROGRAM_TRAIN, 2);
  run.executor.run(0);
  CHECK(values(run.executor.result(0)) == std::vector<float>{0.0f});
  CHECK(values(run.executor.result(1)) == std::vector<float>(18, 0.0f));
}

TEST_CASE("a profile names every step") {
  FakeLibrary fake;
  FakeData data(100, 300);
  FakeRun run(fake, data, GNN_PROGRAM_TRAIN, 1);
  run.executor.startProfile();
  run.executor.run(0);
  CHECK_THAT(run.executor.stepProfile().text(),
             Contains("aggregate_dropped") && Contains("product %z") && Contains("product over rows grad.W"));
}
