//===- ChunkCalls.h - Steps over chunks, one behind the other ---*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a chunk needs is loaded while the chunk before it runs, and what that one made is stored while this one runs.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_CHUNKCALLS_H
#define GNN_TEST_CHUNKCALLS_H

#include "ChunkBlock.h"
#include "runtime/src/bind/Binding.h"
#include "runtime/src/engine/Engine.h"

#include <deque>
#include <map>

class ChunkCalls {
public:
  using Tables = std::vector<std::vector<char>>;

  /// `tables` [library tensors] are those of the whole graph.
  ChunkCalls(gnn::rt::Engine &engine, const gnn::rt::Library &library, const gnn::rt::Binding &binding,
             const gnn_program_t &program, gnn::rt::Prepared &prepared, Tables &tables)
      : engine(engine), library(library), binding(binding), program(program), prepared(prepared), tables(tables),
        stored(tables.size()) {}
  /// Where a call failed: nothing touches what goes now.
  ~ChunkCalls();

  /// Calls a step, which reads of the tables nothing that calls have made since `await` but edges and what is whole.
  void begin(uint32_t step, ChunkBlock view, uint32_t flags, void *states);
  /// Memory of the engine until `end`.
  void *memory(size_t bytes) { return memories.emplace_back(engine.allocate(bytes))->data(); }
  /// When all have ended the tables are what they made.
  void await() {
    while (!calls.empty())
      endFirst();
  }
  void end() {
    await();
    memories.clear();
  }

private:
  struct Call {
    uint32_t step;
    ChunkBlock view;
    Tables rows; // [operands] of the chunk
    std::vector<gnn::rt::Ticket> tickets;
    std::vector<uint32_t> ended; // operands whose rows it ends
  };
  struct Room {
    std::unique_ptr<gnn::rt::Memory> memory;
    size_t bytes = 0;
  };

  void *room(size_t operand, size_t bytes);
  template <class Copy> void forRows(Call &call, uint32_t operand, Copy copy);
  void endFirst();

  gnn::rt::Engine &engine;
  const gnn::rt::Library &library;
  const gnn::rt::Binding &binding;
  const gnn_program_t &program;
  gnn::rt::Prepared &prepared;
  Tables &tables;
  std::vector<gnn::rt::Ticket> stored;             // [library tensors] when each is as calls have made it
  std::map<std::pair<size_t, size_t>, Room> rooms; // of a call and the one after it, by operand
  std::vector<std::unique_ptr<gnn::rt::Memory>> memories;
  std::deque<Call> calls; // at most two
  size_t numCalls = 0;
};

#endif // GNN_TEST_CHUNKCALLS_H
