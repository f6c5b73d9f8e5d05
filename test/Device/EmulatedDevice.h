//===- EmulatedDevice.h - Kernels on the emulated device --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the device functions of a module in place of its functions for this machine, by the same contract: all that a
// call may touch is copied to device memory of exactly that size, and back.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_DEVICE_EMULATEDDEVICE_H
#define GNNC_TEST_DEVICE_EMULATEDDEVICE_H

#include "compiler/Target/Library/LibraryImage.h"
#include "mlir/IR/BuiltinOps.h"
#include "test/Device/PtxMachine.h"
#include <functional>

namespace gnnc::device {

class EmulatedDevice {
public:
  /// What a test does to the PTX of a module before it runs.
  using Plant = std::function<std::string(std::string ptx)>;

  /// Takes the device functions, in the gpu dialect, out of `module`.
  explicit EmulatedDevice(mlir::ModuleOp module, const Plant &plant = nullptr);

  /// Runs kernel `name`, or its function that merges states. `rowBytes` gives the bytes of a row of an operand.
  /// Throws ptx::Error.
  void call(const std::string &name, bool isMerge, const gnn_kernel_args_t &args, int64_t begin, int64_t end,
            const std::function<int64_t(uint32_t operand)> &rowBytes);

  /// Bytes of the spilled state of a row or of a slot of totals: index of an extent.
  uint32_t stateBytes(const std::string &name) const { return kernels.at(name).run.stateBytes; }

private:
  struct Kernel {
    DeviceFunctionImage run, merge;
    std::vector<uint32_t> access; // of operands
    bool hasTotals = false;
  };

  std::unique_ptr<ptx::Machine> machine;
  std::map<std::string, Kernel> kernels;
  int64_t numExtents = 0;
};

} // namespace gnnc::device

#endif // GNNC_TEST_DEVICE_EMULATEDDEVICE_H
