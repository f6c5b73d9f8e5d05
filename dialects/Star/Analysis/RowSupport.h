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

namespace gnnc::star {

/// The depth beyond which a value is 0: of a field of edges, by the vertices at either end (it is 0 where one of them
/// is deeper); of one of vertices twice the same. Of a parameter, which has no rows, it is the depth of the rows that
/// it was summed over, and so that of the rows to which a gradient brings it back.
struct Support {
  static constexpr int nowhere = -1, everywhere = 1 << 20;

  int source = everywhere, destination = everywhere;

  static Support ofRows(int depth) { return {depth, depth}; }
  int &at(gnn::End end) { return end == gnn::End::Source ? source : destination; }
  int at(gnn::End end) const { return end == gnn::End::Source ? source : destination; }
  /// That of a sum, and of a product.
  Support operator|(Support other) const;
  Support operator&(Support other) const;
};

/// Where two ends of edges are: `Hop` of a graph, `Same` of pairs whose ends are both seeds, `Table` of a sparse input,
/// the sources of which are columns and have no depth.
enum class Traversal { Hop, Same, Table };
Traversal traversalOf(gnn::RelationAttr relation);
inline gnn::End opposite(gnn::End end) { return end == gnn::End::Source ? gnn::End::Destination : gnn::End::Source; }

/// The support of every value of a program whose kernels are apart.
class RowSupport {
public:
  explicit RowSupport(ProgramOp program);

  Support of(mlir::Value value) const { return supports.lookup(value); }

private:
  void visit(mlir::Operation &op);
  void visitLaunch(LaunchOp launch);
  void visitSweep(KernelOp kernel, LaunchOp launch);
  Support reduction(KernelOp kernel, unsigned index) const;
  Support ofOp(mlir::Operation &op) const;
  void visitBlock(mlir::Block &block);

  gnn::ModelAttr model;
  mlir::SymbolTableCollection symbols;
  llvm::DenseMap<mlir::Value, Support> supports; // of values in kernels, those of the last launch
};

} // namespace gnnc::star

#endif // GNNC_DIALECTS_STAR_ANALYSIS_ROWSUPPORT_H
