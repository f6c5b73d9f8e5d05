//===- Training.h - Training on the oracle ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Training as in gnn-train, in float64 and without the compiler: the same steps, dropout and sampled pairs for a seed,
// so that the results of both can be compared.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TOOLS_GNN_INTERP_TRAINING_H
#define GNNC_TOOLS_GNN_INTERP_TRAINING_H

#include "compiler/Interpreter/Interpreter.h"
#include "runtime/src/data/Dataset.h"
#include "tools/gnn-interp/SampledSteps.h"

namespace gnnc::interp {

/// Options of training a model of links.
struct PairOptions {
  int64_t batch = 0; // true pairs of a step; 0: all
  int64_t negatives = 1;
};

/// Changes the parameters and states of `bindings` by `epochs` epochs of the optimizer that the model states, from step
/// 0 of `bindings.seed`: of one step each or of as many as there are batches. The loss counts what the mask of
/// `bindings` says, or the batch; a model of links learns from the pairs that are bound and sampled ones, as `pairs`
/// says. Returns the loss of the last epoch; mask and seen edges are left those of its last step. Throws gnn::Error if
/// the model has no loss.
double trainModel(const CheckedModel &model, const gnn::rt::Dataset &dataset, int64_t epochs, const PairOptions &pairs,
                  SampledSteps *samples, OracleBindings &bindings);

} // namespace gnnc::interp

#endif // GNNC_TOOLS_GNN_INTERP_TRAINING_H
