//===- ShareQueue.h - Samples that are drawn ahead --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The samples of a device, which take turns: while a step runs over one, others are drawn for the shares that follow,
// and sent to an engine whose memory is apart.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_SHAREQUEUE_H
#define GNN_SAMPLE_SHAREQUEUE_H

#include "runtime/src/sample/DrawnShare.h"

#include <deque>

namespace gnn::rt {

class HotRows;

/// Who draws the edges of batches where an engine has memory of its own. All draw the same edges.
enum class DrawnBy {
  Auto,   // the engine, where it can
  Device, // the engine
  Host    // the processor
};

/// The batch of a step.
struct ExpectedBatch {
  uint64_t key;
  std::shared_ptr<const Seeds> seeds;
};

class ShareQueue {
public:
  using Samples = std::vector<std::unique_ptr<DrawnShare>>;

  /// `mine`: the shares of each batch that this device has. `drawnBy`: throws GNN_ERROR_MISMATCH, which says why, where
  /// the engine can't. Engine, library, binding and program must outlive this.
  ShareQueue(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
             const Sampler &sampler, const Shares &shares, const Shares::Range &mine, size_t numSamples,
             DrawnBy drawnBy);

  const Samples &samples() const { return all; }
  int64_t begin() const { return mine.begin; }
  /// Behind the last of the device's shares that has seeds of a batch. The first is one of them in any case: there are
  /// steps to begin and to end. Shares may be many more than seeds.
  int64_t endOf(const Seeds &seeds) const;
  /// Begins a share, if it is not begun, and those that follow, as many as are drawn ahead.
  DrawnShare &draw(const ExpectedBatch &batch, int64_t share, const std::deque<ExpectedBatch> &following);
  /// Sends what is drawn ahead to an engine apart while that computes: the next share, and others if they are there.
  void sendAhead(uint64_t nextKey, int64_t nextShare);

  void readFrom(const std::shared_ptr<PagedRows> &tables);
  /// After some were drawn: takes the memory for what is sent and drawn, with some to spare.
  void reserve();
  /// Memory in the engine for what is sent and drawn.
  size_t bytes() const;
  /// The tables from which the engine draws edges; null if the processor draws all edges, for the reason
  /// `whyDrawnHere`.
  DrawTables *drawTables() const { return tables.get(); }
  const std::string &whyDrawnHere() const { return whyHere; }

private:
  void openDraws(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
                 const Sampler &sampler, DrawnBy drawnBy);

  const Shares shares;
  const Shares::Range mine;
  Samples all;
  std::shared_ptr<DrawTables> tables; // null: `whyHere`
  std::string whyHere;
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_SHAREQUEUE_H
