//===- RoundsTest.cpp - Tests of measurements in turns ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Medians, the end, and what is left out, with times that nobody measured.
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/Rounds.h"
#include <catch2/catch.hpp>

using namespace gnn::train_tool;

TEST_CASE("medians are by name and version") {
  Rounds rounds(2);
  for (double seconds : {3.0, 1.0, 10.0})
    rounds.add(0, {{"a", seconds}, {"b", 2 * seconds}});
  for (double seconds : {1.0, 2.0})
    rounds.add(1, {{"a", seconds}});
  CHECK(rounds.medians(0) == std::map<std::string, double>{{"a", 3}, {"b", 6}});
  CHECK(rounds.medians(1) == std::map<std::string, double>{{"a", 1.5}});
  CHECK(rounds.rounds(0) == 3);
  CHECK(rounds.rounds(1) == 2);
}

TEST_CASE("measuring ends with the time, but not before a few rounds, nor after very many") {
  Rounds rounds(1);
  rounds.add(0, {{"a", 1}});
  CHECK_FALSE(rounds.endRound(/*spent=*/5, /*budget=*/1));
  CHECK_FALSE(rounds.endRound(10, 1));
  CHECK(rounds.endRound(15, 1));
  Rounds patient(1);
  size_t count = 1;
  while (!patient.endRound(0, 1))
    ++count;
  CHECK(count == Rounds::most);
}

TEST_CASE("what is slower in everything is left out, but never the first") {
  Rounds rounds(4);
  for (size_t i = 0; i < Rounds::fewest; ++i) {
    rounds.add(0, {{"a", 9}, {"b", 9}});
    rounds.add(1, {{"a", 2}, {"b", 2}}); // hopeless beside the others
    rounds.add(2, {{"a", 1}, {"b", 9}});
    rounds.add(3, {{"a", 9}, {"b", 1}});
    rounds.endRound(0, 1);
  }
  CHECK_FALSE(rounds.isOut(0));
  CHECK(rounds.isOut(1));
  CHECK_FALSE(rounds.isOut(2));
  CHECK_FALSE(rounds.isOut(3));
}
