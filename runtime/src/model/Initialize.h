//===- Initialize.h - First values of parameters ----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initialisers, drawn from counter-based random numbers: an element's value depends on the seed, the parameter's index
// and the element's position alone.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_MODEL_INITIALIZE_H
#define GNN_MODEL_INITIALIZE_H

#include "runtime/src/core/Tensor.h"

namespace gnn::rt {

/// The initializer of a parameter: GNN_INIT_*, its argument and fans (gnn/program.h).
///   glorot_uniform   U(-a, a), a = sqrt(6 / (fan in + fan out))     Glorot & Bengio 2010, eq. 16
///   glorot_normal    N(0, s), s = sqrt(2 / (fan in + fan out))
///   kaiming_uniform  U(-a, a), a = sqrt(6 / fan in)                 He et al. 2015, eq. 10, as a uniform distribution
struct Initializer {
  uint32_t kind;
  double argument;
  int64_t fanIn, fanOut;
};

/// Fills `tensor` (f32 or f64); `index` is the parameter's place among the library's tensors.
void initialize(Tensor &tensor, const Initializer &initializer, uint64_t seed, uint64_t index);

} // namespace gnn::rt

#endif // GNN_MODEL_INITIALIZE_H
