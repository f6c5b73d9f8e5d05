//===- DeviceTables.h - A binding's tables on a GPU -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CUDA_DEVICETABLES_H
#define GNN_CUDA_DEVICETABLES_H

#include "runtime/src/bind/Binding.h"
#include "runtime/src/cuda/DeviceCopies.h"
#include "runtime/src/engine/Engine.h"

#include <map>

namespace gnn::rt {

class DeviceTables : public ResidentTables {
public:
  /// `binding` must outlive this.
  DeviceTables(std::shared_ptr<DeviceCopies> copies, const Binding &binding)
      : copies(std::move(copies)), binding(binding) {}

  void *table(uint32_t tensor) override;

private:
  std::shared_ptr<DeviceCopies> copies;
  const Binding &binding;
  std::map<uint32_t, DeviceCopy> tensors;
};

} // namespace gnn::rt

#endif // GNN_CUDA_DEVICETABLES_H
