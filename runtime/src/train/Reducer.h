//===- Reducer.h - Gradients of several processes ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRAIN_REDUCER_H
#define GNN_TRAIN_REDUCER_H

#include "runtime/src/core/Tensor.h"

#include <vector>

namespace gnn::rt {

/// What comes between a run of @train and the update: each process has run over its part.
class Reducer {
public:
  virtual ~Reducer() = default;
  /// `results` are the loss, the gradients and the next values of states, in the memory of the engine. They become
  /// those of all parts together, with the same bits in every process, so that all find the same finite.
  virtual void reduce(std::vector<Tensor> &results) = 0;
};

} // namespace gnn::rt

#endif // GNN_TRAIN_REDUCER_H
