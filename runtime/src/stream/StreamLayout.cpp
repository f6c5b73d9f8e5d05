//===- StreamLayout.cpp - What a program has in memory at a time ----------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/StreamLayout.h"

#include <algorithm>

namespace gnn::rt {

namespace {

/// Without those that stay in memory as a whole.
std::vector<bool> withoutResidents(std::vector<bool> isSpilled, const Residents &residents) {
  for (uint32_t tensor : residents.tables)
    isSpilled[tensor] = false;
  return isSpilled;
}

/// The most rows and edges of a call. Where parameters have a row for each vertex products are checked against all.
Capacity capacityFor(const Library &library, const Binding &binding, const gnn_program_t &program,
                     const Intervals &intervals) {
  Capacity most;
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type)
    most.rows.push_back(intervals.most(type));
  for (uint32_t r = 0; r < library.table().num_relations; ++r)
    most.edges.push_back(binding.relation(r).numEdges());
  for (const ProgramStep step : library.steps(program))
    for (const Operand operand : step.operands())
      if (!step.isSweep() && operand.isPerRow() && library.tensor(operand.tensor).domain == GNN_DOMAIN_PARAM)
        most.rows[step->vertex_type] = binding.rows(step->vertex_type);
  return most;
}

} // namespace

std::string StreamLayout::obstacle(const Library &library, const gnn_program_t &program, bool toDevice, bool areRanks) {
  const bool scoresPairs =
      library.steps(program).any([](const ProgramStep &step) { return step.isSweepOver(GNN_RELATION_PAIRS); });
  if (scoresPairs && areRanks)
    return "it scores pairs of vertices, which one process does, or several on samples (--fanout)";
  if (scoresPairs && toDevice)
    return "it scores pairs of vertices, which a GPU does over a graph that is all there, or on samples (--fanout)";
  return "";
}

bool StreamLayout::isOfPairs(uint32_t step) const { return steps[step].isSweepOver(GNN_RELATION_PAIRS); }

size_t StreamLayout::bytesOfVertex(uint32_t tensor, uint32_t type) const {
  return tableBytes(tensor) / std::max<size_t>(size_t(binding.rows(type)), 1);
}

StreamLayout::StreamLayout(Engine &machine, const Library &opened, const Binding &bound, const gnn_program_t &compiled,
                           SpilledData &spilledData, std::shared_ptr<Prepared> prepared)
    : engine(machine), library(opened), binding(bound), program(compiled), steps(library.steps(program)),
      data(spilledData), intervals(data.intervals()), packsAll(data.packsAll()),
      spilled(withoutResidents(spilledTensors(library, program), data.residents())),
      ofProgram(stagesOf(library, program, spilled)),
      made(prepared ? std::move(prepared)
                    : machine.prepare(binding.dimensions(), program, capacityFor(library, binding, program, intervals),
                                      /*views=*/{})),
      totalsOf(ofProgram.size()) {
  for (const gnn_tensor_info_t &info : library.tensors())
    rowSizes.push_back(engine.rowBytes(binding.dimensions(), info));
  for (const ProgramStep step : steps)
    wholeRows.push_back(findWholeRows(step));
  for (uint32_t s = 0; s < program.num_steps; ++s)
    usefulRows.push_back(findUseful(s));
  for (uint32_t s = 0; s < program.num_steps; ++s)
    usefulBelow.push_back(findUsefulBelow(s));
  for (uint32_t s = 0; s < program.num_steps; ++s)
    inSlices.push_back(findSlices(s));
  hasSlices = std::find(inSlices.begin(), inSlices.end(), true) != inSlices.end();
  for (const ProgramStep step : steps)
    needs |= step.isProduct() ? 0 : step.kernel().needs;
  placeFile();
  addTraffic();
  placeAreas();
  placeTensors();
  placeTotals();
}

std::unique_ptr<Prepared> StreamLayout::prepareOn(Engine &other) const {
  return other.prepare(binding.dimensions(), program, capacityFor(library, binding, program, intervals), /*views=*/{});
}

