//===- StarDialect.td - The star dialect --------------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect itself: a program as steps, each of which an executor runs over the rows of a graph.
//
//===----------------------------------------------------------------------===//

#ifndef STAR_DIALECT_TD
#define STAR_DIALECT_TD

include "mlir/IR/OpBase.td"

def Star_Dialect : Dialect {
  let name = "star";
  let cppNamespace = "::gnnc::star";
  let summary = "Programs as sweeps over edges, maps over vertices and dense products";
  let description = [{
    ```
    gnn.program  one op a formula  ──▶  star.program  one op a step of the executor  ──▶  star.launch + star.kernel  code apart
                                        (gnn-to-star: fusion)                              (star-outline-kernels)
    ```

    A `star.program` computes what the `gnn.program` of the same name computes. Its values are fields that are stored: `P`, `V` and `E`. Its
    ops are the leaves of the `gnn` dialect (what a caller binds), views between parameters and vertices (`gnn.table_rows`,
    `gnn.rows_table`), and steps:

    - `star.sweep`: one pass over the edges of a relation, Seastar's source-edge-aggregation pattern (Wu et al. 2021, section 6.2);
    - `star.map`: one pass over vertices;
    - `star.matmul`, `star.matmul_tn`: dense products, done by the runtime.

    *Rows* are the vertices that edges are aggregated to; *cols* are at the other end of the edges. Operands of sweeps and maps are given by
    how they are accessed, in this order: `rows`, `cols`, `edges`, `whole`.

    Regions contain pure `gnn` ops with the kinds that they had in the program: `S`, `D` and `E` in `step`, which runs for each edge; `V` in
    `end`, which runs for each row; `P` in both. Fusion only moves ops, so one lowering for each op serves everywhere.

    ```mlir
    // relu(sum(u.h * e.w for u -> v))
    %1 = star.sweep 0 to destination cols(%h : !gnn.field<V, [], f32>) edges(%w : !gnn.field<E, [], f32>) reduce [#gnn.sum] step {
    ^bb0(%u: !gnn.field<S, [], f32>, %e: !gnn.field<E, [], f32>):
      %m = gnn.mul %u, %e : (!gnn.field<S, [], f32>, !gnn.field<E, [], f32>) -> !gnn.field<E, [], f32>
      star.contribute [%m] : !gnn.field<E, [], f32>
    } end {
    ^bb0(%sum: !gnn.field<V, [], f32>):
      %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [], f32>
      %r = gnn.maximum %sum, %zero : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
      star.yield %r : !gnn.field<V, [], f32>
    } -> rows(!gnn.field<V, [], f32>)
    ```

    The module carries `star.extents`, the table of dimension polynomials whose values kernels read (dialects/Support/ExtentTable.h).
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::gnnc::gnn::GnnDialect"];
}

#endif // STAR_DIALECT_TD
