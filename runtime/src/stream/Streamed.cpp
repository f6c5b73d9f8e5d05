//===- Streamed.cpp - Executor of graphs larger than memory ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is waited for but memory: that of rings (ByteRing), whose oldest pieces have to end. All else are tickets.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Streamed.h"

#include "runtime/src/bind/StepOperands.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/UniqueNumber.h"
#include "runtime/src/program/Fold.h"
#include "runtime/src/stream/Prices.h"
#include "runtime/src/stream/StreamedView.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstring>
#include <numeric>

namespace gnn::rt {

/// Of a table, at a time, where some of its rows are asked for.
static constexpr size_t bytesOfPiece = size_t(1) << 20;

Streamed::Streamed(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &compiled,
                   std::shared_ptr<SpilledData> spilled, Comm *comm)
    : Executor(opened, compiled), engine(machine), binding(bound), data(std::move(spilled)),
      intervals(data->intervals()),
      planned(std::make_shared<const StreamLayout>(engine, library, binding, program, *data)), layout(*planned),
      prepared(layout.prepared()), first(nullptr), tables(engine.tables(binding)), lanes(engine),
      share(comm ? std::make_unique<RankShare>(*comm, engine, library, binding, program, layout, *data) : nullptr),
      bases(library.tensors().size()), results(program.num_results), onHost(results.size()), stored(bases.size()),
      rowRing(layout.rows().ring), colRing(layout.cols().ring), edgeRing(layout.edges().ring),
      lastEdges(layout.edges().offset) {
  assert(StreamLayout::obstacle(library, program, data->file().isMemory(), comm != nullptr).empty());
  checkEdgeTypes(library, binding, program);
  placeResults();
  madeHere = engine.reachable(layout.madeHereBytes());
}

Streamed::Streamed(Streamed &other, Engine &machine)
    : Executor(other.library, other.program), engine(machine), binding(other.binding), data(other.data),
      intervals(data->intervals()), planned(other.planned), layout(*planned), prepared(layout.prepareOn(engine)),
      first(&other), tables(engine.tables(binding)), lanes(engine), bases(library.tensors().size()),
      results(program.num_results), onHost(results.size()), stored(bases.size()), rowRing(layout.rows().ring),
      colRing(layout.cols().ring), edgeRing(layout.edges().ring), lastEdges(layout.edges().offset) {
  placeResults();
  madeHere = engine.reachable(layout.madeHereBytes());
  for (uint32_t s = 0; s < program.num_steps; ++s)
    if (layout.isOfRows(s))
      data->edgeRows(steps[s]->relation, steps[s]->direction, engine);
}

Streamed::~Streamed() = default;

/// Elements and shape of a table as it is stored: bools in bits (GNN_BITS), which fields of pairs may have, are bytes.
static std::pair<uint32_t, std::vector<int64_t>> storedShape(const gnn_tensor_info_t &info, const Dims &dims,
                                                             int64_t rows, size_t rowBytes) {
  if (info.element == GNN_BITS)
    return {GNN_BOOL, {rows, int64_t(rowBytes)}};
  return {info.element, dims.shapeOf(info, rows)};
}

void Streamed::placeResults() {
  for (uint32_t i = 0; i < results.size(); ++i) {
    const gnn_tensor_info_t &info = library.tensor(program.results[i]);
    if (layout.isSpilled(program.results[i]) || binding.data(program.results[i]) || binding.paged(program.results[i]))
      continue;
    const auto [element, shape] =
        storedShape(info, binding.dimensions(), binding.leadingExtent(info), layout.rowBytes(program.results[i]));
    results[i] = engine.empty(element, shape);
    bases[program.results[i]] = static_cast<char *>(results[i].mutableData());
  }
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void Streamed::beginRun(const RunNumbers &numbers) {
  data->update();
  onHost.assign(onHost.size(), Tensor());
  if (share)
    share->begin();
  prepared->begin(numbers);
  callsOfRun = 0;
}

void Streamed::run(uint64_t key) {
  beginRun({key, {}});
  runSteps();
}

StepOutcome Streamed::train(const TrainingStep &step) {
  beginRun({step.key, step.rule});
  expectUpdate(step);
  runSteps();
  return update();
}

StepOutcome Streamed::update() {
  prepared->update();
  const StepOutcome outcome = prepared->outcome();
  lastStepSeconds = engine.deviceSeconds().value_or(0);
  return outcome;
}

void Streamed::runSteps() {
  beginStages(watch);
  runStages([this](size_t stage) { runStage(stage); });
}

/// What is done first touches memory, writes where nothing was and finds in the page cache what was written to prepare
/// the data. So the same is done twice.
void Streamed::runSome(double seconds, const Lanes::Watch &told) {
  using Clock = std::chrono::steady_clock;
  const std::chrono::duration<double> enough(seconds / 2 / double(layout.stages().size()));
  std::vector<int64_t> tried(layout.stages().size(), 0); // intervals of each stage
  beginRun({});
  beginStages();
  runStages([&](size_t stage) {
    const int64_t count = intervals.count(layout.stages()[stage].type);
    const Clock::time_point begin = Clock::now();
    gatherCols(stage);
    while (tried[stage] < count && (tried[stage] < 2 || Clock::now() - begin < enough)) {
      runInterval(stage, tried[stage]++);
      awaitAll();
    }
  });
  beginRun({});
  beginStages(told);
  runStages([&](size_t stage) {
    gatherCols(stage);
    for (int64_t p = 0; p < tried[stage]; ++p)
      runInterval(stage, p);
  });
}

double Streamed::rehearse(const Prices &prices, const Lanes::Watch &told) {
  assert(!share && "what ranks wait for is not known");
  beginStages(told, &prices);
  runStages([this](size_t stage) { runStage(stage); });
  return lanes.end();
}

void Streamed::rehearse(const OnPaper &paper) {
  beginStages({}, nullptr, paper);
  runStages([this](size_t stage) { runStage(stage); });
}

void Streamed::beginStages(const Lanes::Watch &told, const Prices *prices, const OnPaper &paper) {
  stored.assign(stored.size(), {});
  lastCall = {};
  lanes.begin(told ? &told : nullptr, prices, paper);
  if (!arena)
    arena = engine.allocateTransient(layout.runBytes());
  for (auto [tensor, offset] : layout.ofRun()) // where the arena is now
    if (!layout.isSpilled(tensor))
      bases[tensor] = static_cast<char *>(arena->data()) + offset;
  engine.beginRun();
}

void Streamed::endStages() {
  awaitAll();
  engine.endRun();
}

void Streamed::runStages(const std::function<void(size_t)> &body) {
  try {
    for (size_t stage = 0; stage < layout.stages().size(); ++stage)
      body(stage);
    awaitAll();
  } catch (...) {
    abandon();
    throw;
  }
  engine.endRun();
}

void Streamed::runStage(size_t stage) {
  const Intervals::Range mine = intervals.ours(layout.stages()[stage].type);
  gatherCols(stage);
  for (int64_t p = mine.begin; p < mine.end; ++p)
    runInterval(stage, p);
  foldTotals(stage);
  if (!share)
    return;
  awaitAll();
  share->exchangeTables(stage, bases);
}

void Streamed::runInterval(size_t stage, int64_t interval) {
  const At at = openInterval(stage, interval);
  for (const OpTemplate &op : layout.stages()[stage].ops)
    if (op.kind == OpKind::Compute && op.per == Per::Interval)
      runStep(at, op.step);
    else if (op.kind == OpKind::Compute)
      for (size_t k = 0; k < numChunksMet(at, op.step); ++k)
        runChunk(at, op.step, k, colsSent(at, op.step, k), /*relay=*/nullptr);
  closeInterval(at);
}

Streamed::RowPiece &Streamed::takeRows(size_t stage) {
  size_t at = 0;
  RowPiece &piece = rowRing.take(layout.rowPiece(stage), at, [this](RowPiece &oldest) { awaitAll(oldest.tickets); });
  piece.at = layout.rows().offset + at;
  return piece;
}

Streamed::At Streamed::openInterval(size_t stageNumber, int64_t interval) {
  const Stage &stage = layout.stages()[stageNumber];
  const At at{stageNumber, interval, &takeRows(stageNumber)};
  RowPiece &piece = *at.rows;
  const size_t idsAt = StreamLayout::idsAt(layout.rowIds(), numIntervals++, piece.at + layout.rowIdsAt(stageNumber));
  piece.view = std::make_unique<EdgeView>(
      intervals.rows(stage.type, interval),
      idsOf(stage.first, stage.type, interval, layout.makesRowIds(stageNumber), idsAt, piece.tickets));
  loadRows(at);
  piece.loaded = piece.tickets;
  return at;
}

bool Streamed::isInChunks(uint32_t s) const { return steps[s].isSweep() && !layout.isOfRows(s); }

void Streamed::runStep(const At &at, uint32_t s) {
  at.rows->tickets.push_back(layout.isOfRows(s) ? runRows(at, s)
                                                : call(at, s, *at.rows->view, /*edges=*/0, Cols{},
                                                       GNN_SWEEP_FIRST | GNN_SWEEP_LAST, at.rows->loaded));
}

void Streamed::closeInterval(const At &at) { storeRows(at, at.rows->tickets.back()); }

/// Of vertices each interval of a table by itself, so that a stage begins while the one before it ends. Of edges, which
/// one direction stores and the other loads, the last that was stored.
Asked &Streamed::storedOf(uint32_t tensor, int64_t interval) {
  const size_t at = library.tensor(tensor).domain == GNN_DOMAIN_EDGE ? 0 : size_t(interval);
  if (stored[tensor].size() <= at)
    stored[tensor].resize(at + 1);
  return stored[tensor][at];
}

/// Whether somebody has written what is loaded, where not all intervals are run.
bool Streamed::isThere(uint32_t tensor, int64_t interval) {
  return data->isBound(tensor) || storedOf(tensor, interval).isReal;
}

/// To the memory of the engine: from a file, from host memory, or from a file by way of host memory.
Asked Streamed::load(const OpTemplate &op, int64_t interval, int64_t first, int64_t rows, char *to) {
  const uint32_t tensor = op.tensor;
  const Asked &there = storedOf(tensor, interval);
  const size_t rowBytes = layout.rowBytes(tensor);
  const uint64_t bytes = uint64_t(rows) * rowBytes;
  const Order copied{Queue::Load, op.step, bytes, bytes + bytesOfCall};
  if (op.home == Tier::Host)
    return copy(copied, Spill::Tables, {there}, to,
                data->file().memory(layout.place(tensor) + uint64_t(first) * rowBytes));
  const bool isBelow = layout.schedule().isBelowHost(op);
  char *here = isBelow ? hereFor(to) : to;
  Order order = copied;
  order.isThere = isThere(tensor, interval);
  if (isBelow)
    std::swap(order.bytes, order.bytesBelow);
  const Asked read =
      lanes.ask(order, {there}, [=] { data->load(tensor, layout.place(tensor), first, rows, rowBytes, here); });
  return isBelow ? copy(copied, Spill::Tables, {read}, to, here) : read;
}

/// The same ways back.
Asked Streamed::store(const OpTemplate &op, int64_t interval, int64_t first, int64_t rows, const char *from,
                      const Asked &ran) {
  const size_t rowBytes = layout.rowBytes(op.tensor), bytes = size_t(rows) * rowBytes;
  const uint64_t to = layout.place(op.tensor) + uint64_t(first) * rowBytes;
  Order order{Queue::Store, op.step, bytes, bytes + bytesOfCall};
  Asked &there = storedOf(op.tensor, interval);
  if (op.home == Tier::Host)
    return there = copy(order, Spill::Tables, {ran}, data->file().memory(to), from);
  Spill &file = data->spillOf(op.tensor);
  if (!layout.schedule().isBelowHost(op))
    return there = lanes.ask(order, {ran}, [=, &file] { file.write(Spill::Tables, from, bytes, to); });
  char *here = hereFor(from);
  const Asked copied = copy(order, Spill::Tables, {ran}, here, from);
  std::swap(order.bytes, order.bytesBelow);
  return there = lanes.ask(order, {copied}, [=, &file] {
    copied.ticket.await(); // this process reads it, which no stream of the engine waits for
    file.write(Spill::Tables, here, bytes, to);
  });
}

/// Between the memory of the engine and this process's, which are apart.
Asked Streamed::copy(const Order &order, Spill::Kind kind, const std::vector<Asked> &after, void *to,
                     const void *from) {
  if (!lanes.isRehearsal())
    order.queue == Queue::Load ? data->file().noteRead(kind, order.bytes) : data->file().noteWritten(kind, order.bytes);
  return lanes.copy(order, after, to, from);
}

char *Streamed::rowsOf(const At &at, uint32_t tensor) const {
  return memoryAt(at.rows->at + layout.rowsAt(at.stage).at(tensor));
}

void Streamed::loadRows(const At &at) {
  const Stage &stage = layout.stages()[at.stage];
  const int64_t first = intervals.begin(stage.type, at.interval), rows = intervals.rows(stage.type, at.interval);
  stage.forEach(OpKind::ReadTable, Per::Interval, stage.first, [&](const OpTemplate &op) {
    at.rows->tickets.push_back(load(op, at.interval, first, rows, rowsOf(at, op.tensor)));
  });
}

void Streamed::storeRows(const At &at, Asked ran) {
  const Stage &stage = layout.stages()[at.stage];
  const int64_t first = intervals.begin(stage.type, at.interval), rows = intervals.rows(stage.type, at.interval);
  stage.forEach(OpKind::WriteTable, Per::Interval, stage.first, [&](const OpTemplate &op) {
    at.rows->tickets.push_back(store(op, at.interval, first, rows, rowsOf(at, op.tensor), ran));
  });
}

/// The edges of the rows at hand are in memory, and all cols; of pairs those that were gathered.
Asked Streamed::runRows(const At &at, uint32_t s) {
  const ProgramStep step = steps[s];
  const VertexOrder *order = layout.copiesOrder(step.colType()) ? nullptr : binding.order(step.colType());
  const EdgeRows &edges = data->edgeRows(step->relation, step->direction, engine);
  const bool areGathered = layout.isOfPairs(s);
  gnn_block_t block = edges.block(at.interval);
  block.row_id = at.rows->view->ids(0);
  block.col_id = areGathered ? reinterpret_cast<const int64_t *>(memoryAt(layout.gatheredIdsAt(s)))
                 : order     ? order->id.data()
                             : nullptr;
  at.rows->sweeps.push_back(std::make_unique<EdgeView>(block.num_rows, block.row_id, block));
  std::vector<Asked> loaded = at.rows->loaded;
  if (areGathered && !gathered.empty())
    loaded.push_back(gathered.back()); // a queue does one after the other
  return call(at, s, *at.rows->sweeps.back(), edges.numEdges(at.interval), Cols{}, GNN_SWEEP_FIRST | GNN_SWEEP_LAST,
              loaded);
}

/// Beside the steps of the stage before: nothing else lies where they are gathered.
void Streamed::gatherCols(size_t stage) {
  for (const OpTemplate &op : layout.stages()[stage].ops)
    if (op.kind == OpKind::Gather)
      for (int64_t q = 0; q < intervals.count(steps[op.step].colType()); ++q)
        gathered.push_back(gatherInterval(op, q));
    else if (op.kind == OpKind::MakeIds && op.per == Per::Stage)
      gatherIds(op.step);
}

/// Rows that pairs end at, of a table that is in the file or in memory.
Asked Streamed::gatherInterval(const OpTemplate &op, int64_t interval) {
  const uint32_t s = op.step, tensor = op.tensor;
  const ProgramStep step = steps[s];
  const uint32_t type = step.colType();
  const RowMarks &touched = data->edgeRows(step->relation, step->direction, engine).touched();
  const int64_t rows = intervals.rows(type, interval), first = intervals.begin(type, interval);
  const size_t rowBytes = layout.bytesOfVertex(tensor, type);
  char *to = memoryAt(layout.gatheredAt(s, op.operand));
  auto gather = [=, &touched](const char *from) { // the rows of the interval
    touched.forRanges(first, first + rows, /*gap=*/0, [&](int64_t begin, int64_t end) {
      std::memcpy(to + size_t(touched.numberOf(uint32_t(begin))) * rowBytes, from + size_t(begin - first) * rowBytes,
                  size_t(end - begin) * rowBytes);
    });
  };
  const uint64_t bytes = uint64_t(rows) * rowBytes;
  if (op.home == Tier::Engine) {
    const char *from = bases[tensor] ? bases[tensor] : static_cast<const char *>(tables->table(tensor));
    return lanes.ask({Queue::Load, s, /*bytes=*/0, bytes + bytesOfCall}, {lastCall},
                     [=] { gather(from + size_t(first) * rowBytes); });
  }
  size_t at = 0;
  ColPiece &piece = colRing.take(layout.mostToGather(s), at, [this](ColPiece &oldest) { awaitAll(oldest.tickets); });
  char *read = memoryAt(layout.cols().offset + at);
  const Asked done = lanes.ask({Queue::Load, s, bytes, bytes + bytesOfCall}, {storedOf(tensor, interval)}, [=] {
    data->load(tensor, layout.place(tensor), first, rows, rowBytes, read);
    gather(read);
  });
  piece.tickets.push_back(done);
  return done;
}

/// Of the rows that are gathered, original ids.
void Streamed::gatherIds(uint32_t s) {
  const ProgramStep step = steps[s];
  const uint32_t type = step.colType();
  const VertexOrder *order = binding.order(type);
  const RowMarks &touched = data->edgeRows(step->relation, step->direction, engine).touched();
  auto *ids = reinterpret_cast<int64_t *>(memoryAt(layout.gatheredIdsAt(s)));
  gathered.push_back(
      lanes.ask({Queue::Load, s, /*bytes=*/0, /*size=*/bytesOfCall}, {}, [=, &touched, rows = binding.rows(type)] {
        int64_t *next = ids;
        touched.forRanges(0, rows, /*gap=*/0, [&](int64_t begin, int64_t end) {
          for (int64_t row = begin; row < end; ++row)
            *next++ = order ? order->id[size_t(row)] : row;
        });
      }));
}

void Streamed::tell() {
  if (report && !report(double(callsOfRun++) / double(layout.traffic().calls)))
    throw Stopped();
}

Asked Streamed::call(const At &at, uint32_t s, const EdgeView &view, int64_t edges, const Cols &cols, uint32_t flags,
                     const std::vector<Asked> &after) {
  if (!lanes.isRehearsal())
    (first ? *first : *this).tell();
  std::vector<void *> operands;
  for (const Operand operand : steps[s].operands())
    operands.push_back(place(at, s, operand, cols));
  auto *memory = static_cast<char *>(arena->data());
  const StepCall how{flags, memory + layout.states(s), memory + layout.room(s)};
  Prepared &program = *prepared;
  return lastCall = lanes.ask({Queue::Work, s, /*bytes=*/0, uint64_t(view.rows(0) + edges) + rowsOfCall,
                               uint64_t(view.rows(0)), uint64_t(edges)},
                              after, [&program, s, &view, operands = std::move(operands), how] {
                                program.run(s, view, operands.data(), how);
                              });
}

void *Streamed::place(const At &at, uint32_t s, const Operand &operand, const Cols &cols) {
  const uint32_t tensor = operand.tensor;
  if (operand.isPerCol() && layout.isOfPairs(s))
    return memoryAt(layout.gatheredAt(s, operand.index));
  if (layout.isSpilled(tensor)) {
    if (operand.isInChunks()) {
      const bool isInOrder = operand.isPerEdge() && steps[s]->direction == GNN_TO_DESTINATION; // that of the slices
      return memoryAt(cols.piece->at) + layout.colsAt(s, operand.index, at.interval, cols.interval) +
             (isInOrder ? size_t(cols.edgeBefore) * layout.rowBytes(tensor) : 0);
    }
    return layout.rowsAt(at.stage).count(tensor) ? rowsOf(at, tensor) : memoryAt(layout.ofRun().at(tensor));
  }
  for (const TotalParts &total : layout.totals(at.stage))
    if (total.step == s && total.operand == operand.index)
      return totalOf(total, at.interval);
  char *base = bases[tensor];
  if (!base)
    base = static_cast<char *>(tables->table(tensor));
  assert(base && "every tensor of a program is made, bound or placed");
  if (!operand.isPerRow() && !operand.isPerCol())
    return base;
  const uint32_t type = steps[s].typeOf(operand);
  return base + size_t(intervals.begin(type, operand.isPerRow() ? at.interval : cols.interval)) *
                    layout.bytesOfVertex(tensor, type);
}

const int64_t *Streamed::idsOf(uint32_t s, uint32_t type, int64_t interval, bool areMade, size_t at,
                               std::vector<Asked> &tickets) {
  const int64_t begin = intervals.begin(type, interval), count = intervals.rows(type, interval);
  const VertexOrder *order = binding.order(type);
  if (order && !layout.copiesOrder(type))
    return order->id.data() + begin;
  const bool areCopied = data->file().isMemory();
  if (!areMade || (lanes.isRehearsal() && !areCopied))
    return nullptr;
  auto *ids = reinterpret_cast<int64_t *>(memoryAt(at));
  auto *made = areCopied ? reinterpret_cast<int64_t *>(hereAt(at)) : ids;
  if (order)
    std::copy_n(order->id.data() + begin, count, made);
  else
    std::iota(made, made + count, begin);
  if (const uint64_t bytes = uint64_t(count) * sizeof *ids; areCopied)
    tickets.push_back(copy({Queue::Load, s, bytes, bytes + bytesOfCall}, Spill::Edges, {}, ids, made));
  return ids;
}

void Streamed::foldTotals(size_t stage) {
  const std::vector<TotalParts> &totals = layout.totals(stage);
  if (totals.empty() && !share)
    return;
  if (!share && !data->file().isMemory())
    return foldInTurn(stage);
  awaitAll();
  if (lanes.isRehearsal())
    return;
  const Intervals::Range mine = intervals.ours(layout.stages()[stage].type);
  const int64_t before = mine.begin > 0 ? 1 : 0; // in the place of the part before those of this rank
  std::vector<char *> sums, places;
  for (const TotalParts &total : totals)
    sums.push_back(totalOf(total, mine.begin - before));
  for (uint32_t tensor : share ? share->totals(stage) : std::vector<uint32_t>()) {
    places.push_back(bases[tensor]); // of one interval
    for (size_t i = 0; i < totals.size(); ++i)
      if (program.steps[totals[i].step].tensors[totals[i].operand] == tensor)
        places.back() = sums[i];
  }
  if (before)
    share->takeTotals(stage, places);
  for (size_t i = 0; i < totals.size(); ++i)
    foldParts(totals[i], sums[i], mine.end - mine.begin + before);
  if (share)
    share->passTotals(stage, bases);
}

/// After the steps of the stage and before those of the next, whose parts lie in the same place: nobody waits for it.
void Streamed::foldInTurn(size_t stage) {
  const Stage &of = layout.stages()[stage];
  const int64_t parts = intervals.count(of.type);
  const Order order{Queue::Work, of.first, /*bytes=*/0, /*size=*/1};
  folds.push_back(lanes.ask(order, {}, [this, stage, parts] {
    for (const TotalParts &total : layout.totals(stage))
      foldParts(total, totalOf(total, 0), parts);
  }));
}

void Streamed::foldParts(const TotalParts &total, const char *first, int64_t parts) {
  const uint32_t tensor = steps[total.step][total.operand].tensor;
  const gnn_tensor_info_t &info = library.tensor(tensor);
  engine.fold(total.fold, info.element, binding.leadingExtent(info) * binding.dimensions().rowElements(info),
              bases[tensor], first, total.bytes, parts);
}

void Streamed::awaitAll(std::vector<Asked> &tickets) {
  for (const Asked &asked : tickets)
    lanes.await(asked);
  tickets.clear();
}

void Streamed::forTickets(const std::function<void(std::vector<Asked> &)> &body) {
  auto ofPiece = [&](auto &piece) { body(piece.tickets); };
  rowRing.forAll(ofPiece);
  colRing.forAll(ofPiece);
  edgeRing.forAll(ofPiece);
  body(folds);
  body(gathered);
}

void Streamed::awaitAll() {
  forTickets([this](std::vector<Asked> &tickets) { awaitAll(tickets); });
}

/// Where something failed: nothing touches any more what the next run is to use.
void Streamed::abandon() {
  forTickets([](std::vector<Asked> &tickets) {
    for (const Asked &asked : tickets)
      asked.ticket.cancel();
    for (const Asked &asked : tickets)
      try {
        asked.ticket.await();
      } catch (...) { // what is thrown already, or for what was cancelled
      }
    tickets.clear();
  });
  stored.assign(stored.size(), {});
  engine.endRun();
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// One that is in memory as a whole, in that of this process.
Tensor Streamed::wholeResult(uint32_t i) const {
  return (results[i] ? results[i] : binding.data(program.results[i])).onHost();
}

Tensor Streamed::read(uint32_t i) {
  const uint32_t tensor = program.results[i];
  if (share)
    share->fetch(tensor, bases);
  const gnn_tensor_info_t &info = library.tensor(tensor);
  const auto [element, shape] =
      storedShape(info, binding.dimensions(), binding.leadingExtent(info), layout.rowBytes(tensor));
  Tensor table = Tensor::empty(element, shape);
  if (results[i] || binding.data(tensor))
    std::memcpy(table.mutableData(), wholeResult(i).data(), table.bytes());
  else
    data->load(tensor, layout.place(tensor), 0, binding.leadingExtent(info), layout.rowBytes(tensor),
               table.mutableData());
  return table;
}

const Tensor &Streamed::result(uint32_t i) {
  if (results[i] && share)
    share->fetch(program.results[i], bases);
  if (results[i] && results[i].device() < 0)
    return results[i];
  if (!onHost[i])
    onHost[i] = read(i);
  return onHost[i];
}

Tensor Streamed::resultRows(uint32_t i, Span<const int64_t> rows) {
  const uint32_t tensor = program.results[i];
  if (share)
    share->fetch(tensor, bases);
  if (results[i] || binding.data(tensor))
    return wholeResult(i).rowsAt(rows);
  const size_t rowBytes = layout.rowBytes(tensor);
  const auto [element, shape] =
      storedShape(library.tensor(tensor), binding.dimensions(), int64_t(rows.size()), rowBytes);
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

Tensor Streamed::takeResult(uint32_t i) { return read(i); }

} // namespace gnn::rt
