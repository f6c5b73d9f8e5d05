//===- RankShare.h - What a rank does of a streamed program -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rank runs some consecutive intervals of each stage. It sends to all ranks what the rows of others will read: rows
// of tables, numbers of edges, and totals. Totals pass from rank to rank, so that parts are added in the order of
// intervals. Rows that only their own rank reads again stay there.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_RANKSHARE_H
#define GNN_STREAM_RANKSHARE_H

#include "runtime/src/comm/Comm.h"
#include "runtime/src/stream/RankOutputs.h"
#include "runtime/src/stream/StreamWorker.h"

#include <functional>
#include <map>
#include <set>

namespace gnn::rt {

class RankShare : StreamedProgram {
public:
  using Range = Intervals::Range;

  /// The edges of the binding must be there; all arguments must outlive this. What ranks exchange is in the memory of
  /// the engine, or in `data`. The first goes from engine to engine where these are linked (RankLinks).
  RankShare(Comm &comm, Engine &engine, const StreamLayout &layout);

  // In a run, while the engine does nothing. `bases` are those of tensors that are whole.

  void begin() { complete.clear(); }
  /// After a stage that `worker` has ended: it has the totals of all ranks.
  void foldTotals(size_t stage, StreamWorker &worker);
  /// After a stage: what all ranks need of it.
  void exchangeTables(size_t stage, const std::vector<char *> &bases);
  /// After a run, in all ranks: the rows of a result that other ranks have.
  void fetch(uint32_t tensor, const std::vector<char *> &bases);

private:
  /// A table of which each rank makes some rows, or numbers of its rows' edges.
  struct Part {
    uint32_t tensor, type;
    bool isOfEdges;
    Residents::Edges edges; // of those, the sweep's
  };
  /// Ids of edges in the order of rows, and where those of each rank begin.
  struct EdgeOwners {
    std::vector<int64_t> ids, begins; // [ranks + 1]
  };

  Range rowsOf(uint32_t type, int rank) const { return data.intervals().rowsOfRank(type, rank); }
  void add(const RankOutput &output);
  void addOwners(const Residents::Edges &edges, uint32_t rowType);
  /// True if exchanged data of the engine's memory are staged in host memory.
  bool isStaged() const { return engine.hasDeviceMemory() && !link; }
  /// The exchange of data that are not staged.
  Exchange &ofEngine() { return link ? *link : comm; }
  std::vector<Span<char>> onTheWay(size_t stage, const std::vector<char *> &places);
  void move(const std::vector<Span<char>> &here, const std::vector<char *> &places, bool isOut);
  void takeTotals(size_t stage, const std::vector<char *> &places);
  void passTotals(size_t stage, const std::vector<char *> &bases);
  std::string nameOf(uint32_t tensor) const;
  void exchange(const Part &part, const std::vector<char *> &bases);
  void exchangeRows(const Part &part, char *table, Exchange &by);
  using Take = std::function<void(char *here, int64_t first, int64_t count)>;
  using Put = std::function<void(const char *here, int64_t first, int64_t count)>;
  void exchangeInPieces(const std::string &what, const std::vector<int64_t> &begins, size_t bytesOfEach,
                        const Take &take, const Put &put);
  void exchangeEdges(const Part &part, char *table);

  Comm &comm;
  Engine &engine;
  Exchange *const link; // between the memories of the engines of all ranks; may be null
  const StreamLayout &layout;
  const std::vector<RankOutput> outputs;       // of the program
  std::vector<std::vector<Part>> ofStages;     // for all ranks
  std::vector<std::vector<uint32_t>> totalsOf; // [stages] those of one interval too, which StreamLayout has no parts of
  std::map<uint32_t, Part> onDemand;           // results, by tensor
  std::set<uint32_t> complete;                 // of these, in this run
  std::map<Residents::Edges, EdgeOwners> owners;
  std::vector<std::vector<char>> pieces; // [ranks] of what is on its way to or from the file, or the engine's memory
  std::vector<char> totalsHere;          // the same of totals
};

} // namespace gnn::rt

#endif // GNN_STREAM_RANKSHARE_H
