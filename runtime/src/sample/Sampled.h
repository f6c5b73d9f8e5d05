//===- Sampled.h - Executor of sampled mini-batches -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trains on batches of vertices or pairs, whose ends are the seeds: each step runs over a sample of their neighbourhood
// (Neighbourhood, Sampler). Totals over vertices, and the states that are made of them, are over the rows of the batch.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_SAMPLED_H
#define GNN_SAMPLE_SAMPLED_H

#include "runtime/src/exec/LocalExecutor.h"
#include "runtime/src/sample/DrawnBatch.h"

namespace gnn::rt {

class Sampled : public LocalExecutor {
public:
  /// A training program whose loss is over vertices or pairs. Throws GNN_ERROR_MISMATCH, and says why, for one that
  /// can't be trained so. `ahead`: how many steps are expected beside the next one. All arguments but fan-outs and
  /// drawing must outlive the executor.
  Sampled(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
          const FanOuts &fanOuts, const Drawing &drawing = {}, int64_t ahead = 0);

  const char *name() const override { return "samples"; }
  /// The seeds of the step with this key, to be given before its run: rows of the whole tables, each once and in the
  /// split that the binding has its loss over, or pairs. Where steps are expected ahead, it is sampled meanwhile. A
  /// step that is expected long before its run, behind more than that, is forgotten.
  void expect(uint64_t stepKey, Seeds seeds);
  bool isExpected(uint64_t stepKey) const;

  // Before the first step, where memory is limited:
  /// Draws steps that are like those to come, some of all, and shows what each sees. There is room for all of them
  /// afterwards.
  void rehearse(const std::vector<int64_t> &steps, const std::function<Seeds(int64_t step)> &seedsOf,
                const std::function<void(int64_t step, const Neighbourhood &)> &show);
  /// Where steps read the rows of inputs that the binding has in files.
  void readFrom(const std::shared_ptr<PagedRows> &tables);
  /// All memory for samples, but for what they read of these tables.
  size_t bytes() const;
  /// After inputs have come to memory.
  void releaseMemory() { local.releaseMemory(); }
  int64_t numBatches() const { return int64_t(batches.size()); }

  /// Of all seeds of the last step, in the mean that the loss is; 0 where none of them weighs.
  double weightOfSeeds() const { return weight; }

  size_t peakBytes() const override { return local.bytes(); }

private:
  void goTo(uint64_t stepKey) override;
  void placePairTables(const Seeds &seeds);

  std::vector<std::unique_ptr<DrawnBatch>> batches; // take turns
  size_t turn = 0;
  Tensor scale;                       // of the loss: 1 / the weight of all seeds
  double weight = 0;                  // which is this
  std::map<uint32_t, Tensor> ofPairs; // targets and mask of the step's pairs
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_SAMPLED_H
