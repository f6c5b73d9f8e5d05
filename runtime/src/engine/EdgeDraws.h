//===- EdgeDraws.h - Edges that devices draw --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws edges of many rows at once on an engine with device memory, with exactly the result that the processor has.
// Cached rows are read from the engine's own memory, rows cached by peers from the peers' memory, and all other rows in
// place from host memory.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ENGINE_EDGEDRAWS_H
#define GNN_ENGINE_EDGEDRAWS_H

#include "runtime/src/engine/EdgeChooser.h"

#include <memory>
#include <utility>
#include <vector>

namespace gnn::rt {

class Binding;

/// How edges of a row are drawn, all alike: drawUniform, or drawRepeated, of at most so many.
struct RowDraw {
  uint64_t seed; // of the draws of a row with an id: this + mix64(id + goldenGamma)
  int64_t most;  // at most EdgeDraws::mostOfRow
  bool isRepeated;
};

/// Used by one thread at a time, beside the thread of the engine.
class EdgeDraws {
public:
  /// A row has no more of its edges drawn: each is looked for among those before.
  static constexpr int64_t mostOfRow = 64;
  struct Counts {
    uint64_t rows = 0, edges = 0;         // that were drawn
    uint64_t keptRows = 0, keptEdges = 0; // of these in rows that the engine keeps,
    uint64_t peerRows = 0, peerEdges = 0; // and in those that others keep

    void operator+=(const Counts &more) {
      rows += more.rows;
      edges += more.edges;
      keptRows += more.keptRows;
      keptEdges += more.keptEdges;
      peerRows += more.peerRows;
      peerEdges += more.peerEdges;
    }
  };

  virtual ~EdgeDraws() = default;
  /// Instead of what is there. Throws GNN_ERROR_MEMORY if the engine has no room for what is drawn.
  virtual void draw(const RowsOfEdges &rows, const RowDraw &how, ChosenEdges &chosen) = 0;
  /// Memory of the engine for draws as large as all so far; takes as much as that of others, with some to spare.
  virtual size_t bytes() const = 0;
  virtual void reserve(size_t bytes) = 0;

  /// Since it was set to none.
  Counts counts{};
};

/// Rows of edges that an engine draws of.
class DrawTables {
public:
  virtual ~DrawTables() = default;
  virtual std::unique_ptr<EdgeDraws> draws() = 0;
  /// Relations, each in a direction.
  virtual size_t numTables() const = 0;
  /// While nobody draws: of a relation in a direction each of `group`, of which this is the first, keeps these rows in
  /// memory of its engine from now on, and no others: [group] ascending, none twice. They are of engines of a kind that
  /// reach each other's memory. Rows of one from the first on with which it would have 2^32 edges are left out. [group]
  /// the bytes: a word a row and one an edge, and bytesBeside.
  virtual std::vector<size_t> keep(uint32_t relation, uint32_t direction, const std::vector<DrawTables *> &group,
                                   const std::vector<std::vector<uint32_t>> &rows) = 0;
  /// Memory beside the rows, for a table in a group of `group` engines.
  static constexpr size_t bytesBeside(size_t group) { return 8 + group * 24; }
};

/// Capability of an engine with device memory.
class DeviceSampler {
public:
  virtual ~DeviceSampler() = default;
  /// Tables of relations of a binding, each in a direction. Null if the engine can't read the memory of this process.
  /// The engine and the binding must outlive it.
  virtual std::shared_ptr<DrawTables> drawTables(const Binding &binding,
                                                 const std::vector<std::pair<uint32_t, uint32_t>> &of) = 0;
};

} // namespace gnn::rt

#endif // GNN_ENGINE_EDGEDRAWS_H
