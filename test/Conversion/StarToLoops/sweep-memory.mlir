// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v4 | FileCheck %s

// Attention of open shapes: the weights of an edge are computed once, as vectors over heads, and the sums are updated in memory.
// CHECK-LABEL: func.func @attention.v4
// CHECK: scf.for
// CHECK: math.exp {{.*}} : vector<16xf32>
// CHECK: vector.store
// CHECK: vector.splat
// CHECK: arith.addf
// CHECK: vector.store
star.kernel @attention sweep of 0 to destination
    inputs [#star.operand<col <V, [heads], f32>>, #star.operand<col <V, [heads, out], f32>>]
    outputs [#star.operand<row <V, [heads, out], f32>>] reduce [#gnn.sum] step {
^bb0(%s: !gnn.field<S, [heads], f32>, %z: !gnn.field<S, [heads, out], f32>):
  %0 = gnn.exp %s : !gnn.field<S, [heads], f32>
  %1 = gnn.broadcast %0 dims [0] : !gnn.field<S, [heads], f32> -> !gnn.field<S, [heads, out], f32>
  %2 = gnn.mul %1, %z : (!gnn.field<S, [heads, out], f32>, !gnn.field<S, [heads, out], f32>) -> !gnn.field<S, [heads, out], f32>
  star.contribute [%2] : !gnn.field<S, [heads, out], f32>
} end {
^bb0(%sum: !gnn.field<V, [heads, out], f32>):
  star.yield %sum : !gnn.field<V, [heads, out], f32>
}
