//===- HubRows.cpp - Rows that several threads share ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/HubRows.h"

#include "runtime/src/cpu/RowCuts.h"

#include <cassert>
#include <cstring>

namespace gnn::rt {

namespace {

/// A row of fewer segments is not worth merging.
constexpr int64_t leastSegments = 4;
/// States that wait for their merge stay in the caches, unless so few pieces would be too few for the threads.
constexpr size_t waveBytes = size_t(4) << 20;
constexpr int64_t leastPieces = 256;
constexpr int64_t piecesPerTask = 4;

/// Pieces [begin, end) of all hubs: first they are folded, then merged, hub by hub. Before the states of the pieces
/// lies that of the hub that an earlier wave began.
struct Wave {
  const HubSweep &sweep;
  const std::vector<int64_t> &rows, &firstPiece;
  int64_t begin, end;
  int64_t firstHub = 0;

  /// The hub that a piece is of.
  int64_t hubOf(int64_t piece) const {
    return std::upper_bound(firstPiece.begin(), firstPiece.end(), piece) - firstPiece.begin() - 1;
  }
  char *stateOf(int64_t piece) const {
    return sweep.states + size_t(piece < begin ? 0 : 1 + piece - begin) * sweep.rowBytes;
  }
  /// The state that those of the hub's pieces are merged into.
  char *hubState(int64_t hub) const { return stateOf(firstPiece[size_t(hub)]); }

  /// Edges [first, last) of a row, by the kernel; `state` is the row's.
  void call(int64_t row, int64_t first, int64_t last, uint32_t flags, char *state, unsigned worker) const {
    gnn_kernel_args_t args = sweep.args;
    gnn_block_t block = *args.block;
    // kernels count rows from 0, and look at this one alone
    auto fromRow = [&](const int64_t &ofRow) {
      return reinterpret_cast<const int64_t *>(uintptr_t(&ofRow) - uintptr_t(row) * sizeof(int64_t));
    };
    block.offsets = fromRow(first);
    block.ends = fromRow(last);
    args.block = &block;
    args.flags |= flags;
    args.state = reinterpret_cast<void *>(uintptr_t(state) - uintptr_t(row) * sweep.rowBytes);
    args.scratch = sweep.scratch + worker * sweep.scratchStride;
    sweep.run(&args, row, row + 1);
  }

  static void fold(void *context, int64_t task, unsigned worker) {
    const Wave &wave = *static_cast<Wave *>(context);
    const int64_t first = wave.begin + task * piecesPerTask, last = std::min(first + piecesPerTask, wave.end);
    int64_t hub = wave.hubOf(first);
    for (int64_t piece = first; piece < last; ++piece) {
      hub += piece == wave.firstPiece[size_t(hub) + 1];
      const int64_t row = wave.rows[size_t(hub)];
      const gnn_block_t &block = *wave.sweep.args.block;
      const int64_t from = block.offsets[row] + (piece - wave.firstPiece[size_t(hub)]) * GNN_SEGMENT_LENGTH;
      const int64_t to = std::min(from + GNN_SEGMENT_LENGTH, block.ends[row]);
      wave.call(row, from, to, GNN_SWEEP_FIRST, wave.stateOf(piece), worker);
    }
  }

  static void finish(void *context, int64_t task, unsigned worker) {
    const Wave &wave = *static_cast<Wave *>(context);
    const int64_t hub = wave.firstHub + task, row = wave.rows[size_t(hub)];
    const int64_t first = wave.firstPiece[size_t(hub)], last = wave.firstPiece[size_t(hub) + 1];
    gnn_kernel_args_t merge = wave.sweep.args;
    merge.scratch = wave.sweep.scratch + worker * wave.sweep.scratchStride;
    merge.state = wave.hubState(hub);
    for (int64_t piece = std::max(first + 1, wave.begin); piece < std::min(last, wave.end); ++piece) {
      merge.state_in = wave.stateOf(piece);
      wave.sweep.merge(&merge, 0, 1);
    }
    if (last <= wave.end) {
      const int64_t end = wave.sweep.args.block->ends[row];
      wave.call(row, end, end, GNN_SWEEP_LAST, wave.hubState(hub), worker);
    }
  }

  void run(Team &team) {
    firstHub = hubOf(begin);
    team.run({fold, this, uint32_t((end - begin + piecesPerTask - 1) / piecesPerTask)});
    if (!sweep.hasStates)
      return;
    const int64_t lastHub = hubOf(end - 1);
    team.run({finish, this, uint32_t(lastHub - firstHub + 1)});
    if (firstPiece[size_t(lastHub) + 1] > end && hubState(lastHub) != sweep.states)
      std::memcpy(sweep.states, hubState(lastHub), sweep.rowBytes);
  }
};

} // namespace

HubRows::HubRows(const gnn_block_t &block, int64_t longest) {
  assert(longest >= GNN_SEGMENT_LENGTH && "pieces are whole segments");
  for (int64_t row = 0; row < block.num_rows; ++row) {
    const int64_t length = block.ends[row] - block.offsets[row];
    if (length <= longest)
      continue;
    rows.push_back(row);
    firstPiece.push_back(firstPiece.back() + (length + GNN_SEGMENT_LENGTH - 1) / GNN_SEGMENT_LENGTH);
  }
  wavePieces = firstPiece.back();
}

int64_t HubRows::longestWhole(const gnn_block_t &block, uint32_t split, unsigned threads) {
  if (split)
    return std::max<int64_t>(split, GNN_SEGMENT_LENGTH);
  if (threads == 1)
    return INT64_MAX;
  return std::max(leastSegments * GNN_SEGMENT_LENGTH, costOfSweep(block) / (maxTasksPerThread * threads));
}

size_t HubRows::planStates(size_t rowBytes) {
  if (rowBytes)
    wavePieces = std::min(std::max(int64_t(waveBytes / rowBytes), leastPieces), firstPiece.back());
  return empty() ? 0 : size_t(1 + wavePieces) * rowBytes;
}

void HubRows::run(Team &team, const HubSweep &sweep) const {
  for (int64_t begin = 0; begin < firstPiece.back(); begin += wavePieces)
    Wave{sweep, rows, firstPiece, begin, std::min(begin + wavePieces, firstPiece.back())}.run(team);
}

} // namespace gnn::rt
