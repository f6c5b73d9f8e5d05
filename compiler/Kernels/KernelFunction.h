//===- KernelFunction.h - The function of a kernel --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The function that a kernel becomes for one instruction set or device: its arguments, each of which says where in
// `gnn_kernel_args_t` it comes from, the extents that it reads, its buffers, and how rows are dealt out.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_KERNELFUNCTION_H
#define GNNC_KERNELS_KERNELFUNCTION_H

#include "compiler/Kernels/Machine.h"
#include "compiler/Kernels/Threads.h"
#include "dialects/Star/Analysis/KernelMemory.h"
#include "dialects/Support/ExtentTable.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <map>

namespace gnnc {

using star::entryType, star::storageBytes, star::storageType;

/// A run of elements in memory: `memref[base + i]`. A bool takes a byte, or a bit where `bits`: then `base` counts
/// bytes, and each run of the last dimension begins with 16 bits of its own (GNN_BITS of program.h). An f32 is stored
/// as bf16 where the memref has i16, as f16 where it has f16.
struct Memory {
  mlir::Value memref;
  Index base;
  bool bits = false;
  mlir::Value hot = {}, isHot = {}; // `hot[base + i]` where `isHot` (null: never) holds
  bool hasRoom = false;             // a whole vector may begin at any element: what is behind the last is nobody's
};

class KernelFunction {
  LoopBuilder b;

public:
  Threads threads;

  /// Argument attribute: where the argument comes from (docs of the pass `star-to-loops`).
  static constexpr llvm::StringLiteral sourceAttribute = "star.source";
  /// Attribute of loads and stores: the vector is aligned to its size.
  static constexpr llvm::StringLiteral alignedAttribute = "star.aligned";
  /// Function attribute: the instruction set.
  static constexpr llvm::StringLiteral isaAttribute = "star.isa";
  /// Function attribute: the numbers of its parameters.
  static constexpr llvm::StringLiteral constantsAttribute = "star.constants";
  /// Attribute of a function without a body: the one that has its body, with the same arguments from other sources.
  static constexpr llvm::StringLiteral bodyAttribute = "star.body";

  /// Builds into `function`, whose arguments so far are the rows of a call. With `poisons`, numbers that nothing may
  /// depend on are NaN.
  KernelFunction(mlir::FunctionOpInterface function, const Machine &machine, ExtentTable &extents,
                 bool poisons = false);

  const Machine &machine() const { return target; }
  /// The number in lanes and memory that nothing may depend on: 0. If the function poisons, NaN or, for integers, -1.
  mlir::TypedAttr meaningless(mlir::Type element) const;
  bool poisons() const { return isPoisoning; }
  LoopBuilder &loops() { return b; }
  /// The end of the rows of a call.
  Index end() { return function.getArgument(1); }
  /// The argument that comes from `source`, added when first asked for.
  mlir::Value argument(const llvm::Twine &source, mlir::Type type);
  /// A one-dimensional memref argument.
  mlir::Value array(const llvm::Twine &source, mlir::Type element) { return argument(source, memoryType(element)); }
  /// Makes the numbers of `ops` arguments, so that other functions can have the same body.
  void setParameters(llvm::ArrayRef<mlir::Operation *> ops) { parameters = ops; }
  /// The argument with the number of `op`, of type `type`; null if the number is no argument.
  mlir::Value parameter(mlir::Operation *op, mlir::Type type);
  /// An i1 argument: whether the pointer `source` is not NULL.
  mlir::Value isGiven(const llvm::Twine &source);

  /// An argument that is a number: of a call in passes, "pass_begin" and "pass_end", the part of the last dimension
  /// that it folds, and "col_stride", the elements from a row to the next of what columns have of it; on devices
  /// "pieces", the number of leading rows that are pieces of one row and whose states are spilled.
  Index index(llvm::StringRef source);

  Index extent(const DimExpr &expr);
  /// The same, read from the table of extents even where the compiler knows it.
  Index hiddenExtent(const DimExpr &expr);
  /// Which extent `value` is, if it is one that was read.
  std::optional<DimExpr> extentOf(mlir::Value value) const;
  /// The type of a run of elements that all threads see.
  mlir::MemRefType memoryType(mlir::Type element);
  /// Whether all threads of the group see `memref`.
  bool isShared(mlir::Value memref) const;
  /// `count` elements of the group's own or, for what every thread computes, of each thread.
  Memory buffer(const DimExpr &count, mlir::Type element, bool ofThread = false);
  /// `count` elements that all threads of the block share: a multiple of 16 bytes.
  mlir::Value sharedBuffer(const DimExpr &count, mlir::Type element);
  /// A memref in any kind of memory, to be chosen among others.
  mlir::Value ofAnySpace(mlir::Value memref);

  /// Ends the function.
  void finish();
  /// Bytes of scratch memory that buffers need.
  const DimExpr &scratchBytes() const { return scratch; }
  /// Bytes of shared memory of a block.
  const DimExpr &sharedBytes() const { return shared; }

private:
  mlir::Value stackBuffer(int64_t count, mlir::Type element);
  Index readExtent(const DimExpr &expr);

  mlir::FunctionOpInterface function;
  Machine target; // `stackBytes` of it are left
  bool isPoisoning;
  ExtentTable &extents;
  mlir::arith::ConstantOp scratchOffset; // where the group's scratch memory starts: known when all of it is
  std::map<std::string, mlir::Value> arguments;
  llvm::ArrayRef<mlir::Operation *> parameters; // in the order of `star.constants`
  std::map<std::string, mlir::Value> numbers;   // i1 and index, of arguments that are i32 and i64
  std::map<std::string, Index> loadedExtents;
  DimExpr scratch, shared;
  mlir::Value sharedMemory; // of the block; null: none was asked for yet
};

} // namespace gnnc

#endif // GNNC_KERNELS_KERNELFUNCTION_H
