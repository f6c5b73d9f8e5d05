//===- SweepEmitter.h - Sweeps over edges -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the body of a sweep. For each row, for each segment of its edges, for each edge: one step. Where the states of
// the reductions are decides the shape of the loops:
//
//   1. in registers, all of them, where every shape is known and small;
//   2. in registers, a tile of the last dimension at a time, in a loop over tiles around the loop over edges, where a
//      step does nothing but the same for every element;
//   3. in memory, where edges have products with parameters: a panel of edges at a time, so that a product is one of
//      many rows; a tile of the states is in registers where they are folded from the product itself;
//   4. else in memory, updated by nests of loops inside the loop over edges. Where dimensions are open and turn out to
//      have few elements, versions of that loop have the states in registers from the start of a segment to its end.
//
// A reduction that is folded apart by an integer has its state in memory in any case; in 1 and 2 the entry at hand is
// in registers, and is exchanged when an edge has another. Edges of a row are sorted by type: the loop over them is
// then Seastar's pair of loops over types and the edges of a type (Wu et al. 2021, section 6.3.5), and right in any
// order.
//
// The state of a reduction is (total, segment). The total is always in memory, and only there once a segment has ended
// (`hasTotal`): the rows that almost all are, shorter than a segment, never touch it.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_SWEEPEMITTER_H
#define GNNC_CONVERSION_STARTOLOOPS_SWEEPEMITTER_H

#include "compiler/Conversion/StarToLoops/KernelEmitter.h"
#include "compiler/Conversion/StarToLoops/PanelProduct.h"

namespace gnnc {

class SweepEmitter : KernelEmitter {
public:
  SweepEmitter(star::KernelOp kernel, const StateLayout &layout, KernelFunction &function)
      : KernelEmitter(kernel, function), layout(layout), states(fields, layout), contribute(kernel.getContribute()),
        yielded(kernel.getYield().getValues()), stepPlan(kernel.getStep(), llvm::to_vector(contribute->getOperands())),
        endPlan(kernel.getEnd(), yielded) {
    if (layout.inPasses && !isAtMostOnePass())
      passType = layout.reductions[0].contributed;
  }

  void emit();

private:
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
  /// A product of a panel of edges, after the fields that it is made of.
  struct PanelStage {
    PanelProduct product;
    llvm::SmallVector<Fill> fills; // that no stage before has, by edge
    Memory x, result;              // by edge
    bool copiesX;
    bool isFolded; // instead of being stored
  };
  /// Edges of a panel: what they carry stays in the first caches.
  static constexpr int64_t panelEdges = 48;
  enum class Where { Registers, Tiles, Panels, Memory };
  /// How states in memory are gone through: single elements or vectors; one state after the other, or those of the
  /// same size together, where what is done needs no other state.
  struct Walk {
    bool scalar, together;
  };
  /// Calls `body` for points of reductions whose state is in memory.
  using EachState =
      llvm::function_ref<void(Walk walk, llvm::function_ref<void(unsigned reduction, const Point &point)> body)>;

  /// Whether the dimension of passes is known to be no longer than the shortest.
  bool isAtMostOnePass() const;
  Where chooseStates();
  bool fitsRegisters(const Bounds &bounds = {});
  bool isInMemory(const Reduction &reduction) const {
    return where == Where::Memory || where == Where::Panels || reduction.selector;
  }
  void allocate();

