//===- TeamTest.cpp - Tests of threads that work on phases ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// That phases are done once and whole, and that a team ends wherever an application may end it: none of these tests
// returns if somebody waits for a helper that cannot come.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/AddressSanitizer.h"
#include "runtime/src/cpu/Tasks.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <memory>
#include <new>
#include <numeric>
#include <sys/wait.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace gnn::rt;

namespace {

/// How often each task was done.
struct Counts {
  explicit Counts(uint32_t tasks) : done(tasks) {}

  void run(Team &team, uint32_t tasks) {
    team.run({[](void *context, int64_t index, unsigned) { ++static_cast<Counts *>(context)->done[size_t(index)]; },
              this, tasks});
  }
  void run(Team &team) { run(team, uint32_t(done.size())); }
  int total() const { return std::accumulate(done.begin(), done.end(), 0); }

  std::vector<std::atomic<int>> done;
};

/// Whether AddressSanitizer finds memory that nobody has now; false without it.
bool leaks() {
#ifdef GNN_ADDRESS_SANITIZER
  return __lsan_do_recoverable_leak_check() != 0;
#else
  return false;
#endif
}

} // namespace

TEST_CASE("a team does every task once") {
  for (unsigned threads : {1u, 2u, 4u}) {
    Team team(threads);
    CHECK(team.size() == threads);
    Counts counts(1000);
    int expected = 0;
    for (uint32_t round = 0; round < 200; ++round) {
      counts.run(team, 1 + round * 5 % 1000);
      expected += int(1 + round * 5 % 1000);
    }
    CHECK(counts.total() == expected);
    CHECK(counts.done[0] == 200);
  }
}

TEST_CASE("a team throws what a task threw, when all others are done, and goes on") {
  for (unsigned threads : {1u, 3u}) {
    Team team(threads);
    std::atomic<int> done{0};
    auto task = [](void *context, int64_t index, unsigned) {
      if (index % 10 == 7)
        throw std::bad_alloc();
      ++*static_cast<std::atomic<int> *>(context);
    };
    CHECK_THROWS_AS(team.run({task, &done, 100}), std::bad_alloc);
    CHECK(done == (threads == 1 ? 7 : 90));
    Counts counts(100);
    counts.run(team);
    CHECK(counts.total() == 100);
  }
}

TEST_CASE("a team ends while the application's tasks hold all workers") {
  tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
  std::atomic<bool> isHeld{false}, isReleased{false}, isDone{false};
  tbb::task_arena application(2, /*reserved_for_masters=*/0);
  application.enqueue([&] {
    isHeld = true;
    while (!isReleased)
      std::this_thread::yield();
    isDone = true;
  });
  while (!isHeld)
    std::this_thread::yield();
  Counts counts(100);
  {
    Team team(2);
    counts.run(team);
    for (int i = 0; i < 100; ++i)
      CHECK(team.enlist([numbers = std::vector<int>(100)] {}));
  }
  CHECK(counts.total() == 100);
  CHECK_FALSE(leaks()); // a process may end before its helpers have come
  isReleased = true;
  while (!isDone)
    std::this_thread::yield();
}

TEST_CASE("a helper that is sent for leaves a phase, and comes back to it") {
  Team team(2);
  std::atomic<bool> isOver{false}, isDone{false};
  std::atomic<int> byHelper{0};
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  auto awaits = [&](auto isReached) {
    while (!isReached() && std::chrono::steady_clock::now() < end)
      std::this_thread::yield();
    CHECK(isReached());
  };
  forTasks(team, 1 << 22, [&](int64_t, unsigned worker) { // more than the helper does by itself before the end
    if (isOver)
      return;
    if (worker > 0) {
      ++byHelper;
      return std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
    awaits([&] { return byHelper > 0; });
    CHECK(team.enlist([&] { isDone = true; }));
    awaits([&] { return isDone.load(); });
    byHelper = 0;
    awaits([&] { return byHelper > 0; });
    isOver = true;
  });
}

TEST_CASE("teams begin and end inside the application's parallel loops") {
  std::atomic<int> total{0};
  tbb::parallel_for(0, 200, [&](int) {
    Team team(3);
    Counts counts(50);
    counts.run(team);
    total += counts.total();
  });
  CHECK(total == 200 * 50);
}

TEST_CASE("a team computes and ends in the child of a fork") {
  auto team = std::make_unique<Team>(2);
  Counts counts(100);
  for (int i = 0; i < 1000; ++i) // the helper is there
    counts.run(*team);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    alarm(60); // ends a child that hangs
    counts.run(*team);
    team.reset();
    _exit(counts.total() == 100 * 1001 ? 0 : 1);
  }
  int status = -1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 0);
  counts.run(*team);
  CHECK(counts.total() == 100 * 1001);
}