bool StreamLayout::findWholeRows(const ProgramStep &step) const {
  if (step.isSweepOver(GNN_RELATION_PAIRS))
    return true;
  if (!step.isSweep() || !data.residents().edges.count({step->relation, step->direction}) ||
      step.operands().any([&](const Operand &of) { return of.isInChunks() && spilled[of.tensor]; }))
    return false;
  // Ids of all cols are on this side.
  return !step.needs(GNN_KERNEL_COL_ID) || !copiesOrder(step.colType());
}

/// Of sweeps in chunks that read some cols. A GPU is sent some rows of all cols or of none: all have one numbering.
std::shared_ptr<const UsefulRows> StreamLayout::findUseful(uint32_t s) const {
  const ProgramStep step = steps[s];
  if (!step.isSweep() || wholeRows[s])
    return nullptr;
  bool readsSome = false, readsAll = !step.needs(GNN_KERNEL_COL_ID);
  for (const Operand operand : step.operands())
    if (operand.isPerCol())
      (spilled[operand.tensor] ? readsSome : readsAll) = spilled[operand.tensor];
  return readsSome && (readsAll || !data.file().isMemory()) ? data.useful(step->relation, step->direction) : nullptr;
}

std::shared_ptr<const UsefulRows> StreamLayout::findUsefulBelow(uint32_t s) const {
  const ProgramStep step = steps[s];
  const bool readsBelow =
      !wholeRows[s] && step.operands().any([&](const Operand &of) { return of.isPerCol() && isBelow(of.tensor); });
  return readsBelow ? data.usefulBelow(step->relation, step->direction) : nullptr;
}

RowsRead StreamLayout::colsReadBelow(uint32_t s, uint32_t operand, int64_t p, int64_t q) const {
  const ProgramStep step = steps[s];
  if (!usefulBelow[s] || data.chunks(step->relation, step->direction).numSlices(p, q) > 1)
    return {uint32_t(intervals.rows(step.colType(), q)), 1};
  return usefulBelow[s]->of(p, q, rowSizes[step->tensors[operand]]);
}

RowsRead StreamLayout::colsRead(uint32_t s, uint32_t operand, int64_t p, int64_t q) const {
  const ProgramStep step = steps[s];
  const RowsRead all{uint32_t(intervals.rows(step.colType(), q)), 1};
  if (!usefulRows[s] || data.chunks(step->relation, step->direction).numSlices(p, q) > 1)
    return all;
  const RowsRead useful = usefulRows[s]->of(p, q, rowSizes[step->tensors[operand]]);
  return mayBePacked(s) && !packsAll && !isWorthPacking(useful.rows, all.rows) ? all : useful;
}

bool StreamLayout::isSelective(uint32_t s, int64_t p, int64_t q) const {
  const ProgramStep step = steps[s];
  const int64_t all = intervals.rows(step.colType(), q);
  return usefulRows[s] && step.operands().any([&](const Operand &of) {
    return of.isPerCol() && spilled[of.tensor] && colsRead(s, of.index, p, q).rows < all;
  });
}

bool StreamLayout::isSelectiveBelow(uint32_t s, int64_t p, int64_t q) const {
  const ProgramStep step = steps[s];
  return usefulBelow[s] && step.operands().any([&](const Operand &of) {
    return of.isPerCol() && isBelow(of.tensor) &&
           colsReadBelow(s, of.index, p, q).rows < intervals.rows(step.colType(), q);
  });
}

bool StreamLayout::isResult(const gnn_use_t &use) const {
  return use.first >= 0 && use.last == int32_t(program.num_steps);
}

void StreamLayout::placeFile() {
  places.resize(spilled.size());
  for (const gnn_use_t &use : usesIn(program))
    if (spilled[use.tensor] && !isTemporary(use))
      places[use.tensor] =
          use.first < 0 ? data.table(use.tensor) : data.spillOf(use.tensor).add(tableBytes(use.tensor));
    else if (!spilled[use.tensor] && isResult(use))
      resultBytes += engine.takenBytes(tableBytes(use.tensor));
}

/// Of the stage that takes the most; the others lie there too.
size_t StreamLayout::placeRows() {
  size_t most = 0;
  for (const Stage &stage : ofProgram) {
    size_t end = 0;
    rowPlaces.emplace_back();
    for (const Stage::Table &table : stage.tables) {
      rowPlaces.back().push_back(end);
      if (!table.isTemporary())
        end += wholeLines(size_t(intervals.most(stage.type)) * rowSizes[table.tensor]);
    }
    rowEnds.push_back(end);
    most = std::max(most, rowPiece(rowEnds.size() - 1));
  }
  return most;
}

