//===- ChunkExecutor.cpp - Programs over pieces of a graph ----------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkExecutor.h"

#include "runtime/src/core/Narrow.h"
#include "runtime/src/exec/Fold.h"
#include "runtime/src/exec/Product.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

using namespace gnn::rt;

template <class T> static void addReals(char *sums, const char *values, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof(T); ++i)
    reinterpret_cast<T *>(sums)[i] += reinterpret_cast<const T *>(values)[i];
}

ChunkExecutor::ChunkExecutor(const Library &opened, const Dims &finished, const Binding &bound,
                             const gnn_program_t &compiled, const ChunkPlan &cut)
    : library(opened), dims(finished), binding(bound), program(compiled), plan(cut),
      add(library.table().real == GNN_F64 ? addReals<double> : addReals<float>), tables(library.tensors().size()) {
  for (uint32_t t = 0; t < tables.size(); ++t) {
    tables[t].resize(binding.tensorBytes(t));
    if (binding.data(t))
      place(t, binding.data(t));
  }
}

void ChunkExecutor::run(uint64_t stepKey) {
  random.step_key = stepKey;
  for (const gnn_step_t *step = program.steps; step != program.steps + program.num_steps; ++step)
    step->kind == GNN_STEP_SWEEP ? runSweep(*step) : step->kind == GNN_STEP_MAP ? runMap(*step) : runProduct(*step);
}

ChunkExecutor::Ids ChunkExecutor::order(uint32_t vertexType) const {
  Ids ids(size_t(binding.rows(vertexType)));
  std::iota(ids.begin(), ids.end(), 0);
  if (plan.permutationSeed)
    std::shuffle(ids.begin(), ids.end(), std::mt19937_64(plan.permutationSeed + vertexType));
  return ids;
}

/// Elements of the last dimension of a kernel in passes.
int64_t ChunkExecutor::widthOf(const gnn_kernel_t &kernel) const {
  return kernel.passes < 0 ? 0 : dims.extents()[kernel.passes];
}

/// The vertex type of the rows or the cols of a step.
uint32_t ChunkExecutor::endType(const gnn_step_t &step, bool ofRows) const {
  const gnn_relation_t &relation = library.table().relations[step.relation];
  bool isDestination = ofRows == (step.direction == GNN_TO_DESTINATION);
  return step.kind == GNN_STEP_MAP ? step.vertex_type
         : isDestination           ? relation.destination_type
                                   : relation.source_type;
}

/// Gathers the tables, calls the kernel on all rows and, in the last call of the rows, scatters their results.
void ChunkExecutor::call(const gnn_step_t &step, const ChunkBlock &block, uint32_t flags, void *state) {
  const gnn_kernel_t &info = library.kernel(step.kernel);
  std::vector<std::vector<char>> gathered(info.num_operands);
  std::vector<void *> operands(info.num_operands);
  auto copyRows = [&](uint32_t i, const Ids &ids,
                      bool in) { // a parameter may be a table, so a row's size is that of the table by its rows
    uint32_t type = endType(step, info.access[i] == GNN_ACCESS_ROW);
    size_t bytes = tables[step.tensors[i]].size() / std::max<size_t>(size_t(binding.rows(type)), 1);
    if (in)
      gathered[i].resize(ids.size() * bytes);
    for (size_t r = 0; r < ids.size(); ++r) {
      char *whole = tables[step.tensors[i]].data() + size_t(ids[r]) * bytes, *own = gathered[i].data() + r * bytes;
      in ? std::memcpy(own, whole, bytes) : std::memcpy(whole, own, bytes);
    }
  };
  for (uint32_t i = 0; i < info.num_operands; ++i) {
    bool isGathered = info.access[i] == GNN_ACCESS_ROW || info.access[i] == GNN_ACCESS_COL;
    const Ids &ids = info.access[i] == GNN_ACCESS_ROW ? block.rows : block.cols;
    if (isGathered)
      copyRows(i, ids, /*in=*/true);
    operands[i] = isGathered ? gathered[i].data() : tables[step.tensors[i]].data();
  }
  gnn_block_t piece{sizeof(gnn_block_t),        0,
                    int64_t(block.rows.size()), int64_t(block.cols.size()),
                    block.offsets.data(),       block.offsets.data() + 1,
                    block.neighbours.data(),    block.rows.data(),
                    block.cols.data(),          block.edgeIds.data(),
                    /*edge_id32=*/nullptr,      block.types.data(),
                    block.rowPositions.data()};
  Buffer<char> scratch(size_t(dims.extents()[info.scratch_bytes]));
  gnn_kernel_args_t args{sizeof(gnn_kernel_args_t),
                         flags,
                         dims.extents().data(),
                         &random,
                         &piece,
                         operands.data(),
                         scratch.data(),
                         state,
                         nullptr,
                         /*pass_begin=*/0,
                         widthOf(info),
                         /*col_stride=*/widthOf(info)};
  library.isa().run[step.kernel](&args, 0, piece.num_rows);
  for (uint32_t i = info.num_inputs; i < info.num_operands && (flags & GNN_SWEEP_LAST); ++i)
    if (info.access[i] == GNN_ACCESS_ROW)
      copyRows(i, block.rows, /*in=*/false);
}

