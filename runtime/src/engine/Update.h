//===- Update.h - One step of an optimizer ----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic of SGD, Adam and AdamW for one parameter, with all that depends on the algorithm and the number of
// the step computed before. Every number is rounded to the parameter's element type before it is used.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ENGINE_UPDATE_H
#define GNN_ENGINE_UPDATE_H

#include <cstdint>

namespace gnn::rt {

/// p = shrink p - stepSize m / (sqrt(v) rootCorrection + epsilon), where m and v are the moving averages of g and g^2
/// and g = gradient + l2 p; without moments p = p - rate g.
struct UpdateRule {
  static constexpr double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8;
  bool hasMoments;
  double rate, stepSize, rootCorrection;
};

struct Update {
  uint32_t element; // GNN_F32 or GNN_F64
  int64_t count;
  void *value;
  const void *gradient;
  void *firstMoment, *secondMoment; // null without moments
  double l2, shrink;
};

/// Elements [begin, end) of a parameter. Elements are independent.
void applyUpdate(const UpdateRule &rule, const Update &update, int64_t begin, int64_t end);

} // namespace gnn::rt

#endif // GNN_ENGINE_UPDATE_H
