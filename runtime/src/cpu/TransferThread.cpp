//===- TransferThread.cpp - A thread that waits for a disk ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/TransferThread.h"

#include "runtime/src/cpu/SignalsHeldBack.h"

#include <cassert>
#include <utility>

namespace gnn::rt {

/// Signals are for the threads of the application.
TransferThread::TransferThread() {
  const SignalsHeldBack inherited;
  thread = std::thread([this] { serve(); });
}

TransferThread::~TransferThread() {
  {
    const std::lock_guard lock(mutex);
    isToEnd = true;
  }
  changed.notify_all();
  thread.join();
}

void TransferThread::ask(std::function<void()> work) {
  {
    const std::lock_guard lock(mutex);
    assert(!asked && "a lane asks for one helper at a time");
    asked = std::move(work);
  }
  changed.notify_all();
}

void TransferThread::serve() {
  std::unique_lock lock(mutex);
  while (true) {
    changed.wait(lock, [this] { return asked || isToEnd; });
    if (!asked)
      return;
    const std::function<void()> work = std::exchange(asked, nullptr);
    lock.unlock();
    work();
    lock.lock();
  }
}

} // namespace gnn::rt