bool StreamLayout::findSlices(uint32_t s) const {
  const ProgramStep step = steps[s];
  return step.isSweep() && !wholeRows[s] &&
         data.counts().at(step->relation).most() > data.sliceEdges(step->relation, step->direction);
}

size_t StreamLayout::stateBytes(uint32_t s) const {
  const ProgramStep step = steps[s];
  const bool isInParts = step.isSweep() && !wholeRows[s] && (intervals.count(step.colType()) > 1 || inSlices[s]);
  return isInParts ? wholeLines(size_t(intervals.most(step.rowType())) * made->stateBytes(s)) : 0;
}

/// That which a step is of.
const Stage &StreamLayout::stageOf(uint32_t step) const {
  return *std::find_if(ofProgram.begin(), ofProgram.end(), [&](const Stage &stage) { return step < stage.end; });
}

/// Whether no other stage asks for it, and an interval of it is there at once.
bool StreamLayout::isTemporary(const gnn_use_t &use) const {
  return library.tensor(use.tensor).domain != GNN_DOMAIN_EDGE && use.first >= 0 &&
         use.last < int32_t(stageOf(uint32_t(use.first)).end);
}

/// What steps make for others, if it is no result and in no half. Of what a stage makes for itself there is an
/// interval, as they come one after the other. All else lives as long as whole stages: each interval does all steps.
std::vector<PlannedTensor> StreamLayout::tensorsOfRun() const {
  std::vector<PlannedTensor> found;
  for (const gnn_use_t &use : usesIn(program)) {
    if (use.first < 0 || isResult(use))
      continue;
    const auto first = uint32_t(use.first), last = uint32_t(std::max(use.first, use.last));
    const Stage &stage = stageOf(first);
    if (!spilled[use.tensor])
      found.push_back({use.tensor, stage.first, stageOf(last).end - 1, wholeLines(tableBytes(use.tensor)), 0, false});
    else if (isTemporary(use))
      found.push_back(
          {use.tensor, first, last, wholeLines(size_t(intervals.most(stage.type)) * rowSizes[use.tensor]), 0, false});
  }
  return found;
}

void StreamLayout::placeTensors() {
  std::vector<PlannedTensor> tensors = tensorsOfRun();
  const size_t count = tensors.size();
  for (uint32_t s = 0; s < program.num_steps; ++s)
    tensors.push_back({UINT32_MAX, s, s, stateBytes(s) + wholeLines(made->roomBytes(s)), 0, false});
  std::vector<PlannedTensor *> all;
  for (PlannedTensor &planned : tensors)
    all.push_back(&planned);
  const size_t area = arenaBytes;
  arenaBytes += placeByLifeTime(all);
  for (size_t i = count; i < tensors.size(); ++i)
    stepPlaces.push_back(area + tensors[i].offset);
  tensors.resize(count);
  for (const PlannedTensor &planned : tensors)
    runPlaces[planned.tensor] = area + planned.offset;
  for (size_t k = 0; k < ofProgram.size(); ++k)
    for (size_t i = 0; i < ofProgram[k].tables.size(); ++i)
      if (ofProgram[k].tables[i].isTemporary())
        rowPlaces[k][i] = runPlaces.at(ofProgram[k].tables[i].tensor);
}

/// Of ids of so many rows, which are in their pieces or, where they are copied, in an area of their own.
size_t StreamLayout::idBytes(bool inPieces, int64_t rows) const {
  return inPieces != data.file().isMemory() ? wholeLines(size_t(rows) * sizeof(int64_t)) : 0;
}

size_t StreamLayout::rowPiece(size_t stage) const {
  const uint32_t type = ofProgram[stage].type;
  return rowEnds[stage] + (makesRowIds(type) ? idBytes(/*inPieces=*/true, intervals.most(type)) : 0);
}

