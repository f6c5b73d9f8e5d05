//===- Panels.cpp - Operands made a panel at a time -----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/Panels.h"

#include "runtime/src/cpu/Product.h"
#include "runtime/src/cpu/ProductStep.h"

#include <algorithm>
#include <cassert>

namespace gnn::rt {

namespace {

constexpr size_t panelBytes = size_t(768) << 10;
constexpr int64_t rowsMultiple = 16;

/// Where an operand starts whose row `begin` is the first of `panel`: kernels touch rows of their call alone.
void *baseOf(char *panel, int64_t begin, size_t rowBytes) {
  return reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(panel) - uintptr_t(begin) * rowBytes);
}

} // namespace

Panels::Panels(const KernelCall &call, size_t bytesOfRow, unsigned threads)
    : maker(call), rowBytes(bytesOfRow),
      panelRows(std::max(rowsMultiple, int64_t(panelBytes / bytesOfRow) / rowsMultiple * rowsMultiple)),
      stride(wholeLines(size_t(panelRows) * rowBytes)), storage(stride * threads),
      own(threads, std::vector<void *>(call.operands.size())) {}

const void *Panels::make(int64_t begin, int64_t end, unsigned worker, void *scratch) {
  assert(end - begin <= panelRows);
  char *panel = storage.data() + worker * stride;
  std::vector<void *> &tensors = own[worker];
  std::copy(maker.operands.begin(), maker.operands.end(), tensors.begin());
  tensors.back() = baseOf(panel, begin, rowBytes);
  gnn_kernel_args_t call = maker.args;
  call.tensors = tensors.data();
  call.scratch = scratch;
  maker.run(&call, begin, end);
  return panel;
}

void ProductPanels::add(uint32_t operand, ProductStep &product) {
  const size_t rowBytes = product.resultRowBytes(), stride = wholeLines(size_t(productTileRows) * rowBytes);
  panels.push_back({operand, &product, rowBytes, stride, Buffer<char>(stride * own.size())});
}

size_t ProductPanels::bytes() const {
  size_t sum = 0;
  for (const Panel &panel : panels)
    sum += panel.storage.size();
  return sum;
}

void *const *ProductPanels::make(int64_t begin, int64_t end, unsigned worker) {
  assert(end - begin <= productTileRows);
  std::vector<void *> &tensors = own[worker];
  std::copy(operands.begin(), operands.end(), tensors.begin());
  for (Panel &panel : panels) {
    char *rows = panel.storage.data() + worker * panel.stride;
    panel.product->multiplyRows(begin, end, worker, rows);
    tensors[panel.operand] = baseOf(rows, begin, panel.rowBytes);
  }
  return tensors.data();
}

} // namespace gnn::rt
