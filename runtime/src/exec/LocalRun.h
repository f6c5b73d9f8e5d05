//===- LocalRun.h - A program over a neighbourhood --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the steps of a program over the neighbourhood of some vertices: tables have rows of those who are in it alone,
// gathered or made by steps. Memory is for as many rows and edges as the largest neighbourhood so far: what is within
// that takes none.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_LOCALRUN_H
#define GNN_EXEC_LOCALRUN_H

#include "runtime/src/exec/LocalRows.h"
#include "runtime/src/program/MemoryPlan.h"

namespace gnn::rt {

class LocalRun {
public:
  /// The program has no obstacle (Obstacles.h). `around`, of this program, may be null until it moves. All other
  /// arguments must outlive this.
  LocalRun(Engine &engine, const Library &library, const Binding &binding, const gnn_program_t &program, Going going,
           std::unique_ptr<Neighbourhood> around);

  /// Where a tensor without rows of vertices or edges lies that no step makes or, of results, where it is to be: in
  /// memory of the engine. Goes before what the binding has.
  void place(uint32_t tensor, void *data);
  /// Goes to a neighbourhood of this program that is expanded; leaves the present one in its place. `changed` and
  /// `stored`: with which it was expanded, if it was, and which stay until this moves again.
  void moveTo(std::unique_ptr<Neighbourhood> &other, const ChangedRows *changed = nullptr, StoredUse *stored = nullptr);
  /// Gives its neighbourhood away, until it moves again.
  std::unique_ptr<Neighbourhood> leave() { return std::move(around); }
  /// Then: what steps read of the rows of features, degrees and parameters. `rowsOf` has those of inputs that the
  /// binding has in files, in the order of the neighbourhood; they stay where they are until the next.
  void gather(const LocalRows::RowsOf &rowsOf = nullptr);
  /// Rows of these tensors are in memory of the engine before they are read: `rowsOf` has them, too. Before it moves.
  void expectGiven(const std::vector<uint32_t> &tensors) { rows.expectGiven(tensors); }
  /// Sets the views that steps go over, until the next move.
  void lookAt(std::vector<const View *> ofSteps) { views = std::move(ofSteps); }
  /// Gathers parameters alone, which other runs have changed.
  void gatherParameters();
  /// There will be room for a neighbourhood like this one, once there is any.
  void expectSize(const Neighbourhood &other) { rows.expectSize(other); }
  /// Gives its memory up, until it moves.
  void releaseMemory();
  /// After both, until the next; with all that steps are told before they run.
  Prepared &program() { return *prepared; }
  /// All steps, in their order, but those that every run does alike. `clock` times them, if there is one.
  void runSteps(StepClock *clock = nullptr) { runSteps(/*fixedOnes=*/false, clock); }
  /// Those, before the others.
  void runFixedSteps(StepClock *clock = nullptr) { runSteps(/*fixedOnes=*/true, clock); }

  /// Whether steps make rows of a tensor for those who are here alone.
  bool makesRows(uint32_t tensor) const { return rows.madeOf(tensor) != nullptr; }
  /// Then, after the steps: puts them to their places in the whole table, which is in memory of the engine. All other
  /// rows become 0.
  void putRows(uint32_t tensor, void *whole) { rows.put(*rows.madeOf(tensor), whole); }

  const Neighbourhood &neighbourhood() const { return *around; }
  StepParts parts(uint32_t step) const { return prepared->parts(step); }
  /// Where a tensor is now.
  const void *at(uint32_t tensor) const;
  const MemoryPlan &plan() const { return memory; }
  size_t bytes() const {
    return memory.arenaBytes + memory.keptBytes + lastingBytes + (prepared ? prepared->ownBytes() : 0);
  }

private:
  void prepare();
  void planTemporaries();
  void placeTemporaries();
  void placeLasting();
  void exchangeStored(uint32_t step);
  void findPlaces();
  void poisonOutput(uint32_t step, const Operand &output);
  void runSteps(bool fixedOnes, StepClock *clock);

  Engine &engine;
  const Library &library;
  const Binding &binding;
  const gnn_program_t &compiled;
  const Going going;
  std::unique_ptr<Neighbourhood> around;
  StoredUse *stored = nullptr;     // where it is
  std::vector<const View *> views; // [steps] in memory of the engine; empty: those of the neighbourhood
  const std::shared_ptr<ResidentTables> tables;
  std::unique_ptr<Prepared> prepared;
  MemoryPlan memory;
  std::unique_ptr<Memory> arena, kept; // temporaries; those that live from run to run
  std::unique_ptr<Memory> lasting;     // what is gathered, and results
  size_t lastingBytes = 0;
  void *arenaAt = nullptr;    // where it was when temporaries were placed
  std::vector<void *> placed; // [library tensors]
  std::vector<void *> bases;  // [library tensors] temporaries and results, of rows or not
  LocalRows rows;
  std::vector<std::vector<void *>> operands; // [steps][operands]
};

} // namespace gnn::rt

#endif // GNN_EXEC_LOCALRUN_H
