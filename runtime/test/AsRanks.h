//===- AsRanks.h - Ranks in one process -------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_ASRANKS_H
#define GNN_TEST_ASRANKS_H

#include "runtime/src/comm/SocketComm.h"

#include <functional>
#include <string>

/// Calls `body` as each of so many connected ranks, on a thread each. A rank whose body throws tells the others.
/// Returns what each has thrown: "" or the message.
std::vector<std::string> asRanks(int ranks, std::chrono::milliseconds patience,
                                 const std::function<void(gnn::rt::Comm &)> &body);

#endif // GNN_TEST_ASRANKS_H
