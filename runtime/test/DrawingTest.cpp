//===- DrawingTest.cpp - The laws of samples ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How often is drawn what, against exact probabilities, by chi-square tests with fixed seeds: each fails by chance once
// in a thousand seeds.
//
//===----------------------------------------------------------------------===//

#include "FakeData.h"
#include "runtime/src/sample/Sampler.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <set>

using namespace gnn::rt;

namespace {

/// The value that chi-square with so many degrees of freedom exceeds once in a thousand times (Wilson and Hilferty
/// 1931).
double limitOf(double degrees) {
  const double third = 2 / (9 * degrees);
  return degrees * std::pow(1 - third + 3.0902 * std::sqrt(third), 3);
}

double chiSquare(const std::vector<double> &seen, const std::vector<double> &expected) {
  double sum = 0;
  for (size_t i = 0; i < seen.size(); ++i)
    sum += (seen[i] - expected[i]) * (seen[i] - expected[i]) / expected[i];
  return sum;
}

constexpr int64_t times = 200'000;

/// How often each of `count` is chosen where `draw(sequence, chosen)` chooses `most`.
template <class Draw> std::vector<double> frequencies(int64_t count, int64_t most, Draw draw) {
  std::vector<double> seen(size_t(count), 0);
  std::vector<int64_t> chosen(size_t(most), 0);
  for (int64_t i = 0; i < times; ++i) {
    draw(RandomSequence(uint64_t(i) * 977), chosen.data());
    for (size_t c = 0; c < chosen.size(); ++c) {
      REQUIRE((c == 0 || chosen[c - 1] <= chosen[c]));
      ++seen.at(size_t(chosen[c]));
    }
  }
  return seen;
}

} // namespace

TEST_CASE("edges are drawn without replacement, all alike") {
  const int64_t count = GENERATE(5, 16), most = GENERATE(1, 4);
  const std::vector<double> seen =
      frequencies(count, most, [&](RandomSequence draws, int64_t *to) { drawUniform(draws, count, most, to); });
  const double share = double(most) / double(count);
  // Of a sample without replacement the frequencies vary less, by 1 - share, and their sum is known.
  const double corrected = chiSquare(seen, std::vector<double>(size_t(count), double(times) * share)) / (1 - share) *
                           double(count - 1) / double(count);
  CHECK(corrected < limitOf(double(count - 1)));
}

TEST_CASE("edges are drawn with replacement") {
  const std::vector<double> seen =
      frequencies(7, 3, [](RandomSequence draws, int64_t *to) { drawRepeated(draws, 7, 3, to); });
  CHECK(chiSquare(seen, std::vector<double>(7, times * 3 / 7.)) < limitOf(6));
}

TEST_CASE("edges are drawn by weights, with replacement") {
  const std::vector<double> weights{1, 2, 3, 5, 0.5};
  const std::vector<double> seen = frequencies(5, 3, [&](RandomSequence draws, int64_t *to) {
    drawWeightedRepeated(draws, {weights.data(), weights.size()}, 3, to);
  });
  std::vector<double> expected;
  for (double weight : weights)
    expected.push_back(times * 3 * weight / 11.5);
  CHECK(chiSquare(seen, expected) < limitOf(4));
}

TEST_CASE("edges are drawn by weights without replacement, one after the other") {
  const std::vector<double> weights{1, 2, 3, 5};
  std::vector<double> seen(16, 0), expected(16, 0); // of pairs
  for (int64_t i = 0; i < times; ++i) {
    int64_t chosen[2];
    drawWeighted(RandomSequence(uint64_t(i) * 977), {weights.data(), weights.size()}, 2, chosen);
    REQUIRE(chosen[0] < chosen[1]);
    ++seen[size_t(4 * chosen[0] + chosen[1])];
  }
  for (size_t a = 0; a < 4; ++a)
    for (size_t b = 0; b < 4; ++b)
      if (a != b)
        expected[4 * std::min(a, b) + std::max(a, b)] += times * weights[a] / 11 * weights[b] / (11 - weights[a]);
  std::vector<double> seenPairs, expectedPairs;
  for (size_t pair = 0; pair < 16; ++pair)
    if (expected[pair] > 0) {
      seenPairs.push_back(seen[pair]);
      expectedPairs.push_back(expected[pair]);
    }
  REQUIRE(seenPairs.size() == 6);
  CHECK(chiSquare(seenPairs, expectedPairs) < limitOf(5));
}

