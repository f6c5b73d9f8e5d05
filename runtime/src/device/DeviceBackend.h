//===- DeviceBackend.h - Models on a GPU ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend of a GPU: the library's code for it, the runtime's own kernels and its memory. Parameters and the moments
// of optimizers are in memory that both the device and this process see, so that applications read and write them.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DEVICE_DEVICEBACKEND_H
#define GNN_DEVICE_DEVICEBACKEND_H

#include "runtime/src/device/DeviceExecutor.h"
#include "runtime/src/exec/Backend.h"

namespace gnn::rt {

class DeviceBackend : public Backend {
public:
  /// Throws GNN_ERROR_MISMATCH if the library has no code for the device.
  DeviceBackend(std::shared_ptr<Device> device, std::shared_ptr<const Library> library);

  std::unique_ptr<Executor> executor(const Dims &dims, const Binding &binding, const gnn_program_t &program) override;
  Tensor zeros(uint32_t element, std::vector<int64_t> shape) override;
  void settle() override;
  StepOutcome train(Executor &executor, const TrainingStep &step) override;
  const std::string &device() const override { return gpu->label(); }
  const std::string &code() const override { return functions->code(); }
  std::string architecture() const override { return "sm_" + std::to_string(gpu->arch()); }
  int ordinal() const override { return gpu->ordinal(); }
  Tensor copied(const Tensor &tensor) override;
  double deviceSeconds() override;
  const std::string &products() const override { return productsName; }
  unsigned threads() const override { return 1; }

private:
  std::shared_ptr<Device> gpu;
  std::shared_ptr<const Library> library;
  std::optional<DeviceLibrary> functions;
  std::optional<DeviceKernels> kernels;
  std::unique_ptr<Blas> blas; // may be null
  std::string productsName;
  std::map<const Binding *, std::weak_ptr<DeviceData>> copies; // while an executor uses them
};

/// The backend that `device` names: "cpu", "cuda", "cuda:1"; "auto": the first GPU that there is code for, or the
/// processor, and then `whyProcessor`, if it is given, says why. `threads` are those of the processor, `deviceBytes`
/// the budget of a GPU (0: all of its memory). Throws GNN_ERROR_ARGUMENT for other names.
std::unique_ptr<Backend> openBackend(const std::shared_ptr<const Library> &library, const std::string &device,
                                     unsigned threads, size_t deviceBytes, std::string *whyProcessor = nullptr);

} // namespace gnn::rt

#endif // GNN_DEVICE_DEVICEBACKEND_H
