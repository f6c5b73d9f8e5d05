//===- Update.cpp - One step of an optimizer ------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/engine/Update.h"

#include "gnn/program.h"

#include <cmath>

namespace gnn::rt {

namespace {

template <class T> void apply(const UpdateRule &rule, const Update &update, int64_t begin, int64_t end) {
  T *p = static_cast<T *>(update.value);
  const T *g = static_cast<const T *>(update.gradient);
  const T l2 = T(update.l2);
  if (!rule.hasMoments) {
    const T rate = T(rule.rate);
    for (int64_t i = begin; i < end; ++i)
      p[i] -= rate * (g[i] + l2 * p[i]);
    return;
  }
  T *m = static_cast<T *>(update.firstMoment), *v = static_cast<T *>(update.secondMoment);
  const T shrink = T(update.shrink), stepSize = T(rule.stepSize), rootCorrection = T(rule.rootCorrection);
  for (int64_t i = begin; i < end; ++i) {
    T gradient = g[i] + l2 * p[i];
    m[i] = T(UpdateRule::beta1) * m[i] + T(1 - UpdateRule::beta1) * gradient;
    v[i] = T(UpdateRule::beta2) * v[i] + T(1 - UpdateRule::beta2) * gradient * gradient;
    p[i] = shrink * p[i] - stepSize * m[i] / (std::sqrt(v[i]) * rootCorrection + T(UpdateRule::epsilon));
  }
}

} // namespace

void applyUpdate(const UpdateRule &rule, const Update &update, int64_t begin, int64_t end) {
  update.element == GNN_F64 ? apply<double>(rule, update, begin, end) : apply<float>(rule, update, begin, end);
}

} // namespace gnn::rt