/// What the first operands of a sweep take, of so many cols and edges.
size_t StreamLayout::colBytes(uint32_t s, uint32_t operands, int64_t cols, int64_t edges) const {
  size_t bytes = 0;
  for (const Operand operand : steps[s].operands())
    if (operand.index < operands && operand.isInChunks() && spilled[operand.tensor])
      bytes += wholeLines(size_t(operand.isPerCol() ? cols : edges) * rowSizes[operand.tensor]);
  return bytes;
}

/// Several engines give cols on to each other, so each has them at the same place.
size_t StreamLayout::colsAt(uint32_t s, uint32_t operand, int64_t p, int64_t q) const {
  const ProgramStep step = steps[s];
  const uint32_t type = step.colType();
  return data.file().isMemory() ? colBytes(s, operand, intervals.most(type), data.counts().at(step->relation).most())
                                : colBytes(s, operand, intervals.rows(type, q),
                                           data.counts().at(step->relation).edges(step->direction, p, q));
}

size_t StreamLayout::colPiece(uint32_t s, int64_t p, int64_t q) const {
  const uint32_t type = steps[s].colType();
  return colIdsAt(s, p, q) + (makesColIds(type) ? idBytes(/*inPieces=*/true, intervals.rows(type, q)) : 0);
}

/// An interval of the widest table that is in the file.
size_t StreamLayout::mostToGather(uint32_t s) const {
  const ProgramStep step = steps[s];
  size_t widest = 0;
  for (const Operand operand : step.operands())
    if (operand.isPerCol() && spilled[operand.tensor])
      widest = std::max(widest, rowSizes[operand.tensor]);
  return wholeLines(size_t(intervals.most(step.colType())) * widest);
}

/// Ids of the rows come after the tables.
void StreamLayout::placeGathered() {
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    gatherPlaces.emplace_back();
    if (!isOfPairs(s))
      continue;
    const ProgramStep step = steps[s];
    const uint32_t type = step.colType();
    const auto rows = size_t(EdgeRows::mostTouched(binding.relation(step->relation).numEdges(), binding.rows(type)));
    for (const Operand operand : step.operands()) {
      gatherPlaces[s].push_back(arenaBytes);
      if (operand.isPerCol())
        arenaBytes += wholeLines(rows * bytesOfVertex(operand.tensor, type));
    }
    gatherPlaces[s].push_back(arenaBytes);
    if (step.needs(GNN_KERNEL_COL_ID))
      arenaBytes += wholeLines(rows * sizeof(int64_t));
  }
}

size_t StreamLayout::mostCols() {
  size_t most = 0;
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const ProgramStep step = steps[s];
    if (!step.isSweep())
      continue;
    const uint32_t type = step.colType();
    if (isOfPairs(s)) {
      most = std::max(most, mostToGather(s));
      continue;
    }
    const bool hasIds = makesColIds(type) && !wholeRows[s];
    most =
        std::max(most, colBytes(s, step->num_tensors, intervals.most(type), data.counts().at(step->relation).most()) +
                           (hasIds ? idBytes(/*inPieces=*/true, intervals.most(type)) : 0));
  }
  return most;
}

size_t StreamLayout::mostEdges() {
  size_t most = 0;
  for (uint32_t s = 0; s < program.num_steps; ++s) {
    const ProgramStep step = steps[s];
    if (!step.isSweep())
      continue;
    if (wholeRows[s]) {
      data.edgeRows(step->relation, step->direction); // its memory
      continue;
    }
    const int64_t slice =
        std::min(data.counts().at(step->relation).most(), data.sliceEdges(step->relation, step->direction));
    most = std::max(most,
                    Chunks::slotBytes(binding.relation(step->relation), data.edgeNeeds(step->relation, step->direction),
                                      intervals.most(step.rowType()), slice));
  }
  return wholeLines(most);
}

