//===- GnnDialect.td - The gnn dialect ---------------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself: graph-typed SSA, Seastar's GIR (Wu et al. 2021, section 5.1).
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DIALECT_TD
#define GNN_DIALECT_TD

include "mlir/IR/OpBase.td"

def Gnn_Dialect : Dialect {
  let name = "gnn";
  let cppNamespace = "::gnnc::gnn";
  let summary = "Values of vertices and edges of a graph";
  let description = [{
    A value of this dialect is a *field*: one element, vector or tensor for the whole graph (`P`), for every vertex (`V`), for every
    edge as read at its source or destination (`S`, `D`), or for every edge (`E`). These are Seastar's graph types (Wu et al. 2021,
    section 5.1), with `V` for what is not read over an edge. Ops are pure and say nothing about how they run.

    Reads are explicit: `gnn.read_source` and `gnn.read_destination` take a vertex field to the ends of edges, `gnn.aggregate` takes an
    edge field back to vertices. All else works on each vertex or edge alone. Elementwise ops join the kinds of their operands:

    1. `P` with a kind is that kind;
    2. `V` with `V` of the same vertex type is `V`;
    3. `S` with `S` is `S`, `D` with `D` is `D`;
    4. any other mixture of `S`, `D` and `E` of the same relation is `E`.

    `V` with `S`, `D` or `E` is an error. Broadcasts are explicit too: operands of elementwise ops have equal shapes.

    ```mlir
    // sum(u.h * e.w for u -> v)
    %0 = gnn.input "h" : !gnn.field<V, [in], f32>
    %1 = gnn.input "w" : !gnn.field<E, [], f32>
    %2 = gnn.read_source %0 : !gnn.field<V, [in], f32> -> !gnn.field<S, [in], f32>
    %3 = gnn.broadcast %1 dims [] : !gnn.field<E, [], f32> -> !gnn.field<E, [in], f32>
    %4 = gnn.mul %2, %3 : (!gnn.field<S, [in], f32>, !gnn.field<E, [in], f32>) -> !gnn.field<E, [in], f32>
    %5 = gnn.aggregate #gnn.sum %4 to destination : (!gnn.field<E, [in], f32>) -> !gnn.field<V, [in], f32>
    ```
  }];
  let useDefaultTypePrinterParser = 1;
  let useDefaultAttributePrinterParser = 1;
  let hasConstantMaterializer = 1;
  let hasOperationAttrVerify = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::math::MathDialect"];
}

#endif // GNN_DIALECT_TD
