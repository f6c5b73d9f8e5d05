//===- StopSignals.cpp - Signals that end a run early ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/StopSignals.h"

#include <csignal>

namespace gnn::train_tool {

std::atomic<bool> stopAsked(false);

namespace {

std::atomic<int> firstSignal(0);
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "set from a signal handler");

/// Whether the process was started to ignore Ctrl-C.
bool ignoresInterrupts = false;

void onStopSignal(int number) {
  int none = 0;
  firstSignal.compare_exchange_strong(none, number);
  stopAsked = true;
  if (!ignoresInterrupts)
    std::signal(SIGINT, SIG_DFL);
}

bool catchUnlessIgnored(int number) {
  if (std::signal(number, onStopSignal) != SIG_IGN)
    return true;
  std::signal(number, SIG_IGN);
  return false;
}

} // namespace

void catchStopSignals() {
  ignoresInterrupts = !catchUnlessIgnored(SIGINT);
  catchUnlessIgnored(SIGTERM);
  catchUnlessIgnored(SIGHUP);
}

int exitCodeOfStop() { return 128 + firstSignal; }

} // namespace gnn::train_tool
