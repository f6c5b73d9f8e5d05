//===- CpuEngine.cpp - The processor as an engine -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/CpuEngine.h"

#include "runtime/src/bind/Binding.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Poison.h"
#include "runtime/src/cpu/Bf16Product.h"
#include "runtime/src/cpu/MapStep.h"
#include "runtime/src/cpu/Product.h"
#include "runtime/src/cpu/ProductStep.h"
#include "runtime/src/cpu/StepEnd.h"
#include "runtime/src/cpu/SweepStep.h"
#include "runtime/src/cpu/TableSumStep.h"
#include "runtime/src/cpu/Tasks.h"
#include "runtime/src/engine/Tunings.h"
#include "runtime/src/program/FixedSteps.h"
#include "runtime/src/program/VirtualFields.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <set>
#include <system_error>

namespace gnn::rt {

namespace {

class CpuPrepared : public Prepared {
public:
  CpuPrepared(const Library &library, Team &team, const Dims &dims, const gnn_program_t &program,
              const Capacity &capacity, const StepViews &views, std::shared_ptr<TriedPlans> tried)
      : shared{library,
               dims,
               program,
               team,
               planned,
               capacity,
               views,
               onlyOf(views) && library.table().num_tunings
                   ? nearestTuning(library.table(), statisticsOf(library, *onlyOf(views)), team.size())
                   : nullptr,
               std::move(tried),
               WorkerScratch(team)},
        sweeps(program.num_steps, nullptr), calls(program.num_steps, nullptr), products(program.num_steps, nullptr) {
    planFields();
    for (uint32_t s = 0; s < program.num_steps; ++s)
      addStep(s);
  }

  size_t roomBytes(uint32_t step) const override { return steps[step]->roomBytes(); }
  StepParts parts(uint32_t step) const override {
    StepParts found = sweeps[step] ? sweeps[step]->countParts() : StepParts();
    found.isStored = !shared.isVirtual(shared.program.steps[step]);
    return found;
  }
  size_t stateBytes(uint32_t step) const override { return sweeps[step] ? sweeps[step]->rowStateBytes() : 0; }
  size_t ownBytes() const override {
    size_t bytes = shared.scratch.bytes();
    for (const auto &step : steps)
      bytes += step->ownBytes();
    std::set<const Partitions *> counted;
    for (const SweepStep *sweep : sweeps)
      if (sweep && sweep->partitions() && counted.insert(sweep->partitions().get()).second)
        bytes += sweep->partitions()->bytes();
    return bytes;
  }

  void begin(const RunNumbers &numbers) override { shared.random.step_key = numbers.key; }
  void run(uint32_t step, const View &view, void *const *operands, const StepCall &call) override {
    if (isPoisoning())
      poisonWorkspace(step, call);
    steps[step]->run(view, operands, call);
  }
  void merge(uint32_t step, void *states, const void *more, int64_t begin, int64_t end) override {
    sweeps[step]->mergeStates(states, more, begin, end);
  }

  bool expectUpdate(const TrainingStep &step, const std::vector<Tensor> &results) override {
    training = &step;
    trained = &results;
    return false; // nothing is recorded
  }
  void update() override { ended = endStep(shared.team, *training, *trained); }
  StepOutcome outcome() override { return ended; }

private:
  /// What an earlier call of a step has left in memory that the steps share.
  void poisonWorkspace(uint32_t step, const StepCall &call) {
    poison(shared.scratch.of(0), shared.scratch.bytes());
    if (call.flags == (GNN_SWEEP_FIRST | GNN_SWEEP_LAST)) // else the room has what the calls before this one have made
      poison(call.room, roomBytes(step));
  }

  /// Where views come with the steps, or backward is run by itself, all that steps make is stored. Inference is given
  /// other inputs each time.
  void planFields() {
    const gnn_program_t &program = shared.program;
    planned.producers.assign(shared.library.tensors().size(), -1);
    planned.fixed.assign(program.num_steps, false);
    if (shared.views.empty() || isPullback(program))
      return;
    if (shared.views[0]->parametersStay()) {
      planned.fixed = findFixedSteps(shared.library, program, planned.producers, /*parametersStay=*/true);
      return;
    }
    planned.producers = findVirtualFields(
        shared.library, program, [&](uint32_t tensor) { return shared.bytesOf(tensor); },
        [&](const gnn_step_t &step) { return SweepStep::bytesOnEdges(shared, step, *shared.viewOf(step)); },
        /*byDepth=*/!onlyOf(shared.views));
    if (program.kind != GNN_PROGRAM_INFER)
      planned.fixed = findFixedSteps(shared.library, program, planned.producers);
  }

