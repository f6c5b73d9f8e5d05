//===- SignalTest.cpp - Signals during products ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gnn/program.h"
#include "runtime/src/cpu/Product.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <ctime>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {

uintptr_t stackBegin, stackEnd;
std::atomic<int64_t> handled{0}, elsewhere{0};

/// Counts whether it runs on the stack of the thread.
void onSignal(int) {
  auto here = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  ++handled;
  elsewhere += here < stackBegin || here >= stackEnd;
}

void findStack() {
  pthread_attr_t attributes;
  void *address = nullptr;
  size_t size = 0;
  REQUIRE(pthread_getattr_np(pthread_self(), &attributes) == 0);
  REQUIRE(pthread_attr_getstack(&attributes, &address, &size) == 0);
  pthread_attr_destroy(&attributes);
  stackBegin = reinterpret_cast<uintptr_t>(address);
  stackEnd = stackBegin + size;
}

/// Sends SIGALRM to this thread every 20 microseconds of its time.
class Alarms {
public:
  Alarms() {
    before = std::signal(SIGALRM, onSignal);
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = SIGALRM;
    event._sigev_un._tid = pid_t(syscall(SYS_gettid));
    REQUIRE(timer_create(CLOCK_MONOTONIC, &event, &timer) == 0);
    itimerspec interval{{0, 20000}, {0, 20000}};
    REQUIRE(timer_settime(timer, 0, &interval, nullptr) == 0);
  }
  ~Alarms() {
    timer_delete(timer);
    std::signal(SIGALRM, before);
  }

private:
  timer_t timer;
  void (*before)(int);
};

} // namespace

TEST_CASE("A signal during a product is handled on the thread's own stack", "[exec]") {
  constexpr int64_t m = 128, n = 7, k = 3000; // large k: where oneDNN leaves the stack
  std::vector<float> a(m * k, 1), b(k * n, 1), c(k * n);
  findStack();
  {
    Alarms alarms;
    auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(200)) {
      gnn::rt::multiply(GNN_F32, false, m, n, k, a.data(), b.data(), c.data());
      gnn::rt::multiply(GNN_F32, true, m, n, k, a.data(), b.data(), c.data());
      gnn::rt::multiplyTransposed(GNN_F32, m, n, k, a.data(), a.data(), c.data());
    }
  }
  CHECK(handled > 0);
  CHECK(elsewhere == 0);
}
