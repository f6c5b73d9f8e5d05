//===- ShareSums.h - What the shares of a batch make together ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loss and gradients of a batch are the sums of those of its shares, and the next values of states the means, by how
// many seeds a share has. They are folded in the order of shares, whenever they come: from rank to rank pass those of
// all shares before. That is done in the memory of the engine where the engines of ranks are linked and there are no
// states, else by this process.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_SHARESUMS_H
#define GNN_SAMPLE_SHARESUMS_H

#include "runtime/src/engine/Engine.h"
#include "runtime/src/program/Library.h"
#include "runtime/src/sample/Shares.h"

#include <map>
#include <vector>

namespace gnn::rt {

class ShareSums {
public:
  /// The program is a training program with these results; all arguments but the last two must outlive this.
  ShareSums(Engine &engine, const Library &library, const gnn_program_t &program, const std::vector<Tensor> &results,
            const Shares &shares);

  /// The results of a share of this process, by its number, which is of these seeds of the batch. They are in memory of
  /// an engine, once they are computed, and only of shares that have seeds.
  void add(int64_t share, const Shares::Range &seeds, Engine &there, const std::vector<Tensor> &results);
  /// After the last share of a step: the results become those of all shares, with the same bits in every process.
  void finish(std::vector<Tensor> &results);
  /// Memory of this process for results like these, of shares that come one after the other.
  size_t bytes(const std::vector<Tensor> &results) const;

private:
  struct Part {
    Shares::Range seeds{0, 0};
    std::vector<Tensor> results{}; // stay from step to step
    bool isWaiting = false;
  };

  bool isFirst() const { return !shares.comm || shares.comm->rank() == 0; }
  bool isMean(size_t result) const { return library.tensor(program.results[result]).role == GNN_ROLE_STATE_NEXT; }
  Exchange &between() const { return link ? *link : *shares.comm; }
  Tensor like(const Tensor &result) const;
  void copyTo(void *to, Engine &there, const Tensor &result) const;
  void copy(std::vector<Tensor> &to, Engine &there, const std::vector<Tensor> &results) const;
  void foldThere(const std::vector<Tensor> &results);
  void fold(const Shares::Range &seeds, const std::vector<Tensor> &results);
  void receive(int from, const std::string &what);
  std::vector<Comm::Send> sendsTo(int rank) const;

  Engine &engine;
  const Library &library;
  const gnn_program_t &program;
  const Shares shares;
  Exchange *link = nullptr; // between the engines of all ranks, of one each; null: sums are in memory of this process
  std::vector<Tensor> sums; // in the order of shares, of all so far
  std::map<int64_t, Part> ours; // by share: those that wait for others before them
  int64_t next = 0;             // share of this process that the sums are without
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_SHARESUMS_H
