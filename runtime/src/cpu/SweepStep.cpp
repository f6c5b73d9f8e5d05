//===- SweepStep.cpp - Sweeps on processors -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/cpu/SweepStep.h"

#include "runtime/src/cpu/Tasks.h"

#include <cassert>
#include <chrono>

namespace gnn::rt {

namespace {

constexpr uint32_t whole = GNN_SWEEP_FIRST | GNN_SWEEP_LAST;

/// Where row 0 would have its state if that of row `first` is at `states`: kernels touch rows of their call alone.
void *fromRowZero(char *states, int64_t first, size_t rowBytes) {
  return reinterpret_cast<void *>(uintptr_t(states) - size_t(first) * rowBytes);
}

} // namespace

SweepStep::SweepStep(CpuProgram &shared, uint32_t step)
    : program(shared), traits(shared, step), merge(program.library.isa().merge[traits.info.kernel]),
      call(program, traits.info), passOperands(call.operands.size()) {
  call.args.pass_end = call.args.col_stride = traits.elements;
  const View *view = program.viewOf(traits.info);
  if (!view)
    return;
  see(*view);
  for (const SweepParts &way : ways)
    room = std::max(room, wholeLines(way.statesBytes()) + way.passCols.bytes());
}

SweepStep::~SweepStep() {
  if (!trials.areOver())
    program.tried->giveUp(trialNumber);
}

size_t SweepStep::bytesOnEdges(const CpuProgram &program, const gnn_step_t &info, const View &view) {
  const gnn_kernel_t &kernel = program.library.kernel(info.kernel);
  const gnn_block_t block = view.block(info.relation, info.direction);
  size_t bytes = sizeof(uint32_t);
  for (uint32_t i = 0; i < kernel.num_inputs; ++i)
    if (kernel.access[i] == GNN_ACCESS_COL) // of a learned table the tensor is the parameter
      bytes += program.bytesOf(info.tensors[i]) / std::max<size_t>(size_t(block.num_cols), 1);
    else if (kernel.access[i] == GNN_ACCESS_EDGE)
      bytes += program.dims.rowBytes(program.library.tensor(info.tensors[i]));
  return bytes * size_t(block.offsets[block.num_rows]);
}

StepParts SweepStep::countParts() const {
  StepParts found;
  if (!program.viewOf(traits.info))
    return found;
  found.partitions = parts().numPartitions;
  found.passes = countPasses(parts());
  found.hubs = parts().hubs.count();
  return found;
}

int64_t SweepStep::countPasses(const SweepParts &of) const {
  return of.pass > 0 ? (traits.elements + of.pass - 1) / of.pass : 1;
}

/// Plans anew for other edges than those of the last call.
void SweepStep::see(const View &view) {
  const uint64_t content = view.content(traits.info.relation);
  const bool isKnown = planned == content;
  if (isKnown && view.stays(traits.info.relation))
    return;
  call.block = view.block(traits.info.relation, traits.info.direction);
  if (!isKnown) {
    ways.resize(1);
    for (const SweepPlan &plan : ways[0].plan(traits, view, call.block))
      ways.emplace_back().plan(traits, view, call.block, plan);
    beginTrials();
  }
  planned = content;
}

void SweepStep::beginTrials() {
  if (!trials.areOver())
    program.tried->giveUp(trialNumber);
  trials = PlanTrials(ways.size());
  if (trials.areOver())
    return;
  TriedPlan plan{program.program.name, program.library.kernel(traits.info.kernel).name, {}, std::nullopt};
  for (const SweepParts &way : ways)
    plan.ways.push_back({way.numPartitions, countPasses(way)});
  trialNumber = program.tried->begin(std::move(plan));
}

void SweepStep::run(const View &view, void *const *operands, const StepCall &how) {
  see(view);
  assert(call.block.offsets[call.block.num_rows] <= program.capacity.edges[traits.info.relation]);
  call.place(operands);
  if (traits.isVirtual)
    return;
  call.args.flags = parts().flags | whole; // for who makes panels, too
  char *room = static_cast<char *>(how.room);
  how.flags != whole ? runPart(how) : trials.areOver() ? runPasses(room) : tryPlan(view, room);
}

void SweepStep::tryPlan(const View &view, char *room) {
  using Clock = std::chrono::steady_clock;
  ways[trials.plan()].makePartitions(traits, view);
  const Clock::time_point begin = Clock::now();
  runPasses(room);
  trials.add(std::chrono::duration<double>(Clock::now() - begin).count());
  if (!trials.areOver())
    return;
  program.tried->settle(trialNumber, trials.plan(), trials.seconds());
  std::swap(ways[0], ways[trials.plan()]);
  ways.resize(1);
  trials = PlanTrials();
}

void SweepStep::callRows(gnn_kernel_args_t args, int64_t task, unsigned worker) const {
  args.scratch = program.scratch.of(worker);
  parts().hubs.forOthers(parts().cuts[size_t(task)], parts().cuts[size_t(task) + 1],
                         [&](int64_t begin, int64_t end) { call.run(&args, begin, end); });
}

/// All rows as they are, hubs among them: their states are the caller's.
void SweepStep::runPart(const StepCall &how) {
  gnn_kernel_args_t args = call.args;
  args.flags = (parts().flags & GNN_SWEEP_PREFETCH) | how.flags;
  args.state = how.states;
  forTasks(program.team, parts().tasks(), [&](int64_t task, unsigned worker) {
    gnn_kernel_args_t own = args;
    own.scratch = program.scratch.of(worker);
    call.run(&own, parts().cuts[size_t(task)], parts().cuts[size_t(task) + 1]);
  });
}

void SweepStep::runPasses(char *room) {
  gnn_kernel_args_t args = call.args;
  args.flags = parts().flags | GNN_SWEEP_IN_ORDER;
  for (args.pass_begin = 0; args.pass_begin < traits.elements; args.pass_begin = args.pass_end) {
    args.pass_end = std::min(args.pass_begin + parts().pass, traits.elements);
    if (parts().pass < traits.elements)
      packPass(args, room + wholeLines(parts().statesBytes()));
    if (!parts().hubs.empty())
      runHubs(args, room);
    parts().tiles.empty() ? runGroups(args, room) : runTiles(args);
  }
}

void SweepStep::packPass(gnn_kernel_args_t &args, char *copies) {
  parts().passCols.copy(program.team, call.operands.data(), copies, args.pass_begin, args.pass_end);
  passOperands = call.operands;
  parts().passCols.place(passOperands);
  args.tensors = passOperands.data();
  args.col_stride = args.pass_end - args.pass_begin;
}

void SweepStep::runHubs(const gnn_kernel_args_t &ofPass, char *states) {
  HubSweep sweep{call.run,
                 merge,
                 ofPass,
                 traits.hasStates,
                 traits.stateBytes * size_t(ofPass.pass_end - ofPass.pass_begin),
                 states,
                 program.scratch.of(0),
                 program.scratch.perWorker()};
  sweep.args.block = &call.block;
  sweep.args.flags &= GNN_SWEEP_PREFETCH; // all edges lie together
  parts().hubs.run(program.team, sweep);
}

/// Neither first nor last: rows without edges in a tile are passed over.
void SweepStep::runTiles(const gnn_kernel_args_t &args) {
  forTasks(program.team, int64_t(parts().tiles.size()), [&](int64_t task, unsigned worker) {
    const GridCell tile = parts().tiles[size_t(task)];
    gnn_kernel_args_t own = args;
    own.block = &parts().partitions->block(tile.col);
    callRows(own, tile.row, worker);
  });
}

void SweepStep::runGroups(const gnn_kernel_args_t &ofPass, char *states) {
  const int64_t count = parts().partitions ? parts().partitions->count() : 1;
  const size_t ofRow = traits.stateBytes * size_t(ofPass.pass_end - ofPass.pass_begin);
  gnn_kernel_args_t args = ofPass;
  for (size_t group = 0; group + 1 < parts().groups.size(); ++group) {
    const size_t first = parts().groups[group];
    args.state = fromRowZero(states, parts().cuts[first], ofRow);
    for (int64_t p = 0; p < count; ++p) {
      args.block = parts().partitions ? &parts().partitions->block(p) : &call.block;
      args.flags = ofPass.flags | (p == 0 ? GNN_SWEEP_FIRST : 0) | (p + 1 == count ? GNN_SWEEP_LAST : 0);
      forTasks(program.team, int64_t(parts().groups[group + 1] - first),
               [&](int64_t task, unsigned worker) { callRows(args, int64_t(first) + task, worker); });
    }
  }
}

void SweepStep::mergeStates(void *states, const void *more, int64_t begin, int64_t end) const {
  gnn_kernel_args_t args = call.args;
  args.flags = 0;
  args.state = states;
  args.state_in = more;
  args.scratch = program.scratch.of(0);
  merge(&args, begin, end);
}

} // namespace gnn::rt
