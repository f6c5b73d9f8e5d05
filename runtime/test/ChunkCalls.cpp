//===- ChunkCalls.cpp - Steps over chunks, one behind the other -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkCalls.h"

#include "runtime/src/bind/StepOperands.h"

#include <algorithm>
#include <cstring>

using namespace gnn::rt;

void *ChunkCalls::room(size_t operand, size_t bytes) {
  Room &mine = rooms[{numCalls % 2, operand}];
  if (!mine.memory || mine.bytes < bytes)
    mine = {engine.allocate(bytes), bytes};
  return mine.memory->data();
}

template <class Copy> void ChunkCalls::forRows(Call &call, uint32_t i, Copy copy) {
  const gnn_step_t &step = program.steps[call.step];
  const bool isRow = accessOf(library.table(), step, i) == GNN_ACCESS_ROW;
  const std::vector<int64_t> &ids = isRow ? call.view.rowIds : call.view.colIds;
  std::vector<char> &table = tables[step.tensors[i]]; // perhaps a parameter with a row for each vertex
  const size_t bytes = table.size() / std::max<size_t>(size_t(binding.rows(endType(library, step, isRow))), 1);
  call.rows[i].resize(ids.size() * bytes);
  for (size_t r = 0; r < ids.size(); ++r)
    copy(call.rows[i].data() + r * bytes, table.data() + size_t(ids[r]) * bytes, bytes);
}

void ChunkCalls::begin(uint32_t s, ChunkBlock view, uint32_t flags, void *states) {
  const gnn_step_t &step = program.steps[s];
  if (calls.size() == 2)
    endFirst();
  ++numCalls;
  Call &call = calls.emplace_back(Call{s, std::move(view), Tables(step.num_tensors), {}, {}});
  std::vector<void *> operands;
  for (uint32_t i = 0; i < step.num_tensors; ++i) {
    const uint32_t access = accessOf(library.table(), step, i), tensor = step.tensors[i];
    const bool isGathered = access == GNN_ACCESS_ROW || access == GNN_ACCESS_COL;
    if (isGathered)
      forRows(call, i, [](char *own, const char *whole, size_t bytes) { std::memcpy(own, whole, bytes); });
    const std::vector<char> &from = isGathered ? call.rows[i] : tables[tensor];
    operands.push_back(room(i, from.size()));
    call.tickets.push_back(
        engine.copy(Queue::Load, operands.back(), from.data(), from.size(), {isGathered ? Ticket() : stored[tensor]}));
  }
  const Ticket ran = engine.run(prepared, s, call.view, operands,
                                {flags, states, room(step.num_tensors, prepared.roomBytes(s))}, call.tickets);
  call.tickets.push_back(ran);
  for (uint32_t i = firstOutput(library.table(), step); i < step.num_tensors; ++i) {
    const bool isRow = accessOf(library.table(), step, i) == GNN_ACCESS_ROW;
    if (isRow && !(flags & GNN_SWEEP_LAST)) // rows are not ended yet
      continue;
    std::vector<char> &to = isRow ? call.rows[i] : tables[step.tensors[i]];
    call.tickets.push_back(engine.copy(Queue::Store, to.data(), operands[i], to.size(), {ran}));
    isRow ? call.ended.push_back(i) : void(stored[step.tensors[i]] = call.tickets.back());
  }
}

void ChunkCalls::endFirst() {
  Call &first = calls.front();
  for (const Ticket &ticket : first.tickets)
    ticket.await();
  for (uint32_t i : first.ended)
    forRows(first, i, [](const char *own, char *whole, size_t bytes) { std::memcpy(whole, own, bytes); });
  calls.pop_front();
}

ChunkCalls::~ChunkCalls() {
  for (Call &call : calls)
    for (const Ticket &ticket : call.tickets)
      try {
        ticket.cancel();
        ticket.await();
      } catch (...) { // which `await` has thrown
      }
}
