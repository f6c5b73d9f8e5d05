//===- Engine.cpp - A machine that runs steps -----------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/engine/Engine.h"

#include "runtime/src/program/Fold.h"

#include <cstring>

namespace gnn::rt {

Capacity capacityOf(const Library &library, const View &view) {
  Capacity capacity;
  for (uint32_t t = 0; t < library.table().num_vertex_types; ++t)
    capacity.rows.push_back(view.rows(t));
  for (uint32_t r = 0; r < library.table().num_relations; ++r) {
    const gnn_block_t block = view.block(r, GNN_TO_DESTINATION);
    capacity.edges.push_back(block.offsets[block.num_rows]);
  }
  return capacity;
}

Ticket Engine::run(Prepared &prepared, uint32_t step, const View &view, std::vector<void *> operands,
                   const StepCall &call, std::vector<Ticket> after) {
  return queues().ask(Queue::Work, std::move(after), [&prepared, step, &view, operands = std::move(operands), call] {
    prepared.run(step, view, operands.data(), call);
  });
}

Ticket Engine::copy(Queue queue, void *to, const void *from, size_t bytes, std::vector<Ticket> after) {
  return queues().ask(queue, std::move(after), [=] { transfer(queue, to, from, bytes); });
}

Ticket Engine::transferBy(Queue queue, std::function<void()> work, std::vector<Ticket> after) {
  return queues().ask(queue, std::move(after), std::move(work));
}

void Engine::gatherIn(void *to, const void *table, size_t rowBytes, Span<const int64_t> rows) {
  std::vector<char> packed(rows.size() * rowBytes);
  char *next = packed.data();
  for (int64_t row : rows) {
    std::memcpy(next, static_cast<const char *>(table) + size_t(row) * rowBytes, rowBytes);
    next += rowBytes;
  }
  copyIn(to, packed.data(), packed.size());
}

void Engine::fold(uint32_t kind, uint32_t element, int64_t count, void *into, const void *parts, size_t stride,
                  int64_t numParts) {
  const auto *part = static_cast<const char *>(parts);
  if (into != part)
    std::memcpy(into, part, size_t(count) * elementBytes(element));
  for (int64_t p = 1; p < numParts; ++p)
    foldInto(kind, element, 0, count, into, part + size_t(p) * stride);
}

} // namespace gnn::rt
