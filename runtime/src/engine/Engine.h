//===- Engine.h - A machine that runs steps ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One machine: its memory, its threads or streams, and how a step of a program runs over a view. Which views there are,
// and in which order, is the business of executors; docs/dev/adding-an-executor.md shows the smallest. Used by one
// thread at a time.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ENGINE_ENGINE_H
#define GNN_ENGINE_ENGINE_H

#include "runtime/src/core/Buffer.h"
#include "runtime/src/core/Tensor.h"
#include "runtime/src/engine/Queues.h"
#include "runtime/src/engine/TrainingStep.h"
#include "runtime/src/engine/View.h"
#include "runtime/src/program/Dims.h"
#include "runtime/src/program/ProgramPlan.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace gnn::rt {

class Binding;
class DeviceSampler;
class Peers;
class RankLinks;
class RowGather;

/// Upper bounds of what the views of later calls have, so that these take no memory.
struct Capacity {
  std::vector<int64_t> rows;  // [vertex types]
  std::vector<int64_t> edges; // [relations]
};

/// The capacity that steps over `view` need.
Capacity capacityOf(const Library &library, const View &view);

/// Memory of a machine, given back with this.
class Memory {
public:
  virtual ~Memory() = default;
  /// Its address there.
  virtual void *data() const = 0;
};

/// Tensors of a binding, resident in the engine's memory.
class ResidentTables {
public:
  virtual ~ResidentTables() = default;
  /// Where a tensor is that the binding has now, or will be before the steps that are run next.
  virtual void *table(uint32_t tensor) = 0;
};

/// How a step is called, beside its operands.
struct StepCall {
  // For sweeps, GNN_SWEEP_* flags; other steps ignore them. A sweep with totals starts them in the first call and
  // continues them in later calls.
  uint32_t flags = GNN_SWEEP_FIRST | GNN_SWEEP_LAST;
  void *states = nullptr; // of all rows, of a sweep that is not both first and last
  void *room = nullptr;   // roomBytes() of memory that the step has until it is done
  // For products: the bits of a row do not depend on the rows beside it. Engines with device memory may ignore it.
  bool rowsStandAlone = false;
};

/// Numbers that differ from one run to the next.
struct RunNumbers {
  uint64_t key = 0;  // of random draws
  UpdateRule rule{}; // of Prepared::update
};

/// A program made ready on an engine. Addresses are those of the engine's memory.
class Prepared {
public:
  Prepared() = default;
  virtual ~Prepared() = default;
  Prepared(const Prepared &) = delete;
  Prepared &operator=(const Prepared &) = delete;

  const ProgramPlan &plan() const { return planned; }
  /// As far as it is known before the step is run: where a view is planned as it comes, nothing is.
  virtual StepParts parts(uint32_t) const { return {}; }
  /// Whether steps go over views whose arrays are in memory of the engine (View::isThere).
  virtual bool takesViewsThere() const { return false; }
  /// Memory that a step needs while it runs, beside its operands.
  virtual size_t roomBytes(uint32_t step) const = 0;
  /// Memory that all of it has taken.
  virtual size_t ownBytes() const = 0;
  /// Bytes of the state of a row that one call of a sweep leaves to a later call; 0 for a sweep with totals, whose
  /// state is the totals.
  virtual size_t stateBytes(uint32_t step) const = 0;

  /// Before the steps of a run.
  virtual void begin(const RunNumbers &numbers) = 0;
  /// Runs a step over what it sees of `view`, which is within the capacity. `operands` are those of the step: row 0 of
  /// the view's rows or cols, edge id 0, or the whole tensor. A step whose result is not stored is called in its turn
  /// too, for those who make that result themselves.
  virtual void run(uint32_t step, const View &view, void *const *operands, const StepCall &call) = 0;
  /// Folds `more`, the states of the edges that follow, into `states`, of rows [begin, end) of a sweep's view. Not of a
  /// sweep with totals.
  virtual void merge(uint32_t step, void *states, const void *more, int64_t begin, int64_t end) = 0;

