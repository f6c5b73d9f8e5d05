//===- ScoresTest.cpp - What predictions are worth ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers are those of scikit-learn 1.9.1.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Scores.h"

#include <catch2/catch.hpp>
#include <cmath>

using namespace gnn::rt;

namespace {

void check(const Scores &scores, const std::map<std::string, double> &expected) {
  CHECK(scores.values.size() == expected.size());
  for (const auto &[name, value] : expected) {
    CAPTURE(name);
    REQUIRE(scores.values.count(name));
    CHECK(scores.values.at(name) == Approx(value).epsilon(1e-12));
  }
}

using Table = std::vector<std::vector<int64_t>>;
const std::vector<int64_t> labels{0, 2, 1, 1, 0, 2, 2, 1};

} // namespace

TEST_CASE("scores of several classes") {
  const Rows logits{3, {2, 0, 1, 0, 1, 3, 0, 2, 2, 1, 0.5, 0, 1, 0, 0, 3, 1, 1, 0, 0, 1, 0, 2, 1}};
  const Scores scores = classScores(logits, labels);
  check(
      scores,
      {{"f1_macro", 0.7555555555555555}, {"f1_micro", 0.75}, {"auc", 0.8333333333333334}, {"ap", 0.7916666666666666}});
  CHECK(scores.confusion == Table{{2, 0, 0}, {1, 2, 0}, {1, 0, 2}});
}

TEST_CASE("a class without rows has no curve, and counts in F1 where it was given") {
  const Rows logits{
      4, {2, 0, 1, 0, 0, 1, 3, 0, 0, 2, 2, 0, 1, 0.5, 0, 4, 1, 0, 0, 0.5, 3, 1, 1, 0, 0, 0, 1, 0.5, 0, 2, 1, 0}};
  check(classScores(logits, labels), {{"f1_macro", 0.6}, {"f1_micro", 0.75}});
}

TEST_CASE("scores of numbers that are 0 or 1, with ties") {
  const Rows logits{1, {0.5, -1, 2, 2, -0.5, 0.5, -3, -1}}, ones{1, {0, 0, 1, 1, 0, 0, 0, 1}};
  const Scores scores = binaryScores(logits, ones);
  check(scores, {{"accuracy", 0.625},
                 {"f1", 0.5714285714285714},
                 {"f1_macro", 0.6190476190476191},
                 {"f1_micro", 0.625},
                 {"auc", 0.7666666666666666},
                 {"ap", 0.8095238095238095}});
  CHECK(scores.confusion == Table{{3, 2}, {1, 2}});
  check(binaryScores({1, {0.5, 1}}, {1, {0.5, 1}}), {}); // half a one is no class
}

TEST_CASE("scores of two logits are those of their difference") {
  Rows two{2, {}};
  const std::vector<double> differences{0.5, -1, 2, 2, -0.5, 0.5, -3, -1};
  for (double difference : differences) {
    two.numbers.push_back(1);
    two.numbers.push_back(1 + difference);
  }
  check(
      classScores(two, {0, 0, 1, 1, 0, 0, 0, 1}),
      {{"f1_macro", 0.6190476190476191}, {"f1_micro", 0.625}, {"auc", 0.7666666666666666}, {"ap", 0.8095238095238095}});
}

TEST_CASE("scores of several numbers that are 0 or 1") {
  const Rows logits{3, {1, -1, -2, -1, 2, 1, 2, -1, 1, 0.5, -3, -1}}, ones{3, {1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0}};
  const Scores scores = binaryScores(logits, ones);
  check(
      scores,
      {{"f1_macro", 0.6555555555555556}, {"f1_micro", 0.6666666666666666}, {"auc", 0.75}, {"ap", 0.7777777777777777}});
  CHECK(scores.confusion.empty());
}

TEST_CASE("scores of numbers") {
  check(numberScores({1, {1.5, 2, 3, 3.5}}, {1, {1, 2, 4, 3}}),
        {{"mae", 0.5}, {"rmse", 0.6123724356957945}, {"r2", 0.7}});
  check(numberScores({2, {1.5, 2, 2, 1, 3, 2.5, 3.5, 2}}, {2, {1, 2, 2, 2, 4, 2, 3, 2}}), // the second is constant
        {{"mae", 0.4375}, {"rmse", 0.585694715035371}, {"r2", 0.35}});
}

TEST_CASE("of no rows, and of logits that are no numbers, there are no curves") {
  check(classScores({3, {}}, {}), {});
  check(binaryScores({1, {}}, {1, {}}), {});
  check(numberScores({1, {}}, {1, {}}), {});
  CHECK(!classScores({2, {NAN, 1, 0, 1}}, {0, 1}).values.count("auc"));
}