TEST_CASE("neighbours are drawn once for all who read them") {
  const FakeLibrary fake;
  const FakeData data(60, 900);
  FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1);
  const gnn_program_t &program = *run.library->program(GNN_PROGRAM_TRAIN);
  Sampler labor(*run.library, run.binding, program, FanOuts("4", "test"), Drawing::parse("labor", "test"));
  const Csr &csr = run.binding.relation(0).csr(GNN_TO_DESTINATION);
  auto rowOf = [&](int64_t vertex) {
    return RowOfEdges{0, GNN_TO_DESTINATION, 0, vertex, csr.offsets[size_t(vertex)], csr.degree(vertex)};
  };
  // Each neighbour of vertex 3 by itself, edges to the same one together. Who would see none sees one.
  const RowOfEdges row = rowOf(3);
  REQUIRE(row.count > 8);
  std::map<uint32_t, double> seen;
  for (int64_t e = row.first; e < row.first + row.count; ++e)
    seen[csr.cols[size_t(e)]] = 0;
  const double share = 4 / double(row.count), neighbours = double(seen.size());
  constexpr int64_t steps = 100'000;
  std::vector<int64_t> places;
  for (int64_t step = 0; step < steps; ++step) {
    labor.begin(stepKey(1, uint64_t(step)));
    places.clear();
    labor.choose(row, places);
    REQUIRE(!places.empty());
    std::set<uint32_t> here;
    for (int64_t place : places)
      here.insert(csr.cols[size_t(place)]);
    for (uint32_t col : here)
      ++seen[col];
  }
  const double probability = share + std::pow(1 - share, neighbours) / neighbours;
  double sum = 0;
  for (auto [col, count] : seen)
    sum += std::pow(count - steps * probability, 2) / (steps * probability * (1 - probability));
  CHECK(sum < limitOf(neighbours));

  // What one vertex sees of those that both read, who has a larger share of its neighbours sees too.
  for (int64_t a = 0; a < 60; ++a)
    for (int64_t b = 0; b < 60; ++b) {
      if (csr.degree(a) <= 4 || csr.degree(b) < csr.degree(a))
        continue;
      std::vector<int64_t> ofA, ofB;
      labor.choose(rowOf(a), ofA);
      labor.choose(rowOf(b), ofB);
      std::set<uint32_t> seenByA, readByA;
      for (int64_t place : ofA)
        seenByA.insert(csr.cols[size_t(place)]);
      for (int64_t e = csr.offsets[size_t(a)]; e < csr.offsets[size_t(a) + 1]; ++e)
        readByA.insert(csr.cols[size_t(e)]);
      if (ofB.size() > 1) // and not the least of all
        for (int64_t place : ofB)
          if (const uint32_t col = csr.cols[size_t(place)]; readByA.count(col))
            CHECK(seenByA.count(col));
    }
}

TEST_CASE("with replacement a row is seen with as many edges as the fan-out") {
  const FakeLibrary fake;
  const FakeData data(60, 100);
  FakeRun run(fake, data, GNN_PROGRAM_TRAIN, /*threads=*/1);
  const Sampler sampler(*run.library, run.binding, *run.library->program(GNN_PROGRAM_TRAIN), FanOuts("5", "test"),
                        Drawing::parse("replace", "test"));
  for (int64_t count : {0, 1, 2, 5, 9}) {
    std::vector<int64_t> places{77};
    sampler.choose({0, GNN_TO_DESTINATION, 0, 12, /*first=*/20, count}, places);
    CHECK(places.size() == size_t(count > 0 ? 6 : 1));
    CHECK(places[0] == 77);
    for (size_t i = 1; i < places.size(); ++i)
      CHECK((places[i] >= 20 && places[i] < 20 + count));
  }
}

TEST_CASE("samplers by their names") {
  for (const char *name : {"uniform", "labor", "replace", "weight=w", "weight=w,replace"})
    CHECK(Drawing::parse(name, "test").text() == name);
  CHECK(Drawing::parse("replace,weight=w", "test").text() == "weight=w,replace");
  for (const char *wrong : {"", "labour", "weight=", "weight", "replace,", "replace,replace", "labor,replace",
                            "weight=a,weight=b", "uniform,replace"})
    CHECK_THROWS_WITH(Drawing::parse(wrong, "test"), Catch::Contains("is no sampler: expected uniform, labor"));
}
