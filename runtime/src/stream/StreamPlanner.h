//===- StreamPlanner.h - Into what a limit of memory makes a graph *- C++ -*-=//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many intervals there are, and what stays in the memory of the engine as a whole: that which saves most bytes of
// the file, or of copies, for each byte that it holds, as far as the limit goes.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_STREAM_STREAMPLANNER_H
#define GNN_STREAM_STREAMPLANNER_H

#include "runtime/src/comm/Comm.h"
#include "runtime/src/stream/ColRelays.h"
#include "runtime/src/stream/ResidentSearch.h"
#include "runtime/src/stream/StreamLayout.h"

#include <optional>

namespace gnn::rt {

/// The number of edges of each relation of a binding, for `exchangeBytes`.
inline auto edgesOf(const Binding &binding) {
  return [&binding](uint32_t relation) { return binding.relation(relation).numEdges(); };
}

/// Chunks are this squared at most.
constexpr int64_t mostIntervals = 512;

struct MemoryLimit {
  size_t bytes;            // of the engine
  std::string spillFolder; // on a disk: what lies in a tmpfs counts as memory
  int64_t intervals = 0;   // of vertices; 0: those that read and write least
  Comm *comm = nullptr;    // ranks that run together, each within the limit; there is an interval for each at least
  uint64_t passOver = bytesOfSeek;           // SpilledData::passOver
  ColRoute route = ColRoute::Cheapest;       // where several engines compute together, each within the limit
  std::optional<CutBy> by = CutBy::Vertices; // none: what reads and writes least, if numbers are of one process and
                                             // engine and nobody says how many intervals there are, else Vertices
  std::shared_ptr<const Topology> topology = nullptr; // of the machine, with all of its GPUs; null: as it is found
  std::optional<size_t> ahead = std::nullopt; // bytes that are loaded ahead, as far as they fit; none: what is left
  size_t hostBytes = SIZE_MAX; // of this process, for one engine that has memory of its own: what is streamed lies
                               // there as far as it goes, and in files
  size_t held = 0;             // of this process by the caller: splits of the data, and what metrics take
};

/// The plan of all runs, fixed before the first.
struct StreamPlan {
  int64_t parts;               // intervals of vertices; 0: the whole graph is in memory
  size_t bytes;                // memory: data that stays, parameters and what belongs to them, executors
  uint64_t fileBytes = 0;      // of the spill file; of an engine that has memory of its own, in that of this process
  uint64_t hostBytes = 0;      // of such an engine: memory of this process, `fileBytes` and data that stay with it
  uint64_t belowBytes = 0;     // of the file below that
  uint64_t movedBelow = 0;     // of one run of each program, of what is below
  bool isFileInMemory = false; // then `bytes` has it, too
  uint64_t dataBytes = 0;      // of what is read of the data's own files
  uint64_t moved = 0;          // of one run of each program: bytes that are read and written, or copied
  uint64_t cost = 0;           // these, with what calls and seeks take
  size_t ahead = 0;            // of `bytes`, for what is loaded ahead beside the next interval and chunk
  Residents residents = {};
  std::optional<Residents> here = {}; // SpilledData::keepHere
  CutBy by = CutBy::Vertices;
  bool isCached = true; // the system has room in its page cache for all that is read again and again
};

class StreamPlanner {
public:
  /// For programs of which one runs at a time. `otherBytes` are those of what the caller keeps; of an engine that has
  /// memory of its own, what it will take there. All arguments must
  /// outlive this.
  StreamPlanner(Engine &engine, const Library &library, const Binding &binding,
                const std::vector<const gnn_program_t *> &programs, size_t otherBytes, const MemoryLimit &limit);

  /// Throws GNN_ERROR_MEMORY, and says what would do, for a limit that is too low.
  StreamPlan choose() const;
  /// The least limit of the engine's memory that has room, in bytes, whatever this one's limit is.
  static size_t leastLimit(Engine &engine, const Library &library, const Binding &binding,
                           const std::vector<const gnn_program_t *> &programs, size_t otherBytes, MemoryLimit limit);
  /// The counts of chunks that were made for the plan.
  const std::shared_ptr<CountedChunks> &counted() const { return counts; }
  /// Whether a bound table lies in the file alone.
  bool isReleased(uint32_t tensor, const Residents &residents) const;

private:
  /// For one number of intervals, cut in one way, what is the same whatever stays in memory.
  struct Cut {
    std::unique_ptr<SpilledData> data; // nothing stays
    std::vector<std::shared_ptr<Prepared>> prepared;
    Residents free; // what is in memory anyway
    Residents all;
    ResidentSearch candidates;
  };
  /// The least limits that would suffice.
  struct Least {
    size_t bytes = SIZE_MAX, hostBytes = SIZE_MAX;

    void add(const Least &other) {
      bytes = std::min(bytes, other.bytes);
      hostBytes = std::min(hostBytes, other.hostBytes);
    }
  };
  Cut cutInto(int64_t parts, CutBy by, uint64_t passOver) const;
  void addCandidates(Cut &cut, const std::map<uint32_t, uint64_t> &ofTables,
                     const std::map<Residents::Edges, uint64_t> &ofEdges) const;
  StreamPlan planFor(const Cut &cut, Residents residents, const std::optional<Residents> &here, size_t ahead = 0) const;
  StreamPlan planFor(const Cut &cut, Residents residents, size_t ahead = 0) const;
  bool fits(const StreamPlan &plan, size_t most) const {
    return plan.bytes <= most && plan.hostBytes <= limit.hostBytes;
  }
  bool fits(const StreamPlan &plan) const { return fits(plan, limit.bytes); }
  StreamPlan keepHere(const Cut &cut, const StreamPlan &plan) const;
  StreamPlan leastOf(const Cut &cut) const;
  Least leastBytes(const Cut &cut) const;
  StreamPlan keepMost(const Cut &cut, size_t most) const;
  StreamPlan lookingAhead(const StreamPlan &plan) const;
  int64_t fewestIntervals(CutBy by, Least &least) const;
  StreamPlan leastCost(CutBy by, int64_t fewest) const;
  bool mayChooseCut() const;
  size_t boundBytes(uint32_t tensor, const SpilledData &planned) const;
  size_t keptDataBytes(const SpilledData &planned) const;
  size_t keptHostBytes(const SpilledData &planned) const;
  size_t orderBytes() const;
  std::string tooLittle(const std::string &what, const Least &least) const;

  Engine &engine;
  const Library &library;
  const Binding &binding;
  const std::vector<const gnn_program_t *> &programs;
  const size_t otherBytes;
  const MemoryLimit &limit;
  const std::shared_ptr<CountedChunks> counts;
};

} // namespace gnn::rt

#endif // GNN_STREAM_STREAMPLANNER_H