  mlir::Value endsRow(mlir::Value row);
  void emitRow(mlir::Value rowOfBlock);
  llvm::SmallVector<mlir::Value> placeOfRow();
  void startRow();
  void bindEdge(mlir::Value edge);
  mlir::Value edgeAhead(mlir::Value edge, Index distance);
  Index elementsToPrefetch(gnn::FieldType type, int64_t most);
  void prefetchEdgeInputs(mlir::Value edge);
  void prefetchCols(mlir::Value edge);
  StateMemory spilledTotal() { return states.spilledTotal("state", blockRow); }
  StateMemory spilledSegment() { return states.spilledSegment("state", blockRow); }
  /// Folds the edges from `from` to `to` into the states that are carried.
  using FoldEdges =
      llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value from, mlir::Value to, mlir::ValueRange carried)>;
  using Step = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange)>;
  /// The work on the current edge.
  struct EdgeStep {
    llvm::function_ref<void()> read; // asks for what `fold` needs of the edge
    Step fold;
  };
  llvm::SmallVector<mlir::Value> foldEdges(mlir::Value from, mlir::Value to, mlir::ValueRange carried,
                                           const EdgeStep &step);
  llvm::SmallVector<mlir::Value> foldInBlocks(Index from, Index to, int64_t atOnce, mlir::ValueRange carried,
                                              const EdgeStep &step, llvm::function_ref<void(mlir::Value)> bind);
  int64_t edgesAtOnce(unsigned numStates);
  void readEdge(const Parts &parts);
  mlir::Value endOfSegments();
  void stepSegments(llvm::SmallVector<mlir::Value> &segment, FoldEdges fold,
                    llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange, mlir::Value)> endSegment);
  llvm::SmallVector<mlir::Value> stepState(unsigned reduction, const Point &point, mlir::ValueRange state);
  mlir::Value contributed(unsigned reduction);
  llvm::SmallVector<Sink> edgeSinks();

  // States in registers.
  void syncDealt();
  Parts partsOf(llvm::function_ref<llvm::SmallVector<Point>(gnn::FieldType)> pointsOf);
  void reduceParts(llvm::function_ref<llvm::SmallVector<Point>(gnn::FieldType)> pointsOf,
                   llvm::function_ref<void(const Parts &parts, mlir::ValueRange closed)> finish);
  llvm::SmallVector<mlir::Value> stepParts(llvm::ArrayRef<Part> parts, mlir::ValueRange before);
  void addFreshEntries(llvm::ArrayRef<Part> selected, llvm::SmallVector<mlir::Value> &carried);
  llvm::SmallVector<mlir::Value> foldParts(const Parts &parts, mlir::Value from, mlir::Value to,
                                           mlir::ValueRange carried);
  llvm::SmallVector<mlir::Value> sweepParts(const Parts &parts);
  void spillParts(llvm::ArrayRef<Part> parts, mlir::ValueRange segment);
  llvm::SmallVector<mlir::Value> closeParts(llvm::ArrayRef<Part> parts, mlir::ValueRange segment, mlir::Value hadTotal);
  llvm::SmallVector<mlir::Value> closedParts(llvm::ArrayRef<Part> parts, mlir::ValueRange segment);
  llvm::SmallVector<mlir::Value> partState(llvm::ArrayRef<Part> parts, mlir::ValueRange values, unsigned reduction,
                                           const Point &point);
  mlir::ValueRange stateOf(llvm::ArrayRef<Part> parts, unsigned part, mlir::ValueRange values) const;
  llvm::SmallVector<mlir::Type> partTypes(llvm::ArrayRef<Part> parts) const;
  llvm::SmallVector<mlir::Value> identities(llvm::ArrayRef<Part> parts);
  void bindClosed(const Parts &parts, mlir::ValueRange closed);
  void sweepInRegisters();

  // Tiles in registers.
  /// The part of the last dimension that an edge loop folds: vectors from `coords` on.
  struct Tile {
    llvm::SmallVector<Index> coords;
    unsigned vectors = 0;
    bool masked = false;
  };
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
  void endTiles();
  void endRow();
  void endPass();

  // Tiles of a segment.
  /// The edges that tiles fold, and whether their states begin with them.
  struct Segment {
    mlir::Value from, to, isFresh;
  };
  /// Whether all tiles fold a segment before any folds the next.
  bool foldsBySegment() const { return where == Where::Tiles && !function.machine().isDevice; }
  void sweepSegments();
  void foldTile(llvm::ArrayRef<Point> points, const Parts &parts);
  void forEachVector(llvm::function_ref<void(const Point &)> body);
  void forEachTileState(llvm::function_ref<void(unsigned reduction, const Point &point)> body);
  StateMemory openSegment();
  void loadTotals();
  void spillTotals();
  void closeSegment(mlir::Value hadTotal);
  void finishTotals();

  // Tiles dealt out to threads.
  void sweepThreadTiles();
  void walkTiles(int64_t maxParts);
  void walkVectors(Index first, int64_t parts, Index count);

  // Hot columns.
  void loadHotCols();
  llvm::StringRef colsArray() const { return hotCols ? "block.hot_cols" : "block.cols"; }
  void bindCol(mlir::Value number);

  // Reductions with a selector.
  mlir::Value entryOf(unsigned selector);
  Point stateAt(const Reduction &reduction, const Point &point, Index entry);
  void exchangeEntries(llvm::ArrayRef<Part> parts, llvm::SmallVector<mlir::Value> &carried);
  void storeEntries(llvm::ArrayRef<Part> parts, mlir::ValueRange carried);
  void forEachEntry(llvm::ArrayRef<Part> parts, llvm::function_ref<void(unsigned, const Point &)> body);

  // Panels of edges.
  void planPanels();
  bool foldsProduct(gnn::MatMulOp product);
  std::optional<Memory> stagedMemory(mlir::Value field) const;
  void packPanels();
  void foldPanel(mlir::Value from, mlir::Value to);
  void runStage(unsigned index, mlir::Value to);
  Memory ofEdge(const Memory &memory, gnn::FieldType type, mlir::Value edge);
  void bindPanelEdge(mlir::Value edge, unsigned numStages);
  void foldTiles(PanelStage &stage, mlir::Value to);
  llvm::SmallVector<mlir::Value> foldBlock(PanelStage &stage, llvm::ArrayRef<Part> parts, llvm::ArrayRef<Point> points,
                                           const ColumnTile &tile, mlir::Value start, unsigned rows,
                                           mlir::ValueRange before);

  // States in memory, of few elements in registers while a segment is folded.
  void planBounds();
  void foldInMemory(mlir::Value from, mlir::Value to);
  void foldWithin(const Bounds &bounds, mlir::Value from, mlir::Value to);

  // States in memory.
  void sweepInMemory();
  llvm::SmallVector<Sink> stepSinks();
  void startMemory();
  void endSegmentInMemory(EachState each, mlir::Value hadTotal);
  void finishMemory(EachState each);
  void spillMemory(EachState each);
  void copy(EachState each, const StateMemory &from, const StateMemory &to);
  void reset(EachState each, const StateMemory &memory, bool scalar);
  mlir::Value ofAnySize(mlir::Value memref);
  StateMemory closedStates();
  llvm::SmallVector<mlir::Value> merged(unsigned reduction, const Point &point);
  void forEachState(Walk walk, llvm::function_ref<void(unsigned, const Point &)> body);
  void storeFinished(unsigned reduction, const Point &point, StateAt state);
  void bindFinished();
  void emitEnd();

  const StateLayout &layout;
  StateEmitter states;
  star::ContributeOp contribute;
  llvm::SmallVector<mlir::Value> yielded;
  RegionPlan stepPlan, endPlan;
  Where where = Where::Memory;
  bool dealsEnd = false, smallEnd = false, endInTiles = false, anyInMemory = false, readsCol = false;
  Tile tile;
  Segment segment;
  mlir::Value endsInSegment;       // whether the row ends here, and is of one segment
  std::vector<Bounds> fewElements; // for each a version of the loop over edges, where states are in memory

  mlir::Value isFirst, isLastCall, prefetches, hasEveryTotal; // of the call
  mlir::Value hasWholeRows;                                   // of a processor's call: whether no row is in pieces
  mlir::Value isLast, startsWithTotal, hasTotal;              // of the row; hasTotal: after its edges
  mlir::Value closesTotal; // of a processor's row: whether it ends here with a total, to which all segments are added
  mlir::Value firstStart;  // of the row: where the segment of its first edge starts
  mlir::Value blockRow;    // the row by its place in the block, which on devices is not that in the table
  StateMemory totals, segments;                          // of the row
  llvm::SmallVector<llvm::SmallVector<Memory>> finished; // by reduction: value and arg; nothing: in registers
  Index firstEdge, endEdge;                              // of the row
  int64_t hotCols = 0;                                   // at most; 0: no columns are kept in shared memory
  llvm::SmallVector<mlir::Value> hotRows; // memory of the hot rows of each input; null: of one that has none
  std::vector<PanelStage> panelStages;
  mlir::Value panelStart; // the first edge of the panel
  mlir::Value lastEdge;   // of the call
  mlir::Value rowsLieApart;
};

/// Whether `field` is computed from `other`, or is it.
bool dependsOn(mlir::Value field, mlir::Value other);
/// Whether a tile of the last dimension can be folded by itself.
bool foldsInTiles(star::KernelOp kernel, const StateLayout &layout, const RegionPlan &stepPlan);
/// Whether a tile of the last dimension can be ended by itself.
bool endsInTiles(star::KernelOp kernel, const StateLayout &layout, const RegionPlan &endPlan);

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_SWEEPEMITTER_H
