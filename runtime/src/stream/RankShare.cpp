//===- RankShare.cpp - What a rank does of a streamed program -------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/stream/RankShare.h"

#include "runtime/src/engine/RankLinks.h"
#include "runtime/src/exec/StepProfile.h"

#include <algorithm>
#include <cstring>

namespace gnn::rt {

RankShare::RankShare(Comm &ranks, Engine &machine, const StreamLayout &places)
    : StreamedProgram(places), comm(ranks), engine(machine), link(linkOf(machine)), layout(places),
      outputs(rankOutputs(library, program)), ofStages(layout.stages().size()), totalsOf(ofStages.size()),
      pieces(size_t(comm.size()), std::vector<char>(bytesOfRankPiece)) {
  for (const RankOutput &output : outputs)
    add(output);
}

void RankShare::add(const RankOutput &output) {
  const size_t stage = layout.schedule().numberOf(output.step);
  const gnn_step_t &step = program.steps[output.step];
  const uint32_t tensor = step.tensors[output.operand], type = layout.stages()[stage].type;
  if (!output.travels())
    return;
  if (output.way == RankOutput::Summed)
    return totalsOf[stage].push_back(tensor);
  const Part part{tensor, type, output.isOfEdges, {step.relation, step.direction}};
  if (output.way == RankOutput::ToAll)
    ofStages[stage].push_back(part);
  else
    onDemand[tensor] = part;
  if (output.isOfEdges)
    addOwners(part.edges, type);
}

void RankShare::addOwners(const Residents::Edges &edges, uint32_t rowType) {
  if (owners.count(edges))
    return;
  EdgeOwners &found = owners[edges];
  const Relation &relation = binding.relation(edges.first);
  const Buffer<int64_t> &offsets = relation.csr(edges.second).offsets;
  for (int rank = 0; rank < comm.size(); ++rank)
    found.begins.push_back(offsets[size_t(rowsOf(rowType, rank).begin)]);
  found.begins.push_back(relation.numEdges());
  found.ids.reserve(size_t(relation.numEdges()));
  relation.forPieces(edges.second, 0, relation.numEdges(), [&](const EdgePiece &piece) {
    for (int64_t i = 0; i < piece.end - piece.begin; ++i)
      found.ids.push_back(piece.id(i));
  });
}

/// "h"; of a value without a name in the model: "the product with conv1.W (%6)".
std::string RankShare::nameOf(uint32_t tensor) const {
  const std::string name = library.tensor(tensor).name;
  std::string made = name;
  if (name[0] == '%')
    for (const RankOutput &output : outputs)
      if (const gnn_step_t &step = program.steps[output.step]; step.tensors[output.operand] == tensor)
        made = (step.kind == GNN_STEP_MATMUL ? std::string("the product with ") + library.tensor(step.tensors[1]).name
                                             : stepName(library, step)) +
               " (" + name + ")";
  return made;
}

//===----------------------------------------------------------------------===//
// Totals
//===----------------------------------------------------------------------===//

/// Where each of them lies that is sent or received: itself, or room for it in memory of this process.
std::vector<Span<char>> RankShare::onTheWay(size_t stage, const std::vector<char *> &places) {
  size_t bytes = 0;
  for (uint32_t tensor : totalsOf[stage])
    bytes += layout.tableBytes(tensor);
  if (isStaged())
    totalsHere.resize(std::max(totalsHere.size(), bytes));
  std::vector<Span<char>> here;
  char *room = totalsHere.data();
  for (size_t i = 0; i < places.size(); ++i) {
    here.push_back({isStaged() ? room : places[i], layout.tableBytes(totalsOf[stage][i])});
    room += isStaged() ? here.back().size() : 0;
  }
  return here;
}

void RankShare::move(const std::vector<Span<char>> &here, const std::vector<char *> &places, bool isOut) {
  for (size_t i = 0; i < here.size() && isStaged(); ++i)
    isOut ? engine.copyOut(here[i].data(), places[i], here[i].size())
          : engine.copyIn(places[i], here[i].data(), here[i].size());
}

/// In the place of the part before those of this rank lies what the ranks before it have.
void RankShare::foldTotals(size_t stage, StreamWorker &worker) {
  const std::vector<TotalParts> &totals = layout.totals(stage);
  worker.awaitAll();
  const Range mine = intervals.ours(layout.stages()[stage].type);
  const int64_t before = mine.begin > 0 ? 1 : 0;
  std::vector<char *> places;
  for (uint32_t tensor : totalsOf[stage]) {
    places.push_back(worker.tables().placed()[tensor]); // of one interval
    for (const TotalParts &total : totals)
      if (steps[total.step][total.operand].tensor == tensor)
        places.back() = worker.totalOf(total, mine.begin - before);
  }
  if (before)
    takeTotals(stage, places);
  for (const TotalParts &total : totals)
    worker.foldParts(total, worker.totalOf(total, mine.begin - before), mine.end - mine.begin + before);
  passTotals(stage, worker.tables().placed());
}

/// Of a rank that is not the first: fills the place of each total with that of the ranks before it.
void RankShare::takeTotals(size_t stage, const std::vector<char *> &places) {
  const std::vector<Span<char>> here = onTheWay(stage, places);
  std::vector<Comm::Receive> receives;
  for (const Span<char> &total : here)
    receives.push_back({comm.rank() - 1, total});
  if (receives.empty())
    return;
  ofEngine().exchange({}, receives, "the sums of the ranks before it, of " + nameOf(totalsOf[stage][0]));
  move(here, places, /*isOut=*/false);
}

/// The last rank has the totals of all.
void RankShare::passTotals(size_t stage, const std::vector<char *> &bases) {
  const int last = comm.size() - 1;
  std::vector<char *> places;
  for (uint32_t tensor : totalsOf[stage])
    places.push_back(bases[tensor]);
  if (places.empty())
    return;
  const std::string first = nameOf(totalsOf[stage][0]);
  const std::vector<Span<char>> here = onTheWay(stage, places);
  move(here, places, /*isOut=*/true);
  std::vector<Comm::Send> sends;
  std::vector<Comm::Receive> receives;
  for (const Span<char> &total : here) {
    const Span<const char> sent(total.data(), total.size());
    if (comm.rank() < last) {
      sends.push_back({comm.rank() + 1, sent});
      receives.push_back({last, total});
    } else
      for (int other = 0; other < last; ++other)
        sends.push_back({other, sent});
  }
  if (comm.rank() == last)
    return ofEngine().exchange(sends, {}, "the sums of all ranks, of " + first);
  ofEngine().exchange(sends, {}, "the sums of the ranks before it, of " + first);
  ofEngine().exchange({}, receives, "the sums of all ranks, of " + first);
  move(here, places, /*isOut=*/false);
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

void RankShare::exchangeTables(size_t stage, const std::vector<char *> &bases) {
  for (const Part &part : ofStages[stage])
    exchange(part, bases);
}

void RankShare::fetch(uint32_t tensor, const std::vector<char *> &bases) {
  const auto found = onDemand.find(tensor);
  if (found != onDemand.end() && complete.insert(tensor).second)
    exchange(found->second, bases);
}

void RankShare::exchange(const Part &part, const std::vector<char *> &bases) {
  const size_t rowBytes = layout.rowBytes(part.tensor);
  char *table = bases[part.tensor];
  if (part.isOfEdges)
    return exchangeEdges(part, table);
  Spill &spill = data.spillOf(part.tensor);
  if (layout.isSpilled(part.tensor) && spill.isMemory())
    return exchangeRows(part, spill.memory(layout.place(part.tensor)), comm);
  std::vector<int64_t> begins;
  for (int rank = 0; rank < comm.size(); ++rank)
    begins.push_back(rowsOf(part.type, rank).begin);
  begins.push_back(rowsOf(part.type, comm.size() - 1).end);
  const std::string what = "rows of " + nameOf(part.tensor);
  if (layout.isSpilled(part.tensor))
    return exchangeInPieces(
        what, begins, rowBytes,
        [&](char *here, int64_t row, int64_t rows) {
          data.load(part.tensor, layout.place(part.tensor), row, rows, rowBytes, here);
        },
        [&](const char *here, int64_t row, int64_t rows) {
          spill.write(SpillFile::Tables, here, size_t(rows) * rowBytes,
                      layout.place(part.tensor) + uint64_t(row) * rowBytes);
        });
  if (!isStaged())
    return exchangeRows(part, table, ofEngine());
  const size_t there = layout.bytesOfVertex(part.tensor, part.type);
  exchangeInPieces(
      what, begins, there,
      [&](char *here, int64_t row, int64_t rows) {
        engine.copyOut(here, table + size_t(row) * there, size_t(rows) * there);
      },
      [&](const char *here, int64_t row, int64_t rows) {
        engine.copyIn(table + size_t(row) * there, here, size_t(rows) * there);
      });
}

/// Of a table that lies where `by` sends and receives.
void RankShare::exchangeRows(const Part &part, char *table, Exchange &by) {
  const size_t rowBytes = layout.bytesOfVertex(part.tensor, part.type);
  auto rowsOfRank = [&](int rank) -> Span<char> {
    const Range rows = rowsOf(part.type, rank);
    return {table + size_t(rows.begin) * rowBytes, size_t(rows.end - rows.begin) * rowBytes};
  };
  std::vector<Span<char>> all;
  for (int rank = 0; rank < comm.size(); ++rank)
    all.push_back(rowsOfRank(rank));
  const Span<char> own = all[size_t(comm.rank())];
  by.exchangeWithAll({own.data(), own.size()}, all, "rows of " + nameOf(part.tensor));
}

/// Of all ranks at a time: `begins` to the next of them is what each of these has. `take` has this rank's, `put` gets
/// what others have.
void RankShare::exchangeInPieces(const std::string &what, const std::vector<int64_t> &begins, size_t bytesOfEach,
                                 const Take &take, const Put &put) {
  const int64_t atOnce = std::max<int64_t>(int64_t(bytesOfRankPiece / std::max<size_t>(bytesOfEach, 1)), 1);
  int64_t most = 0;
  for (size_t rank = 0; rank + 1 < begins.size(); ++rank)
    most = std::max(most, begins[rank + 1] - begins[rank]);
  for (int64_t done = 0; done < most; done += atOnce) {
    auto rangeOf = [&](int rank) -> Range {
      const int64_t end = begins[size_t(rank) + 1], begin = std::min(begins[size_t(rank)] + done, end);
      return {begin, std::min(begin + atOnce, end)};
    };
    std::vector<Comm::Send> sends;
    std::vector<Comm::Receive> receives;
    for (int rank = 0; rank < comm.size(); ++rank) {
      const Range range = rangeOf(rank);
      const size_t bytes = size_t(range.end - range.begin) * bytesOfEach;
      std::vector<char> &piece = pieces[size_t(rank)];
      piece.resize(std::max(piece.size(), bytes)); // of a row that is larger than a piece
      if (rank != comm.rank())
        receives.push_back({rank, {piece.data(), bytes}});
    }
    const Range own = rangeOf(comm.rank());
    char *from = pieces[size_t(comm.rank())].data();
    take(from, own.begin, own.end - own.begin);
    for (const Comm::Receive &receive : receives)
      sends.push_back({receive.from, {from, size_t(own.end - own.begin) * bytesOfEach}});
    comm.exchange(sends, receives, what);
    for (const Comm::Receive &receive : receives) {
      const Range range = rangeOf(receive.from);
      put(receive.bytes.data(), range.begin, range.end - range.begin);
    }
  }
}

/// Numbers lie by edge id, those of a rank anywhere.
void RankShare::exchangeEdges(const Part &part, char *place) {
  std::vector<char> copied(data.file().isMemory() ? layout.tableBytes(part.tensor) : 0);
  char *table = copied.empty() ? place : copied.data();
  if (!copied.empty())
    engine.copyOut(table, place, copied.size());
  const EdgeOwners &edges = owners.at(part.edges);
  const size_t rowBytes = layout.rowBytes(part.tensor);
  auto at = [&](int64_t i) { return table + size_t(edges.ids[size_t(i)]) * rowBytes; };
  exchangeInPieces(
      "numbers of edges of " + nameOf(part.tensor), edges.begins, rowBytes,
      [&](char *here, int64_t first, int64_t count) {
        for (int64_t i = 0; i < count; ++i)
          std::memcpy(here + size_t(i) * rowBytes, at(first + i), rowBytes);
      },
      [&](const char *here, int64_t first, int64_t count) {
        for (int64_t i = 0; i < count; ++i)
          std::memcpy(at(first + i), here + size_t(i) * rowBytes, rowBytes);
      });
  if (!copied.empty())
    engine.copyIn(place, table, copied.size());
}

} // namespace gnn::rt
