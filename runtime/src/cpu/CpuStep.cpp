//===- CpuStep.cpp - A step that processors run ---------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/CpuStep.h"

#include "runtime/src/core/Guard.h"

namespace gnn::rt {

void WorkerScratch::reserve(size_t bytes) {
  stride = std::max(stride, wholeLines(bytes));
  Buffer<char> &shared = team.workspace().scratch;
  if (!shared.data() || shared.size() < stride * team.size()) // of no bytes, too, there is a pointer
    shared = Buffer<char>(stride * team.size());
}

size_t CpuProgram::bytesOf(uint32_t tensor) const {
  const gnn_tensor_info_t &info = library.tensor(tensor);
  const int64_t rows = info.domain == GNN_DOMAIN_VERTEX ? capacity.rows[info.type] : 1;
  size_t bytes = 0;
  require(!__builtin_mul_overflow(size_t(rows), dims.rowBytes(info), &bytes), GNN_ERROR_MEMORY, info.name,
          " is too large");
  return bytes;
}

KernelCall::KernelCall(CpuProgram &program, const gnn_step_t &step)
    : run(program.library.isa().run[step.kernel]), operands(step.num_tensors) {
  block.size = sizeof block;
  args.size = sizeof args;
  args.flags = GNN_SWEEP_FIRST | GNN_SWEEP_LAST;
  args.extents = program.dims.extents().data();
  args.random = &program.random;
  args.block = &block;
  args.tensors = operands.data();
  program.scratch.reserve(size_t(program.extent(program.library.kernel(step.kernel).scratch_bytes)));
}

} // namespace gnn::rt
