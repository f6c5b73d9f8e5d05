//===- QueuesTest.cpp - Tests of tickets ----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random graphs of tickets, on one engine or two, some of which fail or are cancelled. Under ThreadSanitizer a pair
// that nothing orders shows too: each writes what those after it read.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/engine/Queues.h"
#include "runtime/src/cpu/Team.h"

#include <algorithm>
#include <atomic>
#include <catch2/catch.hpp>
#include <deque>
#include <future>
#include <optional>
#include <random>
#include <thread>

using namespace gnn::rt;

namespace {

/// As an engine of processors has them.
struct TestQueues : Queues {
  explicit TestQueues(unsigned threads) : team(threads) {}
  ~TestQueues() override { close(); }
  bool summon(Queue, const std::function<void()> &help) override { return team.enlist(help); }

  Team team;
};

struct Fault : std::runtime_error {
  explicit Fault(size_t number) : std::runtime_error(std::to_string(number)), number(number) {}
  size_t number;
};

/// What one ticket is of. Plain numbers: tickets alone order who writes and who reads.
struct Job {
  size_t engine;
  Queue queue;
  std::vector<size_t> after;
  bool fails;
  Ticket ticket;
  int runs = 0, rank = -1; // rank: how many of its queue had begun
  uint64_t value = 0;
};

/// How it ended: nothing, the number of the job whose fault it is, or SIZE_MAX: cancelled.
std::optional<size_t> endOf(const Ticket &ticket) {
  try {
    ticket.await();
  } catch (const Fault &fault) {
    return fault.number;
  } catch (const Cancelled &) {
    return SIZE_MAX;
  }
  return std::nullopt;
}

class Tickets {
public:
  Tickets(unsigned seed, std::vector<std::unique_ptr<TestQueues>> &engines) : random(seed), engines(engines) {
    const size_t count = 1 + random() % 24;
    for (size_t i = 0; i < count; ++i)
      ask(i);
  }

  /// By three threads, in any order.
  void await() {
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 3; ++t)
      threads.emplace_back([this, order = shuffled()] {
        for (size_t i : order)
          endOf(jobs[i].ticket);
      });
    for (std::thread &thread : threads)
      thread.join();
  }

  void check() {
    std::vector<std::optional<size_t>> ends;
    for (size_t i = 0; i < jobs.size(); ++i) {
      CAPTURE(i);
      const Job &job = jobs[i];
      ends.push_back(endOf(job.ticket));
      std::optional<size_t> expected;
      for (size_t before : job.after)
        if (!expected)
          expected = ends[before];
      if (std::count(cancelled.begin(), cancelled.end(), i))
        expected = SIZE_MAX;
      CHECK(job.runs == (expected ? 0 : 1));
      CHECK(ends.back() == (expected || !job.fails ? expected : std::optional(i)));
      CHECK(job.value == (expected || job.fails ? 0 : valueOf(i)));
      for (size_t j = 0; j < i && job.runs; ++j)
        if (jobs[j].engine == job.engine && jobs[j].queue == job.queue && jobs[j].runs)
          CHECK(jobs[j].rank < job.rank);
    }
  }

  size_t numCancelled() const { return cancelled.size(); }

private:
  std::vector<size_t> shuffled() {
    std::vector<size_t> order(jobs.size());
    for (size_t i = 0; i < order.size(); ++i)
      order[i] = i;
    std::shuffle(order.begin(), order.end(), random);
    return order;
  }

  uint64_t valueOf(size_t i) const {
    uint64_t value = i + 1;
    for (size_t before : jobs[i].after)
      value = value * 31 + jobs[before].value;
    return value;
  }

  void ask(size_t i) {
    Job &job =
        jobs.emplace_back(Job{random() % engines.size(), Queue(random() % numQueues), {}, random() % 12 == 0, {}});
    std::vector<Ticket> after;
    for (size_t n = random() % 4; n > 0 && i > 0; --n) {
      job.after.push_back(random() % i);
      after.push_back(jobs[job.after.back()].ticket);
    }
    int &begun = ranks[job.engine][unsigned(job.queue)]; // of one queue, so never by two at once
    job.ticket = engines[job.engine]->ask(job.queue, after, [this, i, &job, &begun] {
      ++job.runs;
      job.rank = begun++;
      if (job.fails)
        throw Fault(i);
      job.value = valueOf(i);
    });
    const size_t chosen = random() % (i + 1);
    if (random() % 8 == 0 && jobs[chosen].ticket.cancel())
      cancelled.push_back(chosen);
  }

