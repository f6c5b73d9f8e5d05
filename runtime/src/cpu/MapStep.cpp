//===- MapStep.cpp - Maps on processors -----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/MapStep.h"

#include "runtime/src/bind/StepOperands.h"
#include "runtime/src/cpu/Product.h"
#include "runtime/src/cpu/Tasks.h"

#include <cassert>

namespace gnn::rt {

static int64_t slotsOf(int64_t rows) { return (rows + GNN_SLOT_ROWS - 1) / GNN_SLOT_ROWS; }

MapStep::MapStep(CpuProgram &shared, const gnn_step_t &step)
    : program(shared), info(step), call(program, info), products(call.operands, program.team.size()) {
  const gnn_kernel_t &kernel = program.library.kernel(info.kernel);
  if (kernel.num_totals == 0)
    return;
  totals.widen(size_t(program.extent(kernel.state_bytes)));
  for (const StepTotal &total : stepTotals(program.library, program.dims, info))
    totals.add(total.kind, total.element, total.offset, total.count, total.operand);
}

size_t MapStep::roomBytes() const { return totals.bytes(slotsOf(program.capacity.rows[info.vertex_type])); }

void MapStep::callKernel(gnn_kernel_args_t &args, int64_t begin, int64_t end, unsigned worker) {
  args.scratch = program.scratch.of(worker);
  if (products.empty())
    return call.run(&args, begin, end);
  for (int64_t row = begin; row < end; row += productTileRows) {
    const int64_t last = std::min(row + productTileRows, end);
    args.tensors = products.make(row, last, worker);
    call.run(&args, row, last);
  }
}

void MapStep::run(const View &view, void *const *operands, const StepCall &how) {
  call.place(operands);
  call.block.num_rows = view.rows(info.vertex_type);
  call.block.row_id = view.ids(info.vertex_type);
  assert(call.block.num_rows <= program.capacity.rows[info.vertex_type]);
  if (program.isVirtual(info))
    return;
  const int64_t slots = slotsOf(call.block.num_rows);
  forTasks(program.team, slots, [&](int64_t task, unsigned worker) {
    gnn_kernel_args_t args = call.args;
    if (!totals.empty()) {
      args.state = totals.slot(how.room, task);
      totals.start(static_cast<char *>(args.state));
    }
    callKernel(args, task * GNN_SLOT_ROWS, std::min((task + 1) * GNN_SLOT_ROWS, call.block.num_rows), worker);
  });
  if (!totals.empty())
    totals.fold(program.team, how.room, slots, call.operands.data());
}

} // namespace gnn::rt
