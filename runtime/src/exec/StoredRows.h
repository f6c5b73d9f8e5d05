//===- StoredRows.h - Rows of earlier layers that are kept ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Answers for a few vertices read hubs again and again. Of chosen vertices this keeps what others read of them through
// edges, so that a run takes these rows as inputs and does not go over their edges. A row is of a graph that changes:
// it is forgotten when something that it depends on changes, and kept anew by the next run that makes it. While answers
// are about a moment before that, the row stays beside the new one as it was then. Any number of threads at once.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_STOREDROWS_H
#define GNN_EXEC_STOREDROWS_H

#include "runtime/src/engine/Engine.h"
#include "runtime/src/exec/PlaceMap.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>

namespace gnn::rt {

/// A tensor that steps make and sweeps read at the other end of edges.
struct StoredTensor {
  uint32_t tensor, vertexType;
  int32_t depth;        // of the deepest rows that are read so
  size_t bytes, offset; // in what is kept of a vertex
};

class StoredLayout {
public:
  /// The program must have no obstacle (Obstacles.h).
  StoredLayout(const Engine &engine, const Library &library, const Dims &dims, const gnn_program_t &program);

  /// Null for others.
  const StoredTensor *find(uint32_t tensor) const;
  uint32_t numTypes() const { return uint32_t(bytes.size()); }
  /// Bytes that are stored for a vertex; 0 if nothing is stored.
  size_t bytesOf(uint32_t vertexType) const { return bytes[vertexType]; }
  /// A vertex that is read at depth `deepest` or before, but not as a seed, may be taken from what is kept.
  int32_t deepest(uint32_t vertexType) const { return depths[vertexType]; }
  /// Calls `body(tensor)` for what is read of a vertex from a depth on.
  template <class Body> void forParts(uint32_t vertexType, int32_t depth, Body body) const {
    for (const StoredTensor &each : tensors)
      if (each.vertexType == vertexType && each.depth >= depth)
        body(each);
  }
  /// With all that goes with it, but a row as it was before.
  size_t costOf(uint32_t vertexType) const;

private:
  std::vector<StoredTensor> tensors;
  std::vector<size_t> bytes;   // [vertex types]
  std::vector<int32_t> depths; // [vertex types]
};

class StoredRows {
public:
  static constexpr uint32_t none = UINT32_MAX;

  /// `chosen`: [vertex types] rows of whole tables, each once. Nothing is known, and nothing ever will be of moments
  /// before `first`.
  StoredRows(const StoredLayout &layout, const std::vector<std::vector<int64_t>> &chosen, uint64_t first);

  const StoredLayout &layout() const { return fields; }
  const std::vector<int64_t> &chosen(uint32_t vertexType) const { return types[vertexType].vertices; }
  /// Where a vertex is kept, if it was chosen.
  uint32_t slotOf(uint32_t vertexType, int64_t vertex) const {
    return types[vertexType].slots.find(uint32_t(vertex), none);
  }

  // A part of a row is what is made at one depth; what is read at a depth are the parts from there on. Graphs have
  // moments, which ascend as they change.

  /// Answers are about this moment from now on: what changes later stays as it is then, until answers are about two
  /// later ones in turn. An earlier moment than the last one changes nothing.
  void serve(uint64_t moment);

  /// Whether a row is known as it is at a moment, from `depth` on. If so, copies it.
  bool read(uint32_t vertexType, uint32_t slot, int32_t depth, uint64_t moment, char *to) const;
  /// Keeps a row from `depth` on, as a run at a moment has made it; not if it has changed since.
  void write(uint32_t vertexType, uint32_t slot, int32_t depth, uint64_t moment, const char *from);
  /// The row of a vertex has changed, up to `depth`, once or several times after the moment `unchanged` and not after
  /// `moment`. So the row that was known is right up to `unchanged`, and one that is made now is right from `moment`
  /// on. `unchanged` is at least the `moment` of earlier calls, and the served moment.
  void forget(uint32_t vertexType, int64_t vertex, int32_t depth, uint64_t unchanged, uint64_t moment);
  /// Copies what another one of the same layout knows.
  void inherit(const StoredRows &before);
  /// Rows that were read so far.
  uint64_t numRead() const { return reads.load(std::memory_order_relaxed); }
  /// The vertices whose rows are not known, from `depth` on.
  std::vector<int64_t> unknown(uint32_t vertexType, int32_t depth) const;

private:
  /// The validity of a part of a row.
  struct Part {
    uint64_t changed; // when
    bool isKnown;
  };
  /// A row as it was before: each part from one moment until another.
  struct Earlier {
    struct Moments {
      uint64_t from, until;
    };
    Earlier(int32_t depths, size_t bytes) : parts(size_t(depths), Moments{0, 0}), row(bytes) {}