void ChunkExecutor::runSweep(const gnn_step_t &step) {
  const Csr &csr = binding.relation(step.relation).csr(step.direction);
  Ids allRows = order(endType(step, /*ofRows=*/true)), allCols = order(endType(step, /*ofRows=*/false));
  auto part = [&](const Ids &ids, int64_t p) {
    auto at = [&](int64_t i) { return ids.begin() + int64_t(ids.size()) * i / plan.parts; };
    return Ids(at(p), at(p + 1));
  };
  for (int64_t p = 0; p < plan.parts; ++p) {
    Ids rows = part(allRows, p), positions(rows.size(), 0), isNeighbour(allCols.size(), 0), cols;
    const gnn_kernel_t &kernel = library.kernel(step.kernel);
    size_t stateBytes =
        rows.size() * size_t(dims.extents()[kernel.state_bytes] * (kernel.passes < 0 ? 1 : widthOf(kernel)));
    Buffer<char> state(stateBytes), right(stateBytes);
    int64_t longest = 0;
    for (int64_t row : rows) {
      longest = std::max(longest, csr.degree(row));
      for (int64_t e = csr.offsets[size_t(row)]; e < csr.offsets[size_t(row) + 1]; ++e)
        isNeighbour[csr.cols[size_t(e)]] = 1;
    }
    std::copy_if(allCols.begin(), allCols.end(), std::back_inserter(cols),
                 [&](int64_t col) { return isNeighbour[size_t(col)]; });
    if (plan.kind == ChunkPlan::Sampled)
      call(step, cutBlock(csr, rows, cols, 0, csr.cols.size(), positions), GNN_SWEEP_FIRST | GNN_SWEEP_LAST, nullptr);
    for (int64_t q = 0; q < plan.parts && plan.kind == ChunkPlan::Grid; ++q)
      call(step, cutBlock(csr, rows, part(allCols, q), 0, csr.cols.size(), positions),
           (q == 0 ? GNN_SWEEP_FIRST : 0) | (q == plan.parts - 1 ? GNN_SWEEP_LAST : 0), state.data());
    if (plan.kind != ChunkPlan::HubSegments)
      continue;
    for (int64_t begin = 0; begin == 0 || begin < longest; begin += GNN_SEGMENT_LENGTH) {
      call(step, cutBlock(csr, rows, cols, begin, begin + GNN_SEGMENT_LENGTH, positions), GNN_SWEEP_FIRST,
           (begin ? right : state).data());
      gnn_kernel_args_t args{sizeof(gnn_kernel_args_t),
                             0,
                             dims.extents().data(),
                             &random,
                             nullptr,
                             nullptr,
                             nullptr,
                             state.data(),
                             right.data(),
                             /*pass_begin=*/0,
                             widthOf(library.kernel(step.kernel)),
                             /*col_stride=*/0};
      for (size_t r = 0; r < rows.size(); ++r)
        if (begin > 0 && csr.degree(rows[r]) > begin)
          library.isa().merge[step.kernel](&args, int64_t(r), int64_t(r) + 1);
    }
    call(step, cutBlock(csr, rows, cols, 0, 0, positions), GNN_SWEEP_LAST, state.data());
  }
}

