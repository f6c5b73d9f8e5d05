// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v4 | FileCheck %s
// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v4 | FileCheck %s --check-prefix=VERSIONS
// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v2 | FileCheck %s --check-prefix=WIDE
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

// More than few elements: where a row is open, the lines that it has are asked for ahead, four at a time, then one. A dot product has four
// vectors in turn and a masked rest, if there is one; the sums are updated four vectors at a time, then one, then a rest.
// WIDE-LABEL: func.func @dots.v2
// WIDE: arith.maxsi
// WIDE: arith.minsi
// WIDE: arith.minsi
// WIDE: scf.for {{.*}} step %c64{{[_0-9]*}} {
// WIDE-COUNT-4: memref.prefetch
// WIDE: scf.for [[AT:%[a-z0-9_]+]] = {{.*}} step %c16{{[_0-9]*}} {
// WIDE-NEXT: memref.prefetch {{.*}}[[[AT]]]
// WIDE: scf.for {{.*}} step %c16{{[_0-9]*}} iter_args({{.*}}) -> (vector<4xf32>, vector<4xf32>, vector<4xf32>, vector<4xf32>) {
// WIDE: scf.for {{.*}} step %c4{{[_0-9]*}} iter_args
// WIDE: scf.if {{.*}} -> (vector<4xf32>) {
// WIDE: } else {
// WIDE: scf.for {{.*}} step %c16{{[_0-9]*}} {
// WIDE-COUNT-4: vector.store
// WIDE: scf.for {{.*}} step %c4{{[_0-9]*}} {
// WIDE-COUNT-1: vector.store
// WIDE: scf.if
// WIDE: vector.maskedstore
star.kernel @dots sweep of 0 to destination inputs [#star.operand<row <V, [H, F], f32>>, #star.operand<col <V, [H, F], f32>>]
    outputs [#star.operand<row <V, [H, F], f32>>] reduce [#gnn.sum] step {
^bb0(%v: !gnn.field<D, [H, F], f32>, %u: !gnn.field<S, [H, F], f32>):
  %0 = gnn.mul %u, %v : (!gnn.field<S, [H, F], f32>, !gnn.field<D, [H, F], f32>) -> !gnn.field<E, [H, F], f32>
  %1 = gnn.reduce #gnn.sum %0 dim 1 : (!gnn.field<E, [H, F], f32>) -> !gnn.field<E, [H], f32>
  %2 = gnn.broadcast %1 dims [0] : !gnn.field<E, [H], f32> -> !gnn.field<E, [H, F], f32>
  %3 = gnn.mul %2, %u : (!gnn.field<E, [H, F], f32>, !gnn.field<S, [H, F], f32>) -> !gnn.field<E, [H, F], f32>
  star.contribute [%3] : !gnn.field<E, [H, F], f32>
} end {
^bb0(%v: !gnn.field<V, [H, F], f32>, %sum: !gnn.field<V, [H, F], f32>):
  star.yield %sum : !gnn.field<V, [H, F], f32>
}
