//===- KernelFunction.h - The function of a kernel --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The func.func that a kernel becomes for one instruction set: its arguments, each of which says where in
// `gnn_kernel_args_t` it comes from, the extents that it reads, and its buffers.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOLOOPS_KERNELFUNCTION_H
#define GNNC_CONVERSION_STARTOLOOPS_KERNELFUNCTION_H

#include "compiler/Conversion/StarToLoops/LoopBuilder.h"
#include "compiler/Support/ExtentTable.h"
#include "compiler/Target/CPU/Isa.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include <map>

namespace gnnc {

/// A run of elements in memory: `memref[base + i]`. A bool takes a byte, or a bit where `bits`: then `base` counts
/// bytes, and each run of the last dimension begins with 16 bits of its own (GNN_BITS of program.h).
struct Memory {
  mlir::Value memref;
  Index base;
  bool bits = false;
};

/// The type of one element of `element` in memory.
mlir::Type storageType(mlir::Type element);
/// Bytes of one element in memory.
unsigned storageBytes(mlir::Type element);

class KernelFunction {
public:
  /// Argument attribute: where the argument comes from (docs of the pass `star-to-loops`).
  static constexpr llvm::StringLiteral sourceAttribute = "star.source";
  /// Function attribute: the instruction set.
  static constexpr llvm::StringLiteral isaAttribute = "star.isa";

  /// Creates the function `name` at the end of `module`.
  KernelFunction(mlir::ModuleOp module, mlir::Location loc, llvm::StringRef name, Isa isa, ExtentTable &extents);

  LoopBuilder &loops() { return builder; }
  /// The rows of a call.
  Index begin() { return function.getArgument(0); }
  Index end() { return function.getArgument(1); }

  /// The argument that comes from `source`, added when first asked for.
  mlir::Value argument(const llvm::Twine &source, mlir::Type type);
  /// A one-dimensional memref argument.
  mlir::Value array(const llvm::Twine &source, mlir::Type element);
  /// An i1 argument: whether the pointer `source` is not NULL.
  mlir::Value isGiven(const llvm::Twine &source);

  /// The part of the last dimension that a call in passes folds.
  Index passBegin() { return index("pass_begin"); }
  Index passEnd() { return index("pass_end"); }

  Index extent(const DimExpr &expr);
  /// `count` elements of the call's own.
  Memory buffer(const DimExpr &count, mlir::Type element);

  /// Ends the function.
  void finish();
  /// Bytes of scratch memory that buffers need.
  const DimExpr &scratchBytes() const { return scratch; }

private:
  Index index(llvm::StringRef source);

  mlir::func::FuncOp function;
  LoopBuilder builder;
  ExtentTable &extents;
  std::map<std::string, mlir::Value> arguments;
  std::map<std::string, Index> indices; // of i64 arguments
  std::map<std::string, Index> loadedExtents;
  DimExpr scratch;
  int64_t stackBytes = 0;
};

} // namespace gnnc

#endif // GNNC_CONVERSION_STARTOLOOPS_KERNELFUNCTION_H
