//===- PullbackRun.h - A scenario by vector-Jacobian products ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_PULLBACKRUN_H
#define GNNC_TEST_VERIFY_PULLBACKRUN_H

#include "runtime/src/bind/Binding.h"
#include "test/Verify/CompiledRun.h"

namespace gnnc::verify {

/// The outputs of a model and its gradients for the cotangents of `scenario`, by the C interface (gnn/pullback.h). Two
/// forward calls wait for their backward calls at the same time. Throws gnn::Error if gradients have other bits the
/// next time.
CompiledResults runPullback(const std::shared_ptr<const gnn::rt::Library> &library, const gnn::rt::Dims &dims,
                            unsigned threads, const std::shared_ptr<const gnn::rt::Graph> &graph,
                            gnn::rt::Features features, const CheckedModel &model, const Scenario &scenario);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_PULLBACKRUN_H