/// Gives rings, and the bytes that go through them in a run, of what is to be loaded ahead. First those whose pieces
/// would not lie side by side: a ring of two pieces holds up the others, however few bytes go through it. Then so that
/// each has as long a part of the run.
void StreamLayout::shareAhead(std::vector<std::pair<RingSize *, uint64_t>> rings) const {
  size_t left = data.aheadBytes();
  for (auto &[ring, through] : rings)
    if (const size_t more = ring->bytesToPack() - std::min(ring->bytesToPack(), ring->bytes()); more <= left) {
      ring->ahead = more;
      left -= more;
    }
  double part = 0, tooMuch = 1; // of a run
  auto moreFor = [](const RingSize &ring, uint64_t through, double ofRun) {
    return ring.isPacked() ? std::max(ofRun * double(through) - double(ring.bytes()), 0.0) : 0;
  };
  for (int halvings = 0; halvings < 40; ++halvings) {
    const double middle = (part + tooMuch) / 2;
    double bytes = 0;
    for (const auto &[ring, through] : rings)
      bytes += moreFor(*ring, through, middle);
    (bytes <= double(left) ? part : tooMuch) = middle;
  }
  for (auto &[ring, through] : rings)
    ring->ahead += size_t(moreFor(*ring, through, part)) / cacheLine * cacheLine;
}

/// Of edges the last slice stays, as the next one goes on where the edges of each row ended.
void StreamLayout::placeAreas() {
  const unsigned halves = intervals.parts() > 1 ? 2 : 1;
  RingSize rows{placeRows(), halves}, cols{mostCols(), halves}, edges{mostEdges(), hasSlices ? 2 : halves};
  if (!data.file().isMemory()) {
    rows.keepsLast = cols.keepsLast = false;
    edges.keepsLast = edges.most > 0;
    shareAhead({{&rows, throughRows}, {&cols, throughCols}, {&edges, perRun.read[SpillFile::Edges]}});
  }
  int64_t mostRows = 0;
  for (uint32_t type = 0; type < library.table().num_vertex_types; ++type)
    mostRows = std::max(mostRows, intervals.most(type));
  const size_t ids = idBytes(/*inPieces=*/false, mostRows);
  auto add = [&](const RingSize &ring) {
    const Area area{arenaBytes, ring};
    arenaBytes += ring.bytes();
    return area;
  };
  rowArea = add(rows);
  colArea = add(cols);
  edgeArea = add(edges);
  rowIdArea = add({needs & GNN_KERNEL_ROW_ID ? ids : 0, halves});
  colIdArea = add({needs & GNN_KERNEL_COL_ID ? ids : 0, halves});
  placeGathered();
}

/// Where there is one interval, its total is that of all.
void StreamLayout::placeTotals() {
  const size_t begin = arenaBytes;
  for (size_t k = 0; k < ofProgram.size(); ++k) {
    const int64_t parts = intervals.count(ofProgram[k].type);
    size_t end = begin;
    for (uint32_t s = ofProgram[k].first; s < ofProgram[k].end && parts > 1; ++s) {
      const ProgramStep step = steps[s];
      auto add = [&](uint32_t operand, uint32_t fold) {
        const size_t bytes = wholeLines(tableBytes(step->tensors[operand]));
        totalsOf[k].push_back({s, operand, fold, end, bytes});
        end += size_t(parts) * bytes;
      };
      if (step.isSumOfProducts())
        add(/*operand=*/2, GNN_FOLD_SUM);
      if (step.isProduct())
        continue;
      const gnn_kernel_t &kernel = step.kernel();
      for (uint32_t i = 0; i < kernel.num_totals; ++i)
        add(kernel.num_operands - kernel.num_totals + i, kernel.total_folds[i]);
    }
    arenaBytes = std::max(arenaBytes, end);
  }
}

void StreamLayout::addRead(uint32_t tensor, uint64_t rows) {
  perRun.read[SpillFile::Tables] += rows * rowSizes[tensor];
  ofTables[tensor] += rows * rowSizes[tensor];
  hasBelow = hasBelow || isBelow(tensor);
}

/// Whole intervals or chunks of them, which are the same rows below.
void StreamLayout::addRows(uint32_t tensor, uint64_t rows) {
  addRead(tensor, rows);
  perRunBelow.read[SpillFile::Tables] += isBelow(tensor) ? rows * rowSizes[tensor] : 0;
}

void StreamLayout::addWritten(uint32_t tensor, uint64_t rows) {
  perRun.written[SpillFile::Tables] += rows * rowSizes[tensor];
  ofTables[tensor] += rows * rowSizes[tensor];
  hasBelow = hasBelow || isBelow(tensor);
  perRunBelow.written[SpillFile::Tables] += isBelow(tensor) ? rows * rowSizes[tensor] : 0;
}

