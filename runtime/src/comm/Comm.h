//===- Comm.h - The processes of one run ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run by several processes, its ranks. All of them call the same functions in the same order. Every wait has a
// deadline and says what it waits for; a rank that ends tells the others why, and one that cannot is noticed.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_COMM_COMM_H
#define GNN_COMM_COMM_H

#include "gnn/error.hpp"
#include "runtime/src/core/Span.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace gnn::rt {

/// Another rank has ended, or has said nothing for too long: the fault is not this one's.
class RankLost : public Error {
public:
  explicit RankLost(const std::string &message) : Error(GNN_ERROR_IO, message) {}
};

/// All ranks find it, so that none has to be told.
class RanksDiffer : public Error {
public:
  explicit RanksDiffer(const std::string &message) : Error(GNN_ERROR_MISMATCH, message) {}
};

class Comm {
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

  virtual ~Comm() = default;
  Comm(const Comm &) = delete;
  Comm &operator=(const Comm &) = delete;

  int rank() const { return number; }
  int size() const { return count; }

  /// Does all of it side by side, and returns when it is done. Between two ranks what is sent is received in the same
  /// order, in pieces of the same sizes. `what` is for messages: "rows of h". Throws RankLost.
  virtual void exchange(const std::vector<Send> &sends, const std::vector<Receive> &receives,
                        const std::string &what) = 0;
  /// Tells the others that this rank ends, and why; none of them waits for it any more.
  virtual void abort(const std::string &cause) noexcept = 0;
  /// Of this rank so far.
  virtual Traffic traffic() const = 0;

  /// Sends `mine` to all others, and receives of each what goes to its place of `all`.
  void exchangeWithAll(Span<const char> mine, const std::vector<Span<char>> &all, const std::string &what);
  /// What each rank gives, by rank.
  std::vector<std::string> gather(const std::string &mine, const std::string &what);
  /// What rank 0 gives; of others `mine` is nothing.
  std::string broadcast(const std::string &mine, const std::string &what);
  void broadcast(Span<char> bytes, const std::string &what);
  /// The greatest of what the ranks give.
  int64_t greatest(int64_t mine, const std::string &what);

  struct Item {
    std::string name, value;
  };
  /// Throws RanksDiffer, in all ranks, unless all give the same items. It names the first rank that differs from rank
  /// 0, and in what.
  void agree(const std::vector<Item> &items);

protected:
  Comm(int rank, int size) : number(rank), count(size) {}

private:
  const int number, count;
};

} // namespace gnn::rt

#endif // GNN_COMM_COMM_H
