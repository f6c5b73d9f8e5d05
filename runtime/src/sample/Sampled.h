//===- Sampled.h - Executor of sampled mini-batches -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trains on batches of vertices or pairs, whose ends are the seeds: each step runs over a sample of their neighbourhood
// (Neighbourhood, Sampler), share by share of the batch (Shares). Totals over vertices, and the states that are made of
// them, are over the rows of a share.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_SAMPLED_H
#define GNN_SAMPLE_SAMPLED_H

#include "runtime/src/exec/LocalExecutor.h"
#include "runtime/src/sample/DrawnShare.h"
#include "runtime/src/sample/ShareSums.h"

#include <chrono>
#include <deque>

namespace gnn::rt {

class HotRows;

class Sampled : public LocalExecutor {
public:
  /// A training program whose loss is over vertices or pairs. Throws GNN_ERROR_MISMATCH, and says why, for one that
  /// can't be trained so. `ahead`: how many samples are drawn beside the next one. `shares`: of each batch, and who
  /// runs them; all ranks expect and run the same steps. All arguments but fan-outs, drawing and shares must outlive
  /// the executor.
  Sampled(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
          const FanOuts &fanOuts, const Drawing &drawing = {}, int64_t ahead = 0, const Shares &shares = {});

  /// Of training programs without an obstacle to samples the one that is the cheapest over a batch of these seeds.
  static const gnn_program_t &cheapestOf(const std::vector<const gnn_program_t *> &programs, const Library &library,
                                         const Binding &binding, const FanOuts &fanOuts, const Drawing &drawing,
                                         Seeds seeds);

  const char *name() const override { return "samples"; }
  /// The seeds of the step with this key, to be given before its run: rows of the whole tables, each once and in the
  /// split that the binding has its loss over, or pairs. What is sampled ahead is of steps that are expected. One that
  /// is expected long before its run, behind more than that, is forgotten.
  void expect(uint64_t stepKey, Seeds seeds);
  bool isExpected(uint64_t stepKey) const;

  // Before the first step, where memory is limited:
  /// Draws steps that are like those to come, some of all, and shows what each share of this process sees. There is
  /// room for all of them afterwards.
  void rehearse(const std::vector<int64_t> &steps, const std::function<Seeds(int64_t step)> &seedsOf,
                const std::function<void(int64_t step, const Neighbourhood &)> &show);
  /// Where steps read the rows of inputs that the binding has in files.
  void readFrom(const std::shared_ptr<PagedRows> &tables);
  /// Of an engine whose memory is apart: where steps find rows of inputs that it keeps.
  void findIn(const std::shared_ptr<HotRows> &rows);
  /// After `rehearse`, of such an engine: takes the memory for what is sent, with some to spare.
  void reserve();
  /// All memory for samples, but for what they read of these tables.
  size_t bytes() const;
  /// After inputs have come to memory.
  void releaseMemory() { local.releaseMemory(); }
  /// That are there at a time.
  int64_t numSamples() const { return int64_t(samples.size()); }

  /// Of all seeds of the last step, of all shares, in the mean that the loss is; 0 where none of them weighs.
  double weightOfSeeds() const { return weight; }

  void run(uint64_t stepKey) override;
  StepOutcome train(const TrainingStep &step) override;
  size_t peakBytes() const override;

private:
  using Clock = std::chrono::steady_clock;

  /// The batch of a step.
  struct Expected {
    uint64_t key;
    std::shared_ptr<const Seeds> seeds;
  };

  DrawnShare &draw(const Expected &step, int64_t share);
  void weigh(const Seeds &seeds);
  void moveTo(DrawnShare &share, Clock::time_point begin);
  void placePairTables(const Seeds &seeds);
  void sendAhead(uint64_t nextKey, int64_t nextShare);
  void runShares(const RunNumbers &numbers, const TrainingStep *step);

  const Shares shares;
  std::unique_ptr<ShareSums> sums;                  // null: a batch is one share
  std::deque<Expected> expected;                    // in their order
  std::vector<std::unique_ptr<DrawnShare>> samples; // take turns
  Tensor scale;                                     // of the loss: 1 / the weight of all seeds
  double weight = 0;                                // which is this
  std::map<uint32_t, Tensor> ofPairs;               // targets and mask of the step's pairs
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_SAMPLED_H
