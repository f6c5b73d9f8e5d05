//===- DeviceLibrary.h - Libraries that run on the emulated device *- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library whose kernels are the device functions of the same model, run by the emulated device, so that every
// executor can run them.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_TEST_VERIFY_DEVICELIBRARY_H
#define GNNC_TEST_VERIFY_DEVICELIBRARY_H

#include "runtime/src/program/Library.h"
#include "test/Device/EmulatedDevice.h"

namespace gnnc::verify {

class DeviceLibrary {
public:
  /// `path` is the library of the same module that `device` was made of. One thread only may run it.
  DeviceLibrary(const std::string &path, std::unique_ptr<device::EmulatedDevice> device);

  /// The library, whose kernels run on this device until another gives its own.
  std::shared_ptr<const ::gnn::rt::Library> library();
  /// Throws gnn::Error if a call has failed since the last time.
  void check();
  void call(uint32_t kernel, bool isMerge, const gnn_kernel_args_t &args, int64_t begin, int64_t end);

private:
  uint32_t typeOf(const gnn_step_t &step, uint32_t operand) const;
  int64_t rowBytes(uint32_t kernel, uint32_t operand, const int64_t *extents) const;

  std::shared_ptr<const ::gnn::rt::Library> host;
  std::unique_ptr<device::EmulatedDevice> device;
  gnn_isa_t isa;
  gnn_library_t copy;
  std::vector<gnn_kernel_fn> merges;
  std::vector<gnn_kernel_t> kernels;      // with the device's states
  std::vector<gnn_tensor_info_t> tensors; // a byte for each bool
  std::shared_ptr<const ::gnn::rt::Library> table;
  std::string failure;
};

} // namespace gnnc::verify

#endif // GNNC_TEST_VERIFY_DEVICELIBRARY_H
