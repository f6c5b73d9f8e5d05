//===- ProductStep.cpp - Dense products on processors ---------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/ProductStep.h"

#include "runtime/src/bind/StepOperands.h"
#include "runtime/src/core/Narrow.h"
#include "runtime/src/core/Tensor.h"
#include "runtime/src/cpu/Product.h"
#include "runtime/src/cpu/RowProduct.h"
#include "runtime/src/cpu/Tasks.h"
#include "runtime/src/program/Fold.h"

#include <cassert>

namespace gnn::rt {

namespace {

int64_t divideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

void check(const CpuProgram &program, const gnn_step_t &info) {
  checkProduct(program.library, program.dims, info, program.capacity.rows[info.vertex_type],
               [&](uint32_t tensor) { return program.bytesOf(tensor); });
}

/// Calls `multiplyPiece(begin, end)` for pieces of rows [begin, end) in order, none of more than `most`.
template <class Multiply> void forPieces(int64_t begin, int64_t end, int64_t most, Multiply multiplyPiece) {
  if (begin == end)
    multiplyPiece(begin, end);
  most = std::min(most, std::max<int64_t>(end - begin, 1));
  for (int64_t row = begin; row < end; row += most)
    multiplyPiece(row, std::min(row + most, end));
}

} // namespace

ProductRows::ProductRows(CpuProgram &shared, uint32_t tensor, int64_t numbers, const KernelCall *maker)
    : program(shared), width(numbers), numberBytes(elementBytes(program.elementOf(tensor))) {
  const uint32_t element = program.elementOf(tensor);
  if (element != program.library.table().real)
    wide.emplace(element, width, program.team.size());
  if (maker)
    panels.emplace(*maker, rowBytes(), program.team.size());
}

int64_t ProductRows::most() const {
  return std::min(panels ? panels->rows() : INT64_MAX, wide ? wide->rows() : INT64_MAX);
}

const void *ProductRows::read(void *operand, int64_t begin, int64_t end, unsigned worker) {
  const void *rows = panels ? panels->make(begin, end, worker, program.scratch.of(worker)) : stored(operand, begin);
  return wide ? wide->widen(rows, end - begin, worker) : rows;
}

ProductStep::ProductStep(CpuProgram &shared, const gnn_step_t &step, const KernelCall *maker)
    : program(shared), info(step), k(program.extent(info.k)), n(program.extent(info.n)),
      left(program, info.tensors[0], k, maker), result(program, info.tensors[2], n, nullptr) {
  check(program, info);
  if (info.flags & GNN_MATMUL_BF16)
    rounded.emplace(info.flags & GNN_MATMUL_TRANSPOSE_B, n, k, program.team.size());
}

void ProductStep::run(const View &view, void *const *given, const StepCall &how) {
  std::copy(given, given + 3, operands);
  standAlone = how.rowsStandAlone && program.library.table().real == GNN_F32; // in f64 they do always
  if (rounded)
    forTasks(program.team, 1, [&](int64_t, unsigned) {
      rounded->begin(static_cast<const float *>(operands[1]), standAlone ? program.library.isa().name : "");
    });
  if (program.isVirtual(info))
    return;
  const int64_t rows = view.rows(info.vertex_type);
  assert(rows <= program.capacity.rows[info.vertex_type]);
  forTasks(program.team, divideUp(rows, productTileRows), [&](int64_t task, unsigned worker) {
    const int64_t begin = task * productTileRows, end = std::min(begin + productTileRows, rows);
    multiplyRows(begin, end, worker, result.stored(operands[2], begin));
  });
}

void ProductStep::multiplyRows(int64_t begin, int64_t end, unsigned worker, void *rows) {
  if (rounded)
    return multiplyRounded(begin, end, worker, rows);
  const uint32_t real = program.library.table().real;
  forPieces(begin, end, std::min(left.most(), result.most()), [&](int64_t first, int64_t last) {
    void *piece = static_cast<char *>(rows) + size_t(first - begin) * result.rowBytes();
    const bool transposeB = info.flags & GNN_MATMUL_TRANSPOSE_B;
    const void *from = left.read(operands[0], first, last, worker);
    void *to = result.target(piece, worker);
    if (standAlone)
      multiplyRowsAlone(program.library.isa().name, transposeB, last - first, n, k, static_cast<const float *>(from),
                        static_cast<const float *>(operands[1]), static_cast<float *>(to));
    else
      multiply(real, transposeB, last - first, n, k, from, operands[1], to);
    result.finish(piece, last - first, worker);
  });
}

/// No more than a tile of rows.
void ProductStep::multiplyRounded(int64_t begin, int64_t end, unsigned worker, void *rows) {
  forPieces(begin, end, result.most(), [&](int64_t tile, int64_t tileEnd) {
    forPieces(tile, tileEnd, left.most(), [&](int64_t first, int64_t last) {
      rounded->put(worker, first - tile, last - first,
                   static_cast<const float *>(left.read(operands[0], first, last, worker)));
    });
    void *piece = static_cast<char *>(rows) + size_t(tile - begin) * result.rowBytes();
    rounded->multiply(worker, tileEnd - tile, static_cast<float *>(result.target(piece, worker)));
    result.finish(piece, tileEnd - tile, worker);
  });
}

ProductSumStep::ProductSumStep(CpuProgram &shared, const gnn_step_t &step, const KernelCall *leftMaker,
                               const KernelCall *rightMaker)
    : program(shared), info(step), k(program.extent(info.k)), n(program.extent(info.n)),
      left(program, info.tensors[0], k, leftMaker), right(program, info.tensors[1], n, rightMaker) {
  check(program, info);
  if (info.flags & GNN_MATMUL_BF16)
    rounded.emplace(n, k, program.team.size());
  sum.add(GNN_FOLD_SUM, program.library.table().real, 0, k * n, 2);
}

size_t ProductSumStep::roomBytes() const {
  const View *view = program.viewOf(info);
  const int64_t rows = view ? view->rows(info.vertex_type) : program.capacity.rows[info.vertex_type];
  return sum.bytes(view ? divideUp(rows, partialRows(rows)) // fewer rows may have more slots
                        : std::min(divideUp(rows, leastPartialRows), maxPartials));
}

void ProductSumStep::addRows(int64_t begin, int64_t end, unsigned worker, void *const *operands, void *slot) {
  forPieces(begin, end, std::min(left.most(), right.most()), [&](int64_t first, int64_t last) {
    multiplyTransposed(program.library.table().real, last - first, n, k, left.read(operands[0], first, last, worker),
                       right.read(operands[1], first, last, worker), slot, /*accumulate=*/first > begin);
  });
}

void ProductSumStep::addRounded(int64_t begin, int64_t end, unsigned worker, void *const *operands, void *slot) {
  forPieces(begin, end, leastPartialRows, [&](int64_t tile, int64_t tileEnd) {
    forPieces(tile, tileEnd, std::min(left.most(), right.most()), [&](int64_t first, int64_t last) {
      rounded->put(worker, first - tile, last - first,
                   static_cast<const float *>(left.read(operands[0], first, last, worker)),
                   static_cast<const float *>(right.read(operands[1], first, last, worker)));
    });
    rounded->multiply(worker, tileEnd - tile, static_cast<float *>(slot), /*accumulate=*/tile > begin);
  });
}

void ProductSumStep::run(const View &view, void *const *operands, const StepCall &how) {
  const int64_t rows = view.rows(info.vertex_type), slotRows = partialRows(rows), slots = divideUp(rows, slotRows);
  assert(rows <= program.capacity.rows[info.vertex_type]);
  forTasks(program.team, slots, [&](int64_t slot, unsigned worker) {
    const int64_t begin = slot * slotRows, end = std::min(begin + slotRows, rows);
    if (rounded)
      addRounded(begin, end, worker, operands, sum.slot(how.room, slot));
    else
      addRows(begin, end, worker, operands, sum.slot(how.room, slot));
  });
  sum.fold(program.team, how.room, slots, operands);
}

} // namespace gnn::rt
