//===- DeviceLibrary.cpp - Libraries that run on the emulated device ------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "test/Verify/DeviceLibrary.h"
#include "gnn/error.hpp"
#include "runtime/src/core/Elements.h"
#include <array>

using namespace gnn::rt;

namespace gnnc::verify {

// A kernel is a function without data: one for each index, for the library that runs at the time.

static DeviceLibrary *running = nullptr;
constexpr size_t maxKernels = 512;

template <uint32_t kernel, bool isMerge>
static void callKernel(const gnn_kernel_args_t *args, int64_t begin, int64_t end) {
  running->call(kernel, isMerge, *args, begin, end);
}

template <bool isMerge, size_t... kernels>
static constexpr std::array<gnn_kernel_fn, sizeof...(kernels)> callers(std::index_sequence<kernels...>) {
  return {callKernel<kernels, isMerge>...};
}

static constexpr auto runCallers = callers<false>(std::make_index_sequence<maxKernels>());
static constexpr auto mergeCallers = callers<true>(std::make_index_sequence<maxKernels>());

DeviceLibrary::DeviceLibrary(const std::string &path, std::unique_ptr<device::EmulatedDevice> emulated)
    : host(Library::open(path)), device(std::move(emulated)), copy(host->table()) {
  if (copy.num_kernels > maxKernels)
    throw gnn::Error(GNN_ERROR_DATA, path + " has too many kernels for the emulated device");
  for (uint32_t k = 0; k < copy.num_kernels; ++k) {
    gnn_kernel_t &kernel = kernels.emplace_back(host->kernel(k));
    kernel.passes = -1;
    kernel.state_bytes = device->stateBytes(kernel.name);
    merges.push_back(kernel.kind == GNN_KERNEL_SWEEP ? mergeCallers[k] : nullptr);
  }
  for (uint32_t t = 0; t < copy.num_tensors; ++t)
    if (gnn_tensor_info_t &tensor = tensors.emplace_back(copy.tensors[t]); tensor.element == GNN_BITS)
      tensor.element = GNN_BOOL;
  copy.kernels = kernels.data();
  copy.tensors = tensors.data();
  isa = {"x86-64", runCallers.data(), merges.data()};
  copy.isas = &isa;
  copy.num_isas = 1;
  table = Library::fromTable(&copy, path, "x86-64");
}

std::shared_ptr<const Library> DeviceLibrary::library() {
  running = this;
  return table;
}

/// The vertex type whose rows an operand of a step has.
uint32_t DeviceLibrary::typeOf(const gnn_step_t &step, uint32_t operand) const {
  if (step.kind == GNN_STEP_MAP)
    return step.vertex_type;
  const gnn_relation_t &relation = copy.relations[step.relation];
  const bool ofRows = copy.kernels[step.kernel].access[operand] == GNN_ACCESS_ROW;
  return ofRows == (step.direction == GNN_TO_DESTINATION) ? relation.destination_type : relation.source_type;
}

/// Of an operand of a kernel, by one of the steps that run it.
int64_t DeviceLibrary::rowBytes(uint32_t kernel, uint32_t operand, const int64_t *extents) const {
  for (uint32_t p = 0; p < copy.num_programs; ++p)
    for (uint32_t s = 0; s < copy.programs[p].num_steps; ++s) {
      const gnn_step_t &step = copy.programs[p].steps[s];
      if ((step.kind != GNN_STEP_SWEEP && step.kind != GNN_STEP_MAP) || step.kernel != kernel)
        continue;
      const gnn_tensor_info_t &tensor = copy.tensors[step.tensors[operand]];
      // A parameter may be a table of vertices of a type.
      const bool isTable =
          tensor.domain == GNN_DOMAIN_PARAM && copy.kernels[kernel].access[operand] != GNN_ACCESS_WHOLE;
      auto bytes = int64_t(elementBytes(tensor.element));
      for (uint32_t d = 0; d < tensor.rank; ++d)
        bytes *= extents[tensor.shape[d]];
      if (isTable)
        bytes /= std::max<int64_t>(extents[copy.vertex_types[typeOf(step, operand)].rows], 1);
      return bytes;
    }
  return 0;
}

void DeviceLibrary::call(uint32_t kernel, bool isMerge, const gnn_kernel_args_t &args, int64_t begin, int64_t end) {
  if (!failure.empty())
    return;
  try {
    device->call(copy.kernels[kernel].name, isMerge, args, begin, end,
                 [&](uint32_t operand) { return rowBytes(kernel, operand, args.extents); });
  } catch (const ptx::Error &error) {
    failure = error.what();
  }
}

void DeviceLibrary::check() {
  if (!failure.empty())
    throw gnn::Error(GNN_ERROR_INTERNAL, std::exchange(failure, ""));
}

} // namespace gnnc::verify
