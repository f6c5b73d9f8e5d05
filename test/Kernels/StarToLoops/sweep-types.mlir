// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v3 --cse | FileCheck %s

// Tests that the loop over edges carries the entry at hand and its number, exchanges them only when an edge has another, and sends edges
// of no entry to the spare one; that an entry of a table is loaded only if there is one.
// CHECK-LABEL: func.func @byType.v3
// CHECK-DAG: %[[SPARE:.+]] = arith.constant 5 : index
// CHECK: scf.for {{.*}} -> (vector<8xf32>, index)
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.+]] = %{{.+}}, %[[ENTRY:.+]] = %{{.+}}) -> (vector<8xf32>, index)
// CHECK: %[[NEXT:.+]] = arith.minui %{{.+}}, %[[SPARE]] : index
// CHECK: %[[DIFFERS:.+]] = arith.cmpi ne, %[[NEXT]], %[[ENTRY]] : index
// CHECK: %[[STATE:.+]] = scf.if %[[DIFFERS]] -> (vector<8xf32>) {
// CHECK: vector.store %[[ACC]]
// CHECK: vector.load
// CHECK: } else {
// CHECK-NEXT: scf.yield %[[ACC]]
// CHECK: %[[ENTRY_OF_TABLE:.+]] = scf.if %{{.+}} -> (vector<8xf32>) {
// CHECK: vector.load
// CHECK: } else {
// CHECK: arith.addf %[[STATE]], %{{.+}}
star.kernel @byType sweep of 0 to destination inputs [#star.operand<whole <P, [5, 8], f32>>]
    outputs [#star.operand<row <V, [5, 8], f32>>] reduce [#gnn.sum] step {
^bb0(%w: !gnn.field<P, [5, 8], f32>):
  %t = gnn.edge_type : !gnn.field<E, [], i32>
  %0 = gnn.index %w, %t : (!gnn.field<P, [5, 8], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [8], f32>
  star.contribute [%0] by [%t] of [0] : !gnn.field<E, [8], f32>, !gnn.field<E, [], i32>
} end {
^bb0(%w: !gnn.field<P, [5, 8], f32>, %sum: !gnn.field<V, [5, 8], f32>):
  star.yield %sum : !gnn.field<V, [5, 8], f32>
}
