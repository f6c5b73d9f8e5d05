//===- RowPicks.h - Rows out of tables of devices ---------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ENGINE_ROWPICKS_H
#define GNN_ENGINE_ROWPICKS_H

#include <cstddef>
#include <cstdint>

namespace gnn::rt {

/// Some rows that a device keeps: in memory of the engine, or of another that it reaches.
struct KeptTable {
  const void *rows;
  uint32_t first; // place of the first
};

/// Tables of rows of `rowBytes` bytes, and which of them to pick. All addresses but those of KeptTables are of the
/// engine's memory.
struct RowPicks {
  void *to;              // [count] rows
  const KeptTable *kept; // [numTables] in the engine's memory, by their places, from 0 on
  uint32_t numTables;
  const void *others;     // rows, places from numKept on
  const uint32_t *places; // [count]
  uint32_t numKept;       // in all tables
  int64_t count;
  size_t rowBytes;
};

/// Capability of an engine with device memory.
class RowGather {
public:
  virtual ~RowGather() = default;
  /// Picks rows, after what the engine was asked for before.
  virtual void pick(const RowPicks &picks) = 0;
};

} // namespace gnn::rt

#endif // GNN_ENGINE_ROWPICKS_H
