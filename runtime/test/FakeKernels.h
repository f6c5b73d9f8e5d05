//===- FakeKernels.h - Kernels of the fake library --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What FakeLibrary's tables point to.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_FAKEKERNELS_H
#define GNN_TEST_FAKEKERNELS_H

#include "gnn/program.h"

namespace fake {

void aggregate(const gnn_kernel_args_t *args, int64_t begin,
               int64_t end); // z (col), degree (row), b (whole) -> y (row)
void aggregateDropped(const gnn_kernel_args_t *args, int64_t begin, int64_t end); // the same with dropout on edges
void aggregateBack(const gnn_kernel_args_t *args, int64_t begin, int64_t end);    // dy (col), degree (col) -> dz (row)
void mergeSum(const gnn_kernel_args_t *args, int64_t begin, int64_t end);
void lossGrad(const gnn_kernel_args_t *args, int64_t begin,
              int64_t end); // y, label, mask (rows), scale (whole) -> dy (row); loss, grad b (totals)
void evaluate(const gnn_kernel_args_t *args, int64_t begin, int64_t end); // y, label (rows) -> loss, correct (rows)
/// values (edge) times W (col) -> z (row) forward, values times dz (col) -> grad W (row) backward.
void bag(const gnn_kernel_args_t *args, int64_t begin, int64_t end);

} // namespace fake

#endif // GNN_TEST_FAKEKERNELS_H