  /// Prepares the update that follows the steps of this run, with these results of the program; true if a different
  /// update was expected before. All arguments must stay valid until the run has ended.
  virtual bool expectUpdate(const TrainingStep &step, const std::vector<Tensor> &results) = 0;
  /// Ends a step of training: updates parameters and states, if all results are finite.
  virtual void update() = 0;
  /// The outcome of the last update; waits for it.
  virtual StepOutcome outcome() = 0;

protected:
  ProgramPlan planned;
};

/// A sequence of calls that may be recorded once and replayed (CUDA graphs).
class Recording {
public:
  virtual ~Recording() = default;
  /// Does what `ask` asks of the engine: the same every time, without waiting for anything or taking memory.
  virtual void run(const std::function<void()> &ask) = 0;
};

/// Times the steps of a run.
class StepClock {
public:
  virtual ~StepClock() = default;
  virtual void begin(uint32_t step) = 0;
  virtual void end(uint32_t step) = 0;
  /// Seconds of a step that began and ended in the last run; waits for it.
  virtual double seconds(uint32_t step) = 0;
};

/// The ways in which a sweep runs at first, to find the fastest one; ways[0] follows from counts alone.
struct TriedPlan {
  struct Way {
    int64_t partitions, passes;
    double seconds = 0; // of the fastest of its runs; 0 before the trials are over
  };
  std::string program, kernel;
  std::vector<Way> ways;
  std::optional<size_t> taken; // none: it is trying still
};

/// Measurements that an engine took while it ran its prepared programs.
struct EngineReport {
  std::vector<TriedPlan> triedPlans; // in the order in which sweeps began to try
};

class Engine {
public:
  virtual ~Engine() = default;

  /// A program whose steps run over views within `capacity`. `views`: those that they go over, for which they are
  /// planned with care and fields may not be stored; none: views are planned as they come, in little time. Throws
  /// GNN_ERROR_DATA for operands that do not fit. All arguments but `capacity`, and all views, must outlive what is
  /// made.
  virtual std::unique_ptr<Prepared> prepare(const Dims &dims, const gnn_program_t &program, const Capacity &capacity,
                                            const StepViews &views) = 0;
  /// The tables of a binding, which must outlive them; shared by all who ask.
  virtual std::shared_ptr<ResidentTables> tables(const Binding &binding) = 0;
  virtual std::unique_ptr<Recording> recording() = 0;
  virtual std::unique_ptr<StepClock> clock(uint32_t steps) = 0;

  virtual std::unique_ptr<Memory> allocate(size_t bytes) = 0;
  /// Memory for what does not outlive a run: perhaps one piece for all who ask, elsewhere before each run.
  virtual std::unique_ptr<Memory> allocateTransient(size_t bytes) = 0;
  /// From and to the memory of this process; done when they return.
  virtual void copyIn(void *to, const void *from, size_t bytes) = 0;
  virtual void copyOut(void *to, const void *from, size_t bytes) = 0;
  /// Rows `rows` of a table in the memory of this process, one after the other; done when it returns.
  virtual void gatherIn(void *to, const void *table, size_t rowBytes, Span<const int64_t> rows);
  /// Makes bytes 0, after the steps that were run before.
  virtual void clear(void *to, size_t bytes) = 0;
  /// Result `i` of `into` becomes the fold (GNN_FOLD_*) of the numbers `i` of all parts, in order; after the steps that
  /// were run before. There is a part at least, and `into` may be the first.
  virtual void fold(uint32_t kind, uint32_t element, int64_t count, void *into, const void *parts, size_t stride,
                    int64_t numParts);
  /// Bytes of the engine's memory that `allocate` takes for a buffer of `bytes`.
  virtual size_t takenBytes(size_t bytes) const { return wholeLines(bytes); }
  /// Bytes of a row of a tensor as the engine stores it.
  virtual size_t rowBytes(const Dims &dims, const gnn_tensor_info_t &tensor) const { return dims.rowBytes(tensor); }

