//===- EdgeRun.h - Edges whose numbers threads read together ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As many edges side by side as a group has threads. What arrays say of them is read once: each thread reads the
// numbers of one edge, all at once, and tells the others by shuffles when it is that edge's turn.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_EDGERUN_H
#define GNNC_CONVERSION_STARTOLOOPS_EDGERUN_H

#include "compiler/Conversion/StarToLoops/KernelFunction.h"

namespace gnnc {

class EdgeRun {
public:
  /// The numbers of an edge in the arrays of a block: the vertex at its other end, its original id, its type.
  enum class Number { Col, Id, Type };

  /// A run in the current scope; `mine` is the edge that this thread reads, whose place in the run is the thread's
  /// number.
  EdgeRun(KernelFunction &function, mlir::Value mine)
      : function(function), mine(mine), block(function.loops().block(function.loops().top())) {}

  /// The value of `read` for the edge at `place`. `read` is called once, for `mine`, and must be the same in each call.
  /// All threads of the group must reach the call.
  mlir::Value tell(Number number, mlir::Value place, llvm::function_ref<mlir::Value(mlir::Value edge)> read);

private:
  KernelFunction &function;
  mlir::Value mine;
  mlir::Block *block;
  mlir::Value ofMine[3]; // null: nobody has asked yet
};

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_EDGERUN_H
