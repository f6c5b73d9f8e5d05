//===- ModelApi.h - Features of the C interface -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The common part of the C functions of inference and training.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_MODEL_MODELAPI_H
#define GNN_MODEL_MODELAPI_H

#include "gnn/model.h"
#include "runtime/src/bind/Binding.h"
#include "runtime/src/engine/Engine.h"

namespace gnn::rt {

/// The tables that a caller passes; they share its tensors, but for those in the memory of another device than the one
/// that computes.
Features featuresOf(const gnn_input_t *inputs, uint32_t count, const Engine &engine);

} // namespace gnn::rt

#endif // GNN_MODEL_MODELAPI_H
