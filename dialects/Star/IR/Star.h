//===- Star.h - The star dialect --------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one header of the star dialect: attributes and ops. See StarDialect.td for what it is.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_STAR_IR_STAR_H
#define GNNC_DIALECTS_STAR_IR_STAR_H

#include "dialects/Gnn/IR/Gnn.h"
#include "dialects/Support/Schedule.h"

namespace gnnc::star {
class ContributeOp;
class OnlineSoftmaxOp;
class YieldOp;
} // namespace gnnc::star

#include "dialects/Star/IR/StarDialect.h.inc"
#include "dialects/Star/IR/StarEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Star/IR/StarAttrs.h.inc"

#define GET_OP_CLASSES
#include "dialects/Star/IR/StarOps.h.inc"

namespace gnnc::star {

/// The kind that a stored field has inside a region: `row` operands of `step` of a sweep towards destinations are D,
/// and so on. `relation` is the sweep's.
gnn::FieldType typeInStep(gnn::FieldType stored, Access access, gnn::End toward, unsigned relation);

/// On the inputs and products of a program whose result is stored in 16 bits: the name of the storage. Outputs of
/// kernels say it themselves.
constexpr llvm::StringLiteral storedAs = "star.stored";
/// Whether f32 are stored in 16 bits.
inline bool isNarrow(Storage storage) { return storage == Storage::Bf16 || storage == Storage::F16; }
/// Whether fields of a type may be: several f32 of a vertex or an edge.
bool mayBeNarrow(gnn::FieldType type);
/// How a field of a program whose kernels are apart lies in memory.
Storage storageOf(mlir::Value field, mlir::SymbolTableCollection &symbols);

} // namespace gnnc::star

#endif // GNNC_DIALECTS_STAR_IR_STAR_H
