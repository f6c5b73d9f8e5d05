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
  bool isOnPaper = false;

  /// The driver of this machine, initialised, or that on paper. Throws GNN_ERROR_DEVICE if there is none, it is older
  /// than CUDA 11.8 or it finds no device.
  static const Driver &get();

  /// "CUDA_ERROR_OUT_OF_MEMORY: out of memory".
  std::string describe(Result error) const;
};

/// From now on the driver of this process is one of the devices of a topology; null: that of the system. While no
/// device is in use.
void useOnPaper(std::shared_ptr<const Topology> topology);

/// That driver; null: there is none.
const Driver *driverOnPaper();

} // namespace gnn::rt::cuda

#endif // GNN_CUDA_DRIVER_H
