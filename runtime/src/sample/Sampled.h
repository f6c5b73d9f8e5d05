//===- Sampled.h - Executor of sampled mini-batches -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trains on batches of vertices or pairs, whose ends are the seeds: each step runs over a sample of their neighbourhood
// (Neighbourhood, Sampler), share by share of the batch (Shares). Totals over vertices, and the states that are made of
// them, are over the rows of a share. Devices that compute together have some of the shares each, and run them side by
// side; the first of them updates the model, of whose parameters the others have copies.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_SAMPLED_H
#define GNN_SAMPLE_SAMPLED_H

#include "runtime/src/exec/LocalExecutor.h"
#include "runtime/src/sample/ShareQueue.h"
#include "runtime/src/sample/ShareSums.h"

#include <chrono>
#include <optional>

namespace gnn::rt {

/// "device" or "host"; `where` is the option, for messages.
DrawnBy parseDrawnBy(const std::string &text, const std::string &where);

class Sampled : public LocalExecutor {
public:
  /// A training program whose loss is over vertices or pairs. Throws GNN_ERROR_MISMATCH, and says why, for one that
  /// can't be trained so, and GNN_ERROR_ARGUMENT for fewer shares than engines that compute with this one. `ahead`: how
  /// many samples are drawn beside the next one, by each of them. `shares`: of each batch, and who runs them; all ranks
  /// expect and run the same steps. `drawnBy`: GNN_ERROR_MISMATCH, which says why, where engines can't. All arguments
  /// but fan-outs, drawing and shares must outlive the executor.
  Sampled(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
          const FanOuts &fanOuts, const Drawing &drawing = {}, int64_t ahead = 0, const Shares &shares = {},
          DrawnBy drawnBy = DrawnBy::Auto);

  /// The training program without an obstacle to samples that costs least over a batch of these seeds.
  static const gnn_program_t &cheapestOf(const std::vector<const gnn_program_t *> &programs, const Library &library,
                                         const Binding &binding, const FanOuts &fanOuts, const Drawing &drawing,
                                         Seeds seeds);

  const char *name() const override { return "samples"; }
  void place(uint32_t tensor, void *data) override;
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
  void readFrom(const std::shared_ptr<PagedRows> &tables) { queue->readFrom(tables); }
  /// For engines with device memory: caches the rows of inputs that steps of some engines read. `engines` are the
  /// engines that own the cached rows, numbered among all engines.
  void findIn(const std::shared_ptr<HotRows> &rows, const std::vector<size_t> &engines);
  /// After `rehearse`, of such engines: takes the memory for what is sent and drawn, with some to spare.
  void reserve();
  /// ShareQueue::drawTables of an engine, and the reason where there are none.
  DrawTables *drawnOf(size_t engine) const { return devices[engine]->queue->drawTables(); }
  const std::string &whyDrawnHere() const { return queue->whyDrawnHere(); }
  /// Counts of the edges that engines have drawn for computed batches.
  EdgeDraws::Counts drawCounts() const;
  /// All memory for samples, but for what they read of these tables.
  size_t bytes() const;
  /// Those in a file that are drawn of; none are, perhaps.
  FiledEdges &filedEdges() const { return *filed; }
  /// After inputs have come to memory.
  void releaseMemory() { local.releaseMemory(); }
  /// That are there at a time.
  int64_t numSamples() const { return int64_t(queue->samples().size()); }

  /// The total weight of all seeds of the last step, over all shares, in the loss's mean; 0 if no seed has a weight.
  double weightOfSeeds() const { return weight; }

  void run(uint64_t stepKey) override;
  StepOutcome train(const TrainingStep &step) override;
  size_t peakBytes() const override { return local.bytes() + queue->bytes(); }

private:
  using Clock = std::chrono::steady_clock;

  struct Run {
    const ExpectedBatch &batch;
    const std::deque<ExpectedBatch> &following;
    const RunNumbers &numbers;
    const TrainingStep *step; // whose update follows; null: none does, on this device
  };
  /// A parameter, of which another device has a copy.
  struct Copied {
    const void *from;
    size_t bytes;
    std::unique_ptr<Memory> there; // null:
    std::vector<char> here;        // rows are gathered of it, by this process
  };

  /// The same on another device.
  Sampled(Engine &engine, const Sampled &first);

  // Called for each device:
  void open(const Sampler &sampler, const Shares &shares, const Shares::Range &mine, size_t numSamples,
            DrawnBy drawnBy);
  void moveTo(DrawnShare &share, Clock::time_point begin);
  void placePairTables(const Seeds &seeds);
  void beginStep(double seeds);
  Shares::Range beginShare(const Run &run, int64_t number);

  // Called once for all devices:
  void runShares(const RunNumbers &numbers, const TrainingStep *step);
  void finishShares();

  std::optional<ShareQueue> queue;
  Tensor scale;                       // of the loss: 1 / the weight of all seeds
  std::map<uint32_t, Tensor> ofPairs; // targets and mask of the step's pairs
  std::map<uint32_t, Copied> copied;  // by tensor; none on the first device
  EdgeDraws::Counts drawn;            // by this device

  // Used by the first device, which leads the others:
  std::shared_ptr<FiledEdges> filed;
  std::vector<std::unique_ptr<Sampled>> others;
  std::vector<Sampled *> devices;     // with this one
  std::unique_ptr<ShareSums> sums;    // null: a batch is one share
  std::deque<ExpectedBatch> expected; // in their order
  double weight = 0;                  // of all seeds
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_SAMPLED_H
