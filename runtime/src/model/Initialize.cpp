//===- Initialize.cpp - First values of parameters ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/model/Initialize.h"

#include "runtime/src/core/Random.h"

#include <algorithm>
#include <cmath>

namespace gnn::rt {

namespace {

class Draws {
public:
  Draws(uint64_t seed, uint64_t index) : key(mix64(mix64(seed + goldenGamma) ^ (index + 1) * goldenGamma)) {}

  /// Uniform in [0, 1).
  double uniform(uint64_t counter) const { return double(mix64(key + counter * goldenGamma) >> 11) * 0x1p-53; }

  /// Standard normal (Box & Muller 1958).
  double normal(uint64_t counter) const {
    constexpr double twoPi = 6.283185307179586;
    return std::sqrt(-2 * std::log(1 - uniform(2 * counter))) * std::cos(twoPi * uniform(2 * counter + 1));
  }

private:
  uint64_t key;
};

template <class Value> void fill(Tensor &tensor, Value valueAt) {
  void *data = tensor.mutableData();
  for (int64_t i = 0; i < tensor.count(); ++i)
    if (tensor.element() == GNN_F64)
      static_cast<double *>(data)[i] = valueAt(uint64_t(i));
    else
      static_cast<float *>(data)[i] = float(valueAt(uint64_t(i)));
}

} // namespace

void initialize(Tensor &tensor, const Initializer &initializer, uint64_t seed, uint64_t index) {
  Draws draws(seed, index);
  auto uniform = [&](double bound) { fill(tensor, [&](uint64_t i) { return (2 * draws.uniform(i) - 1) * bound; }); };
  auto normal = [&](double deviation) { fill(tensor, [&](uint64_t i) { return draws.normal(i) * deviation; }); };
  auto constant = [&](double value) { fill(tensor, [&](uint64_t) { return value; }); };
  double fanIn = double(std::max<int64_t>(initializer.fanIn, 1)),
         fans = fanIn + double(std::max<int64_t>(initializer.fanOut, 0));
  switch (initializer.kind) {
  case GNN_INIT_ZEROS:
    return constant(0);
  case GNN_INIT_ONES:
    return constant(1);
  case GNN_INIT_CONSTANT:
    return constant(initializer.argument);
  case GNN_INIT_GLOROT_UNIFORM:
    return uniform(std::sqrt(6 / fans));
  case GNN_INIT_GLOROT_NORMAL:
    return normal(std::sqrt(2 / fans));
  case GNN_INIT_KAIMING_UNIFORM:
    return uniform(std::sqrt(6 / fanIn));
  case GNN_INIT_UNIFORM:
    return uniform(initializer.argument);
  case GNN_INIT_NORMAL:
    return normal(initializer.argument);
  }
}

} // namespace gnn::rt
