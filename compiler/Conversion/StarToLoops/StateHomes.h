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

#ifndef GNNC_CONVERSION_STARTOLOOPS_STATEHOMES_H
#define GNNC_CONVERSION_STARTOLOOPS_STATEHOMES_H

#include "compiler/Conversion/StarToLoops/PanelProduct.h"
#include "compiler/Conversion/StarToLoops/Sweep.h"

namespace gnnc {

/// A part of a reduction whose state, or that of the entry at hand, is in registers.
struct Part {
  unsigned reduction;
  Point point; // of what an edge contributes
};
/// The values that the loop over edges carries: the states of `whole`; the states of `selected`, whose reductions
/// have a selector; and the current entry of each selector.
struct Parts {
  llvm::SmallVector<Part> whole, selected;
};

/// States as values that the loop over edges carries.
class StateValues : SweepPart {
public:
  explicit StateValues(Sweep &sweep) : SweepPart(sweep) {}

  /// The parts of all reductions at the points that `pointsOf` gives of each.
  Parts partsOf(llvm::function_ref<llvm::SmallVector<Point>(gnn::FieldType)> pointsOf);
  llvm::SmallVector<mlir::Value> stepParts(llvm::ArrayRef<Part> parts, mlir::ValueRange before);
  llvm::SmallVector<mlir::Value> partState(llvm::ArrayRef<Part> parts, mlir::ValueRange values, unsigned reduction,
                                           const Point &point);
  mlir::ValueRange stateOf(llvm::ArrayRef<Part> parts, unsigned part, mlir::ValueRange values) const;
  llvm::SmallVector<mlir::Type> partTypes(llvm::ArrayRef<Part> parts) const;
  llvm::SmallVector<mlir::Value> identities(llvm::ArrayRef<Part> parts);

  // Reductions with a selector.
  mlir::Value entryOf(unsigned selector);
  Point stateAt(const Reduction &reduction, const Point &point, Index entry);
  void addFreshEntries(llvm::ArrayRef<Part> selected, llvm::SmallVector<mlir::Value> &carried);
  void exchangeEntries(llvm::ArrayRef<Part> parts, llvm::SmallVector<mlir::Value> &carried);
  void storeEntries(llvm::ArrayRef<Part> parts, mlir::ValueRange carried);
  void forEachEntry(llvm::ArrayRef<Part> parts, llvm::function_ref<void(unsigned, const Point &)> body);
};

/// States in buffers, updated by nests of loops inside the loop over edges, or, of few elements, in registers while a
/// segment is folded.
class MemoryStates : SweepPart {
public:
  explicit MemoryStates(StateValues &values, Sweep &sweep) : SweepPart(sweep), values(values) {}

  /// How states in memory are gone through: single elements or vectors; one state after the other, or those of the
  /// same size together, where what is done needs no other state.
  struct Walk {
    bool scalar, together;
  };
  /// Calls `body` for points of reductions whose state is in memory.
  using EachState =
      llvm::function_ref<void(Walk walk, llvm::function_ref<void(unsigned reduction, const Point &point)> body)>;

  /// Emits the code before the edges of a row, and after them.
  void start();
  void sweepRow(llvm::function_ref<void(mlir::Value from, mlir::Value to)> foldEdges);
  void foldEdges(mlir::Value from, mlir::Value to);
  /// Emits the body of an edge: its results, and its steps of the states in memory.
  llvm::SmallVector<Sink> stepSinks();
  void forEachState(Walk walk, llvm::function_ref<void(unsigned, const Point &)> body);
  void closeSegment(EachState each, mlir::Value hadTotal);
  void finish(EachState each);
  void spill(EachState each);

private:
  void copy(EachState each, const StateMemory &from, const StateMemory &to);
  void reset(EachState each, const StateMemory &memory, bool scalar);
  mlir::Value ofAnySize(mlir::Value memref);
  StateMemory closed();
  llvm::SmallVector<mlir::Value> merged(unsigned reduction, const Point &point);
  void foldWithin(const Bounds &bounds, mlir::Value from, mlir::Value to);

  StateValues &values;
};

/// All states of a row in registers.
class RegisterStates : SweepPart {
public:
  RegisterStates(StateValues &values, MemoryStates &memory, Sweep &sweep)
      : SweepPart(sweep), values(values), memory(memory) {}