/// Maps in slots of rows, whose totals are folded in order.
void ChunkExecutor::runMap(const gnn_step_t &step) {
  const gnn_kernel_t &info = library.kernel(step.kernel);
  Ids ids = order(step.vertex_type);
  const uint32_t firstTotal = info.num_operands - info.num_totals;
  struct Total {
    uint32_t fold, element;
    int64_t count;
    std::vector<char> &table;
  };
  std::vector<Total> totals;
  for (uint32_t i = 0; i < info.num_totals; ++i) {
    std::vector<char> &table = tables[step.tensors[firstTotal + i]];
    uint32_t element = library.tensor(step.tensors[firstTotal + i]).element;
    totals.push_back({info.total_folds[i], element, int64_t(table.size() / elementBytes(element)), table});
    std::fill(table.begin(), table.end(), char(0));
  }
  for (size_t begin = 0; begin < ids.size(); begin += GNN_SLOT_ROWS) {
    Ids rows(ids.begin() + int64_t(begin), ids.begin() + int64_t(std::min(begin + GNN_SLOT_ROWS, ids.size())));
    std::vector<char> slot(size_t(dims.extents()[info.state_bytes]), char(0));
    char *at = slot.data();
    for (const Total &total : totals) {
      fillIdentity(total.fold, total.element, total.count, at);
      at += total.table.size();
    }
    call(step, ChunkBlock{rows, {}}, GNN_SWEEP_FIRST | GNN_SWEEP_LAST, slot.data());
    at = slot.data();
    for (const Total &total : totals) {
      if (begin == 0)
        std::copy(at, at + total.table.size(), total.table.begin());
      else
        foldInto(total.fold, total.element, 0, total.count, total.table.data(), at);
      at += total.table.size();
    }
  }
}

void ChunkExecutor::runProduct(const gnn_step_t &step) {
  int64_t rows = binding.rows(step.vertex_type), k = dims.extents()[step.k], n = dims.extents()[step.n];
  uint32_t real = library.table().real;
  std::vector<float> wide[3]; // of tables of 16 bits
  auto table = [&](unsigned operand) {
    std::vector<char> &stored = tables[step.tensors[operand]];
    const uint32_t element = library.tensor(step.tensors[operand]).element;
    if (!isNarrow(element))
      return stored.data();
    wide[operand].resize(stored.size() / sizeof(uint16_t));
    widen(element, reinterpret_cast<const uint16_t *>(stored.data()), wide[operand].data(),
          int64_t(wide[operand].size()));
    return reinterpret_cast<char *>(wide[operand].data());
  };
  char *a = table(0), *b = table(1), *c = table(2);
  int64_t tile = step.kind == GNN_STEP_MATMUL_TN ? partialRows(rows) : productTileRows;
  std::vector<char> partial(tables[step.tensors[2]].size());
  for (int64_t begin = 0; begin < rows; begin += tile) {
    size_t skip = size_t(begin) * elementBytes(real);
    int64_t count = std::min(tile, rows - begin);
    if (step.kind == GNN_STEP_MATMUL)
      multiply(real, step.flags & GNN_MATMUL_TRANSPOSE_B, count, n, k, a + skip * size_t(k), b, c + skip * size_t(n));
    else
      multiplyTransposed(real, count, n, k, a + skip * size_t(k), b + skip * size_t(n), begin ? partial.data() : c);
    if (step.kind == GNN_STEP_MATMUL_TN && begin)
      add(c, partial.data(), partial.size());
  }
  if (!wide[2].empty())
    roundTo(library.tensor(step.tensors[2]).element, wide[2].data(),
            reinterpret_cast<uint16_t *>(tables[step.tensors[2]].data()), int64_t(wide[2].size()));
}
