//===- FakeKernels.cpp - Kernels of the fake library ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeKernels.h"

#include "FakeLibrary.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace fake {

namespace {

template <class T> T *operand(const gnn_kernel_args_t *args, int i) { return static_cast<T *>(args->tensors[i]); }
int64_t classesOf(const gnn_kernel_args_t *args) { return args->extents[FakeLibrary::Classes]; }

uint64_t mix64(uint64_t z) {
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

int64_t edgeId(const gnn_block_t &block, int64_t position) {
  return block.edge_id ? block.edge_id[position] : block.edge_id32 ? block.edge_id32[position] : position;
}

/// The dropout factor of an edge: docs/dev/abi.md, "Random numbers", site 1, element 0.
float edgeMask(uint64_t stepKey, const gnn_block_t &block, int64_t position) {
  uint64_t site = mix64(stepKey ^ 0x9e3779b97f4a7c15u);
  uint64_t key = mix64(site + uint64_t(edgeId(block, position)) * 0x9e3779b97f4a7c15u);
  uint32_t x = uint32_t(key);
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= uint32_t(key >> 32);
  x ^= x >> 15;
  x *= 0x846ca68bu;
  x ^= x >> 16;
  return x >= uint32_t(FakeLibrary::dropout * 0x1p32) ? float(1 / (1 - FakeLibrary::dropout)) : 0.0f;
}

/// A sweep with one sum of [classes]: `step(edge, sums)` adds an edge, `finish(row, sums)` ends a row. The state is
/// total, then segment.
template <class Step, class Finish>
void sweep(const gnn_kernel_args_t *args, int64_t begin, int64_t end, Step step, Finish finish) {
  const gnn_block_t &block = *args->block;
  int64_t n = classesOf(args);
  auto *total = static_cast<float *>(args->scratch), *segment = total + n;
  for (int64_t row = begin; row < end; ++row) {
    float *state = static_cast<float *>(args->state) + (args->state ? row * 2 * n : 0);
    if (args->flags & GNN_SWEEP_FIRST)
      std::fill(total, total + 2 * n, 0.0f);
    else
      std::memcpy(total, state, size_t(2 * n) * sizeof(float));
    int64_t position = block.row_pos ? block.row_pos[row] : 0;
    for (int64_t edge = block.offsets[row]; edge < block.ends[row]; ++edge, ++position) {
      if (position && position % GNN_SEGMENT_LENGTH == 0) {
        for (int64_t i = 0; i < n; ++i)
          total[i] += segment[i];
        std::fill(segment, segment + n, 0.0f);
      }
      step(row, edge, segment);
    }
    if (!(args->flags & GNN_SWEEP_LAST)) {
      std::memcpy(state, total, size_t(2 * n) * sizeof(float));
      continue;
    }
    for (int64_t i = 0; i < n; ++i)
      total[i] += segment[i];
    finish(row, total);
  }
}

void aggregateMasked(const gnn_kernel_args_t *args, int64_t begin, int64_t end, bool isDropped) {
  const gnn_block_t &block = *args->block;
  int64_t n = classesOf(args);
  const float *z = operand<float>(args, 0), *degree = operand<float>(args, 1), *b = operand<float>(args, 2);
  float *y = operand<float>(args, 3);
  sweep(
      args, begin, end,
      [&](int64_t, int64_t edge, float *sums) {
        float mask = isDropped ? edgeMask(args->random->step_key, block, edge) : 1.0f;
        for (int64_t i = 0; i < n; ++i)
          sums[i] += mask * z[block.cols[edge] * n + i];
      },
      [&](int64_t row, const float *sums) {
        for (int64_t i = 0; i < n; ++i)
          y[row * n + i] = sums[i] / std::max(degree[row], 1.0f) + b[i];
      });
}

/// log of the sum of exp(y), and the position of the largest.
std::pair<float, int64_t> logSumExp(const float *y, int64_t n) {
  int64_t best = std::max_element(y, y + n) - y;
  float sum = 0;
  for (int64_t i = 0; i < n; ++i)
    sum += std::exp(y[i] - y[best]);
  return {y[best] + std::log(sum), best};
}

} // namespace

void aggregate(const gnn_kernel_args_t *args, int64_t begin, int64_t end) { aggregateMasked(args, begin, end, false); }
void aggregateDropped(const gnn_kernel_args_t *args, int64_t begin, int64_t end) {
  aggregateMasked(args, begin, end, true);
}

void aggregateBack(const gnn_kernel_args_t *args, int64_t begin, int64_t end) {
  const gnn_block_t &block = *args->block;
  int64_t n = classesOf(args);
  const float *dy = operand<float>(args, 0), *degree = operand<float>(args, 1);
  float *dz = operand<float>(args, 2);
  sweep(
      args, begin, end,
      [&](int64_t, int64_t edge, float *sums) {
        float mask = edgeMask(args->random->step_key, block, edge);
        float factor = mask / std::max(degree[block.cols[edge]], 1.0f);
        for (int64_t i = 0; i < n; ++i)
          sums[i] += factor * dy[block.cols[edge] * n + i];
      },
      [&](int64_t row, const float *sums) { std::copy(sums, sums + n, dz + row * n); });
}

void bag(const gnn_kernel_args_t *args, int64_t begin, int64_t end) {
  const gnn_block_t &block = *args->block;
  int64_t n = classesOf(args);
  const float *cols = operand<float>(args, 0), *entries = operand<float>(args, 1);
  float *rows = operand<float>(args, 2);
  sweep(
      args, begin, end,
      [&](int64_t, int64_t edge, float *sums) {
        for (int64_t i = 0; i < n; ++i)
          sums[i] += entries[edgeId(block, edge)] * cols[block.cols[edge] * n + i];
      },
      [&](int64_t row, const float *sums) { std::copy(sums, sums + n, rows + row * n); });
}

void mergeSum(const gnn_kernel_args_t *args, int64_t begin, int64_t end) {
  int64_t n = classesOf(args);
  for (int64_t row = begin; row < end; ++row) {
    float *a = static_cast<float *>(args->state) + row * 2 * n;
    const float *b = static_cast<const float *>(args->state_in) + row * 2 * n;
    for (int64_t i = 0; i < n; ++i) {
      a[i] = a[i] + a[n + i] + b[i];
      a[n + i] = b[n + i];
    }
  }
}

void lossGrad(const gnn_kernel_args_t *args, int64_t begin, int64_t end) {
  int64_t n = classesOf(args);
  const float *y = operand<float>(args, 0), *mask = operand<float>(args, 2), *scale = operand<float>(args, 3);
  const int32_t *label = operand<int32_t>(args, 1);
  float *dy = operand<float>(args, 4), *loss = static_cast<float *>(args->state), *db = loss + 1;
  for (int64_t v = begin; v < end; ++v) {
    float weight = mask[v] * *scale, norm = logSumExp(y + v * n, n).first;
    for (int64_t i = 0; i < n; ++i) {
      float isLabel = i == label[v] ? 1.0f : 0.0f;
      dy[v * n + i] = weight * (std::exp(y[v * n + i] - norm) - isLabel);
      db[i] += dy[v * n + i];
      *loss += weight * isLabel * (norm - y[v * n + i]);
    }
  }
}

void evaluate(const gnn_kernel_args_t *args, int64_t begin, int64_t end) {
  int64_t n = classesOf(args);
  const float *y = operand<float>(args, 0);
  const int32_t *label = operand<int32_t>(args, 1);
  for (int64_t v = begin; v < end; ++v) {
    auto [norm, best] = logSumExp(y + v * n, n);
    operand<float>(args, 2)[v] = label[v] < 0 ? 0.0f : norm - y[v * n + label[v]];
    operand<float>(args, 3)[v] = best == label[v] ? 1.0f : 0.0f;
  }
}

} // namespace fake
