//===- TrainingSplit.h - What a training loss is over -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The training split: vertices or edges with labels and weights of their classes, or pairs with negatives. It says what
// each step of an epoch is over.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_TRAININGSPLIT_H
#define GNN_TRAIN_TRAININGSPLIT_H

#include "runtime/src/sample/DrawnShare.h"
#include "runtime/src/train/Batches.h"
#include "runtime/src/train/TrainingContext.h"

namespace gnn::rt {

class TrainingSplit {
public:
  /// `split` has ids [any], or pairs [any, 2] or typed ones [any, 3] (docs/data-formats.md); `name` is for messages.
  /// Rows must all have labels. Sets the rows of the loss, or the pairs of the first step. Throws GNN_ERROR_DATA for
  /// what is no split of this model, GNN_ERROR_MISMATCH for weights of classes that do not apply.
  static std::unique_ptr<TrainingSplit> open(TrainingContext &context, const Tensor &split, const std::string &name);
  virtual ~TrainingSplit() = default;

  /// The steps of an epoch.
  virtual const Batches &batches() const = 0;
  /// Binds the rows of the loss again, where the binding of samples has become another.
  virtual void bind() {}
  /// Binds what a step over the graph is over, where steps differ.
  virtual void bindStep(uint64_t, int64_t) {}
  /// The rows or pairs around which a step samples.
  virtual Seeds seedsOf(uint64_t seed, int64_t step) = 0;
  /// How much the loss of a step weighs in that of its epoch, of 1. `weightOfSeeds`: the sum over its rows, if it was
  /// on samples.
  virtual double shareOf(int64_t step, std::optional<double> weightOfSeeds) const = 0;
  /// Memory for pairs and those of a step.
  virtual size_t bytes() const { return 0; }
};

/// Tensors of the targets of the rows that the loss is over.
std::vector<uint32_t> targetsOfLoss(const Library &library, const Binding &binding);
/// The output that the loss is of, of vertices or edges, whose dimension is the number of classes; null if the target
/// is not a class.
const gnn_tensor_info_t *classLogits(const Library &library);
/// Throws GNN_ERROR_DATA for class labels outside [-1, classes).
void checkLabels(const TrainingContext &context);
/// Throws GNN_ERROR_DATA for rows of a split that are out of range or have no label.
void requireLabels(const TrainingContext &context, Span<const int64_t> rows, const std::string &split);

} // namespace gnn::rt

#endif // GNN_TRAIN_TRAININGSPLIT_H
