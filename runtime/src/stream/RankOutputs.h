//===- RankOutputs.h - What of a program travels between ranks --*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decided by the program alone: who runs it by several ranks and who says beforehand what that takes look here.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_RANKOUTPUTS_H
#define GNN_STREAM_RANKOUTPUTS_H

#include "runtime/src/program/Library.h"

#include <functional>
#include <vector>

namespace gnn::rt {

struct RankOutput {
  enum Way {
    Stays,    // rows that only their own rows read again
    OnDemand, // the same, of a result: goes to all ranks once somebody asks for it
    ToAll,    // each rank sends what it has made to all others
    Summed,   // a total: passes from rank to rank, and from the last one to all
  };

  uint32_t step, operand;
  bool isOfEdges; // numbers by edge
  Way way;

  bool travels() const { return way != Stays; }
};

/// All outputs of the steps of a program, in their order.
std::vector<RankOutput> rankOutputs(const Library &library, const gnn_program_t &program);

/// Bytes that a table or total of so many bytes makes all ranks together send, once.
uint64_t bytesSent(RankOutput::Way way, uint64_t bytes, int ranks);

/// Memory of one of `ranks` processes for what these programs exchange: pieces of tables that are on their way, and ids
/// of edges whose numbers travel. `numEdges` is called with relations.
uint64_t exchangeBytes(const Library &library, const std::vector<const gnn_program_t *> &programs, int ranks,
                       const std::function<int64_t(uint32_t)> &numEdges);

/// Bytes of each rank that are in memory while a table is sent in pieces.
constexpr size_t bytesOfRankPiece = 128 << 10;

} // namespace gnn::rt

#endif // GNN_STREAM_RANKOUTPUTS_H
