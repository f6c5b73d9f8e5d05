//===- DLPack.h - Exchange of tensors --------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensors to and from DLPack 1.x; the contract is in gnn/tensor.h.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXCHANGE_DLPACK_H
#define GNN_EXCHANGE_DLPACK_H

#include "runtime/src/core/Tensor.h"

namespace gnn::rt {

gnn_dl_managed_tensor_t *toDLPack(const Tensor &tensor);
/// Takes over `managed` unless it throws.
Tensor fromDLPack(gnn_dl_managed_tensor_t *managed);

} // namespace gnn::rt

#endif // GNN_EXCHANGE_DLPACK_H
