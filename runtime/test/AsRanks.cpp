//===- AsRanks.cpp - Ranks in one process ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AsRanks.h"

#include <thread>

using namespace gnn::rt;

std::vector<std::string> asRanks(int ranks, std::chrono::milliseconds patience,
                                 const std::function<void(Comm &)> &body) {
  std::vector<std::vector<Socket>> sockets = pairUp(ranks);
  std::vector<std::string> messages(static_cast<size_t>(ranks));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&, rank] {
      SocketComm comm(rank, std::move(sockets[size_t(rank)]), patience);
      try {
        body(comm);
      } catch (const std::exception &error) {
        messages[size_t(rank)] = error.what();
        comm.abort(error.what());
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  return messages;
}
