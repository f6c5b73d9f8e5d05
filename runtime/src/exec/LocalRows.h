//===- LocalRows.h - Rows of a neighbourhood --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows that the tensors of a program have over a neighbourhood: how many of them there are and fit, and the
// gathering of those that are bound.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_LOCALROWS_H
#define GNN_EXEC_LOCALROWS_H

#include "runtime/src/engine/Engine.h"
#include "runtime/src/exec/Neighbourhood.h"

#include <functional>

namespace gnn::rt {

/// Where a LocalRun goes.
enum class Going {
  Around,  // to other vertices again and again, with all their edges; each has the bits that it has alone
  Sampled, // the same, with perhaps some of their edges
  Once // to some vertices, with all their edges: steps are planned with care, and what all runs do alike is done once
};

class LocalRows {
public:
  /// Returns the rows of an input that are not gathered here, in the order of the neighbourhood.
  using RowsOf = std::function<void *(uint32_t tensor)>;

  /// A tensor of which there are rows here.
  struct Table {
    uint32_t tensor;
    int32_t edgeRows; // Neighbourhood::edgeRowsOf
    uint32_t type;    // of vertices, or relation
    int32_t depth;    // of vertices: the rows are those of this depth
    bool isMade;      // by a step; else gathered
    bool isOfCols;    // sweeps read rows at the other end of edges, stored ones too
    bool isGiven;     // gathered by others
    size_t bytes;     // of each
    int64_t capacity; // how many there is room for
    void *base;
  };

  /// `placed`: [library tensors] places that go before what the binding has. `around` may be null until this moves. All
  /// arguments must outlive this.
  LocalRows(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program, Going going,
            const std::vector<void *> &placed, const Neighbourhood *around);

  void moveTo(const Neighbourhood *to, const ChangedRows *others) {
    around = to;
    changed = others;
  }
  /// Rows of these tensors are gathered by others.
  void expectGiven(const std::vector<uint32_t> &tensors) { given = tensors; }
  /// Makes the capacity that of the neighbourhood where it is less. Returns true if some was.
  bool grow();
  /// The same for another neighbourhood, to which this does not move yet.
  void expectSize(const Neighbourhood &other);
  /// The capacity of steps. From then on it is known which tables are given.
  Capacity fixCapacity();
  /// Bytes of a tensor, as there is room for.
  size_t bytesOf(uint32_t tensor) const;

  std::vector<Table> &tables() { return all; }
  /// The rows that an operand of a step has; null: it is whole.
  Table *of(uint32_t step, const Operand &operand) {
    const int32_t table = numbers[step][operand.index];
    return table < 0 ? nullptr : &all[size_t(table)];
  }
  /// The rows that steps make of a tensor; null: they make none.
  const Table *madeOf(uint32_t tensor) const;

  /// Gathers what is bound; `rowsOf` has the rows that are given. Returns true if some of these lie elsewhere now.
  bool gather(const RowsOf &rowsOf);
  /// The same of parameters alone.
  void gatherParameters();
  /// Sets rows deeper than those that a step goes over to 0: gradients that nothing flows to.
  void clearBeyond(const gnn_step_t &step, const Table &table);
  /// Puts rows to their places in the whole table, which is in memory of the engine. All other rows become 0.
  void put(const Table &table, void *whole);
  /// The first of the rows that are here by stored rows, after all others.
  int64_t firstStored(const Table &table) const;

private:
  static constexpr int32_t notOfEdges = -1;

  uint32_t note(const ProgramStep &step, const Operand &operand);
  int64_t count(const Table &table) const;
  bool hasStored(const Table &table) const;
  bool isGiven(uint32_t tensor) const;
  void gatherTable(Table &table, const RowsOf &rowsOf);
  void gatherRange(Table &table, int64_t first, int64_t number);
  Tensor countsOf(const Table &table) const;
  Tensor countsWithChanged(const Table &table, int64_t first, int64_t number) const;
  void clearFrom(const Table &table, int64_t first);

  Engine &engine;
  const Library &library;
  const Binding &binding;
  const Going going;
  const std::vector<void *> &placed;
  const Neighbourhood *around;
  const ChangedRows *changed = nullptr; // where it is
  std::vector<uint32_t> given;          // tensors
  std::vector<Table> all;
  std::vector<std::vector<int32_t>> numbers; // [steps][operands] in `all`, or -1
  std::vector<int64_t> edges;                // [relations] how many there is room for
};

} // namespace gnn::rt

#endif // GNN_EXEC_LOCALROWS_H
