//===- WorkerThreads.cpp - Threads of the compiler ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/WorkerThreads.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Threading.h"

#include <system_error>

namespace gnnc {

WorkerThreads::WorkerThreads() {
  const unsigned wanted = llvm::hardware_concurrency().compute_thread_count() - 1;
  threads.reserve(wanted);
  try {
    while (threads.size() < wanted)
      threads.emplace_back([this] { workUntil([this] { return ends; }); });
  } catch (const std::system_error &) {
    // Fewer do the same work.
  }
}

WorkerThreads::~WorkerThreads() {
  wait();
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ends = true;
  }
  changed.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

void WorkerThreads::wait() {
  workUntil([this] { return unfinished.empty(); });
}

void WorkerThreads::wait(llvm::ThreadPoolTaskGroup &group) {
  workUntil([&] { return unfinished.count(&group) == 0; });
}

void WorkerThreads::asyncEnqueue(std::function<void()> work, llvm::ThreadPoolTaskGroup *group) {
  {
    const std::lock_guard<std::mutex> lock(mutex);
    ++unfinished[group];
    tasks.push_back({std::move(work), group});
  }
  changed.notify_all();
}

/// Does tasks, of any group, until `isDone`, which is asked with the mutex held.
void WorkerThreads::workUntil(llvm::function_ref<bool()> isDone) {
  std::unique_lock<std::mutex> lock(mutex);
  while (!isDone()) {
    if (tasks.empty()) {
      changed.wait(lock);
      continue;
    }
    const Task task = std::move(tasks.front());
    tasks.pop_front();
    lock.unlock();
    task.work();
    lock.lock();
    if (--unfinished[task.group] == 0)
      unfinished.erase(task.group);
    changed.notify_all();
  }
}

} // namespace gnnc
