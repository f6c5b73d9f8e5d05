// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v4 | FileCheck %s

// The parameter is packed once a call; then, for each panel of edges, what they multiply is gathered, and blocks of six
// edges by four vectors, of three and of one, are multiplied and folded in the order of the edges.
// CHECK-LABEL: func.func @mlp.v4
// CHECK: scf.for
// CHECK: vector.store {{.*}} : memref<?xf32>, vector<16xf32>
// CHECK: scf.for
// CHECK: scf.for
// CHECK: vector.maskedload {{.*}} into vector<8xf32>
// CHECK-COUNT-24: math.fma {{.*}} : vector<16xf32>
// CHECK: arith.maximumf
// CHECK-COUNT-12: math.fma {{.*}} : vector<16xf32>
// CHECK: arith.maximumf
// CHECK-COUNT-4: math.fma {{.*}} : vector<16xf32>
// CHECK: arith.maximumf
star.kernel @mlp sweep of 0 to destination
    inputs [#star.operand<row <V, [5], f32>>, #star.operand<col <V, [5], f32>>, #star.operand<whole <P, [5, out], f32>>]
    outputs [#star.operand<row <V, [out], f32>>] reduce [#gnn.sum] step {
^bb0(%v: !gnn.field<D, [5], f32>, %u: !gnn.field<S, [5], f32>, %w: !gnn.field<P, [5, out], f32>):
  %0 = gnn.add %u, %v : (!gnn.field<S, [5], f32>, !gnn.field<D, [5], f32>) -> !gnn.field<E, [5], f32>
  %1 = gnn.matmul %0, %w : (!gnn.field<E, [5], f32>, !gnn.field<P, [5, out], f32>) -> !gnn.field<E, [out], f32>
  %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [out], f32>
  %2 = gnn.maximum %1, %zero : (!gnn.field<E, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<E, [out], f32>
  star.contribute [%2] : !gnn.field<E, [out], f32>
} end {
^bb0(%v: !gnn.field<V, [5], f32>, %w: !gnn.field<P, [5, out], f32>, %sum: !gnn.field<V, [out], f32>):
  star.yield %sum : !gnn.field<V, [out], f32>
}
