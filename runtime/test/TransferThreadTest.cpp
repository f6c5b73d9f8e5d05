//===- TransferThreadTest.cpp - Transfers that have threads of their own --===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeData.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <thread>

using namespace gnn::rt;

TEST_CASE("a load that waits holds up neither stores nor steps, where transfers have threads of their own") {
  FakeLibrary fake;
  for (unsigned threads : {1, 2}) {
    CpuEngine engine(Library::fromTable(&fake.library, "fake.so"), threads);
    engine.transferThreads()->start();
    engine.transferThreads()->start(); // which they have
    REQUIRE(engine.transferThreads()->areStarted());
    const auto longEnough = std::chrono::seconds(60);
    std::mutex mutex;
    std::condition_variable changed;
    bool isLoading = false, isStored = false, hasRun = false, isInTime = false;
    auto load = [&] {
      std::unique_lock lock(mutex);
      isLoading = true;
      changed.notify_all();
      isInTime = changed.wait_for(lock, longEnough, [&] { return isStored && hasRun; });
    };
    auto say = [&](bool &what) {
      const std::lock_guard lock(mutex);
      what = true;
      changed.notify_all();
    };
    const Ticket loaded = engine.transferBy(Queue::Load, load, {});
    {
      std::unique_lock lock(mutex);
      REQUIRE(changed.wait_for(lock, longEnough, [&] { return isLoading; })); // nobody here has awaited it
    }
    const Ticket stored = engine.transferBy(Queue::Store, [&] { say(isStored); }, {});
    const Ticket ran = engine.transferBy(Queue::Work, [&] { say(hasRun); }, {stored});
    ran.await();
    loaded.await();
    CHECK(isInTime);
  }
}

TEST_CASE("who awaits a store does the steps that are ready meanwhile, and never the store itself") {
  FakeLibrary fake;
  for (unsigned threads : {1, 2}) {
    CpuEngine engine(Library::fromTable(&fake.library, "fake.so"), threads);
    engine.transferThreads()->start();
    std::mutex mutex;
    std::condition_variable changed;
    bool hasRun = false, isInTime = false;
    const std::thread::id here = std::this_thread::get_id();
    std::vector<std::thread::id> transferring;
    const Ticket first = engine.transferBy(Queue::Work, [] {}, {});
    const Ticket stored =
        engine.transferBy(Queue::Store,
                          [&] { // ends when the step that nobody awaits has run
                            std::unique_lock lock(mutex);
                            transferring.push_back(std::this_thread::get_id());
                            isInTime = changed.wait_for(lock, std::chrono::seconds(60), [&] { return hasRun; });
                          },
                          {first});
    const Ticket loaded = engine.transferBy(Queue::Load, [] {}, {});
    const Ticket second = engine.transferBy(Queue::Work,
                                            [&] {
                                              const std::lock_guard lock(mutex);
                                              hasRun = true;
                                              changed.notify_all();
                                            },
                                            {loaded});
    stored.await();
    CHECK(isInTime);
    second.await();
    CHECK(transferring.size() == 1);
    CHECK(transferring[0] != here);
  }
}

TEST_CASE("what fails on a thread of transfers is thrown where it is awaited, and what is not awaited is done or not") {
  FakeLibrary fake;
  int done = 0;
  {
    CpuEngine engine(Library::fromTable(&fake.library, "fake.so"), 2);
    engine.transferThreads()->start();
    const Ticket failed = engine.transferBy(Queue::Load, [] { throw std::runtime_error("no disk"); }, {});
    const Ticket after = engine.transferBy(Queue::Store, [] {}, {failed});
    CHECK_THROWS_WITH(after.await(), "no disk");
    for (int i = 0; i < 100; ++i)
      engine.transferBy(Queue::Load, [&] { ++done; }, {});
  }
  CHECK(done <= 100);
}
