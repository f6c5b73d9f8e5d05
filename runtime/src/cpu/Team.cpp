//===- Team.cpp - Threads that work on phases -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/Team.h"

#include "runtime/src/core/AddressSanitizer.h"
#include "runtime/src/cpu/SingleThreadedOpenMP.h"

#include <atomic>
#include <chrono>
#include <exception>
#include <immintrin.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/task_arena.h>
#include <optional>
#include <thread>
#include <utility>

namespace gnn::rt {

namespace {

/// How long a helper waits for another phase before it returns to oneTBB: longer than what an application does between
/// two steps.
constexpr std::chrono::microseconds helperPatience(500);
/// Spins before a waiting thread offers its core to others.
constexpr int spinsBeforeYield = 2000;

/// One round of waiting.
void pauseOrYield(int &spins) {
  if (++spins < spinsBeforeYield) {
    _mm_pause();
    return;
  }
  std::this_thread::yield();
}

uint32_t tasksLeft(uint64_t ticket) { return static_cast<uint32_t>(ticket); }

} // namespace

/// What the caller and its helpers share. Helpers own it too, so nobody has to wait for one that oneTBB starts late or
/// never (all workers are the application's, or stayed behind a fork): it finds the team closed, or is never missed.
struct Team::Crew {
  explicit Crew(unsigned threads) : threads(threads), present(std::make_unique<std::atomic<bool>[]>(threads)) {
    for (unsigned i = 0; i < threads; ++i)
      present[i] = false;
  }

  void begin(const Phase &phase);
  bool claimAndRun(unsigned worker);
  void help(unsigned worker);
  void helpIfThereIsRoom();
  bool answerCall();

  const unsigned threads;
  Phase current;
  /// Epoch of `current` in the upper half, tasks not yet claimed in the lower: a claim succeeds only on the phase it
  /// looked at.
  alignas(64) std::atomic<uint64_t> ticket{0};
  alignas(64) std::atomic<uint32_t> finished{0};
  alignas(64) std::atomic<bool> closed{false};
  std::atomic<bool> hasThrown{false};
  std::atomic<unsigned> calls{0};               // for helpers to do something else, that nobody has come for
  std::exception_ptr thrown;                    // by the first task that did
  std::unique_ptr<std::atomic<bool>[]> present; // whether the helper is in its loop or on its way; 0 is the caller
};

struct Team::Arena {
  explicit Arena(unsigned threads) : helpers(static_cast<int>(threads - 1), /*reserved_for_masters=*/0) {
    // Only to go beyond the machine's own number, which a caller must ask for; a smaller limit would be everyone's.
    if (static_cast<int>(threads) > oneapi::tbb::info::default_concurrency())
      limit.emplace(oneapi::tbb::global_control::max_allowed_parallelism, threads);
  }

  std::optional<oneapi::tbb::global_control> limit;
  oneapi::tbb::task_arena helpers;
};

Team::Team(unsigned requested)
    : threads(requested ? requested : static_cast<unsigned>(oneapi::tbb::info::default_concurrency())),
      crew(std::make_shared<Crew>(threads)) {
  if (threads > 1)
    arena = std::make_unique<Arena>(threads);
  ignoreLeak(crew.get()); // a process may end before a helper that was sent for has come
}

Team::~Team() { crew->closed.store(true, std::memory_order_relaxed); }

void Team::run(const Phase &phase) {
  SingleThreadedOpenMP single;
  if (phase.count <= 1 || threads == 1) {
    for (uint32_t i = 0; i < phase.count; ++i)
      phase.task(phase.context, i, 0);
    return;
  }
  summonHelpers();
  crew->begin(phase);
  while (crew->claimAndRun(0)) {
  }
  int spins = 0;
  while (crew->finished.load(std::memory_order_acquire) != phase.count)
    pauseOrYield(spins);
  if (crew->hasThrown.exchange(false, std::memory_order_relaxed))
    std::rethrow_exception(std::exchange(crew->thrown, nullptr));
}

void Team::Crew::begin(const Phase &phase) {
  current = phase;
  finished.store(0, std::memory_order_relaxed);
  uint64_t epoch = (ticket.load(std::memory_order_relaxed) >> 32) + 1;
  ticket.store(epoch << 32 | phase.count, std::memory_order_release);
}

/// Claims one task of the current phase and runs it; false if none is left. After a claim `current` stays as it is
/// until the task is done, because `run` waits for it.
bool Team::Crew::claimAndRun(unsigned worker) {
  uint64_t seen = ticket.load(std::memory_order_acquire);
  while (tasksLeft(seen)) {
    if (!ticket.compare_exchange_weak(seen, seen - 1, std::memory_order_acquire))
      continue;
    try {
      current.task(current.context, current.count - tasksLeft(seen), worker);
    } catch (...) {
      if (!hasThrown.exchange(true, std::memory_order_relaxed))
        thrown = std::current_exception();
    }
    finished.fetch_add(1, std::memory_order_release);
    return true;
  }
  return false;
}

void Team::Crew::help(unsigned worker) {
  using Clock = std::chrono::steady_clock;
  SingleThreadedOpenMP single;
  auto idleSince = Clock::now();
  int spins = 0;
  while (!closed.load(std::memory_order_relaxed) && !answerCall()) {
    if (claimAndRun(worker)) {
      spins = 0;
      idleSince = Clock::now();
      continue;
    }
    pauseOrYield(spins);
    if ((spins & 63) == 0 && Clock::now() - idleSince > helperPatience)
      break;
  }
  present[worker].store(false, std::memory_order_release);
}

/// After something else: perhaps in the middle of a phase.
void Team::Crew::helpIfThereIsRoom() {
  for (unsigned i = 1; i < threads; ++i)
    if (!present[i].exchange(true, std::memory_order_acq_rel))
      return help(i);
}

/// Whether there is one, which is then this thread's to answer.
bool Team::Crew::answerCall() {
  unsigned left = calls.load(std::memory_order_relaxed);
  while (left > 0)
    if (calls.compare_exchange_weak(left, left - 1, std::memory_order_relaxed))
      return true;
  return false;
}

bool Team::enlist(const std::function<void()> &work) {
  if (threads == 1)
    return false;
  crew->calls.fetch_add(1, std::memory_order_relaxed); // before what answers it: a helper leaves the phases for it
  try {
    auto held = std::make_shared<const std::function<void()>>(work);
    ignoreLeak(held.get()); // as the crew
    arena->helpers.enqueue([crew = crew, held = std::move(held)] {
      crew->answerCall();
      {
        SingleThreadedOpenMP single;
        (*held)();
      }
      crew->helpIfThereIsRoom();
    });
  } catch (const std::exception &) { // no memory or no thread for it
    crew->answerCall();
    return false;
  }
  return true;
}

void Team::summonHelpers() {
  for (unsigned i = 1; i < threads; ++i) {
    if (crew->present[i].exchange(true, std::memory_order_acq_rel))
      continue;
    try {
      arena->helpers.enqueue([crew = crew, i] { crew->help(i); });
    } catch (const std::exception &) { // no memory or no thread for it: the others do its work
      crew->present[i].store(false, std::memory_order_relaxed);
      return;
    }
  }
}

} // namespace gnn::rt
