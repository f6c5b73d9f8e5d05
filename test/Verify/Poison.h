//===- Poison.h - Data that must not matter ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts NaN where a scenario's numbers must not matter: into features of edges that filters leave out, features of
// vertices that no loss reads, and labels outside of the mask. A zero there is neutral in every sum and hides that it
// was read.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_POISON_H
#define GNNC_TEST_VERIFY_POISON_H

#include "test/Verify/CompiledRun.h"
#include "test/Verify/Scenario.h"

namespace gnnc::verify {

/// `scenario` with NaN in rows of real inputs and targets that `program` must not depend on. `numRows` is increased by
/// the number of such rows. For `Program::Infer` they are those that change no result of the oracle.
///
/// For `Program::Train` the gradients count, too. What no edge reads because there is none is left alone: its product
/// with a parameter is computed for all vertices, and the gradient is 0 times that vertex, as in PyTorch. On the other
/// hand, rows of vertices that only change outputs of vertices without a loss are taken, unless edges read them.
/// If `scenario.bindings` say which edges a sample sees, a step over that sample must not depend on the rows.
Scenario poisoned(const CheckedModel &model, const Scenario &scenario, Program program, int64_t &numRows);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_POISON_H
