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
  /// What arrays say of an edge: who is at its other end, its original id, its type.
  enum class Number { Col, Id, Type };

  /// Of the current scope; `mine` is the edge that this thread reads, whose place in the run is the thread's number.
  EdgeRun(KernelFunction &function, mlir::Value mine)
      : function(function), mine(mine), block(function.loops().block(function.loops().top())) {}

  /// What `read` gives for the edge at `place`. `read` is called once, for `mine`, and has to be the same each time. To
  /// be asked for where all threads of the group are.
  mlir::Value tell(Number number, mlir::Value place, llvm::function_ref<mlir::Value(mlir::Value edge)> read);

private:
  KernelFunction &function;
  mlir::Value mine;
  mlir::Block *block;
  mlir::Value ofMine[3]; // null: nobody has asked yet
};

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_EDGERUN_H
