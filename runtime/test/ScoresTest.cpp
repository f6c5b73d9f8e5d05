//===- ScoresTest.cpp - What predictions are worth ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numbers are those of scikit-learn 1.9.1.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/train/Scores.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <utility>

using namespace gnn::rt;

namespace {

constexpr MetricValue none;

void check(const Scores &scores, const std::map<std::string, MetricValue> &expected) {
  CHECK(scores.values.size() == expected.size());
  for (const auto &[name, value] : expected) {
    CAPTURE(name);
    REQUIRE(scores.values.count(name));
    const MetricValue found = scores.values.at(name);
    REQUIRE(found.has_value() == value.has_value());
    if (value)
      CHECK(*found == Approx(*value).epsilon(1e-12));
  }
}

using Table = std::vector<std::vector<int64_t>>;
const Rows labels = Rows::of(1, {0, 2, 1, 1, 0, 2, 2, 1});

} // namespace

TEST_CASE("scores of several classes") {
  const Rows logits = Rows::of(3, {2, 0, 1, 0, 1, 3, 0, 2, 2, 1, 0.5, 0, 1, 0, 0, 3, 1, 1, 0, 0, 1, 0, 2, 1});
  const Scores scores = classScores(logits, labels);
  check(
      scores,
      {{"f1_macro", 0.7555555555555555}, {"f1_micro", 0.75}, {"auc", 0.8333333333333334}, {"ap", 0.7916666666666666}});
  CHECK(scores.confusion == Table{{2, 0, 0}, {1, 2, 0}, {1, 0, 2}});
}

TEST_CASE("a class without rows has no curve, and counts in F1 where it was given") {
  const Rows logits = Rows::of(
      4, {2, 0, 1, 0, 0, 1, 3, 0, 0, 2, 2, 0, 1, 0.5, 0, 4, 1, 0, 0, 0.5, 3, 1, 1, 0, 0, 0, 1, 0.5, 0, 2, 1, 0});
  check(classScores(logits, labels), {{"f1_macro", 0.6}, {"f1_micro", 0.75}, {"auc", none}, {"ap", none}});
}

TEST_CASE("scores of numbers that are 0 or 1, with ties") {
  const Rows logits = Rows::of(1, {0.5, -1, 2, 2, -0.5, 0.5, -3, -1}), ones = Rows::of(1, {0, 0, 1, 1, 0, 0, 0, 1});
  const Scores scores = binaryScores(logits, ones);
  check(scores, {{"accuracy", 0.625},
                 {"f1", 0.5714285714285714},
                 {"f1_macro", 0.6190476190476191},
                 {"f1_micro", 0.625},
                 {"auc", 0.7666666666666666},
                 {"ap", 0.8095238095238095}});
  CHECK(scores.confusion == Table{{3, 2}, {1, 2}});
  check(binaryScores(Rows::of(1, {0.5, 1}), Rows::of(1, {0.5, 1})), {}); // half a one is no class
}

TEST_CASE("scores of two logits are those of their difference") {
  std::vector<double> two;
  const std::vector<double> differences{0.5, -1, 2, 2, -0.5, 0.5, -3, -1};
  for (double difference : differences) {
    two.push_back(1);
    two.push_back(1 + difference);
  }
  check(
      classScores(Rows::of(2, two), Rows::of(1, {0, 0, 1, 1, 0, 0, 0, 1})),
      {{"f1_macro", 0.6190476190476191}, {"f1_micro", 0.625}, {"auc", 0.7666666666666666}, {"ap", 0.8095238095238095}});
}

TEST_CASE("scores of several numbers that are 0 or 1") {
  const Rows logits = Rows::of(3, {1, -1, -2, -1, 2, 1, 2, -1, 1, 0.5, -3, -1}),
             ones = Rows::of(3, {1, 0, 1, 0, 1, 1, 1, 1, 0, 0, 0, 0});
  const Scores scores = binaryScores(logits, ones);
  check(
      scores,
      {{"f1_macro", 0.6555555555555556}, {"f1_micro", 0.6666666666666666}, {"auc", 0.75}, {"ap", 0.7777777777777777}});
  CHECK(scores.confusion.empty());
}

TEST_CASE("scores of numbers") {
  check(numberScores(Rows::of(1, {1.5, 2, 3, 3.5}), Rows::of(1, {1, 2, 4, 3})),
        {{"mae", 0.5}, {"rmse", 0.6123724356957945}, {"r2", 0.7}});
  check(numberScores(Rows::of(2, {1.5, 2, 2, 1, 3, 2.5, 3.5, 2}),
                     Rows::of(2, {1, 2, 2, 2, 4, 2, 3, 2})), // the second is constant
        {{"mae", 0.4375}, {"rmse", 0.585694715035371}, {"r2", 0.35}});
}

TEST_CASE("metrics of no rows are none") {
  check(classScores(Rows::of(3, {}), Rows::of(1, {})),
        {{"f1_macro", none}, {"f1_micro", none}, {"auc", none}, {"ap", none}});
  check(binaryScores(Rows::of(1, {}), Rows::of(1, {})),
        {{"accuracy", none}, {"f1", none}, {"f1_macro", none}, {"f1_micro", none}, {"auc", none}, {"ap", none}});
  check(numberScores(Rows::of(1, {}), Rows::of(1, {})), {{"mae", none}, {"rmse", none}, {"r2", none}});
}

TEST_CASE("curves of logits that are no numbers are no numbers") {
  const Scores scores = classScores(Rows::of(2, {NAN, 1, 0, 1}), Rows::of(1, {0, 1}));
  CHECK(std::isnan(scores.values.at("auc").value()));
  CHECK(std::isnan(scores.values.at("ap").value()));
}

