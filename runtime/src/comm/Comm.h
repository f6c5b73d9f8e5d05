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
#include "runtime/src/comm/Exchange.h"

#include <chrono>
#include <utility>

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

class Comm : public Exchange {
public:
  /// How long it waits for a rank that is there and says nothing.
  std::chrono::milliseconds patience() const { return most; }

  /// Tells the others that this rank ends, and why; none of them waits for it any more.
  virtual void abort(const std::string &cause) noexcept = 0;
  /// While `what` comes from other ranks by other means than this. Throws RankLost if one of them has ended, or any
  /// rank has said that it does. Waits for nothing.
  virtual void hear(const std::vector<int> &from, const std::string &what) = 0;
  /// Throws RankLost: there was nothing of these ranks for as long as this waits.
  [[noreturn]] void fallSilent(const std::vector<int> &ranks, const std::string &what) const;

  /// Returns the `mine` of each rank, by rank.
  std::vector<std::string> gather(const std::string &mine, const std::string &what);
  /// Returns the `mine` of rank 0; other ranks pass nothing.
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
  Comm(int rank, int size, std::chrono::milliseconds patience) : Exchange(rank, size), most(patience) {}

private:
  const std::chrono::milliseconds most;
};

} // namespace gnn::rt

#endif // GNN_COMM_COMM_H
