//===- CpuEngine.cpp - The processor as an engine -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/CpuEngine.h"

#include "runtime/src/cpu/MapStep.h"
#include "runtime/src/cpu/ProductStep.h"
#include "runtime/src/cpu/SweepStep.h"
#include "runtime/src/exec/FixedSteps.h"
#include "runtime/src/exec/Tunings.h"
#include "runtime/src/exec/VirtualFields.h"

#include <cstring>
#include <set>

namespace gnn::rt {

namespace {

class CpuPrepared : public Prepared {
public:
  CpuPrepared(const Library &library, Team &team, const Dims &dims, const gnn_program_t &program,
              const Capacity &capacity, const View *only)
      : shared{library,
               dims,
               program,
               team,
               planned,
               capacity,
               only,
               only && library.table().num_tunings
                   ? nearestTuning(library.table(), statisticsOf(library, *only), team.size())
                   : nullptr,
               WorkerScratch(team)},
        sweeps(program.num_steps, nullptr), calls(program.num_steps, nullptr), products(program.num_steps, nullptr) {
    planFields();
    for (uint32_t s = 0; s < program.num_steps; ++s)
      addStep(s);
  }

  size_t roomBytes(uint32_t step) const override { return steps[step]->roomBytes(); }
  size_t stateBytes(uint32_t step) const override { return sweeps[step]->rowStateBytes(); }
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

  void begin(uint64_t stepKey) override { shared.random.step_key = stepKey; }
  void run(uint32_t step, const View &view, void *const *operands, const StepCall &call) override {
    steps[step]->run(view, operands, call);
  }
  void merge(uint32_t step, void *states, const void *more, int64_t begin, int64_t end) override {
    sweeps[step]->mergeStates(states, more, begin, end);
  }

private:
  /// Where steps go over different views, all that they make is stored, and inference is given other inputs each time.
  void planFields() {
    const gnn_program_t &program = shared.program;
    planned.producers.assign(shared.library.tensors().size(), -1);
    planned.fixed.assign(program.num_steps, false);
    if (!shared.only)
      return;
    planned.producers = findVirtualFields(
        shared.library, program, [&](uint32_t tensor) { return shared.bytesOf(tensor); },
        [&](const gnn_step_t &step) { return SweepStep::bytesOnEdges(shared, step, *shared.only); });
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
  std::vector<SweepStep *> sweeps;       // [steps], null for others
  std::vector<const KernelCall *> calls; // [steps] of sweeps and maps
  std::vector<ProductStep *> products;   // [steps], null for others
};

class HostMemory : public Memory {
public:
  explicit HostMemory(size_t bytes) : bytes(bytes) {}
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

std::unique_ptr<Prepared> CpuEngine::prepare(const Dims &dims, const gnn_program_t &program, const Capacity &capacity,
                                             const View *only) {
  return std::make_unique<CpuPrepared>(*library, team, dims, program, capacity, only);
}

std::unique_ptr<Memory> CpuEngine::allocate(size_t bytes) { return std::make_unique<HostMemory>(bytes); }

std::unique_ptr<Memory> CpuEngine::shareTransient(size_t bytes) {
  Buffer<char> &shared = team.workspace().arena;
  if (!shared.data() || shared.size() < bytes) // of no bytes, too, there is a pointer
    shared = Buffer<char>(bytes);
  return std::make_unique<SharedMemory>(team);
}

void CpuEngine::copyIn(void *to, const void *from, size_t bytes) { std::memcpy(to, from, bytes); }

void CpuEngine::copyOut(void *to, const void *from, size_t bytes) { std::memcpy(to, from, bytes); }

} // namespace gnn::rt
