// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v4 | FileCheck %s

// An open width: tiles of four vectors around the loop over edges, then masked pairs, then one masked vector.
// CHECK: star.kernel @sum {{.*}} scratch "16 * F" state "16 * F"
// CHECK-LABEL: func.func @sum.v4
// CHECK: scf.for
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