  template <class Step, class... Arguments> Step &add(Arguments &&...arguments) {
    auto made = std::make_unique<Step>(shared, std::forward<Arguments>(arguments)...);
    Step &step = *made;
    steps.push_back(std::move(made));
    return step;
  }

  void addStep(uint32_t s) {
    const gnn_step_t &info = shared.program.steps[s];
    switch (info.kind) {
    case GNN_STEP_SWEEP:
      if (shared.library.kernel(info.kernel).num_totals > 0) {
        add<TableSumStep>(info);
        return;
      }
      sweeps[s] = &add<SweepStep>(s);
      calls[s] = &sweeps[s]->kernelCall();
      return;
    case GNN_STEP_MAP:
      return addMap(s);
    case GNN_STEP_MATMUL:
      products[s] = &add<ProductStep>(info, makerOf(info.tensors[0]));
      return;
    default:
      add<ProductSumStep>(info, makerOf(info.tensors[0]), makerOf(info.tensors[1]));
    }
  }

  void addMap(uint32_t s) {
    const gnn_step_t &info = shared.program.steps[s];
    MapStep &map = add<MapStep>(info);
    calls[s] = &map.kernelCall();
    for (uint32_t i = 0; i < shared.library.kernel(info.kernel).num_inputs; ++i)
      if (const int32_t producer = planned.producers[info.tensors[i]]; producer >= 0)
        map.addProduct(i, *products[size_t(producer)]);
  }

  const KernelCall *makerOf(uint32_t tensor) const {
    const int32_t producer = planned.producers[tensor];
    return producer < 0 ? nullptr : calls[size_t(producer)];
  }

