//===- Drawing.h - How edges are drawn --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kinds of draws that a sample can be of, and how a user names them; and the draws themselves, each of some of the
// edges of a row: of numbers below `count`, which are written in ascending order.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_DRAWING_H
#define GNN_SAMPLE_DRAWING_H

#include "runtime/src/core/Random.h"
#include "runtime/src/core/Span.h"

#include <string>

namespace gnn::rt {

struct Drawing {
  bool isShared = false;   // "labor": a neighbour is drawn once for all who read it (Balin, Catalyurek 2023)
  bool isRepeated = false; // "replace": as many draws as the fan-out, in which an edge may be several times
  std::string weight{};    // "weight=NAME": by a number of each edge; empty: all alike

  /// "uniform", "labor", or "weight=NAME", "replace" or both with a comma between. Throws GNN_ERROR_ARGUMENT, which
  /// begins with `origin`, for anything else.
  static Drawing parse(const std::string &text, const std::string &origin);
  /// As it is written.
  std::string text() const;
};

/// `most` of more, all alike (Floyd's algorithm: Bentley and Floyd, CACM 30(9), 1987).
void drawUniform(RandomSequence draws, int64_t count, int64_t most, int64_t *chosen);
/// `most`, the same one any number of times.
void drawRepeated(RandomSequence draws, int64_t count, int64_t most, int64_t *chosen);
/// `most` of more, one after the other by their weights, which are above 0 (Efraimidis and Spirakis 2006).
void drawWeighted(RandomSequence draws, Span<const double> weights, int64_t most, int64_t *chosen);
/// Likewise, the same one any number of times.
void drawWeightedRepeated(RandomSequence draws, Span<const double> weights, int64_t most, int64_t *chosen);

} // namespace gnn::rt

#endif // GNN_SAMPLE_DRAWING_H
