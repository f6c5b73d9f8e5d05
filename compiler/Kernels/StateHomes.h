//===- StateHomes.h - Where states of a row are -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every home folds the edges of a row, segment by segment. Where a reduction has a selector, all of its entries are in
// memory beside registers: the one at hand is in registers, and is exchanged when an edge has another. Edges of a row
// are sorted by type: the loop over them is then Seastar's pair of loops over types and the edges of a type (Wu et al.
// 2021, section 6.3.5), and right in any order.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_STATEHOMES_H
#define GNNC_KERNELS_STATEHOMES_H

#include "compiler/Kernels/PanelProduct.h"
#include "compiler/Kernels/Sweep.h"

namespace gnnc {

/// The values that the loop over edges carries, at the points of what an edge contributes: the states of `whole`; the
/// states of `selected`, whose reductions have a selector, in the current entry; and the current entry of each
/// selector.
struct Parts {
  llvm::SmallVector<Part> whole, selected;
};

/// States as values that the loop over edges carries.
class StateValues : SweepPart {
public:
  explicit StateValues(Sweep &sweep) : SweepPart(sweep) {}

  /// The parts of all reductions at the points that `pointsOf` gives of each.
  Parts partsOf(llvm::function_ref<llvm::SmallVector<Point>(gnn::FieldType)> pointsOf);
  /// The states of `parts` after the edge at hand. `stepParts` also makes the maxima in `before` the running ones.
  Values stepEach(llvm::ArrayRef<Part> parts, mlir::ValueRange before);
  Values stepParts(llvm::ArrayRef<Part> parts, mlir::ValueRange before);
  Values partState(llvm::ArrayRef<Part> parts, mlir::ValueRange values, unsigned reduction, const Point &point);
  mlir::ValueRange stateOf(llvm::ArrayRef<Part> parts, unsigned part, mlir::ValueRange values) const;
  llvm::SmallVector<mlir::Type> partTypes(llvm::ArrayRef<Part> parts) const;
  /// The states of `parts` in `memory`, one after the other.
  Values load(const StateMemory &memory, llvm::ArrayRef<Part> parts);
  void store(const StateMemory &memory, llvm::ArrayRef<Part> parts, mlir::ValueRange values);
  Values identities(llvm::ArrayRef<Part> parts);

  // Reductions with a selector.
  void addFreshEntries(llvm::ArrayRef<Part> selected, Values &carried);
  void exchangeEntries(llvm::ArrayRef<Part> parts, Values &carried);
  void storeEntries(llvm::ArrayRef<Part> parts, mlir::ValueRange carried);
  void forEachEntry(llvm::ArrayRef<Part> parts, llvm::function_ref<void(unsigned, const Point &)> body);
};

/// States in buffers, updated by nests of loops inside the loop over edges, or, of few elements, in registers while a
/// segment is folded.
class MemoryStates : protected SweepPart, public RowStates {
public:
  explicit MemoryStates(StateValues &values, Sweep &sweep) : SweepPart(sweep), values(values) {}

  /// How states in memory are gone through: single elements or vectors; one state after the other, or those of the
  /// same size together, where what is done needs no other state.
  struct Walk {
    bool scalar, together;
  };

  /// Emits the code before the edges of a row.
  void start();
  Values open() override;
  Values fold(mlir::Value isLater, mlir::Value from, mlir::Value to, mlir::ValueRange carried) override;
  Values close(mlir::ValueRange, mlir::Value hadTotal) override {
    closeStates(hadTotal);
    return {};
  }
  void finish(mlir::ValueRange segment) override;
  void spill(mlir::ValueRange) override { spillStates(); }

  // The same for the states in memory beside registers: all, or those of the entries of `parts`.
  void closeStates(mlir::Value hadTotal, llvm::ArrayRef<Part> parts = {});
  void finishStates(llvm::ArrayRef<Part> parts = {});
  void spillStates(llvm::ArrayRef<Part> parts = {});

  /// Emits the body of an edge: its results, and its steps of the states in memory.
  llvm::SmallVector<Sink> stepSinks();

protected:
  StateValues &values;

private:
  using Body = llvm::function_ref<void(unsigned reduction, const Point &point)>;
  void forEachState(llvm::ArrayRef<Part> parts, Walk walk, Body body);
  void copy(llvm::ArrayRef<Part> parts, const StateMemory &from, const StateMemory &to);
  void reset(llvm::ArrayRef<Part> parts, const StateMemory &memory, bool scalar);
  Values merged(unsigned reduction, const Point &point) {
    return states.merge(reduction, point, states.in(sweep.totals), states.in(sweep.segments));
  }
  void foldWithin(const Bounds &bounds, mlir::Value from, mlir::Value to);
};

/// The states of parts of all reductions in registers.
class RegisterStates : SweepPart, public RowStates {
public:
  RegisterStates(StateValues &values, MemoryStates &memory, Sweep &sweep)
      : SweepPart(sweep), values(values), memory(memory) {}

  void sweepRow();
  /// Folds the edges of a row into registers for the points that `pointsOf` gives of each reduction, and spills what
  /// they hold or hands it, closed, to `finish`.
  void reduceParts(llvm::function_ref<llvm::SmallVector<Point>(gnn::FieldType)> pointsOf,
                   llvm::function_ref<void(mlir::ValueRange closed)> finish);
  /// Makes the results of `parts` known to `end`. `closed`: the states of the whole ones.
  void bindClosed(mlir::ValueRange closed);
  /// The states of the whole parts among `carried`.
  auto in(mlir::ValueRange carried) {
    return [this, carried](unsigned reduction, const Point &point) {
      return values.partState(parts.whole, carried, reduction, point);
    };
  }

