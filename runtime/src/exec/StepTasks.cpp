//===- StepTasks.cpp - What the tasks of a step do ------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/exec/StepTasks.h"

#include "runtime/src/core/Tensor.h"
#include "runtime/src/exec/Fold.h"
#include "runtime/src/exec/Product.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

void StepTasks::call(gnn_kernel_args_t &own, unsigned worker, int64_t begin, int64_t end) {
  own.scratch = scratch + worker * scratchStride;
  if (!products)
    return kernel(&own, begin, end);
  for (int64_t row = begin; row < end; row += productTileRows) {
    const int64_t last = std::min(row + productTileRows, end);
    own.tensors = products->make(row, last, worker);
    kernel(&own, row, last);
  }
}

void StepTasks::runRows(void *context, int64_t task, unsigned worker) {
  StepTasks &step = *static_cast<StepTasks *>(context);
  const size_t at = step.firstTask + size_t(task);
  gnn_kernel_args_t own = step.args;
  step.hubs.forOthers(step.cuts[at], step.cuts[at + 1],
                      [&](int64_t begin, int64_t end) { step.call(own, worker, begin, end); });
}

void StepTasks::runTile(void *context, int64_t task, unsigned worker) {
  StepTasks &step = *static_cast<StepTasks *>(context);
  const GridCell tile = step.tiles[size_t(task)];
  gnn_kernel_args_t own = step.args;
  own.block = &step.partitions->block(tile.col);
  step.hubs.forOthers(step.cuts[size_t(tile.row)], step.cuts[size_t(tile.row) + 1],
                      [&](int64_t begin, int64_t end) { step.call(own, worker, begin, end); });
}

void StepTasks::runPasses(Team &team) {
  const int64_t count = partitions ? partitions->count() : 1;
  const uint32_t flags = (args.flags & ~uint32_t(GNN_SWEEP_FIRST | GNN_SWEEP_LAST)) | GNN_SWEEP_IN_ORDER;
  gnn_kernel_args_t whole = args;
  for (args.pass_begin = 0; args.pass_begin < elements; args.pass_begin = args.pass_end) {
    args.pass_end = std::min(args.pass_begin + pass, elements);
    if (pass < elements)
      packPass(team);
    if (!hubs.empty())
      runHubs(team);
    if (!tiles.empty()) {
      args.flags = flags; // neither first nor last: rows without edges in a tile are passed over
      team.run({runTile, this, uint32_t(tiles.size())});
      continue;
    }
    const size_t ofRow = passStateBytes();
    for (size_t group = 0; group + 1 < groups.size(); ++group) {
      firstTask = groups[group];
      Phase tasks = main;
      tasks.count = uint32_t(groups[group + 1] - firstTask);
      // kernels count rows from 0, and touch those of the group alone
      args.state = reinterpret_cast<void *>(uintptr_t(states()) - size_t(cuts[firstTask]) * ofRow);
      for (int64_t p = 0; p < count; ++p) {
        args.block = partitions ? &partitions->block(p) : &block;
        args.flags = flags | (p == 0 ? GNN_SWEEP_FIRST : 0) | (p + 1 == count ? GNN_SWEEP_LAST : 0);
        team.run(tasks);
      }
    }
  }
  firstTask = 0;
  args = whole;
}

void StepTasks::packPass(Team &team) {
  passCols.copy(team, operands.data(), passedCols(), args.pass_begin, args.pass_end);
  passOperands = operands;
  passCols.place(passOperands);
  args.tensors = passOperands.data();
  args.col_stride = args.pass_end - args.pass_begin;
}

void StepTasks::runHubs(Team &team) {
  HubSweep sweep{kernel, merge, args, hasStates, passStateBytes(), states(), scratch, scratchStride};
  sweep.args.block = &block;
  sweep.args.flags &= GNN_SWEEP_PREFETCH; // all edges lie together
  hubs.run(team, sweep);
}

