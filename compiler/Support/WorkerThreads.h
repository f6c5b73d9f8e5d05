//===- WorkerThreads.h - Threads of the compiler ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's own pool of threads ends the process where the system gives it none. These are as many as it gives: who waits
// works too, so that there may be none.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_SUPPORT_WORKERTHREADS_H
#define GNNC_SUPPORT_WORKERTHREADS_H

#include "llvm/Support/ThreadPool.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

namespace gnnc {

class WorkerThreads final : public llvm::ThreadPoolInterface {
public:
  /// With the thread that waits as many as there are processors.
  WorkerThreads();
  ~WorkerThreads() override;

  void wait() override;
  void wait(llvm::ThreadPoolTaskGroup &group) override;
  unsigned getMaxConcurrency() const override { return unsigned(threads.size()) + 1; }

private:
  struct Task {
    std::function<void()> work;
    llvm::ThreadPoolTaskGroup *group; // null: of none
  };

  void asyncEnqueue(std::function<void()> work, llvm::ThreadPoolTaskGroup *group) override;
  void workUntil(llvm::function_ref<bool()> isDone);

  std::mutex mutex; // of all that follows
  std::condition_variable changed;
  std::deque<Task> tasks;
  std::map<llvm::ThreadPoolTaskGroup *, size_t> unfinished; // tasks of each group; none that are 0
  bool ends = false;
  std::vector<std::thread> threads;
};

} // namespace gnnc

#endif // GNNC_SUPPORT_WORKERTHREADS_H
