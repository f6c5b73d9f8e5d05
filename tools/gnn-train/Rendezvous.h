//===- Rendezvous.h - How ranks find each other -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rank 0 listens at an address that all know. The others connect to it, and learn from it where the rest are. Then any
// two have a connection. Nothing is encrypted, and whoever reaches the port may say that it is a rank.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RENDEZVOUS_H
#define GNN_TOOLS_TRAIN_RENDEZVOUS_H

#include "runtime/src/comm/Socket.h"

#include <string>
#include <vector>

namespace gnn::train_tool {

/// "host:port", or "[address]:port" where the address has colons.
struct Place {
  std::string host, port;
  /// Throws GNN_ERROR_ARGUMENT.
  static Place parse(const std::string &text);
};

/// The connections of a rank to all others, by rank, for SocketComm; none to itself. Waits `most` for them. Throws
/// GNN_ERROR_IO, with the ranks that did not come; GNN_ERROR_MISMATCH where rank 0 does not take this one, as it has
/// one already or expects another number of ranks.
std::vector<rt::Socket> connectRanks(const Place &place, int rank, int size, std::chrono::milliseconds most);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RENDEZVOUS_H
