//===- StreamWays.h - How graphs are streamed in tests ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A few ways to stream a graph, by one process and by several ranks, such that any two settings come together in one of
// them.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_STREAMWAYS_H
#define GNNC_TEST_VERIFY_STREAMWAYS_H

#include <cstdint>
#include <string>

namespace gnnc::verify {

/// Of what could lie in the file, what is in memory as a whole: nothing, every second table and edges, or all.
enum class Kept { Nothing, Some, All };

/// When loads, steps and stores are done: by two threads as in any run; loads as late as may be and the rest as soon as
/// may be; or the other way round.
enum class Pace { Threads, LateLoads, EarlyLoads };

/// Of what is streamed to a GPU, what has no room in memory and is read of files: nothing, every second table and edges
/// by destination, all tables, or all.
enum class Below { Nothing, Some, Tables, All };

struct StreamWay {
  int64_t intervals;
  Kept kept;
  Pace pace;
  bool degreeOrder; // vertices prepared by falling degree, where there is one type
  bool isPaged;     // dense features of vertices, and edges that can be, are in files before
  int ranks = 1;
  Below below = Below::Nothing;

  /// For messages.
  std::string describe() const;
};

/// Any two settings come together in one of them.
constexpr StreamWay streamWays[] = {
    {1, Kept::Nothing, Pace::Threads, false, false},  {1, Kept::Some, Pace::LateLoads, true, true},
    {1, Kept::All, Pace::EarlyLoads, true, false},    {2, Kept::Nothing, Pace::LateLoads, false, true},
    {2, Kept::Some, Pace::EarlyLoads, false, false},  {2, Kept::All, Pace::Threads, true, true},
    {3, Kept::Nothing, Pace::EarlyLoads, true, true}, {3, Kept::Some, Pace::Threads, false, false},
    {3, Kept::All, Pace::LateLoads, false, false},    {7, Kept::Nothing, Pace::Threads, true, false},
    {7, Kept::Some, Pace::LateLoads, true, false},    {7, Kept::All, Pace::EarlyLoads, false, true},
};

/// Ways on a GPU, whose driver decides how late loads are.
constexpr StreamWay gpuStreamWays[] = {
    {2, Kept::Nothing, Pace::Threads, true, false},
    {3, Kept::Some, Pace::Threads, false, false},
    {3, Kept::All, Pace::Threads, true, false},
    {7, Kept::Nothing, Pace::Threads, false, false},
    {3, Kept::Nothing, Pace::Threads, false, true, 1, Below::All},
    {7, Kept::Some, Pace::Threads, true, false, 1, Below::Some},
    {5, Kept::Nothing, Pace::Threads, false, true, 1, Below::Tables},
};

/// Ways of several ranks, likewise.
constexpr StreamWay rankWays[] = {
    {4, Kept::Nothing, Pace::EarlyLoads, false, false, 2}, {7, Kept::Some, Pace::LateLoads, false, false, 2},
    {7, Kept::All, Pace::Threads, true, true, 2},          {4, Kept::Nothing, Pace::Threads, true, false, 3},
    {4, Kept::All, Pace::LateLoads, false, false, 3},      {7, Kept::Some, Pace::EarlyLoads, true, true, 3},
    {4, Kept::Some, Pace::Threads, false, false, 4},       {4, Kept::All, Pace::EarlyLoads, false, true, 4},
    {7, Kept::Nothing, Pace::LateLoads, true, true, 4},
};

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_STREAMWAYS_H
