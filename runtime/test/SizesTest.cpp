//===- SizesTest.cpp - Sizes of memory as texts ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/Sizes.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace gnn::rt;

TEST_CASE("a size is read as it is printed, and what is printed has room for it") {
  for (uint64_t bytes : {uint64_t(1), uint64_t(1023), uint64_t(1024), uint64_t(1000000), uint64_t(1) << 20,
                         (uint64_t(1) << 30) - 1, (uint64_t(1) << 30) + 1, uint64_t(12345678901234)}) {
    const std::optional<uint64_t> read = parseSize(sizeText(bytes));
    REQUIRE(read.has_value());
    CHECK(*read >= bytes);
    CHECK(double(*read - bytes) <= std::max(1023.0, double(bytes) / 1000));
    CHECK(sizeText(*read) == sizeText(bytes));
  }
  CHECK(sizeText(0) == "0KB");
  CHECK(sizeText(1025) == "2KB");
  CHECK(sizeText(uint64_t(3) << 30) == "3072MB");
}

TEST_CASE("sizes are whole numbers of units of 1024, below 2^64") {
  CHECK(parseSize("0") == uint64_t(0));
  CHECK(parseSize("500MB") == uint64_t(500) << 20);
  CHECK(parseSize("500 MiB") == uint64_t(500) << 20);
  CHECK(parseSize("8g") == uint64_t(8) << 30);
  CHECK(parseSize("7B") == uint64_t(7));
  CHECK(parseSize("18446744073709551615") == UINT64_MAX);
  for (const char *wrong : {"", "-1", "+1", "1.5GB", "MB", "5X", "5MBs", "18446744073709551616", "16777216TB", "1 e"})
    CHECK(!parseSize(wrong));
}
