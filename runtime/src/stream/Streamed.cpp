//===- Streamed.cpp - Executor of graphs larger than memory ---------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing is waited for but memory: an interval begins when the one before the last has been stored, a call when the
// one before the last has run. All else are tickets.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/Streamed.h"

#include "runtime/src/bind/StepOperands.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/UniqueNumber.h"
#include "runtime/src/program/Fold.h"
#include "runtime/src/stream/Prices.h"
#include "runtime/src/stream/SharedRows.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cstring>
#include <numeric>

namespace gnn::rt {

/// Of a table, at a time, where some of its rows are asked for.
static constexpr size_t bytesOfPiece = size_t(1) << 20;
/// What orders take beside what they grow with: as much as so many bytes that are copied, rows that are computed.
static constexpr uint64_t bytesOfCall = 16 << 10, rowsOfCall = 256;
/// That a chunk makes of what it reads.
static constexpr uint64_t bytesOfLoadedRow = 20;

/// The rows of an interval and, of a sweep, the edges of a chunk.
class Streamed::EdgeView : public View {
public:
  EdgeView(const Engine &engine, int64_t rows, const int64_t *ids, const gnn_block_t &block = {})
      : areThere(engine.isApart()), numRows(rows), rowIds(ids), edges(block) {}
  int64_t rows(uint32_t) const override { return numRows; }
  const int64_t *ids(uint32_t) const override { return rowIds; }
  gnn_block_t block(uint32_t, uint32_t) const override { return edges; }
  uint64_t content(uint32_t) const override { return number; }
  const Relation *lasting(uint32_t) const override { return nullptr; }
  bool isThere() const override { return areThere; }

private:
  const bool areThere;
  const int64_t numRows;
  const int64_t *rowIds;
  const gnn_block_t edges;
  const uint64_t number = uniqueNumber();
};

namespace {

const gnn_program_t &withoutObstacle(const Library &library, const gnn_program_t &program) {
  const std::string obstacle = StreamLayout::obstacle(library, program);
  require(obstacle.empty(), GNN_ERROR_MISMATCH, library.name(), " can't be streamed: ", obstacle);
  return program;
}

} // namespace

Streamed::Streamed(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &compiled,
                   std::shared_ptr<SpilledData> spilled, Comm *comm)
    : Executor(opened, withoutObstacle(opened, compiled)), engine(machine), binding(bound), data(std::move(spilled)),
      intervals(data->intervals()),
      planned(std::make_shared<const StreamLayout>(engine, library, binding, program, *data)), layout(*planned),
      prepared(layout.prepared()), first(nullptr), tables(engine.tables(binding)), lanes(engine),
      share(comm ? std::make_unique<RankShare>(*comm, library, binding, program, layout, *data) : nullptr),
      bases(library.tensors().size()), results(program.num_results), onHost(results.size()), stored(bases.size()) {
  assert(!(share && engine.isApart()) && "ranks exchange what is in memory of this process");
  checkEdgeTypes(library, binding, program);
  placeResults();
  if (engine.isApart())
    madeHere = engine.reachable(layout.madeHereBytes());
}

Streamed::Streamed(Streamed &other, Engine &machine)
    : Executor(other.library, other.program), engine(machine), binding(other.binding), data(other.data),
      intervals(data->intervals()), planned(other.planned), layout(*planned), prepared(layout.prepareOn(engine)),
      first(&other), tables(engine.tables(binding)), lanes(engine), bases(library.tensors().size()),
      results(program.num_results), onHost(results.size()), stored(bases.size()) {
  placeResults();
  madeHere = engine.reachable(layout.madeHereBytes());
  for (uint32_t s = 0; s < program.num_steps; ++s)
    if (layout.isOfRows(s))
      data->edgeRows(program.steps[s].relation, program.steps[s].direction, engine);
}

Streamed::~Streamed() = default;

void Streamed::placeResults() {
  for (uint32_t i = 0; i < results.size(); ++i) {
    const gnn_tensor_info_t &info = library.tensor(program.results[i]);
    if (layout.isSpilled(program.results[i]) || binding.data(program.results[i]))
      continue;
    std::vector<int64_t> shape = binding.dimensions().shapeOf(info);
    if (info.domain != GNN_DOMAIN_PARAM)
      shape.insert(shape.begin(), binding.leadingExtent(info));
    results[i] = engine.empty(info.element, std::move(shape));
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
  if (engine.isApart())
    lastStepSeconds = engine.deviceSeconds();
  return outcome;
}

void Streamed::runSteps() {
  beginStages(watch);
  runStages([this](size_t stage) { runStage(stage); });
}

/// Two intervals of a stage at least: what is done first takes longer.
void Streamed::runSome(double seconds, const Lanes::Watch &told) {
  using Clock = std::chrono::steady_clock;
  const std::chrono::duration<double> enough(seconds / double(layout.stages().size()));
  beginRun({});
  beginStages(told);
  runStages([&](size_t stage) {
    const int64_t count = intervals.count(layout.stages()[stage].type);
    const Clock::time_point begin = Clock::now();
    for (int64_t i = 0; i < std::max<int64_t>(count, 2) && (i < 2 || Clock::now() - begin < enough); ++i)
      runInterval(stage, i % count);
    awaitAll();
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
  for (uint32_t s = layout.stages()[stage].first; s < layout.stages()[stage].end; ++s) {
    if (!isInChunks(s))
      runStep(at, s);
    for (size_t k = 0; isInChunks(s) && k < numChunksMet(at, s); ++k)
      runChunk(at, s, k, colsSent(at, s, k), /*relay=*/nullptr);
  }
  closeInterval(at);
}

Streamed::At Streamed::openInterval(size_t stageNumber, int64_t interval) {
  const At at{stageNumber, interval, unsigned(numIntervals++ % layout.halves())};
  const Stage &stage = layout.stages()[at.stage];
  std::vector<Asked> &tickets = ofInterval[at.half];
  awaitAll(tickets);
  sweepViews[at.half].clear();
  rowViews[at.half] =
      std::make_unique<EdgeView>(engine, intervals.rows(stage.type, at.interval),
                                 idsOf(stage.first, stage.type, at.interval, layout.rowIds(), at.half, tickets));
  loadRows(at);
  rowsLoaded[at.half] = tickets;
  return at;
}

bool Streamed::isInChunks(uint32_t s) const { return program.steps[s].kind == GNN_STEP_SWEEP && !layout.isOfRows(s); }

void Streamed::runStep(const At &at, uint32_t s) {
  ofInterval[at.half].push_back(layout.isOfRows(s) ? runRows(at, s)
                                                   : call(at, s, *rowViews[at.half], /*edges=*/0, Cols{},
                                                          GNN_SWEEP_FIRST | GNN_SWEEP_LAST, rowsLoaded[at.half]));
}

void Streamed::closeInterval(const At &at) { storeRows(at, ofInterval[at.half].back()); }

Asked Streamed::loadTable(uint32_t s, uint32_t tensor, uint32_t type, int64_t interval, char *to) {
  const int64_t first = intervals.begin(type, interval), rows = intervals.rows(type, interval);
  return load(s, tensor, interval, first, rows, to);
}

/// Of vertices each interval of a table by itself, so that a stage begins while the one before it ends. Of edges, which
/// one direction stores and the other loads, the last that was stored.
Asked &Streamed::storedOf(uint32_t tensor, int64_t interval) {
  const size_t at = library.tensor(tensor).domain == GNN_DOMAIN_EDGE ? 0 : size_t(interval);
  if (stored[tensor].size() <= at)
    stored[tensor].resize(at + 1);
  return stored[tensor][at];
}

Asked Streamed::load(uint32_t s, uint32_t tensor, int64_t interval, int64_t first, int64_t rows, char *to) {
  const Asked &there = storedOf(tensor, interval);
  const uint64_t bytes = uint64_t(rows) * layout.rowBytes(tensor);
  if (data->file().isMemory())
    return copy({Queue::Load, s, bytes, bytes + bytesOfCall}, Spill::Tables, {there}, to,
                data->file().memory(layout.place(tensor) + uint64_t(first) * layout.rowBytes(tensor)));
  return lanes.ask({Queue::Load, s, bytes, bytes + bytesOfCall}, {there},
                   [=] { data->load(tensor, layout.place(tensor), first, rows, layout.rowBytes(tensor), to); });
}

Asked Streamed::store(uint32_t s, uint32_t tensor, int64_t interval, int64_t first, int64_t rows, const char *from,
                      const Asked &ran) {
  const size_t rowBytes = layout.rowBytes(tensor), bytes = size_t(rows) * rowBytes;
  const uint64_t to = layout.place(tensor) + uint64_t(first) * rowBytes;
  const Order order{Queue::Store, s, bytes, bytes + bytesOfCall};
  Asked &there = storedOf(tensor, interval);
  there = data->file().isMemory()
              ? copy(order, Spill::Tables, {ran}, data->file().memory(to), from)
              : lanes.ask(order, {ran}, [=] { data->file().write(Spill::Tables, from, bytes, to); });
  return there;
}

/// Between the memory of the engine and this process's, which are apart.
Asked Streamed::copy(const Order &order, Spill::Kind kind, const std::vector<Asked> &after, void *to,
                     const void *from) {
  if (!lanes.isRehearsal())
    order.queue == Queue::Load ? data->file().noteRead(kind, order.bytes) : data->file().noteWritten(kind, order.bytes);
  return lanes.copy(order, after, to, from);
}

void Streamed::loadRows(const At &at) {
  const Stage &stage = layout.stages()[at.stage];
  char *rows = memoryAt(layout.rows(), at.half);
  for (size_t i = 0; i < stage.tables.size(); ++i)
    if (stage.tables[i].isLoaded)
      ofInterval[at.half].push_back(
          loadTable(stage.first, stage.tables[i].tensor, stage.type, at.interval, rows + layout.rowsAt(at.stage, i)));
}

void Streamed::storeRows(const At &at, Asked ran) {
  const Stage &stage = layout.stages()[at.stage];
  for (size_t i = 0; i < stage.tables.size(); ++i) {
    if (!stage.tables[i].isStored)
      continue;
    const uint32_t tensor = stage.tables[i].tensor;
    const char *from = memoryAt(layout.rows(), at.half) + layout.rowsAt(at.stage, i);
    const int64_t first = intervals.begin(stage.type, at.interval), rows = intervals.rows(stage.type, at.interval);
    ofInterval[at.half].push_back(store(stage.first, tensor, at.interval, first, rows, from, ran));
  }
}

/// The edges of the rows at hand are in memory, and all cols.
Asked Streamed::runRows(const At &at, uint32_t s) {
  const gnn_step_t &step = program.steps[s];
  const VertexOrder *order = binding.order(endType(library, step, /*ofRows=*/false));
  const EdgeRows &edges = data->edgeRows(step.relation, step.direction, engine);
  gnn_block_t block = edges.block(at.interval);
  block.row_id = rowViews[at.half]->ids(0);
  block.col_id = order && !engine.isApart() ? order->id.data() : nullptr;
  sweepViews[at.half].push_back(std::make_unique<EdgeView>(engine, block.num_rows, block.row_id, block));
  return call(at, s, *sweepViews[at.half].back(), edges.numEdges(at.interval), Cols{}, GNN_SWEEP_FIRST | GNN_SWEEP_LAST,
              rowsLoaded[at.half]);
}

size_t Streamed::numChunksMet(const At &at, uint32_t s) const {
  return data->chunks(program.steps[s].relation, program.steps[s].direction).met(at.interval).size();
}

/// To an engine that is alone. Of a chunk that is packed all cols are.
Streamed::ColsSent Streamed::colsSent(const At &at, uint32_t s, size_t k) const {
  const gnn_step_t &step = program.steps[s];
  const uint32_t colType = endType(library, step, /*ofRows=*/false);
  const Chunks &chunks = data->chunks(step.relation, step.direction);
  const int64_t p = at.interval, q = chunks.met(p)[k];
  if (!layout.isPacked(s, p, q))
    return {uint64_t(intervals.rows(colType, q)), nullptr};
  ColsSent sent{0, nullptr};
  for (uint32_t i = 0; i < firstOutput(library.table(), step); ++i)
    if (accessOf(library.table(), step, i) == GNN_ACCESS_COL)
      sent.rows = layout.colsRead(s, i, p, q).rows;
  if (!lanes.isRehearsal())
    sent.marks = std::make_shared<const RowMarks>(SharedRows(chunks, intervals, colType).marks({p}, q));
  return sent;
}

/// Of the rows at hand, of those that have edges, in the order of their cols. Cols stay while the slices of the chunk
/// come and go.
unsigned Streamed::runChunk(const At &at, uint32_t s, size_t k, const ColsSent &sent, const Relay *relay) {
  const gnn_step_t &step = program.steps[s];
  const uint32_t colType = endType(library, step, /*ofRows=*/false);
  const Chunks &chunks = data->chunks(step.relation, step.direction);
  const int64_t p = at.interval;
  const std::vector<int64_t> &met = chunks.met(p);
  const int64_t q = met[k], slices = chunks.numSlices(p, q);
  const unsigned half = unsigned(numChunks++ % layout.halves());
  awaitAll(ofCols[half]);
  const int64_t *colIds = idsOf(s, colType, q, layout.colIds(), half, ofCols[half]);
  const bool hasTables = hasEdgeTables(step);
  Asked ran;
  for (int64_t j = 0; j < slices; ++j) {
    const unsigned edgeHalf = unsigned(numSlices++ % layout.edgeHalves());
    awaitAll(ofEdges[edgeHalf]);
    gnn_block_t block = chunks.block(p, q, j, memoryAt(layout.edges(), edgeHalf), hasTables);
    block.row_id = rowViews[at.half]->ids(0);
    block.col_id = colIds;
    callViews[edgeHalf] = std::make_unique<EdgeView>(engine, block.num_rows, block.row_id, block);
    const Asked edges = loadEdges(chunks, p, k, j, s, edgeHalf, half, sent);
    if (j == 0 && chunks.hasEdges(p, q))
      loadChunk(chunks, at, s, q, half, edges, sent, relay);
    std::vector<Asked> loaded = rowsLoaded[at.half];
    for (const std::vector<Asked> *tickets : {&ofCols[half], &ofEdges[edgeHalf]})
      loaded.insert(loaded.end(), tickets->begin(), tickets->end());
    const bool isFirst = k == 0 && j == 0, isLast = k + 1 == met.size() && j + 1 == slices;
    ran = call(at, s, *callViews[edgeHalf], chunks.numEdges(p, q, j), {q, half, chunks.edgesOfBefore(j)},
               (isFirst ? GNN_SWEEP_FIRST : 0) | (isLast ? GNN_SWEEP_LAST : 0), std::move(loaded));
    ofCols[half].push_back(ran);
    ofEdges[edgeHalf].push_back(ran);
    if (isLast)
      ofInterval[at.half].push_back(ran);
  }
  if (chunks.hasEdges(p, q))
    storeChunk(chunks, at, s, q, half, ran);
  return half;
}

/// Slice j of chunk (p, met(p)[k]). Where the engine has memory of its own it is made on this side: when that is done.
Asked Streamed::loadEdges(const Chunks &chunks, int64_t p, size_t k, int64_t j, uint32_t s, unsigned edgeHalf,
                          unsigned colHalf, const ColsSent &sent) {
  const int64_t q = chunks.met(p)[k];
  const bool isApart = engine.isApart();
  auto slotOf = [&](unsigned which) {
    return isApart ? hereAt(layout.edges(), which) : memoryAt(layout.edges(), which);
  };
  char *slot = slotOf(edgeHalf);
  const char *before = slotOf(1 - edgeHalf); // but for the first slice of p: then there are two
  const uint64_t bytes = chunks.bytes(p, q, j), toMake = uint64_t(callViews[edgeHalf]->rows(0)) * bytesOfLoadedRow;
  std::vector<Asked> &tickets = ofEdges[edgeHalf];
  tickets.push_back(lanes.ask({Queue::Load, s, isApart ? 0 : bytes, bytes + toMake + bytesOfCall}, {},
                              [=, &chunks, marks = sent.marks] {
                                chunks.load(p, k, j, slot, before);
                                if (marks)
                                  marks->renumber(chunks.cols(p, q, j, slot), chunks.numEdges(p, q, j));
                                else if (!isApart)
                                  findUseful(chunks, p, q, s, slot, colHalf);
                              }));
  const Asked made = tickets.back();
  if (const size_t from = chunks.copiedFrom(p, q, j); isApart)
    tickets.push_back(copy({Queue::Load, s, bytes, bytes + bytesOfCall}, Spill::Edges, {made},
                           memoryAt(layout.edges(), edgeHalf) + from, slot + from));
  return made;
}

/// Of the chunk (p, q) that a slot has: one that is selective is one slice.
void Streamed::findUseful(const Chunks &chunks, int64_t p, int64_t q, uint32_t s, char *slot, unsigned half) {
  if (!layout.isSelective(s, p, q))
    return;
  useful[half].begin(intervals.rows(endType(library, program.steps[s], /*ofRows=*/false), q));
  useful[half].mark(chunks.cols(p, q, /*j=*/0, slot), chunks.numEdges(p, q));
}

bool Streamed::hasEdgeTables(const gnn_step_t &step) const {
  for (uint32_t i = 0; i < step.num_tensors; ++i)
    if (layout.isSpilled(step.tensors[i]) && accessOf(library.table(), step, i) == GNN_ACCESS_EDGE)
      return true;
  return false;
}

/// What a sweep reads of tables by col and by edge.
void Streamed::loadChunk(const Chunks &chunks, const At &at, uint32_t s, int64_t q, unsigned half, const Asked &edges,
                         const ColsSent &sent, const Relay *relay) {
  const gnn_step_t &step = program.steps[s];
  for (uint32_t i = 0; i < firstOutput(library.table(), step); ++i) {
    const uint32_t tensor = step.tensors[i], access = accessOf(library.table(), step, i);
    if (!layout.isSpilled(tensor) || access == GNN_ACCESS_ROW)
      continue;
    if (access == GNN_ACCESS_EDGE) {
      ofCols[half].push_back(load(s, tensor, q, chunks.edgesBefore(at.interval, q), chunks.numEdges(at.interval, q),
                                  memoryAt(layout.cols(), half) + layout.colsAt(s, i)));
      continue;
    }
    std::vector<Asked> &pieces = colsLoaded[half][i];
    pieces = relay ? relayCols(*relay, s, i, half, sent) : loadCols(at, s, i, q, half, edges, sent);
    ofCols[half].push_back(pieces.back()); // those of a queue end in their order
  }
}

/// Calls `body(first, rows)` for each piece of the cols that are sent, of which there is one at least.
template <class Body> static std::vector<Asked> inPieces(const Streamed::ColsSent &sent, const Body &body) {
  std::vector<Asked> pieces;
  for (uint64_t k = 0; k < sent.pieces; ++k) {
    const uint64_t first = k * sent.rows / sent.pieces;
    pieces.push_back(body(first, (k + 1) * sent.rows / sent.pieces - first));
  }
  return pieces;
}

/// Rows of an interval of cols: all, or those that the chunk's edges touch, once it is known which these are.
std::vector<Asked> Streamed::loadCols(const At &at, uint32_t s, uint32_t i, int64_t q, unsigned half,
                                      const Asked &edges, const ColsSent &sent) {
  const uint32_t tensor = program.steps[s].tensors[i], type = endType(library, program.steps[s], /*ofRows=*/false);
  const int64_t first = intervals.begin(type, q), rows = intervals.rows(type, q);
  const RowsRead read = engine.isApart() ? RowsRead{uint32_t(sent.rows), 1} : layout.colsRead(s, i, at.interval, q);
  const size_t rowBytes = layout.rowBytes(tensor);
  char *to = memoryAt(layout.cols(), half) + layout.colsAt(s, i);
  if (read.rows == rows)
    return inPieces(sent, [&](uint64_t begin, uint64_t count) {
      return load(s, tensor, q, first + int64_t(begin), int64_t(count), to + begin * rowBytes);
    });
  if (engine.isApart())
    return packCols(s, i, q, half, sent);
  const uint64_t bytes = read.rows * uint64_t(rowBytes);
  auto readRows = [=, &marks = useful[half], gap = layout.gapOf(s, i)] { // each row to its place
    marks.forRanges(0, rows, gap, [&](int64_t begin, int64_t end) {
      data->load(tensor, layout.place(tensor), first + begin, end - begin, rowBytes, to + size_t(begin) * rowBytes);
    });
  };
  return {
      lanes.ask({Queue::Load, s, bytes, bytes + read.ranges * bytesOfCall}, {storedOf(tensor, q), edges}, readRows)};
}

/// Gathers rows on this side, to copy them one after the other.
std::vector<Asked> Streamed::packCols(uint32_t s, uint32_t i, int64_t q, unsigned half, const ColsSent &sent) {
  const uint32_t tensor = program.steps[s].tensors[i], type = endType(library, program.steps[s], /*ofRows=*/false);
  const size_t rowBytes = layout.rowBytes(tensor), offset = layout.colsAt(s, i);
  const uint64_t bytes = sent.rows * rowBytes;
  lanes.await(storedOf(tensor, q)); // this process reads it, which no stream of the engine waits for
  const char *table = data->file().memory(layout.place(tensor) + uint64_t(intervals.begin(type, q)) * rowBytes);
  char *packed = hereAt(layout.cols(), half) + offset;
  auto gatherRows = [=, rows = intervals.rows(type, q), marks = sent.marks] {
    char *next = packed;
    marks->forRanges(0, rows, /*gap=*/0, [&](int64_t begin, int64_t end) {
      next = std::copy(table + size_t(begin) * rowBytes, table + size_t(end) * rowBytes, next);
    });
  };
  const Asked gathered = lanes.ask({Queue::Load, s, /*bytes=*/0, bytes + bytesOfCall}, {}, gatherRows);
  ofCols[half].push_back(gathered);
  char *to = memoryAt(layout.cols(), half) + offset;
  return inPieces(sent, [&](uint64_t begin, uint64_t count) {
    return copy({Queue::Load, s, count * rowBytes, count * rowBytes + bytesOfCall}, Spill::Tables, {gathered},
                to + begin * rowBytes, packed + begin * rowBytes);
  });
}

/// The memory that they are copied from serves again when they have been.
std::vector<Asked> Streamed::relayCols(const Relay &relay, uint32_t s, uint32_t i, unsigned half,
                                       const ColsSent &sent) {
  const std::vector<Asked> &there = relay.from.colsLoaded[relay.half].at(i);
  const size_t rowBytes = layout.rowBytes(program.steps[s].tensors[i]), offset = layout.colsAt(s, i);
  const char *from = relay.from.memoryAt(layout.cols(), relay.half) + offset;
  char *to = memoryAt(layout.cols(), half) + offset;
  size_t k = 0;
  std::vector<Asked> pieces = inPieces(sent, [&](uint64_t begin, uint64_t count) {
    return lanes.copyFrom(relay.from.lanes, {there[k++]}, to + begin * rowBytes, from + begin * rowBytes,
                          count * rowBytes);
  });
  relay.from.ofCols[relay.half].push_back(pieces.back());
  return pieces;
}

/// What a sweep makes by edge.
void Streamed::storeChunk(const Chunks &chunks, const At &at, uint32_t s, int64_t q, unsigned half, const Asked &ran) {
  const gnn_step_t &step = program.steps[s];
  for (uint32_t i = firstOutput(library.table(), step); i < step.num_tensors; ++i) {
    const uint32_t tensor = step.tensors[i];
    if (!layout.isSpilled(tensor) || accessOf(library.table(), step, i) != GNN_ACCESS_EDGE)
      continue;
    const char *from = memoryAt(layout.cols(), half) + layout.colsAt(s, i);
    ofCols[half].push_back(
        store(s, tensor, q, chunks.edgesBefore(at.interval, q), chunks.numEdges(at.interval, q), from, ran));
  }
}

void Streamed::tell() {
  if (report && !report(double(callsOfRun++) / double(layout.calls())))
    throw Stopped();
}

Asked Streamed::call(const At &at, uint32_t s, const EdgeView &view, int64_t edges, const Cols &cols, uint32_t flags,
                     const std::vector<Asked> &after) {
  if (!lanes.isRehearsal())
    (first ? *first : *this).tell();
  std::vector<void *> operands;
  for (uint32_t i = 0; i < program.steps[s].num_tensors; ++i)
    operands.push_back(operand(at, s, i, cols));
  auto *memory = static_cast<char *>(arena->data());
  const StepCall how{flags, memory + layout.states(s), memory + layout.room(s)};
  Prepared &program = *prepared;
  return lanes.ask(
      {Queue::Work, s, /*bytes=*/0, uint64_t(view.rows(0) + edges) + rowsOfCall, uint64_t(view.rows(0)),
       uint64_t(edges)},
      after, [&program, s, &view, operands = std::move(operands), how] { program.run(s, view, operands.data(), how); });
}

void *Streamed::operand(const At &at, uint32_t s, uint32_t i, const Cols &cols) {
  const gnn_step_t &step = program.steps[s];
  const uint32_t tensor = step.tensors[i], access = accessOf(library.table(), step, i);
  const Stage &stage = layout.stages()[at.stage];
  if (layout.isSpilled(tensor)) {
    if (access == GNN_ACCESS_COL || access == GNN_ACCESS_EDGE) {
      const bool isInOrder = access == GNN_ACCESS_EDGE && step.direction == GNN_TO_DESTINATION; // that of the slices
      return memoryAt(layout.cols(), cols.half) + layout.colsAt(s, i) +
             (isInOrder ? size_t(cols.edgeBefore) * layout.rowBytes(tensor) : 0);
    }
    size_t k = 0;
    while (stage.tables[k].tensor != tensor)
      ++k;
    char *area = stage.tables[k].isTemporary() ? static_cast<char *>(arena->data()) : memoryAt(layout.rows(), at.half);
    return area + layout.rowsAt(at.stage, k);
  }
  for (const StreamLayout::Total &total : layout.totals(at.stage))
    if (total.step == s && total.operand == i)
      return totalOf(total, at.interval);
  char *base = bases[tensor];
  if (!base)
    base = static_cast<char *>(tables->table(tensor));
  assert(base && "every tensor of a program is made, bound or placed");
  if (access != GNN_ACCESS_ROW && access != GNN_ACCESS_COL)
    return base;
  const uint32_t type = access == GNN_ACCESS_ROW ? stage.type : endType(library, step, /*ofRows=*/false);
  const gnn_tensor_info_t &info = library.tensor(tensor);
  const size_t all = size_t(binding.leadingExtent(info)) * layout.rowBytes(tensor); // perhaps of a parameter
  return base + size_t(intervals.begin(type, access == GNN_ACCESS_ROW ? at.interval : cols.interval)) *
                    (all / std::max<size_t>(size_t(binding.rows(type)), 1));
}

/// Original ids of the vertices of an interval; null if no step reads any.
const int64_t *Streamed::idsOf(uint32_t s, uint32_t type, int64_t interval, const StreamLayout::Area &area,
                               unsigned half, std::vector<Asked> &tickets) {
  const int64_t begin = intervals.begin(type, interval), count = intervals.rows(type, interval);
  const VertexOrder *order = binding.order(type);
  if (order && !engine.isApart())
    return order->id.data() + begin;
  if (area.bytes == 0 || (lanes.isRehearsal() && !engine.isApart()))
    return nullptr;
  auto *ids = reinterpret_cast<int64_t *>(memoryAt(area, half));
  auto *made = engine.isApart() ? reinterpret_cast<int64_t *>(hereAt(area, half)) : ids;
  if (order)
    std::copy_n(order->id.data() + begin, count, made);
  else
    std::iota(made, made + count, begin);
  if (const uint64_t bytes = uint64_t(count) * sizeof *ids; engine.isApart())
    tickets.push_back(copy({Queue::Load, s, bytes, bytes + bytesOfCall}, Spill::Edges, {}, ids, made));
  return ids;
}

void Streamed::foldTotals(size_t stage) {
  const std::vector<StreamLayout::Total> &totals = layout.totals(stage);
  if (totals.empty() && !share)
    return;
  if (!share && !engine.isApart())
    return foldInTurn(stage);
  awaitAll();
  if (lanes.isRehearsal())
    return;
  if (share)
    share->takeTotals(stage, bases);
  const Intervals::Range mine = intervals.ours(layout.stages()[stage].type);
  for (const StreamLayout::Total &total : totals) {
    const uint32_t tensor = program.steps[total.step].tensors[total.operand];
    const gnn_tensor_info_t &info = library.tensor(tensor);
    const int64_t numbers = binding.leadingExtent(info) * binding.dimensions().rowElements(info);
    if (mine.begin == 0 && mine.end > 0)
      foldParts(total, mine.end);
    for (int64_t p = mine.begin; p < mine.end && mine.begin > 0; ++p)
      foldInto(total.fold, info.element, 0, numbers, bases[tensor], totalOf(total, p));
  }
  if (share)
    share->passTotals(stage, bases);
}

/// After the steps of the stage and before those of the next, whose parts lie in the same place: nobody waits for it.
void Streamed::foldInTurn(size_t stage) {
  const Stage &of = layout.stages()[stage];
  const int64_t parts = intervals.count(of.type);
  const Order order{Queue::Work, of.first, /*bytes=*/0, /*size=*/1};
  ofInterval[0].push_back(lanes.ask(order, {}, [this, stage, parts] {
    for (const StreamLayout::Total &total : layout.totals(stage))
      foldParts(total, parts);
  }));
}

void Streamed::foldParts(const StreamLayout::Total &total, int64_t parts) {
  const uint32_t tensor = program.steps[total.step].tensors[total.operand];
  const gnn_tensor_info_t &info = library.tensor(tensor);
  engine.fold(total.fold, info.element, binding.leadingExtent(info) * binding.dimensions().rowElements(info),
              bases[tensor], totalOf(total, 0), total.bytes, parts);
}

void Streamed::awaitAll(std::vector<Asked> &tickets) {
  for (const Asked &asked : tickets)
    lanes.await(asked);
  tickets.clear();
}

void Streamed::awaitAll() {
  for (auto *tickets : {&ofInterval, &ofCols, &ofEdges})
    for (std::vector<Asked> &ofHalf : *tickets)
      awaitAll(ofHalf);
}

/// Where something failed: nothing touches any more what the next run is to use.
void Streamed::abandon() {
  for (auto *tickets : {&ofInterval, &ofCols, &ofEdges})
    for (std::vector<Asked> &ofHalf : *tickets) {
      for (const Asked &asked : ofHalf)
        asked.ticket.cancel();
      for (const Asked &asked : ofHalf)
        try {
          asked.ticket.await();
        } catch (...) { // what is thrown already, or for what was cancelled
        }
      ofHalf.clear();
    }
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
  std::vector<int64_t> shape = binding.dimensions().shapeOf(info);
  if (info.domain != GNN_DOMAIN_PARAM)
    shape.insert(shape.begin(), binding.leadingExtent(info));
  Tensor table = Tensor::empty(info.element, std::move(shape));
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
  if (results[i] && !engine.isApart())
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
  const gnn_tensor_info_t &info = library.tensor(tensor);
  std::vector<int64_t> shape = binding.dimensions().shapeOf(info);
  shape.insert(shape.begin(), int64_t(rows.size()));
  Tensor taken = Tensor::empty(info.element, std::move(shape));
  auto *to = static_cast<char *>(taken.mutableData());

  const size_t rowBytes = layout.rowBytes(tensor);
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