  CpuProgram shared;
  std::vector<std::unique_ptr<CpuStep>> steps;
  std::vector<SweepStep *> sweeps;        // [steps], null for others and for those with totals
  std::vector<const KernelCall *> calls;  // [steps] of sweeps and maps
  std::vector<ProductStep *> products;    // [steps], null for others
  const TrainingStep *training = nullptr; // of the run at hand
  const std::vector<Tensor> *trained = nullptr;
  StepOutcome ended{};
};

class HostTables : public ResidentTables {
public:
  explicit HostTables(const Binding &binding) : binding(binding) {}
  /// Kernels only read what is bound.
  void *table(uint32_t tensor) override { return const_cast<void *>(binding.data(tensor).data()); }

private:
  const Binding &binding;
};

/// What is asked of a processor is done when it is asked.
class NoRecording : public Recording {
public:
  void run(const std::function<void()> &ask) override { ask(); }
};

class HostClock : public StepClock {
public:
  explicit HostClock(uint32_t steps) : begins(steps), ends(steps) {}
  void begin(uint32_t step) override { begins[step] = Clock::now(); }
  void end(uint32_t step) override { ends[step] = Clock::now(); }
  double seconds(uint32_t step) override { return std::chrono::duration<double>(ends[step] - begins[step]).count(); }

private:
  using Clock = std::chrono::steady_clock;
  std::vector<Clock::time_point> begins, ends;
};

class HostMemory : public Memory {
public:
  explicit HostMemory(size_t numBytes) : bytes(numBytes) { poison(bytes.data(), numBytes); }
  void *data() const override { return const_cast<char *>(bytes.data()); }

private:
  Buffer<char> bytes;
};

/// What the executors of a team share lies where the one that asked for most put it.
class SharedMemory : public Memory {
public:
  explicit SharedMemory(Team &team) : team(team) {}
  void *data() const override { return team.workspace().arena.data(); }

private:
  Team &team;
};

} // namespace

/// oneTBB makes room for each thread before there is one.
static unsigned checkedThreads(unsigned threads) {
  constexpr unsigned maxThreads = 4096;
  require(threads <= maxThreads, GNN_ERROR_ARGUMENT, threads, " threads, the most is ", maxThreads);
  return threads;
}

/// Who computes products for a library: they use no instructions beyond those of a set that somebody asked for.
static std::string productsFor(const Library &library) {
  if (library.isIsaForced())
    limitProducts(library.isa().name);
  const std::string name = productsInstructions();
  if (!library.roundsProducts())
    return name;
  const char *narrow = bf16Instructions();
  return name + (narrow ? std::string(", of bf16 by ") + narrow : ", of bf16 as f32");
}

CpuEngine::CpuEngine(std::shared_ptr<const Library> opened, unsigned threads, PlanChoice choice)
    : library(std::move(opened)), isa(library->isa().name), productsName(productsFor(*library)), plans(choice),
      team(checkedThreads(threads)) {}

void CpuEngine::TeamQueues::start() {
  if (areStarted())
    return;
  try {
    auto loading = std::make_unique<TransferThread>();
    store = std::make_unique<TransferThread>();
    load = std::move(loading);
  } catch (const std::system_error &) { // no thread for it
  }
}

/// Steps take all threads, of which that of the caller is one: while a helper computes, it would wait.
bool CpuEngine::TeamQueues::summon(Queue queue, const std::function<void()> &help) {
  if (queue == Queue::Work && (team.size() > 1 || areStarted()))
    return true;
  if (queue == Queue::Work || !areStarted())
    return team.enlist(help);
  (queue == Queue::Load ? load : store)->ask(help);
  return true;
}

/// Else this thread would wait for a disk, and no step be done meanwhile.
bool CpuEngine::TeamQueues::serves(Queue queue) const { return queue != Queue::Work && areStarted() && load->isHere(); }

std::unique_ptr<Prepared> CpuEngine::prepare(const Dims &dims, const gnn_program_t &program, const Capacity &capacity,
                                             const StepViews &views) {
  return std::make_unique<CpuPrepared>(*library, team, dims, program, capacity, views,
                                       plans == PlanChoice::Tried ? triedPlans : nullptr);
}

std::shared_ptr<ResidentTables> CpuEngine::tables(const Binding &binding) {
  return std::make_shared<HostTables>(binding);
}

std::unique_ptr<Recording> CpuEngine::recording() { return std::make_unique<NoRecording>(); }

std::unique_ptr<StepClock> CpuEngine::clock(uint32_t steps) { return std::make_unique<HostClock>(steps); }

std::unique_ptr<Memory> CpuEngine::allocate(size_t bytes) { return std::make_unique<HostMemory>(bytes); }

std::unique_ptr<Memory> CpuEngine::allocateTransient(size_t bytes) {
  Buffer<char> &shared = team.workspace().arena;
  if (!shared.data() || shared.size() < bytes) // of no bytes, too, there is a pointer
    shared = Buffer<char>(bytes);
  return std::make_unique<SharedMemory>(team);
}

/// Of nothing there may be no address, which `memcpy` does not take.
static void copyBytes(void *to, const void *from, size_t bytes) {
  std::copy_n(static_cast<const char *>(from), bytes, static_cast<char *>(to));
}

void CpuEngine::copyIn(void *to, const void *from, size_t bytes) { copyBytes(to, from, bytes); }

void CpuEngine::gatherIn(void *to, const void *table, size_t rowBytes, Span<const int64_t> rows) {
  constexpr size_t rowsOfTask = 1024;
  forTasks(team, int64_t((rows.size() + rowsOfTask - 1) / rowsOfTask), [&](int64_t task, unsigned) {
    const size_t begin = size_t(task) * rowsOfTask, end = std::min(begin + rowsOfTask, rows.size());
    for (size_t i = begin; i < end; ++i)
      std::memcpy(static_cast<char *>(to) + i * rowBytes, static_cast<const char *>(table) + size_t(rows[i]) * rowBytes,
                  rowBytes);
  });
}

void CpuEngine::copyOut(void *to, const void *from, size_t bytes) { copyBytes(to, from, bytes); }

void CpuEngine::clear(void *to, size_t bytes) { std::memset(to, 0, bytes); }

Tensor CpuEngine::empty(uint32_t element, std::vector<int64_t> shape) {
  return Tensor::empty(element, std::move(shape));
}

Tensor CpuEngine::zeros(uint32_t element, std::vector<int64_t> shape) {
  return Tensor::zeros(element, std::move(shape));
}

} // namespace gnn::rt