void StepTasks::runSlots(void *context, int64_t task, unsigned worker) {
  StepTasks &step = *static_cast<StepTasks *>(context);
  gnn_kernel_args_t own = step.args;
  char *slot = step.slot(task);
  for (const Fold &fold : step.folds)
    fillIdentity(fold.kind, fold.element, fold.elements, slot + fold.offset);
  own.state = slot;
  step.call(own, worker, step.cuts[size_t(task)], step.cuts[size_t(task) + 1]);
}

const void *StepTasks::rowsOf(unsigned operand, int64_t width, int64_t begin, int64_t end, unsigned worker) {
  const void *rows = panels[operand] ? panels[operand]->make(begin, end, worker, scratch + worker * scratchStride)
                                     : storedRows(operand, width, begin);
  return wide[operand] ? wide[operand]->widen(rows, end - begin, worker) : rows;
}

template <class Multiply> void StepTasks::forPanels(int64_t begin, int64_t end, Multiply multiplyPiece) {
  int64_t most = std::max<int64_t>(end - begin, 1);
  for (const std::optional<Panels> &operand : panels)
    most = operand ? std::min(most, operand->rows()) : most;
  for (const std::optional<WideRows> &operand : wide)
    most = operand ? std::min(most, operand->rows()) : most;
  if (begin == end)
    multiplyPiece(begin, end);
  for (int64_t row = begin; row < end; row += most)
    multiplyPiece(row, std::min(row + most, end));
}

void StepTasks::multiplyRows(int64_t begin, int64_t end, unsigned worker, void *result) {
  forPanels(begin, end, [&](int64_t first, int64_t last) {
    void *rows = static_cast<char *>(result) + size_t((first - begin) * n) * numberBytes[2];
    multiply(element, info->flags & GNN_MATMUL_TRANSPOSE_B, last - first, n, k, rowsOf(0, k, first, last, worker),
             operands[1], wide[2] ? wide[2]->room(worker) : rows);
    if (wide[2])
      wide[2]->round(rows, last - first, worker);
  });
}

void StepTasks::runProduct(void *context, int64_t task, unsigned worker) {
  StepTasks &step = *static_cast<StepTasks *>(context);
  const int64_t begin = step.cuts[size_t(task)];
  step.multiplyRows(begin, step.cuts[size_t(task) + 1], worker, step.storedRows(2, step.n, begin));
}

void StepTasks::runPartialProduct(void *context, int64_t task, unsigned worker) {
  StepTasks &step = *static_cast<StepTasks *>(context);
  int64_t first = step.cuts[size_t(task)];
  step.forPanels(first, step.cuts[size_t(task) + 1], [&](int64_t begin, int64_t end) {
    multiplyTransposed(step.element, end - begin, step.n, step.k, step.rowsOf(0, step.k, begin, end, worker),
                       step.rowsOf(1, step.n, begin, end, worker), step.slot(task),
                       /*accumulate=*/begin > first);
  });
}

void StepTasks::runFold(void *context, int64_t task, unsigned) {
  const StepTasks &step = *static_cast<StepTasks *>(context);
  const Fold *fold = step.folds.data();
  while (fold + 1 != step.folds.data() + step.folds.size() && fold[1].firstTask <= task)
    ++fold;
  int64_t begin = (task - fold->firstTask) * foldElements, end = std::min(begin + foldElements, fold->elements);
  size_t bytes = elementBytes(fold->element);
  auto *result = static_cast<char *>(step.operands[fold->operand]);
  if (step.numSlots == 0)
    std::memset(result + size_t(begin) * bytes, 0, size_t(end - begin) * bytes);
  for (int64_t s = 0; s < step.numSlots; ++s) {
    const char *slot = step.slot(s) + fold->offset;
    if (s == 0)
      std::memcpy(result + size_t(begin) * bytes, slot + size_t(begin) * bytes, size_t(end - begin) * bytes);
    else
      foldInto(fold->kind, fold->element, begin, end, result, slot);
  }
}

} // namespace gnn::rt
