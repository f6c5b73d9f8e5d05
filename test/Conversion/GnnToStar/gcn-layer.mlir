// RUN: gnn-opt %s --gnn-to-star | FileCheck %s

// Tests that a GCN layer is one product and one sweep: `u.c * u.z` is cheap enough to be computed for each edge, what follows the sum is fused
// into `end`.

// CHECK-LABEL: star.program @infer
// CHECK: %[[Z:.+]] = star.matmul
// CHECK-NOT: star.map
// CHECK: star.sweep 0 to destination rows(%[[DEGREE:[0-9]+]] : {{.*}}) cols(%[[DEGREE]], %[[Z]] : {{.*}}) whole(
// CHECK: %[[C:[0-9]+]] = gnn.rsqrt %{{.*}} : !gnn.field<S, [], f32>
// CHECK: gnn.broadcast %[[C]]
// CHECK: %[[M:[0-9]+]] = gnn.mul {{.*}} -> !gnn.field<S, [out], f32>
// CHECK: star.contribute [%[[M]]]
// CHECK: end {
// CHECK: gnn.rsqrt %{{.*}} : !gnn.field<V, [], f32>
// CHECK: %[[R:.+]] = gnn.add
// CHECK: star.yield %[[R]]
// CHECK-NOT: star.map
// CHECK: star.return
gnn.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %w = gnn.param "W" : !gnn.field<P, [in, out], f32>
  %b = gnn.param "b" : !gnn.field<P, [out], f32>
  %d = gnn.degree in of 0 : !gnn.field<V, [], f32>
  %c = gnn.rsqrt %d : !gnn.field<V, [], f32>
  %z = gnn.matmul %x, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
  %cb = gnn.broadcast %c dims [] : !gnn.field<V, [], f32> -> !gnn.field<V, [out], f32>
  %cz = gnn.mul %cb, %z : (!gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<V, [out], f32>
  %s = gnn.read_source %cz : !gnn.field<V, [out], f32> -> !gnn.field<S, [out], f32>
  %a = gnn.aggregate #gnn.sum %s to destination : (!gnn.field<S, [out], f32>) -> !gnn.field<V, [out], f32>
  %ca = gnn.mul %cb, %a : (!gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<V, [out], f32>
  %r = gnn.add %ca, %b : (!gnn.field<V, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<V, [out], f32>
  gnn.return %r [#gnn.result<output "y">] : !gnn.field<V, [out], f32>
}
