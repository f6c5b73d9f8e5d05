// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v4 | FileCheck %s

// An open width: a pass goes over tiles of eight vectors, then of four, around the loop over edges, then masked pairs, then one
// masked vector. Rows of the other end are asked for ahead, and a tile ends by itself.
// CHECK: star.kernel @sum {{.*}} scratch "8 * F" state "8" passes "F"
// CHECK-LABEL: func.func @sum.v4
// CHECK-SAME: "pass_begin"
// CHECK-SAME: "pass_end"
// CHECK: scf.for
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