    std::vector<Moments> parts; // [depths], from depth 1 on
    Buffer<char> row;
  };
  struct OfType {
    std::vector<int64_t> vertices{}; // [slots]
    PlaceMap slots{};
    std::vector<Part> parts{};                       // [slots][depths], from depth 1 on
    Buffer<char> rows{};                             // [slots][bytes]
    std::vector<std::unique_ptr<Earlier>> earlier{}; // [slots] null: nothing
  };

  Part &part(uint32_t vertexType, uint32_t slot, int32_t depth) {
    return types[vertexType].parts[size_t(slot) * size_t(fields.deepest(vertexType)) + size_t(depth - 1)];
  }
  const Part &part(uint32_t vertexType, uint32_t slot, int32_t depth) const {
    return const_cast<StoredRows *>(this)->part(vertexType, slot, depth);
  }
  const char *rowOf(uint32_t vertexType, uint32_t slot) const {
    return types[vertexType].rows.data() + size_t(slot) * fields.bytesOf(vertexType);
  }
  char *rowOf(uint32_t vertexType, uint32_t slot) {
    return types[vertexType].rows.data() + size_t(slot) * fields.bytesOf(vertexType);
  }
  const char *partAt(uint32_t vertexType, uint32_t slot, int32_t depth, uint64_t moment) const;
  void keepEarlier(uint32_t vertexType, uint32_t slot, int32_t depth, uint64_t until);
  std::mutex &mutexOf(uint32_t slot) const { return mutexes[slot % mutexes.size()]; }

  const StoredLayout fields;
  std::vector<OfType> types;
  mutable std::array<std::mutex, 64> mutexes; // of the slots in turn
  mutable std::atomic<uint64_t> reads{0};
  std::atomic<uint64_t> servedEnd{0}; // one more than the moment that answers are about; 0: there is none
};

/// The stored rows that one run reads and writes.
class StoredUse {
public:
  /// Begins a run over a graph at a moment; without stored rows, `stored` is null.
  void begin(StoredRows *stored, uint64_t moment);

  const StoredRows *rows() const { return stored; }
  /// Whether the rows of a vertex that is met at a depth are known: then they are taken, as the next of its type. If
  /// they are not, but could be, the run makes them as row `place` of its tables.
  bool take(uint32_t vertexType, int64_t vertex, int32_t depth, uint32_t place);
  /// The run makes them whatever is known.
  void expect(uint32_t vertexType, int64_t vertex, int32_t depth, uint32_t place);

  /// Calls `body(i, row)` for the vertices that were taken from `depth` or before.
  template <class Body> void forTaken(uint32_t vertexType, int32_t depth, Body body) {
    for (size_t i = 0; i < types[vertexType].taken.size(); ++i)
      if (types[vertexType].taken[i] <= depth)
        body(i, types[vertexType].takenRows.data() + i * stored->layout().bytesOf(vertexType));
  }
  /// Calls `body(place, row)` for the vertices whose rows at that depth are to be kept.
  template <class Body> void forMade(uint32_t vertexType, int32_t depth, Body body) {
    for (size_t i = 0; i < types[vertexType].made.size(); ++i)
      if (types[vertexType].made[i].depth <= depth)
        body(types[vertexType].made[i].place,
             types[vertexType].madeRows.data() + i * stored->layout().bytesOf(vertexType));
  }
  /// Once all are met: there is room for what is made.
  void prepare();
  /// Keeps what was made.
  void finish();

private:
  struct Made {
    uint32_t slot, place;
    int32_t depth;
  };
  struct OfType {
    std::vector<int32_t> taken{}; // depths
    std::vector<Made> made{};
    std::vector<char> takenRows{}, madeRows{};
  };

  StoredRows *stored = nullptr;
  uint64_t moment = 0;
  std::vector<OfType> types;
};

} // namespace gnn::rt

#endif // GNN_EXEC_STOREDROWS_H
