//===- NpyApi.cpp - The C interface of .npy files --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The contracts are in gnn/npy.h.
//
//===----------------------------------------------------------------------===//

#include "gnn/npy.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/io/Npy.h"

using namespace gnn::rt;

gnn_status_t gnn_npy_load(const char *path, gnn_tensor_t **out) {
  return guard([&] {
    require(path && out, GNN_ERROR_ARGUMENT, "an argument is NULL");
    *out = new gnn_tensor_t{readNpy(path)};
  });
}

gnn_status_t gnn_npy_save(const gnn_tensor_t *tensor, const char *path) {
  return guard([&] {
    require(tensor && path, GNN_ERROR_ARGUMENT, "an argument is NULL");
    writeNpy(path, tensor->value.onHost());
  });
}
