//===- TransferThread.h - A thread that waits for a disk --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_TRANSFERTHREAD_H
#define GNN_CPU_TRANSFERTHREAD_H

#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <unistd.h>

namespace gnn::rt {

class TransferThread {
public:
  /// Throws std::system_error where there is no thread to be had.
  TransferThread();
  /// Once it has done what it was asked for.
  ~TransferThread();
  TransferThread(const TransferThread &) = delete;
  TransferThread &operator=(const TransferThread &) = delete;

  /// Not in a process that was forked since.
  bool isHere() const { return process == ::getpid(); }
  /// Does it after what it is at, of which there is no more.
  void ask(std::function<void()> work);

private:
  void serve();

  std::mutex mutex;
  std::condition_variable changed;
  std::function<void()> asked; // empty: nothing
  bool isToEnd = false;
  const pid_t process = ::getpid();
  std::thread thread;
};

} // namespace gnn::rt

#endif // GNN_CPU_TRANSFERTHREAD_H
