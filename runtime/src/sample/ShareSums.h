//===- ShareSums.h - What the shares of a batch make together ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loss and gradients of a batch are the sums of those of its shares, and the next values of states the means, by how
// many seeds a share has. They are folded in the order of shares: from rank to rank pass those of all shares before.
// That is done in the memory of the engine where the engines of ranks are linked and there are no states, else by this
// process.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_SHARESUMS_H
#define GNN_SAMPLE_SHARESUMS_H

#include "runtime/src/exec/Engine.h"
#include "runtime/src/program/Library.h"
#include "runtime/src/sample/Shares.h"

#include <vector>

namespace gnn::rt {

class ShareSums {
public:
  /// Of a training program, with results like these; all arguments but the last two must outlive this.
  ShareSums(Engine &engine, const Library &library, const gnn_program_t &program, const std::vector<Tensor> &results,
            const Shares &shares);

  /// The results of a share of this process, which is of these seeds of the batch; one after the other. Once they are
  /// computed, and only of shares that have seeds.
  void add(const Shares::Range &seeds, const std::vector<Tensor> &results);
  /// After the last share of a step: the results become those of all shares, with the same bits in every process.
  void finish(std::vector<Tensor> &results);
  /// Memory of this process for results like these.
  size_t bytes(const std::vector<Tensor> &results) const;

private:
  struct Part {
    Shares::Range seeds{0, 0};
    std::vector<Tensor> results;
  };

  bool isFirst() const { return !shares.comm || shares.comm->rank() == 0; }
  bool isMean(size_t result) const { return library.tensor(program.results[result]).role == GNN_ROLE_STATE_NEXT; }
  Exchange &between() const { return link ? *link : *shares.comm; }
  Tensor like(const Tensor &result) const;
  void copyTo(void *to, const Tensor &result) const;
  void copy(std::vector<Tensor> &to, const std::vector<Tensor> &results) const;
  void foldThere(const std::vector<Tensor> &results);
  void fold(const Shares::Range &seeds, const std::vector<Tensor> &results);
  void receive(int from, const std::string &what);
  std::vector<Comm::Send> sendsTo(int rank) const;

  Engine &engine;
  const Library &library;
  const gnn_program_t &program;
  const Shares shares;
  Exchange *link = nullptr; // between the engines of all ranks; null: sums are in memory of this process
  std::vector<Tensor> sums; // in the order of shares, of all so far
  std::vector<Part> ours;   // that wait for the sums of the ranks before
  size_t numOurs = 0;       // of these, in this step
  bool isBegun = false;     // the sums are of this step
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_SHARESUMS_H
