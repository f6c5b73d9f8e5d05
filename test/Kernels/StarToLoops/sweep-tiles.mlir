// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v4 | FileCheck %s

// An open width: a pass goes over tiles of eight vectors, then of four, around the loop over edges, then masked pairs, then one
// masked vector. Rows of the other end are asked for ahead, and a tile ends by itself.
// CHECK: star.kernel @sum {{.*}} scratch "16 * F + 128" state "8" passes "F"
// CHECK-LABEL: func.func @sum.v4
// CHECK-SAME: "pass_{{begin|end}}"
// CHECK-SAME: "pass_{{begin|end}}"
// CHECK: scf.for
// The total of a row that has one is copied once, in a loop, to where the last vector has room to be whole.
// CHECK: scf.if
// CHECK: scf.for {{.*}} step %c16{{[_0-9]*}} {
// CHECK: vector.maskedload
// CHECK: vector.store
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-8: memref.prefetch
// CHECK-COUNT-8: vector.store
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK: vector.create_mask
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>)
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>)
star.kernel @sum sweep of 0 to destination inputs [#star.operand<col <V, [F], f32>>]
    outputs [#star.operand<row <V, [F], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [F], f32>):
  star.contribute [%u] : !gnn.field<S, [F], f32>
} end {
^bb0(%sum: !gnn.field<V, [F], f32>):
  star.yield %sum : !gnn.field<V, [F], f32>
}

// An end of many instructions is in no tile: what tiles leave in memory goes through it, vector by vector.
// CHECK-LABEL: func.func @longEnd.v4
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>)
// CHECK-NOT: math.exp
// CHECK: scf.if
// CHECK: scf.for {{.*}} step %c16{{[_0-9]*}} {
// CHECK: math.exp {{.*}} vector<16xf32>
// CHECK: vector.store
// CHECK: scf.for {{.*}} step %c16{{[_0-9]*}} {
// CHECK: vector.create_mask
// CHECK: math.exp {{.*}} vector<16xf32>
// CHECK-NOT: math.exp
// CHECK: return
star.kernel @longEnd sweep of 0 to destination inputs [#star.operand<col <V, [F], f32>>]
    outputs [#star.operand<row <V, [F], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [F], f32>):
  star.contribute [%u] : !gnn.field<S, [F], f32>
} end {
^bb0(%sum: !gnn.field<V, [F], f32>):
  %0 = gnn.exp %sum : !gnn.field<V, [F], f32>
  star.yield %0 : !gnn.field<V, [F], f32>
}
