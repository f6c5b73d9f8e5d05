//===- Streamed.cpp - Executor of graphs larger than memory ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Streamed.h"

#include "runtime/src/bind/StepOperands.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>

namespace gnn::rt {

/// Of a table, at a time, where some of its rows are asked for.
static constexpr size_t bytesOfPiece = size_t(1) << 20;

Streamed::Streamed(Engine &machine, const Library &opened, const Binding &binding, const gnn_program_t &compiled,
                   std::shared_ptr<SpilledData> spilled, Comm *comm, ColRoute route, const Topology &connections)
    : Executor(opened, compiled), engine(machine), data(std::move(spilled)),
      layout(engine, library, binding, program, *data), topology(connections),
      runner(engine, layout, comm, topology,
             [this] {
               if (report && !report(double(callsOfRun++) / double(layout.traffic().calls)))
                 throw Stopped();
             }),
      chosen(numDevices() > 1 ? route : ColRoute::Replicated), perRun{layout.traffic().moved, layout.traffic().below,
                                                                      layout.traffic().passedOver},
      onHost(program.num_results) {
  assert(StreamLayout::obstacle(library, program, data->file().isMemory(), comm != nullptr).empty());
  checkEdgeTypes(library, binding, program);
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void Streamed::forget() {
  onHost.assign(onHost.size(), Tensor());
  callsOfRun = 0;
}

void Streamed::run(uint64_t key) {
  forget();
  runner.begin({key, {}});
  runner.run(chosen, watch);
}

StepOutcome Streamed::train(const TrainingStep &step) {
  Prepared &calls = runner.first().calls();
  forget();
  runner.begin({step.key, step.rule});
  calls.expectUpdate(step, runner.results());
  runner.run(chosen, watch);
  calls.update();
  const StepOutcome outcome = calls.outcome();
  lastStepSeconds = engine.deviceSeconds().value_or(0);
  return outcome;
}

void Streamed::runSome(double seconds, const Lanes::Watch &told) {
  forget();
  runner.runSome(seconds, chosen, told);
}

//===----------------------------------------------------------------------===//
// Routes
//===----------------------------------------------------------------------===//

std::vector<RoutePlan> Streamed::routePlans(const DiskRates *disk) {
  const KernelPrices prices(library, layout.binding.dimensions(), program, engine, topology.kind);
  std::vector<RoutePlan> plans{runner.rehearse(ColRoute::Replicated, topology, prices, disk)};
  for (ColRoute route : {ColRoute::Ring, ColRoute::Chain})
    if (numDevices() > 1)
      plans.push_back(runner.rehearse(route, topology, prices, disk));
  return plans;
}

void Streamed::choose() {
  if (numDevices() == 1)
    return;
  data->update(); // edges say which rows are needed
  if (chosen == ColRoute::Cheapest)
    chosen = bestOf(routePlans()).route;
  perRun = runner.traffic(chosen);
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// A result that is in memory as a whole, made or bound, in that of this process.
static Tensor wholeOf(const Tensor &made, const Tensor &bound) { return (made ? made : bound).onHost(); }

Tensor Streamed::read(uint32_t i) {
  const uint32_t tensor = program.results[i];
  runner.fetch(tensor);
  const int64_t rows = layout.binding.leadingExtent(library.tensor(tensor));
  const auto [element, shape] = layout.storedShape(tensor, rows);
  Tensor table = Tensor::empty(element, shape);
  if (runner.results()[i] || layout.binding.data(tensor))
    std::memcpy(table.mutableData(), wholeOf(runner.results()[i], layout.binding.data(tensor)).data(), table.bytes());
  else
    data->load(tensor, layout.place(tensor), 0, rows, layout.rowBytes(tensor), table.mutableData());
  return table;
}

const Tensor &Streamed::result(uint32_t i) {
  if (runner.results()[i])
    runner.fetch(program.results[i]);
  if (runner.results()[i] && runner.results()[i].device() < 0)
    return runner.results()[i];
  if (!onHost[i])
    onHost[i] = read(i);
  return onHost[i];
}

Tensor Streamed::resultRows(uint32_t i, Span<const int64_t> rows) {
  const uint32_t tensor = program.results[i];
  runner.fetch(tensor);
  if (runner.results()[i] || layout.binding.data(tensor))
    return wholeOf(runner.results()[i], layout.binding.data(tensor)).rowsAt(rows);
  const size_t rowBytes = layout.rowBytes(tensor);
  const auto [element, shape] = layout.storedShape(tensor, int64_t(rows.size()));
  Tensor taken = Tensor::empty(element, shape);
  auto *to = static_cast<char *>(taken.mutableData());

  const auto most = int64_t(bytesOfPiece / std::max<size_t>(rowBytes, 1) + 1);
  std::vector<size_t> order(rows.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) { return rows[a] < rows[b]; });
  std::vector<char> piece;
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    const int64_t first = rows[order[begin]];
    while (end < order.size() && rows[order[end]] - first < most)
      ++end;
    const int64_t count = rows[order[end - 1]] + 1 - first;
    piece.resize(size_t(count) * rowBytes);
    data->load(tensor, layout.place(tensor), first, count, rowBytes, piece.data());
    for (size_t j = begin; j < end; ++j)
      std::memcpy(to + order[j] * rowBytes, piece.data() + size_t(rows[order[j]] - first) * rowBytes, rowBytes);
  }
  return taken;
}

} // namespace gnn::rt