  // The same later, beside what the caller does: in the queues of the engine, after what was asked of the same queue
  // and the tickets of `after`. While Queue::Work has something to do, the caller asks for nothing else that computes.
  Ticket run(Prepared &prepared, uint32_t step, const View &view, std::vector<void *> operands, const StepCall &call,
             std::vector<Ticket> after);
  /// Queue::Load copies into the memory of the engine, Queue::Store out of it.
  Ticket copy(Queue queue, void *to, const void *from, size_t bytes, std::vector<Ticket> after);
  /// Queues work of the caller, such as reading a file, which may touch host memory only. In Queue::Work it runs in
  /// order with the steps of the processor.
  Ticket transferBy(Queue queue, std::function<void()> work, std::vector<Ticket> after);

  /// A tensor for results, not initialised.
  virtual Tensor empty(uint32_t element, std::vector<int64_t> shape) = 0;
  /// A result for others to keep: no run writes to it while they have it, though runs write where `result` is.
  virtual Tensor handedOut(const Tensor &result) = 0;
  /// A tensor of this process in the memory of the machine.
  virtual Tensor copied(const Tensor &tensor) { return tensor; }
  /// Zeros that this process reads and writes as a tensor of its own, and runs too. Runs and the functions of this
  /// class take addresses in them as those of the engine's memory; where others read by an address, `copyOut` copies
  /// first.
  virtual Tensor zeros(uint32_t element, std::vector<int64_t> shape) = 0;
  /// Before this process touches what `zeros` gave: waits for runs. Throws GNN_ERROR_DEVICE if it is lost, because a
  /// GPU failed.
  virtual void settle() {}

  /// Another engine of the same machine, for what is computed beside this one: it reads what `zeros` gave, too. Null if
  /// the machine does one thing after the other.
  virtual std::unique_ptr<Engine> another() const { return nullptr; }

  /// Around what is asked for in a run.
  virtual void beginRun() {}
  virtual void endRun() {}
  /// How long the last run took by the clock of a GPU; none on a processor. Throws GNN_ERROR_ARGUMENT if there was
  /// none.
  virtual std::optional<double> deviceSeconds() { return std::nullopt; }

  /// Whether its memory is not that of this process. Then `copy` needs memory that `reachable` gave on this side, and
  /// the bytes in use there, whoever has them, are `usedBytes`.
  bool hasDeviceMemory() const { return ordinal() >= 0; }
  /// How many of `bytes` in the memory of this process count as memory of the engine: all of them, or none.
  size_t chargedBytes(size_t bytes) const { return hasDeviceMemory() ? 0 : bytes; }
  virtual std::shared_ptr<void> reachable(size_t bytes) { return nullptr; }
  virtual size_t usedBytes() const { return 0; }

  // Capabilities that only some engines have; null: this one does not.
  /// The engines that compute together with this one.
  virtual Peers *peers() { return nullptr; }
  /// Exchange between the device memories of ranks.
  virtual RankLinks *rankLinks() { return nullptr; }
  /// Sampling of edges on the device.
  virtual DeviceSampler *sampler() { return nullptr; }
  /// Gathering of rows out of tables of several devices.
  virtual RowGather *rowGather() { return nullptr; }
  /// Threads that do transfers alone.
  virtual TransferThreads *transferThreads() { return nullptr; }
  virtual EngineReport report() const { return {}; }

  /// N of cuda:N; -1 for the processor.
  virtual int ordinal() const { return -1; }
  /// "cpu", or "cuda:0 (NVIDIA H200)".
  virtual const std::string &device() const = 0;
  /// For whom the code was compiled that runs: an instruction set, or "sm_90".
  virtual const std::string &code() const = 0;
  /// The machine's name in tuning files: an instruction set, or the architecture of the GPU, whichever code runs on it.
  virtual std::string architecture() const { return code(); }
  /// Who computes dense products: "oneDNN", "cuBLASLt 13.1".
  virtual const std::string &products() const = 0;
  /// Threads of this process that compute.
  virtual unsigned threads() const = 0;

protected:
  virtual Queues &queues() = 0;
  /// In its turn in Queue::Load or Queue::Store.
  virtual void transfer(Queue queue, void *to, const void *from, size_t bytes) = 0;
};

} // namespace gnn::rt

#endif // GNN_ENGINE_ENGINE_H
