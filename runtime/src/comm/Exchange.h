//===- Exchange.h - What ranks send each other ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes from the memory of one rank to that of another: of their processes (Comm), or of GPUs (NcclExchange).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_COMM_EXCHANGE_H
#define GNN_COMM_EXCHANGE_H

#include "runtime/src/core/Span.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gnn::rt {

class Exchange {
public:
  struct Send {
    int to;
    Span<const char> bytes;
  };
  struct Receive {
    int from;
    Span<char> bytes;
  };
  struct Traffic {
    uint64_t sent = 0, received = 0; // bytes, without those that frame them
  };

  virtual ~Exchange() = default;
  Exchange(const Exchange &) = delete;
  Exchange &operator=(const Exchange &) = delete;

  int rank() const { return number; }
  int size() const { return count; }

  /// Does all of it side by side, and returns when it is done. Between two ranks what is sent is received in the same
  /// order, in pieces of the same sizes. `what` is for messages: "rows of h". Throws RankLost.
  virtual void exchange(const std::vector<Send> &sends, const std::vector<Receive> &receives,
                        const std::string &what) = 0;
  /// The traffic of this rank so far.
  virtual Traffic traffic() const = 0;

  /// Sends `mine` to all others, and receives of each what goes to its place of `all`.
  void exchangeWithAll(Span<const char> mine, const std::vector<Span<char>> &all, const std::string &what);

protected:
  Exchange(int rank, int size) : number(rank), count(size) {}

private:
  const int number, count;
};

} // namespace gnn::rt

#endif // GNN_COMM_EXCHANGE_H
