//===- StopSignals.h - Signals that end a run early -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ctrl-C, SIGTERM (batch systems, containers, kill) and SIGHUP (a terminal that closes) save before they end.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_STOPSIGNALS_H
#define GNN_TOOLS_TRAIN_STOPSIGNALS_H

#include <atomic>

namespace gnn::train_tool {

/// From now on SIGINT, SIGTERM and SIGHUP set `stopAsked`, but for those that this process was started to ignore
/// (nohup, jobs in the background). A Ctrl-C after the first signal ends the process at once; others then change
/// nothing, as closing a terminal sends SIGHUP more than once.
void catchStopSignals();

extern std::atomic<bool> stopAsked;

/// The exit code of a process that a signal has ended early: 130, 143 or 129.
int exitCodeOfStop();

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_STOPSIGNALS_H