  Values open() override;
  Values fold(mlir::Value, mlir::Value from, mlir::Value to, mlir::ValueRange carried) override;
  Values close(mlir::ValueRange segment, mlir::Value hadTotal) override;
  Values leave(Values segment) override;
  void finish(mlir::ValueRange segment) override;
  void spill(mlir::ValueRange segment) override;

  Parts parts; // that the row is being folded into

private:
  void syncDealt();
  void readEdge();
  Values closeParts(mlir::ValueRange segment, mlir::Value hadTotal);

  StateValues &values;
  MemoryStates &memory;
  llvm::function_ref<void(mlir::ValueRange closed)> finishParts;
};

/// A tile of the last dimension in registers. The loop over tiles is around the loop over edges, so states stay in
/// registers however wide a row is. On processors all tiles fold a segment before any folds the next. On devices the
/// threads of a group walk the edges of a row together, each with vectors of its own (Wu et al. 2021, section 6.3:
/// feature-adaptive groups, vertex-parallel and edge-sequential): an element is folded by one thread in the order of
/// the edges, so its bits are those that a processor gives.
class TileStates : SweepPart, public RowStates {
public:
  TileStates(StateValues &values, MemoryStates &memory, RegisterStates &registers, Sweep &sweep)
      : SweepPart(sweep), values(values), memory(memory), registers(registers) {}

  void sweepThreadTiles();

  Values open() override;
  Values fold(mlir::Value isLater, mlir::Value from, mlir::Value to, mlir::ValueRange carried) override;
  Values close(mlir::ValueRange segment, mlir::Value hadTotal) override;
  void finish(mlir::ValueRange segment) override;
  void spill(mlir::ValueRange segment) override;

private:
  /// The type that tiles are parts of.
  gnn::FieldType type() const { return layout.reductions[0].contributed; }
  int64_t lanes() const { return fields.points.lanes(type()); }
  unsigned tileVectors(unsigned usual = 8);
  std::pair<Index, Index> lastDimension();
  void forEachOuter(llvm::function_ref<void()> body);
  void sweepKnownWidth(Index from, Index end, int64_t width);
  void sweepOpenWidth(Index from, Index end);
  void sweepWithoutMasks(Index from, Index end);
  void sweepRange(Index from, Index to, int64_t vectors, bool masked);
  Index sweepWholeTiles(Index from, Index end, int64_t vectors, int64_t missing = 0);
  void sweepTile(llvm::ArrayRef<Point> points);
  void finishTile(llvm::ArrayRef<Point> points, mlir::ValueRange closed);
  void emitEndOfTile(llvm::ArrayRef<Point> points);
  void endRow();
  void endPass();

  // Tiles of a segment.
  /// The edges that tiles fold, and whether their states begin with them.
  struct Segment {
    mlir::Value from, to, isFresh;
  };
  void foldTile(llvm::ArrayRef<Point> points);
  void forEachVector(llvm::function_ref<void(const Point &)> body);
  void forEachTileState(llvm::function_ref<void(unsigned reduction, const Point &point)> body);
  void copy(const StateMemory &from, const StateMemory &to) {
    forEachTileState([&](unsigned index, const Point &point) { states.copy(from, to, index, point); });
  }
  StateMemory openSegment();

  // Tiles dealt out to threads.
  void walkTiles(int64_t maxParts);
  void walkVectors(Index first, int64_t parts, Index count);

  StateValues &values;
  MemoryStates &memory;
  RegisterStates &registers;
  llvm::SmallVector<Index, 3> outer; // all but the last coordinate of the tile
  Segment segment;
  mlir::Value endsInSegment; // whether the row ends here, and is of one segment
};

/// States in memory, behind panels of edges that have products with parameters.
class PanelStates : public MemoryStates {
public:
  using MemoryStates::MemoryStates;

  /// Packs the parameters, once a call.
  void pack();
  Values fold(mlir::Value isLater, mlir::Value from, mlir::Value to, mlir::ValueRange carried) override;

private:
  /// A product of a panel of edges, after the fields that it is made of.
  struct PanelStage {
    PanelProduct product;
    llvm::SmallVector<Fill> fills; // that no stage before has, by edge
    Memory x, result;              // by edge
    bool copiesX, isFolded;
  };
  /// Edges of a panel: what they carry stays in the first caches.
  static constexpr int64_t panelEdges = 48;

  std::optional<Memory> stagedMemory(mlir::Value field) const;
  void runStage(unsigned index, mlir::Value to);
  Memory ofEdge(const Memory &memory, gnn::FieldType type, mlir::Value edge);
  void bindPanelEdge(mlir::Value edge, unsigned numStages);
  void foldTiles(PanelStage &stage, mlir::Value to);
  Values foldBlock(PanelStage &stage, llvm::ArrayRef<Part> parts, llvm::ArrayRef<Point> points, const ColumnTile &tile,
                   mlir::Value start, unsigned rows, mlir::ValueRange before);

  std::vector<PanelStage> stages;
  mlir::Value panelStart; // the first edge of the panel
};

} // namespace gnnc

#endif // GNNC_KERNELS_STATEHOMES_H
