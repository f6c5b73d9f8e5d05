//===- SampledSteps.h - Batches and samples for the oracle ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The batches of gnn-train --fanout and the edges that it draws for each, so that the oracle trains on the same. How
// far a model reads is asked of what it was compiled to; nothing is computed with that.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TOOLS_GNN_INTERP_SAMPLEDSTEPS_H
#define GNNC_TOOLS_GNN_INTERP_SAMPLEDSTEPS_H

#include "compiler/Interpreter/Interpreter.h"
#include "runtime/src/bind/Binding.h"
#include "runtime/src/data/Dataset.h"
#include "runtime/src/sample/Sampler.h"
#include "runtime/src/sample/SeenEdges.h"
#include "runtime/src/train/PairSteps.h"

namespace gnnc::interp {

struct SamplingOptions {
  std::string library, fanOuts, sampler = "uniform"; // as they are on the command line
  int64_t batch = 1024;
};

class SampledSteps {
public:
  /// Steps over the training split of a data set, to which `bindings` belong. Throws gnn::Error for a model that cannot
  /// be trained on samples, and for samples that the oracle cannot compute.
  SampledSteps(const CheckedModel &model, const std::string &data, const OracleBindings &bindings,
               const SamplingOptions &options);

  int64_t sizeOfBatch() const { return size; }
  /// The batches of vertices of the epoch.
  const gnn::rt::Batches &ofEpoch() const { return batches; }
  /// Makes the bindings those of their step: the mask of its batch, the edges of its sample. These stay in their place.
  /// `pairs`: those of the step, which the bindings have; null where batches are of vertices.
  void bind(OracleBindings &bindings, const gnn::rt::PairSteps::Step *pairs);

private:
  std::shared_ptr<gnn::rt::SeenEdges> seenBy(OracleBindings &bindings);
  std::shared_ptr<gnn::rt::SeenEdges> seenBy(OracleBindings &bindings, const gnn::rt::PairSteps::Step &pairs);

  std::shared_ptr<const gnn::rt::Library> library;
  std::unique_ptr<gnn::rt::Binding> binding;
  std::unique_ptr<gnn::rt::Sampler> sampler;
  std::unique_ptr<gnn::rt::TargetEdges> targetEdges;
  gnn::rt::Batches batches;
  const int64_t size;
};

} // namespace gnnc::interp

#endif // GNNC_TOOLS_GNN_INTERP_SAMPLEDSTEPS_H
