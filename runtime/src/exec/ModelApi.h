//===- ModelApi.h - Features of the C interface -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C functions of inference and training share.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_MODELAPI_H
#define GNN_EXEC_MODELAPI_H

#include "gnn/model.h"
#include "runtime/src/exec/Binding.h"

namespace gnn::rt {

/// The tables that a caller passes; they share its tensors.
Features featuresOf(const gnn_input_t *inputs, uint32_t count);

} // namespace gnn::rt

#endif // GNN_EXEC_MODELAPI_H
