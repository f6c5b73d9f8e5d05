//===- Driver.h - The CUDA driver, opened at run time -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcuda is looked for when a model is to run on a GPU: the runtime itself runs without one.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DRIVER_H
#define GNN_CUDA_DRIVER_H

#include "runtime/src/cuda/DriverApi.h"

#include <string>

namespace gnn::rt::cuda {

struct Driver {
#define GNN_CUDA_MEMBER(member, symbol, parameters) Result(*member) parameters;
  GNN_CUDA_FUNCTIONS(GNN_CUDA_MEMBER)
#undef GNN_CUDA_MEMBER
  int version = 0;        // 13000 for CUDA 13.0
  bool isOnPaper = false; // PaperDriver.h

  /// The driver of this machine, initialised, or that on paper. Throws GNN_ERROR_DEVICE if there is none, it is older
  /// than CUDA 11.8 or it finds no device.
  static const Driver &get();

  /// "CUDA_ERROR_OUT_OF_MEMORY: out of memory".
  std::string describe(Result error) const;
};

} // namespace gnn::rt::cuda

#endif // GNN_CUDA_DRIVER_H
