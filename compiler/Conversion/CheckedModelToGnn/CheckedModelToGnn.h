//===- CheckedModelToGnn.h - From checked models to the gnn dialect -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MLIRGen: turns each value of a checked model into a gnn op. Nothing here can fail on what semantic analysis has
// passed.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_CHECKEDMODELTOGNN_CHECKEDMODELTOGNN_H
#define GNNC_CONVERSION_CHECKEDMODELTOGNN_CHECKEDMODELTOGNN_H

#include "compiler/Frontend/CheckedModel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/SourceMgr.h"

namespace gnnc {

/// The type that `real` stands for (`--real`).
enum class RealType { F32, F64 };

/// A verified module with `#gnn.model` and one program, `@forward`, whose results are the outputs and, if there is a
/// loss, that of each vertex. Dimensions fixed by -D become numbers, `mean` a sum over a count. Locations are those of
/// `sources`, named as in the source. Null, with a message through the context, only if the model breaks the contract
/// of CheckedModel.h.
mlir::OwningOpRef<mlir::ModuleOp> importModel(const CheckedModel &model, mlir::MLIRContext &context,
                                              const llvm::SourceMgr &sources, RealType real);

/// The same of both forms of an input: `@forward` has the one that the source has, `@forward.2` the other.
mlir::OwningOpRef<mlir::ModuleOp> importForms(const InputForms &forms, bool isSparseFirst, mlir::MLIRContext &context,
                                              const llvm::SourceMgr &sources, RealType real);

} // namespace gnnc

#endif // GNNC_CONVERSION_CHECKEDMODELTOGNN_CHECKEDMODELTOGNN_H
