//===- RegionPlan.h - What a region computes, and in which nests *- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides which fields of a region need memory of their own, and groups what has to be computed into nests of loops
// over equal shapes.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_REGIONPLAN_H
#define GNNC_KERNELS_REGIONPLAN_H

#include "compiler/Kernels/FieldEmitter.h"
#include "dialects/Star/IR/Star.h"

namespace gnnc {

/// How often a field of a region is computed.
enum class Rate { Call, Row, Edge };

/// Something to do with every element of a field.
struct Sink {
  /// The sink that stores `field` in `memory`, which has the elements of a field of type `shape`.
  static Sink store(FieldEmitter &emitter, mlir::Value field, gnn::FieldType shape, const Memory &memory,
                    mlir::Value fills = {});

  mlir::Value field; // null: zeros of `shape`
  gnn::FieldType shape;
  std::function<void(const Point &, mlir::Value)> put;
  mlir::Value fills = {};  // the field whose memory this sink fills, or null
  mlir::Value filter = {}; // read by `put`, too; or null
};

/// A field to be computed into memory.
struct Fill {
  mlir::Value field;
  Memory memory;
};

class RegionPlan {
public:
  /// Plans the computation of `roots` in `region`.
  RegionPlan(mlir::Region &region, mlir::ValueRange roots);
  /// The plans of the values that edges contribute, and of the results of rows.
  static RegionPlan ofStep(star::KernelOp kernel) { return {kernel.getStep(), kernel.getContribute()->getOperands()}; }
  static RegionPlan ofEnd(star::KernelOp kernel) { return {kernel.getEnd(), kernel.getYield().getValues()}; }

  Rate rate(mlir::Value field) const { return rates.lookup(field); }
  /// Whether every shape is known, or within `bounds`, and there are at most `maxPoints` vectors of `maxLanes` to
  /// compute.
  bool isSmall(unsigned maxLanes, unsigned maxPoints, const Bounds &bounds = {}) const;
  /// Fields that need memory at `rate`, in an order in which each needs earlier ones only.
  llvm::ArrayRef<mlir::Value> buffers(Rate rate) const { return bufferLists[static_cast<unsigned>(rate)]; }

  /// Those of edges that the computation of `field` reads; none where `field` needs the state of a reduction.
  std::optional<Values> edgeBuffersFor(mlir::Value field) const;

  /// Computes the buffers of `rate`, then `sinks`, in the current scope.
  void emit(FieldEmitter &emitter, Rate rate, llvm::ArrayRef<Sink> sinks) const;
  /// Computes `fills`, each after those before it that it reads, then `sinks`, and binds what was filled.
  void emit(FieldEmitter &emitter, llvm::ArrayRef<Fill> fills, llvm::ArrayRef<Sink> sinks) const;
  /// Memory for `fields`, of `copies` each.
  static llvm::SmallVector<Fill> allocate(FieldEmitter &emitter, llvm::ArrayRef<mlir::Value> fields,
                                          int64_t copies = 1);

private:
  struct Nest {
    llvm::SmallVector<Sink> sinks;
    bool scalar;
  };

  void setRates(mlir::Region &region);
  void visit(mlir::Value field);
  void needMemory(mlir::Value field);
  void needOperands(mlir::Operation *op);
  bool isTrivial(mlir::Value field) const;
  bool isTableInMemory(mlir::Value table) const;
  bool hasMemory(mlir::Value field) const;
  llvm::SmallVector<Sink> fill(FieldEmitter &emitter, mlir::Value field, const Memory &memory) const;
  llvm::DenseSet<mlir::Value> usedBuffers(mlir::Value field) const;

  llvm::DenseMap<mlir::Value, Rate> rates;
  llvm::DenseSet<mlir::Value> reductions; // arguments of `end` that may be in registers
  llvm::DenseSet<mlir::Value> visited;
  llvm::DenseSet<mlir::Value> inMemory;
  Values order; // operands first
  Values bufferLists[3];
};

} // namespace gnnc

#endif // GNNC_KERNELS_REGIONPLAN_H
