//===- TableSumStep.cpp - Sweeps that fold edges into tables --------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/TableSumStep.h"

#include "runtime/src/bind/StepOperands.h"
#include "runtime/src/cpu/Tasks.h"

namespace gnn::rt {

namespace {

/// Of slots at a time, unless threads have none then.
constexpr size_t usualBytes = size_t(4) << 20;

int64_t slotsOf(int64_t rows) { return (rows + GNN_SLOT_ROWS - 1) / GNN_SLOT_ROWS; }

} // namespace

TableSumStep::TableSumStep(CpuProgram &shared, const gnn_step_t &step)
    : program(shared), info(step), call(program, info) {
  totals.widen(size_t(program.extent(program.library.kernel(info.kernel).state_bytes)));
  for (const StepTotal &total : stepTotals(program.library, program.dims, info))
    totals.add(total.kind, total.element, total.offset, total.count, total.operand);
  const auto usual = int64_t(usualBytes / std::max<size_t>(totals.bytes(1), 1)),
             most = slotsOf(program.capacity.rows[program.library.step(info).rowType()]);
  slotsAtOnce = std::min(std::max(usual, int64_t(program.team.size())), most);
}

void TableSumStep::run(const View &view, void *const *operands, const StepCall &how) {
  call.place(operands);
  call.block = view.block(info.relation, info.direction);
  const int64_t rows = call.block.num_rows, slots = slotsOf(rows);
  bool goesOn = !(how.flags & GNN_SWEEP_FIRST);
  if (slots == 0 && !goesOn)
    totals.fold(program.team, how.room, 0, call.operands.data());
  for (int64_t first = 0; first < slots; first += slotsAtOnce) {
    const int64_t count = std::min(slotsAtOnce, slots - first);
    forTasks(program.team, count, [&](int64_t task, unsigned worker) {
      gnn_kernel_args_t args = call.args;
      args.scratch = program.scratch.of(worker);
      args.state = totals.slot(how.room, task);
      totals.start(static_cast<char *>(args.state));
      const int64_t begin = (first + task) * GNN_SLOT_ROWS;
      call.run(&args, begin, std::min(begin + GNN_SLOT_ROWS, rows));
    });
    totals.fold(program.team, how.room, count, call.operands.data(), goesOn);
    goesOn = true;
  }
}

} // namespace gnn::rt
