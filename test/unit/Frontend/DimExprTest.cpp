//===- DimExprTest.cpp - Polynomials over named dimensions ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normal form, arithmetic at the limits, parsing and substitution of DimExpr.
//
//===----------------------------------------------------------------------===//

#include "dialects/Support/DimExpr.h"
#include <catch2/catch.hpp>
#include <limits>

using gnnc::DimExpr;

static DimExpr dim(llvm::StringRef text) {
  std::optional<DimExpr> parsed = DimExpr::parse(text);
  INFO(text.str());
  REQUIRE(parsed);
  return *parsed;
}

TEST_CASE("equal polynomials print alike") {
  CHECK(dim("(a + b) * (a - b)") == dim("a * a - b * b"));
  CHECK(dim("(a + 1) * 2 - 2").str() == "2 * a");
  CHECK(dim("out * heads + 1").str() == "heads * out + 1");
  CHECK(dim("a - a").str() == "0");
  CHECK(dim("-a * b").str() == "-a * b");
  CHECK(dim("3 - a").str() == "-a + 3");
  CHECK(dim("a") != dim("b"));
}

TEST_CASE("what is printed parses to the same") {
  for (llvm::StringRef text : {"0", "7", "a", "-a", "2 * a * a * b - 3 * c + 4", "x_1 + x_2"})
    CHECK(dim(dim(text).str()) == dim(text));
}

TEST_CASE("malformed dimensions") {
  for (llvm::StringRef text : {"", "a +", "(a", "a b", "2a)", "*", "99999999999999999999", "a / 2"})
    CHECK(!DimExpr::parse(text));
  CHECK(!DimExpr::parse(std::string(1000, '(')));
}

TEST_CASE("arithmetic does not wrap") {
  DimExpr max(std::numeric_limits<int64_t>::max()), min(std::numeric_limits<int64_t>::min());
  CHECK(!max.add(DimExpr(1)));
  CHECK(!min.sub(DimExpr(1)));
  CHECK(!max.mul(DimExpr(2)));
  CHECK(!min.mul(DimExpr(-1)));
  CHECK(max.add(DimExpr(-1))->constant() == std::numeric_limits<int64_t>::max() - 1);
  CHECK(min.str() == "-9223372036854775808");
}

TEST_CASE("sizes are capped") {
  DimExpr sum = dim("a + b + c + d + e + f + g");
  std::optional<DimExpr> power = sum;
  for (int i = 0; i < 20 && power; ++i)
    power = power->mul(sum);
  CHECK(!power);
}

TEST_CASE("substitution") {
  auto lookup = [](llvm::StringRef name) -> std::optional<DimExpr> {
    if (name == "a")
      return DimExpr(3);
    if (name == "b")
      return DimExpr::parse("a + c");
    return std::nullopt;
  };
  // All names at once: the `a` that comes with `b` stays.
  CHECK(dim("a * b + d").substitute(lookup)->str() == "3 * a + 3 * c + d");
  CHECK(dim("a * a").substitute(lookup)->constant() == 9);
  CHECK(dim("7").constant() == 7);
  CHECK(!dim("a").constant());
}
