//===- ChunkCalls.cpp - Steps over chunks, one behind the other -----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ChunkCalls.h"

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
  const ProgramStep step = library.step(program.steps[call.step]);
  const std::vector<int64_t> &ids = step[i].isPerRow() ? call.view.rowIds : call.view.colIds;
  std::vector<char> &table = tables[step[i].tensor]; // perhaps a parameter with a row for each vertex
  const size_t bytes = table.size() / std::max<size_t>(size_t(binding.rows(step.typeOf(step[i]))), 1);
  call.rows[i].resize(ids.size() * bytes);
  for (size_t r = 0; r < ids.size(); ++r)
    copy(call.rows[i].data() + r * bytes, table.data() + size_t(ids[r]) * bytes, bytes);
}

void ChunkCalls::begin(uint32_t s, ChunkBlock view, uint32_t flags, void *states) {
  const ProgramStep step = library.step(program.steps[s]);
  if (calls.size() == 2)
    endFirst();
  ++numCalls;
  Call &call = calls.emplace_back(Call{s, std::move(view), Tables(step->num_tensors), {}, {}});
  std::vector<void *> operands;
  for (const Operand operand : step.operands()) {
    const uint32_t i = operand.index, tensor = operand.tensor;
    const bool isGathered = operand.isPerRow() || operand.isPerCol();
    if (isGathered)
      forRows(call, i, [](char *own, const char *whole, size_t bytes) { std::memcpy(own, whole, bytes); });
    const std::vector<char> &from = isGathered ? call.rows[i] : tables[tensor];
    operands.push_back(room(i, from.size()));
    call.tickets.push_back(
        engine.copy(Queue::Load, operands.back(), from.data(), from.size(), {isGathered ? Ticket() : stored[tensor]}));
  }
  const Ticket ran = engine.run(prepared, s, call.view, operands,
                                {flags, states, room(step->num_tensors, prepared.roomBytes(s))}, call.tickets);
  call.tickets.push_back(ran);
  for (const Operand output : step.outputs()) {
    const uint32_t i = output.index;
    const bool isRow = output.isPerRow();
    if (isRow && !(flags & GNN_SWEEP_LAST)) // rows are not ended yet
      continue;
    std::vector<char> &to = isRow ? call.rows[i] : tables[output.tensor];
    call.tickets.push_back(engine.copy(Queue::Store, to.data(), operands[i], to.size(), {ran}));
    isRow ? call.ended.push_back(i) : void(stored[output.tensor] = call.tickets.back());
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
