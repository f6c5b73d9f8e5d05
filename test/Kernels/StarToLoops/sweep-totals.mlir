// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v3 --cse | FileCheck %s

// Tests that the loop over edges carries the entry at hand, which ends its run when an edge has another: the run is added to the entry of
// the slot and begins anew. Edges of no entry have the spare one, of 6 x 8 numbers in a slot; and there is no merge.
// CHECK-LABEL: func.func @table.v3
// CHECK-SAME: star.source = "state"
// CHECK: %[[SUMS:.+]] = memref.alloca
// CHECK: %[[SLOT:.+]] = memref.view {{.*}}[%c0][%c48]
// CHECK: %[[SPARE:.+]] = arith.constant 5 : index
// CHECK: scf.for {{.*}} iter_args(%[[ENTRY:.+]] = %[[SPARE]]) -> (index)
// CHECK: %[[NEXT:.+]] = arith.minui %{{.+}}, %[[SPARE]] : index
// CHECK: %[[DIFFERS:.+]] = arith.cmpi ne, %[[NEXT]], %[[ENTRY]] : index
// CHECK: scf.if %[[DIFFERS]] {
// CHECK: %[[LEFT:.+]] = vector.load %[[SLOT]]
// CHECK: %[[RIGHT:.+]] = vector.load %[[SUMS]]
// CHECK: %[[SUM:.+]] = arith.addf %[[LEFT]], %[[RIGHT]]
// CHECK: vector.store %[[SUM]], %[[SLOT]]
// CHECK: vector.store %{{.+}}, %[[SUMS]]
// CHECK: }
// CHECK: vector.store %{{.+}}, %[[SUMS]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: vector.store %{{.+}}, %[[SLOT]]
// CHECK-NOT: table.merge
star.kernel @table sweep of 0 to destination inputs [#star.operand<col <V, [8], f32>>]
    outputs [#star.operand<whole <P, [5, 8], f32>>] reduce [#gnn.sum] step {
^bb0(%h: !gnn.field<S, [8], f32>):
  %t = gnn.edge_type : !gnn.field<E, [], i32>
  star.contribute [%h] by [%t] of [0] : !gnn.field<S, [8], f32>, !gnn.field<E, [], i32>
} end {
^bb0:
  star.yield
}
