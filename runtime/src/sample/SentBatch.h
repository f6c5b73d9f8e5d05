//===- SentBatch.h - A batch in the memory of a GPU -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of a batch that steps read on an engine with device memory: its edges, and rows of inputs. The data are
// packed side by side by the thread that draws the batch, and sent in one copy while another batch is computed. Rows
// that the engine caches (HotRows) are not sent: the batch's tables are gathered from both on the engine. Buffers on
// both sides are as large as the largest batch so far.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_SAMPLE_SENTBATCH_H
#define GNN_SAMPLE_SENTBATCH_H

#include "runtime/src/engine/Engine.h"
#include "runtime/src/exec/Neighbourhood.h"

#include <map>

namespace gnn::rt {

class HotRows;

class SentBatch {
public:
  /// A table of vertices that steps of a program read row by row.
  struct Table {
    uint32_t tensor, type; // type: of vertices
    int32_t depth;         // whose rows a batch reads
    size_t rowBytes;
  };
  /// The inputs in memory of this process whose rows are sent.
  static std::vector<Table> tablesOf(const Library &library, const Binding &binding, const gnn_program_t &program);

  /// The engine has a RowGather. All arguments must outlive it.
  SentBatch(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program);
  ~SentBatch();

  /// Batches that are packed from now on find rows there, where the engine has this number.
  void findIn(std::shared_ptr<HotRows> rows, size_t number);
  /// By any thread, after the engine has done with what was sent before: copies what a batch has side by side. The
  /// neighbourhood stays until the next.
  void pack(const Neighbourhood &around);
  // By the thread of the engine:
  /// Takes so much of its memory, with some to spare, if there is less.
  void reserve(size_t bytes);
  /// Asks for the copy of what was packed, beside what the engine computes, unless it is under way. What it computed
  /// with the batch before, of this same memory, is done.
  void send();
  /// The engine computes with it from now on, once it is there.
  void take();

  // Addresses of the engine's memory, after `send`:
  /// Null: its rows are not sent.
  void *rowsOf(uint32_t tensor) const;
  /// [steps]
  std::vector<const View *> views() const;
  /// Memory of the engine; and what the largest batch that was packed takes of it where rows are kept.
  size_t bytes() const { return room; }
  size_t mostBytes() const { return most; }

private:
  class ThereView;
  static constexpr size_t spare = 16; // a part of so many more is taken
  /// An array of this process, by where it begins.
  struct Array {
    size_t bytes, offset; // offset: in what is packed
  };

  /// The rows of one table in a batch.
  struct Rows {
    int64_t count = 0, numSent = 0, numOfPeers = 0;
    size_t sent = 0, places = 0, picked = 0; // where they are; places and picked: with rows that are kept
  };

  void find(const Neighbourhood &around);
  void packRows(size_t table, const Neighbourhood &around);
  void note(const void *array, size_t bytes);
  void layOut(const Neighbourhood &around);
  void *there(size_t offset) const { return static_cast<char *>(memory->data()) + offset; }
  /// Null for arrays that no step reads.
  const void *there(const void *array) const;

  Engine &engine;
  const Library &library;
  const Binding &binding;
  const gnn_program_t &program;
  const std::vector<Table> tables;
  std::map<const char *, Array> arrays;
  std::shared_ptr<HotRows> hot;                 // null: all rows are sent
  size_t hotEngine = 0;                         // the number of the engine there
  std::vector<Rows> rows;                       // [tables]
  std::vector<std::unique_ptr<ThereView>> seen; // [steps]
  std::shared_ptr<void> packed;                 // memory that the engine reads itself
  size_t packedRoom = 0, packedBytes = 0;
  size_t mostPacked = 0, allBytes = 0; // if no row is kept; with what the engine picks
  size_t most = 0;                     // bytes, of all batches
  std::unique_ptr<Memory> memory;
  size_t room = 0;
  bool isPacked = false; // and not sent
  Ticket sent;
};

} // namespace gnn::rt

#endif // GNN_SAMPLE_SENTBATCH_H
