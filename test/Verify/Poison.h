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

#include "test/Verify/Scenario.h"

namespace gnnc::verify {

/// What must stay as it is: the loss and the next states, as in a training step; or all results, also the outputs of
/// vertices that the loss leaves out.
enum class Watched { Loss, Results };

/// `scenario` with NaN in each row of a real input or target that changes no watched number of the oracle. `numRows` is
/// increased by the number of such rows.
Scenario poisoned(const CheckedModel &model, const Scenario &scenario, Watched watched, int64_t &numRows);

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_POISON_H