/// Copied to an engine that has memory of its own.
void StreamLayout::addIds(bool areMade, uint64_t rows) {
  if (data.file().isMemory() && areMade)
    perRun.read[SpillFile::Edges] += rows * sizeof(int64_t);
}

/// Of chunks with edges.
void StreamLayout::addCols(uint32_t s, const Chunks &chunks, uint32_t operand) {
  const ProgramStep step = steps[s];
  const uint32_t tensor = step->tensors[operand];
  uint64_t rows = 0, rowsBelow = 0;
  for (int64_t p = 0; p < intervals.count(step.rowType()); ++p)
    for (int64_t q : chunks.met(p)) {
      if (!chunks.hasEdges(p, q))
        continue;
      const RowsRead read = colsRead(s, operand, p, q);
      rows += read.rows;
      numSeeks += read.ranges - 1;
      hasPacked = hasPacked || isPacked(s, p, q);
      if (isBelow(tensor)) {
        const RowsRead below = colsReadBelow(s, operand, p, q);
        rowsBelow += below.rows;
        numSeeks += below.ranges - 1;
      }
    }
  addRead(tensor, rows);
  perRunBelow.read[SpillFile::Tables] += rowsBelow * rowSizes[tensor];
  bytesOfColsBelow += rowsBelow * rowSizes[tensor];
  bytesOfCols += rows * rowSizes[tensor];
  throughCols += chunks.colRows() * rowSizes[tensor]; // those that nobody needs have their places
  bytesPassedOver += (chunks.colRows() - rows) * rowSizes[tensor];
}

/// Of each table in the file all rows, whichever of them the pairs end at: these are others in each run.
void StreamLayout::addGathered(uint32_t s) {
  const ProgramStep step = steps[s];
  const uint32_t type = step.colType();
  for (const Operand operand : step.operands())
    if (operand.isPerCol() && spilled[operand.tensor]) {
      addRows(operand.tensor, uint64_t(binding.rows(type)));
      throughCols += tableBytes(operand.tensor);
    }
}

/// In chunks.
void StreamLayout::addSweep(uint32_t s) {
  const ProgramStep step = steps[s];
  const Chunks &chunks = data.chunks(step->relation, step->direction);
  numCalls += chunks.numSlices();
  const auto numEdges = uint64_t(binding.relation(step->relation).numEdges());
  for (const Operand operand : step.operands()) {
    if (!spilled[operand.tensor] || !operand.isInChunks())
      continue;
    if (operand.isPerCol())
      addCols(s, chunks, operand.index);
    else if (throughCols += numEdges * rowSizes[operand.tensor]; operand.isOutput)
      addWritten(operand.tensor, numEdges);
    else
      addRows(operand.tensor, numEdges);
  }
  const uint32_t colType = step.colType();
  for (int64_t p = 0; p < intervals.count(step.rowType()); ++p)
    for (int64_t q : chunks.met(p))
      addIds(makesColIds(colType), uint64_t(intervals.rows(colType, q)));
  perRun.read[SpillFile::Edges] += chunks.bytes();
  if (data.isBelow(Residents::Edges{step->relation, step->direction}))
    perRunBelow.read[SpillFile::Edges] += chunks.bytesInFile();
  ofEdges[{step->relation, step->direction}] += chunks.bytes();
}

void StreamLayout::addTraffic() {
  for (const Stage &stage : ofProgram) {
    for (const Stage::Table &table : stage.tables) {
      if (table.isLoaded || table.isStored)
        throughRows += tableBytes(table.tensor);
      if (table.isLoaded)
        addRows(table.tensor, uint64_t(binding.rows(stage.type)));
      if (!table.isStored)
        continue;
      addWritten(table.tensor, uint64_t(binding.rows(stage.type)));
    }
    const auto count = uint64_t(intervals.count(stage.type));
    addIds(makesRowIds(stage.type), uint64_t(binding.rows(stage.type)));
    for (uint32_t s = stage.first; s < stage.end; ++s) {
      if (isOfPairs(s))
        addGathered(s);
      if (steps[s].isSweep() && !wholeRows[s])
        addSweep(s);
      else
        numCalls += count;
    }
  }
}

} // namespace gnn::rt
