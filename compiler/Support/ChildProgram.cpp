//===- ChildProgram.cpp - Programs that work for this one -----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "compiler/Support/ChildProgram.h"
#include "llvm/Support/Program.h"
#include <array>
#include <atomic>
#include <csignal>

namespace gnnc {

namespace {

constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};

std::atomic<pid_t> child; // 0: none yet
std::atomic<int> caught;  // the last signal that there was, 0: none
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "used by a signal handler");

/// While it is there signals go to the child, whose end the process awaits; then they end the process as they would
/// have without it.
class SignalsGoToChild {
public:
  SignalsGoToChild() {
    child = caught = 0;
    struct sigaction ours = {};
    ours.sa_handler = pass;
    ours.sa_flags = SA_RESTART;
    for (size_t i = 0; i < signals.size(); ++i) {
      sigaction(signals[i], nullptr, &before[i]);
      if (before[i].sa_handler != SIG_IGN)
        sigaction(signals[i], &ours, nullptr);
    }
  }
  ~SignalsGoToChild() {
    for (size_t i = 0; i < signals.size(); ++i)
      sigaction(signals[i], &before[i], nullptr);
    if (caught)
      std::raise(caught);
  }

  void begin(pid_t process) {
    child = process;
    if (caught) // before there was one
      pass(caught);
  }

private:
  static void pass(int number) {
    caught = number;
    if (child)
      kill(child, number);
  }

  std::array<struct sigaction, signals.size()> before;
};

} // namespace

int runProgram(llvm::StringRef program, llvm::ArrayRef<llvm::StringRef> arguments,
               llvm::ArrayRef<std::optional<llvm::StringRef>> redirects, std::string &message, unsigned secondsToWait) {
  SignalsGoToChild scope;
  bool hasFailed = false;
  const llvm::sys::ProcessInfo begun = llvm::sys::ExecuteNoWait(program, arguments, /*Env=*/std::nullopt, redirects,
                                                                /*MemoryLimit=*/0, &message, &hasFailed);
  if (hasFailed)
    return -1;
  scope.begin(begun.Pid);
  return llvm::sys::Wait(begun, secondsToWait ? std::optional(secondsToWait) : std::nullopt, &message).ReturnCode;
}

} // namespace gnnc
