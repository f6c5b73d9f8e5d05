//===- NarrowCuts.h - Wide values that are made where they are read -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A value that a step would store for the rows of later steps, and that is a few plain operations on narrower ones,
// such as a number a head that is repeated and multiplied with a stored field: then the narrower ones are stored.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_GNNTOSTAR_NARROWCUTS_H
#define GNNC_CONVERSION_GNNTOSTAR_NARROWCUTS_H

#include "compiler/Conversion/GnnToStar/StepBuilder.h"
#include "dialects/Gnn/Transforms/CostModel.h"

namespace gnnc {

class NarrowCut {
public:
  /// `wide` is a value of step `group`; `needed` are those of it and of earlier steps that later ones read.
  NarrowCut(const FusionPlan &plan, const gnn::CostModel &sizes, int group, const llvm::DenseSet<mlir::Value> &needed,
            mlir::Value wide)
      : plan(plan), sizes(sizes), group(group), needed(needed), wide(wide) {}

  /// Whether less is written and read if `readers`, all that read the value, make it themselves.
  bool isWorth(llvm::ArrayRef<const StepBuilder *> readers) const;

private:
  struct Loads {
    llvm::SetVector<mlir::Value> fresh, stored;
    unsigned numOps = 0;
  };

  int64_t bytes(mlir::Value value) const;
  bool collect(mlir::Value value, Loads &loads) const;

  const FusionPlan &plan;
  const gnn::CostModel &sizes;
  int group;
  const llvm::DenseSet<mlir::Value> &needed;
  mlir::Value wide;
};

} // namespace gnnc

#endif // GNNC_CONVERSION_GNNTOSTAR_NARROWCUTS_H