  std::mt19937 random;
  std::vector<std::unique_ptr<TestQueues>> &engines;
  std::deque<Job> jobs;
  std::vector<size_t> cancelled;
  int ranks[2][numQueues] = {};
};

} // namespace

TEST_CASE("random graphs of tickets are done in order, once, and faults go on to what comes after") {
  size_t numCancelled = 0;
  std::vector<std::unique_ptr<TestQueues>> engines;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    if (const unsigned block = seed / 50; seed % 50 == 0) { // on a busy machine oneTBB stays long with each that was
      engines.clear();
      for (unsigned e = 0; e <= block % 2; ++e)
        engines.push_back(std::make_unique<TestQueues>(1 + (block / 2 + e) % 4));
    }
    Tickets tickets(seed, engines);
    tickets.await();
    tickets.check();
    numCancelled += tickets.numCancelled();
  }
  CHECK(numCancelled > 0);
}

TEST_CASE("what was cancelled ends as cancelled, also after what failed") {
  TestQueues queues(1);
  Ticket second;
  bool isCancelled = false;
  const Ticket first = queues.ask(Queue::Load, {}, [] { throw Fault(0); });
  // When a ticket lets go of its work, how it ends cannot be seen yet.
  std::shared_ptr<void> atItsEnd(nullptr, [&](void *) { isCancelled = second.cancel(); });
  std::promise<void> gate;
  TestQueues other(2);
  const Ticket held = other.ask(Queue::Work, {}, [opened = gate.get_future().share()] { opened.wait(); });
  second = queues.ask(Queue::Work, {held, first}, [atItsEnd = std::move(atItsEnd)] {});
  gate.set_value();
  CHECK(endOf(second) == SIZE_MAX);
  CHECK(isCancelled);
}

TEST_CASE("who awaits a ticket is in the way of nobody, and needs no helper") {
  for (unsigned threads : {1u, 4u}) {
    TestQueues slow(threads), quick(threads);
    std::promise<void> gate;
    std::future<void> opened = gate.get_future();
    Ticket held;
    std::thread owner([&] { // with one thread it is this one that does it
      held = slow.ask(Queue::Work, {}, [&] { opened.wait(); });
      held.await();
    });
    int done = 0;
    quick.ask(Queue::Work, {}, [&] { ++done; }).await();
    slow.ask(Queue::Load, {}, [&] { ++done; }).await(); // another queue of the same engine
    CHECK(done == 2);
    gate.set_value();
    owner.join();
  }
}

TEST_CASE("a load goes on while a step runs, where there is a helper") {
  TestQueues queues(3);
  std::promise<void> loaded;
  std::future<void> isLoaded = loaded.get_future();
  Ticket step = queues.ask(Queue::Work, {}, [&] {
    if (isLoaded.wait_for(std::chrono::seconds(60)) != std::future_status::ready)
      throw Fault(0);
  });
  Ticket load = queues.ask(Queue::Load, {}, [&] { loaded.set_value(); });
  load.await();
  CHECK(endOf(step) == std::nullopt);
}

TEST_CASE("what an engine was asked for and has not begun ends with it") {
  Ticket first, second;
  std::promise<void> gate;
  std::future<void> opened = gate.get_future();
  TestQueues other(4);
  const Ticket held = other.ask(Queue::Work, {}, [&] { opened.wait(); });
  {
    TestQueues queues(1);
    first = queues.ask(Queue::Load, {held}, [] {});
    second = queues.ask(Queue::Work, {first}, [] {});
  }
  CHECK(endOf(first) == SIZE_MAX);
  CHECK(endOf(second) == SIZE_MAX);
  CHECK_FALSE(Ticket().cancel());
  gate.set_value();
  CHECK(endOf(held) == std::nullopt);
  CHECK(endOf(Ticket()) == std::nullopt);
}
