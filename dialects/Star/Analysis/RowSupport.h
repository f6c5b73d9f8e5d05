//===- RowSupport.h - Where values of a program can differ from 0 -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loss looks at few vertices, its *seeds*. Seeds are at depth 0; who is read through an edge is one deeper. So a
// gradient is 0 but for vertices that the loss reaches, and it is known here how deep those can be: values are followed
// from the mask of the loss, which is 0 beyond depth 0, through everything that makes 0 of 0.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_STAR_ANALYSIS_ROWSUPPORT_H
#define GNNC_DIALECTS_STAR_ANALYSIS_ROWSUPPORT_H

#include "dialects/Star/IR/Star.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <optional>

namespace gnnc::star {

/// A depth for either end of edges.
struct EndDepths {
  int source, destination;

  int &at(gnn::End end) { return end == gnn::End::Source ? source : destination; }
  int at(gnn::End end) const { return end == gnn::End::Source ? source : destination; }
};

/// How deep a value differs from 0. A field of edges may do so where, for one of the parts, neither end is deeper than
/// it says: gradients that flow both ways along edges have two. A field of vertices has one part with twice the same
/// depth. Of a parameter, which has no rows, that is the depth of the rows that it was summed over.
class Support {
public:
  static constexpr int everywhere = 1 << 20;

  Support() : parts{{everywhere, everywhere}} {}
  static Support nowhere();
  static Support ofRows(int depth);
  /// The support of edges whose `end` is at most at `depth`.
  static Support ofEnd(gnn::End end, int depth);

  llvm::ArrayRef<EndDepths> getParts() const & { return parts; }
  llvm::ArrayRef<EndDepths> getParts() && = delete;
  /// The deepest row; 0 where all is 0.
  int rows() const;
  /// That of a sum, and of a product.
  Support operator|(const Support &other) const;
  Support operator&(const Support &other) const;

private:
  void add(EndDepths part);

  llvm::SmallVector<EndDepths, 1> parts; // none is within another
};

/// Where two ends of edges are: `Hop` of a graph, `Same` of pairs whose ends are both seeds, `Table` of a sparse input,
/// the sources of which are columns and have no depth.
enum class Traversal { Hop, Same, Table };
/// `model`: null for a program by itself, whose relations are of a graph.
Traversal traversalOf(gnn::ModelAttr model, unsigned relation);
inline gnn::End opposite(gnn::End end) { return end == gnn::End::Source ? gnn::End::Destination : gnn::End::Source; }

/// The way that values take along the edges that a reduction folds.
struct EdgeFlow {
  int cols; // the deepest that give rows something that differs from 0; `Support::everywhere` of forward values
  bool isForth = false, isBack = false; // whether values flow from cols to the rows that read them, gradients back
};
/// `edges`: the support of what edges give to rows at their end `rows`.
EdgeFlow flowOf(const Support &edges, gnn::End rows);

/// The support of every value of a program of fields, or of one of steps whose kernels are apart.
class RowSupport {
public:
  explicit RowSupport(ProgramOp program);
  explicit RowSupport(gnn::ProgramOp program);

  Support of(mlir::Value value) const { return supports.lookup(value); }
  /// Whether a value is linear in the mask of the loss. Then there is a depth beyond which it is 0.
  bool isGradient(mlir::Value value) const { return gradients.contains(value); }
  /// The deepest cols that give rows of a sweep something that differs from 0; `everywhere` of forward sweeps, which do
  /// not follow gradients.
  int colsOf(LaunchOp sweep) const { return cols.lookup(sweep); }
  /// Whether a sweep folds some values that flow from cols to the rows that read them and others, gradients, that flow
  /// back to the rows that are read.
  bool flowsBothWays(LaunchOp sweep) const { return bothWays.contains(sweep); }

private:
  void visit(mlir::Operation &op);
  void note(mlir::Value value, Support support, mlir::ValueRange linearIn);
  void visitLaunch(LaunchOp launch);
  void visitSweep(KernelOp kernel, LaunchOp launch);
  Support contribution(KernelOp kernel, unsigned index) const;
  Support reduction(const Support &edges, gnn::AggregatorInterface aggregator, gnn::End rows, unsigned relation) const;
  Support ofOp(mlir::Operation &op) const;
  void visitBlock(mlir::Block &block);

  gnn::ModelAttr model;
  mlir::SymbolTableCollection symbols;
  std::optional<int> depthOfStep;                // declared by the launch that is visited
  llvm::DenseMap<mlir::Value, Support> supports; // of values in kernels, those of the last launch
  llvm::DenseSet<mlir::Value> gradients;         // likewise
  llvm::DenseMap<mlir::Operation *, int> cols;   // of sweeps
  llvm::DenseSet<mlir::Operation *> bothWays;    // sweeps
};

} // namespace gnnc::star

#endif // GNNC_DIALECTS_STAR_ANALYSIS_ROWSUPPORT_H