  void sweepRow();
  /// Folds the edges of a row into registers for the points that `pointsOf` gives of each reduction, and spills what
  /// they hold or hands it, closed, to `finish`.
  void reduceParts(llvm::function_ref<llvm::SmallVector<Point>(gnn::FieldType)> pointsOf,
                   llvm::function_ref<void(const Parts &parts, mlir::ValueRange closed)> finish);
  llvm::SmallVector<mlir::Value> foldParts(const Parts &parts, mlir::Value from, mlir::Value to,
                                           mlir::ValueRange carried);
  void bindClosed(const Parts &parts, mlir::ValueRange closed);

private:
  void syncDealt();
  void readEdge(const Parts &parts);
  llvm::SmallVector<mlir::Value> sweepParts(const Parts &parts);
  void spillParts(llvm::ArrayRef<Part> parts, mlir::ValueRange segment);
  llvm::SmallVector<mlir::Value> closeParts(llvm::ArrayRef<Part> parts, mlir::ValueRange segment, mlir::Value hadTotal);
  llvm::SmallVector<mlir::Value> closedParts(llvm::ArrayRef<Part> parts, mlir::ValueRange segment);

  StateValues &values;
  MemoryStates &memory;
};

/// A tile of the last dimension in registers. The loop over tiles is around the loop over edges, so states stay in
/// registers however wide a row is. On processors all tiles fold a segment before any folds the next. On devices the
/// threads of a group walk the edges of a row together, each with vectors of its own (Wu et al. 2021, section 6.3:
/// feature-adaptive groups, vertex-parallel and edge-sequential): an element is folded by one thread in the order of
/// the edges, so its bits are those that a processor gives.
class TileStates : SweepPart {
public:
  TileStates(StateValues &values, MemoryStates &memory, RegisterStates &registers, Sweep &sweep)
      : SweepPart(sweep), values(values), memory(memory), registers(registers) {}

  void sweepSegments();
  void sweepThreadTiles();

private:
  unsigned tileVectors(unsigned lanes, unsigned usual = 8);
  std::pair<Index, Index> lastDimension();
  void forEachOuter(llvm::function_ref<void(llvm::ArrayRef<Index>)> body);
  void sweepLastDimension(llvm::ArrayRef<Index> outer);
  void sweepKnownWidth(llvm::ArrayRef<Index> outer, Index from, Index end, int64_t width);
  void sweepOpenWidth(llvm::ArrayRef<Index> outer, Index from, Index end);
  void sweepWithoutMasks(llvm::ArrayRef<Index> outer, Index from, Index end);
  void sweepRange(llvm::ArrayRef<Index> outer, Index from, Index to, int64_t vectors, bool masked);
  Index sweepWholeTiles(llvm::ArrayRef<Index> outer, Index from, Index end, int64_t vectors, int64_t missing = 0);
  void sweepTile(llvm::ArrayRef<Point> points);
  void finishTile(llvm::ArrayRef<Point> points, const Parts &parts, mlir::ValueRange closed);
  void emitEndOfTile(llvm::ArrayRef<Point> points);
  void closeRow();
  void endRow();
  void endPass();

  // Tiles of a segment.
  /// The edges that tiles fold, and whether their states begin with them.
  struct Segment {
    mlir::Value from, to, isFresh;
  };
  void foldTile(llvm::ArrayRef<Point> points, const Parts &parts);
  void forEachVector(llvm::function_ref<void(const Point &)> body);
  void forEachTileState(llvm::function_ref<void(unsigned reduction, const Point &point)> body);
  StateMemory openSegment();
  void loadTotals();
  void spillTotals();
  void closeSegment(mlir::Value hadTotal);
  void finishTotals();

  // Tiles dealt out to threads.
  void walkTiles(int64_t maxParts);
  void walkVectors(Index first, int64_t parts, Index count);

  StateValues &values;
  MemoryStates &memory;
  RegisterStates &registers;
  Segment segment;
  mlir::Value endsInSegment; // whether the row ends here, and is of one segment
};

/// States in memory, behind panels of edges that have products with parameters.
class PanelStates : SweepPart {
public:
  PanelStates(StateValues &values, MemoryStates &memory, Sweep &sweep)
      : SweepPart(sweep), values(values), memory(memory) {}

  /// Packs the parameters, once a call.
  void pack();
  /// Folds the edges from `from` to `to`.
  void foldEdges(mlir::Value from, mlir::Value to);

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
  void foldPanel(mlir::Value from, mlir::Value to);
  void runStage(unsigned index, mlir::Value to);
  Memory ofEdge(const Memory &memory, gnn::FieldType type, mlir::Value edge);
  void bindPanelEdge(mlir::Value edge, unsigned numStages);
  void foldTiles(PanelStage &stage, mlir::Value to);
  llvm::SmallVector<mlir::Value> foldBlock(PanelStage &stage, llvm::ArrayRef<Part> parts, llvm::ArrayRef<Point> points,
                                           const ColumnTile &tile, mlir::Value start, unsigned rows,
                                           mlir::ValueRange before);

  StateValues &values;
  MemoryStates &memory;
  std::vector<PanelStage> stages;
  mlir::Value panelStart; // the first edge of the panel
};

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_STATEHOMES_H
