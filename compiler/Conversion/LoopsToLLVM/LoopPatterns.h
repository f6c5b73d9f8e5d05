//===- LoopPatterns.h - Loops to the llvm dialect, in parts -----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Patterns for the ops in kernel functions: loops, memory, arithmetic and vectors.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_LOOPSTOLLVM_LOOPPATTERNS_H
#define GNNC_CONVERSION_LOOPSTOLLVM_LOOPPATTERNS_H

#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/IR/PatternMatch.h"

namespace gnnc {

/// Where a loop asks whether it goes on: of those that begin with it LLVM makes the others.
enum class LoopTest { AtBegin, AtEnd };
/// Structured control flow in `op` becomes branches between blocks: to be done before the types of their arguments
/// change.
mlir::LogicalResult flattenLoops(mlir::Operation *op, LoopTest test);
/// Loops that test at their end.
void populateRotatedLoopPatterns(mlir::RewritePatternSet &patterns);
/// Memrefs of one dimension become pointers.
void addMemoryConversion(mlir::LLVMTypeConverter &types);
/// Patterns for masked vectors of 16-bit numbers, where LLVM has nothing good for them.
void populateNarrowTailPatterns(mlir::LLVMTypeConverter &types, mlir::RewritePatternSet &patterns);
/// Patterns for all that stands in the functions of kernels after `flattenLoops`.
void populateLoopPatterns(mlir::LLVMTypeConverter &types, mlir::RewritePatternSet &patterns);

} // namespace gnnc

#endif // GNNC_CONVERSION_LOOPSTOLLVM_LOOPPATTERNS_H
