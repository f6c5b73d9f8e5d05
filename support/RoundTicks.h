//===- RoundTicks.h - Where axes have numbers -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SUPPORT_ROUNDTICKS_H
#define GNN_SUPPORT_ROUNDTICKS_H

#include <vector>

namespace gnn::tools {

/// Multiples of 1, 2 or 5 times a power of ten within [from, to], at most `most` + 1 of them; the distance is at least
/// `least`.
std::vector<double> roundTicks(double from, double to, int most, double least = 0);

} // namespace gnn::tools

#endif // GNN_SUPPORT_ROUNDTICKS_H
