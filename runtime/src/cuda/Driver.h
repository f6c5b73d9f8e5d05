//===- Driver.h - The CUDA driver, opened at run time -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libcuda is looked for when a model is to run on a GPU: the runtime itself runs without one. For plans there is a
// driver of devices that are not there ("on paper"): engines are made ready as on the real ones, and nothing that they
// are asked for is done.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DRIVER_H
#define GNN_CUDA_DRIVER_H

#include "runtime/src/cuda/DriverApi.h"

#include <memory>
#include <string>

namespace gnn::rt {
class Topology;
}

namespace gnn::rt::cuda {

struct Driver {
#define GNN_CUDA_MEMBER(member, symbol, parameters) Result(*member) parameters;
  GNN_CUDA_FUNCTIONS(GNN_CUDA_MEMBER)
#undef GNN_CUDA_MEMBER
  int version = 0;        // 13000 for CUDA 13.0
  bool isOnPaper = false; // all that is asked for succeeds, and nothing is done

  /// The driver of this machine, initialised, or that of `useDriver`. Throws GNN_ERROR_DEVICE if there is none, it is
  /// older than CUDA 11.8 or it finds no device.
  static const Driver &get();

  /// "CUDA_ERROR_OUT_OF_MEMORY: out of memory".
  std::string describe(Result error) const;
};

/// Replaces the driver of this process, which must use no device; null: takes that of the system again. The driver must
/// outlive its use.
void useDriver(const Driver *driver);

} // namespace gnn::rt::cuda

#endif // GNN_CUDA_DRIVER_H
