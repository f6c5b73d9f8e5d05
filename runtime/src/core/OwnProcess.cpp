//===- OwnProcess.cpp - Work that is done in a process of its own ---------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/core/OwnProcess.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace gnn::rt {

SharedMemory::SharedMemory(size_t size)
    : bytes(std::max<size_t>(size, 1)),
      address(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
  require(address != MAP_FAILED, GNN_ERROR_MEMORY, "out of memory");
}

SharedMemory::~SharedMemory() { munmap(address, bytes); }

namespace {

[[noreturn]] void beChild(pid_t parent, const std::function<void()> &body, std::atomic<int> &isDone) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) // which ended before that
    _exit(1);
  sigset_t aborts;
  sigemptyset(&aborts);
  sigaddset(&aborts, SIGABRT);
  pthread_sigmask(SIG_UNBLOCK, &aborts, nullptr);
  try {
    body();
    isDone = 1;
  } catch (...) { // is not done
  }
  _exit(0);
}

} // namespace

bool inOwnProcess(const std::function<void()> &body) {
  const SharedMemory shared(sizeof(std::atomic<int>));
  auto &isDone = *new (shared.data()) std::atomic<int>(0);
  const pid_t parent = getpid();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before); // the child begins so
  const pid_t child = fork();
  const int error = errno;
  if (child == 0)
    beChild(parent, body, isDone);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  require(child > 0, GNN_ERROR_MEMORY, "can't start a process: ", std::strerror(error));
  while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) // a handler ran; where nobody may wait for it, it has ended
    continue;
  return isDone == 1;
}

} // namespace gnn::rt
