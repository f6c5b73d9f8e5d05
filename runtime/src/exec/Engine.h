//===- Engine.h - A machine that runs steps ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One machine: its memory, its threads or streams, and how a step of a program runs over a view. Which views there are,
// and in which order, is the business of executors; docs/adding-an-executor.md shows the smallest. Used by one thread
// at a time.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_ENGINE_H
#define GNN_EXEC_ENGINE_H

#include "runtime/src/exec/Dims.h"
#include "runtime/src/exec/ProgramPlan.h"
#include "runtime/src/exec/View.h"

#include <memory>
#include <vector>

namespace gnn::rt {

/// Upper bounds of what the views of later calls have, so that these take no memory.
struct Capacity {
  std::vector<int64_t> rows;  // [vertex types]
  std::vector<int64_t> edges; // [relations]
};

/// What `view` has.
Capacity capacityOf(const Library &library, const View &view);

/// Memory of a machine, given back with this.
class Memory {
public:
  virtual ~Memory() = default;
  /// Its address there.
  virtual void *data() const = 0;
};

/// How a step is called, beside its operands.
struct StepCall {
  uint32_t flags = GNN_SWEEP_FIRST | GNN_SWEEP_LAST; // of sweeps: no others of GNN_SWEEP_*
  void *states = nullptr;                            // of all rows, of a sweep that is not both first and last
  void *room = nullptr;                              // roomBytes() of memory that the step has until it is done
};

/// A program made ready on an engine. Addresses are those of the engine's memory.
class Prepared {
public:
  Prepared() = default;
  virtual ~Prepared() = default;
  Prepared(const Prepared &) = delete;
  Prepared &operator=(const Prepared &) = delete;

  const ProgramPlan &plan() const { return planned; }
  /// Memory that a step needs while it runs, beside its operands.
  virtual size_t roomBytes(uint32_t step) const = 0;
  /// Memory that all of it has taken.
  virtual size_t ownBytes() const = 0;
  /// Of the state of a row that a sweep leaves to a later call.
  virtual size_t stateBytes(uint32_t step) const = 0;

  /// Before the steps of a run: the key of its random numbers.
  virtual void begin(uint64_t stepKey) = 0;
  /// Runs a step over what it sees of `view`, which is within the capacity. `operands` are those of the step: row 0 of
  /// the view's rows or cols, edge id 0, or the whole tensor. A step whose result is not stored is called in its turn
  /// too, for those who make that result themselves.
  virtual void run(uint32_t step, const View &view, void *const *operands, const StepCall &call) = 0;
  /// Folds `more`, the states of the edges that follow, into `states`, of rows [begin, end) of a sweep's view.
  virtual void merge(uint32_t step, void *states, const void *more, int64_t begin, int64_t end) = 0;

protected:
  ProgramPlan planned;
};

class Engine {
public:
  virtual ~Engine() = default;

  /// A program whose steps run over views within `capacity`. `only`: the one view that all of them go over, for which
  /// the steps are planned with care and fields may not be stored; null: views are planned as they come, in little
  /// time. Throws GNN_ERROR_DATA for operands that do not fit. `dims`, `program` and `only` must outlive what is made.
  virtual std::unique_ptr<Prepared> prepare(const Dims &dims, const gnn_program_t &program, const Capacity &capacity,
                                            const View *only) = 0;

  virtual std::unique_ptr<Memory> allocate(size_t bytes) = 0;
  /// Memory for what does not outlive a run: one piece for all who ask. Its address may be another before each run.
  virtual std::unique_ptr<Memory> shareTransient(size_t bytes) = 0;
  /// From and to the memory of this process; done when they return.
  virtual void copyIn(void *to, const void *from, size_t bytes) = 0;
  virtual void copyOut(void *to, const void *from, size_t bytes) = 0;
};

} // namespace gnn::rt

#endif // GNN_EXEC_ENGINE_H
