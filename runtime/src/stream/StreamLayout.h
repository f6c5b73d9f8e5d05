//===- StreamLayout.h - The plan of a streamed program -----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program over a binding does in a streamed run, where tables lie in the spill file and all else in the memory
// of a run, and what a run reads and writes: all of it is known before anything is allocated.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_STREAMLAYOUT_H
#define GNN_STREAM_STREAMLAYOUT_H

#include "runtime/src/stream/EdgeTables.h"
#include "runtime/src/stream/RunMemory.h"

namespace gnn::rt {

class StreamLayout : public StreamedProgram {
public:
  /// Why a program cannot be streamed, to an engine that has memory of its own or by ranks; empty: it can.
  static std::string obstacle(const Library &library, const gnn_program_t &program, bool toDevice, bool areRanks);

  /// `data` is of the binding; what the program needs of it gets its place. `prepared` is that of another layout of
  /// the program for as many intervals; null: it is made. All arguments must outlive this.
  StreamLayout(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program,
               SpilledData &data, std::shared_ptr<Prepared> prepared = nullptr);

  const StageSchedule &schedule() const { return planned; }
  const std::vector<Stage> &stages() const { return planned.stages(); }
  const ChunkGrid &grid() const { return chunks; }
  const std::shared_ptr<Prepared> &prepared() const { return made; }
  /// The same on another engine of the same kind.
  std::unique_ptr<Prepared> prepareOn(Engine &other) const;
  /// Whether it is in memory by intervals or chunks.
  bool isSpilled(uint32_t tensor) const { return planned.isSpilled(tensor); }
  /// Bytes of a row over vertices of a type; also for a parameter with a row for each vertex.
  size_t bytesOfVertex(uint32_t tensor, uint32_t type) const;
  size_t rowBytes(uint32_t tensor) const { return chunks.rowBytes(tensor); }
  size_t tableBytes(uint32_t tensor) const { return chunks.tableBytes(tensor); }
  /// Elements and shape of so many rows of a table as they are stored: bools in bits (GNN_BITS), which fields of pairs
  /// may have, are bytes.
  std::pair<uint32_t, std::vector<int64_t>> storedShape(uint32_t tensor, int64_t rows) const;

  /// Whether ids of vertices that an order of theirs has are copied to an engine that has memory of its own.
  bool copiesOrder(uint32_t type) const { return data.file().isMemory() && binding.order(type); }
  const RunMemory &memory() const { return ofRun; }
  const std::vector<TotalParts> &totals(size_t stage) const { return ofRun.stages[stage].totals; }
  /// In a piece of RunMemory::cols, of what chunk (p, q) of a sweep has by col, or by edge.
  size_t colsAt(uint32_t step, uint32_t operand, int64_t p, int64_t q) const;
  size_t colIdsAt(uint32_t step, int64_t p, int64_t q) const { return colsAt(step, steps[step]->num_tensors, p, q); }
  size_t colPiece(uint32_t step, int64_t p, int64_t q) const;
  /// Memory that stays between runs: results that are in memory, and what is prepared.
  size_t lastingBytes() const { return resultBytes + made->ownBytes(); }
  /// Where a spilled tensor begins in the spill file; 0, unused, if it is read from the data set's own file.
  uint64_t place(uint32_t tensor) const { return places[tensor]; }
  const RunTraffic &traffic() const { return perRun; }

private:
  void placeFile();

  const Engine &engine;
  const StageSchedule planned;
  const ChunkGrid chunks;
  std::shared_ptr<Prepared> made;
  RunTraffic perRun;
  RunMemory ofRun;
  size_t resultBytes = 0;
  std::vector<uint64_t> places; // [tensors]
};

} // namespace gnn::rt

#endif // GNN_STREAM_STREAMLAYOUT_H