TEST_CASE("missing labels are left out of all metrics") {
  // the numbers without a missing label are those of the cases above, those beside one would change every metric
  check(numberScores(Rows::of(1, {1.5, 99, 2, 3, 3.5}), Rows::of(1, {1, NAN, 2, 4, 3})),
        {{"mae", 0.5}, {"rmse", 0.6123724356957945}, {"r2", 0.7}});
  check(numberScores(Rows::of(3, {1.5, 7, 2, -99, 7, 2, 2, 7, 99, 3, 7, 2.5, 3.5, 7, 2, -99, 7, 1}),
                     Rows::of(3, {1, NAN, 2, NAN, NAN, 2, 2, NAN, NAN, 4, NAN, 2, 3, NAN, 2, NAN, NAN, 2})),
        {{"mae", (0.5 + 0.3) / 2}, {"rmse", (0.6123724356957945 + 0.5) / 2}, {"r2", (0.7 + 0) / 2}});
  check(binaryScores(Rows::of(1, {0.5, -1, 99, 2, 2, -0.5, 0.5, -3, -99, -1}),
                     Rows::of(1, {0, 0, NAN, 1, 1, 0, 0, 0, NAN, 1})),
        {{"accuracy", 0.625},
         {"f1", 0.5714285714285714},
         {"f1_macro", 0.6190476190476191},
         {"f1_micro", 0.625},
         {"auc", 0.7666666666666666},
         {"ap", 0.8095238095238095}});
  check(binaryScores(Rows::of(2, {0.5, 9, -1, 9, 2, -9, 2, 9, -0.5, 0}),
                     Rows::of(2, {0, NAN, NAN, NAN, 1, NAN, 1, NAN, 0, NAN})),
        {{"f1_macro", 0.8}, {"f1_micro", 0.8}, {"auc", 1}, {"ap", 1}});
}

TEST_CASE("metrics without labels, of one row and of outputs that are no numbers") {
  check(numberScores(Rows::of(1, {1, 2}), Rows::of(1, {NAN, NAN})), {{"mae", none}, {"rmse", none}, {"r2", none}});
  check(numberScores(Rows::of(1, {1, 2}), Rows::of(1, {NAN, 2})), {{"mae", 0}, {"rmse", 0}, {"r2", none}});
  CHECK(std::isnan(numberScores(Rows::of(1, {NAN, 2}), Rows::of(1, {1, 2})).values.at("r2").value()));
  CHECK(std::isnan(numberScores(Rows::of(1, {NAN, 2}), Rows::of(1, {2, 2})).values.at("r2").value()));
  CHECK(std::isnan(numberScores(Rows::of(1, {1, 2}), Rows::of(1, {1, INFINITY})).values.at("r2").value()));
  CHECK(binaryScores(Rows::of(1, {-1, -2}), Rows::of(1, {0, 0})).values.at("f1") == none); // there is no 1
}

TEST_CASE("scores are the same with memory for one curve, and rows that come in pieces") {
  const int64_t classes = 7, rows = 40000; // more numbers than are read at a time
  uint64_t state = 1;
  auto next = [&] { return double((state = state * 6364136223846793005 + 1442695040888963407) >> 40); };
  std::vector<double> numbers, wanted, bits;
  for (int64_t i = 0; i < rows; ++i) {
    wanted.push_back(double(i % classes));
    for (int64_t k = 0; k < classes; ++k) {
      numbers.push_back(std::floor(next() / (1 << 20)) + (k == i % classes ? 2 : 0)); // with ties
      bits.push_back(next() > (1 << 23) ? 1 : 0);
    }
  }
  int64_t mostRows = 0, reads = 0;
  Rows logits = Rows::of(classes, numbers);
  logits.read = [&, all = logits.read](int64_t first, int64_t count, double *to) {
    mostRows = std::max(mostRows, count);
    ++reads;
    all(first, count, to);
  };
  const Rows labels = Rows::of(1, wanted), ones = Rows::of(classes, bits);
  const Scores whole = classScores(logits, labels);
  CHECK(mostRows < rows);
  const int64_t readsOfWhole = std::exchange(reads, 0);
  const Scores pieces = classScores(logits, labels, {/*bytes=*/1});
  CHECK(reads == readsOfWhole / 2 * (1 + classes)); // once for counts, then for each curve
  CHECK(whole.values == pieces.values);
  CHECK(whole.values.at("auc").value() > 0.5);
  CHECK(binaryScores(logits, ones).values == binaryScores(logits, ones, {/*bytes=*/1}).values);
}

TEST_CASE("of more than a thousand classes there are neither curves nor confusion") {
  for (int64_t classes : {1000, 1001}) {
    CAPTURE(classes);
    std::vector<double> numbers(size_t(classes * classes), 0), wanted;
    for (int64_t i = 0; i < classes; ++i) {
      numbers[size_t(i * classes + std::max<int64_t>(i, 1))] = 1; // class 0 is taken for 1
      wanted.push_back(double(i));
    }
    const Scores scores = classScores(Rows::of(classes, numbers), Rows::of(1, wanted));
    CHECK(scores.values.at("f1_micro").value() == Approx(1 - 1 / double(classes)));
    CHECK(scores.values.at("f1_macro").value() == Approx((double(classes) - 2 + 2.0 / 3) / double(classes)));
    CHECK(scores.values.count("auc") == (classes == 1000));
    CHECK(scores.confusion.size() == (classes == 1000 ? 1000 : 0));
  }
}
