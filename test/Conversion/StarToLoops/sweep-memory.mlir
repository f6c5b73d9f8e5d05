// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v4 | FileCheck %s
// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v4 | FileCheck %s --check-prefix=VERSIONS
// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v2 | FileCheck %s --check-prefix=PLAIN

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

// Few heads of few elements are in registers while a segment is folded: a version for up to 1, 2, 4 and 8 heads.
// VERSIONS-LABEL: func.func @attention.v4
// VERSIONS-COUNT-4: arith.cmpi ule
// VERSIONS: scf.if
// VERSIONS: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>) {
// VERSIONS: } else {
// VERSIONS: scf.for {{.*}} iter_args

// There are none without masks.
// PLAIN-LABEL: func.func @attention.v2
// PLAIN-NOT: arith.cmpi ule
