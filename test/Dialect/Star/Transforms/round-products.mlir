// RUN: gnn-opt %s --star-round-products | FileCheck %s

// Dense products of f32 are marked, forward and back; those of f64 are not, and what is no product stays.
// CHECK-LABEL: star.program @infer
// CHECK: star.matmul %{{.*}}, %{{.*}} of_bf16 : (!gnn.field<V, [in], f32>
// CHECK: star.matmul %{{.*}}, %{{.*}} transpose_w of_bf16 : (!gnn.field<V, [out], f32>
// CHECK: star.matmul_tn %{{.*}}, %{{.*}} of_bf16 : (!gnn.field<V, [in], f32>
star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %w = gnn.param "W" : !gnn.field<P, [in, out], f32>
  %h = star.matmul %x, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
  %g = star.matmul %h, %w transpose_w : (!gnn.field<V, [out], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [in], f32>
  %d = star.matmul_tn %x, %h : (!gnn.field<V, [in], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<P, [in, out], f32>
  star.return %g, %d [#gnn.result<output "g">, #gnn.result<gradient "W">] : !gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>
}

// CHECK-LABEL: star.program @train
// CHECK: star.matmul %{{.*}}, %{{.*}} : (!gnn.field<V, [in], f64>
star.program @train {
  %x = gnn.input "x" : !gnn.field<V, [in], f64>
  %w = gnn.param "W" : !gnn.field<P, [in, out], f64>
  %h = star.matmul %x, %w : (!gnn.field<V, [in], f64>, !gnn.field<P, [in, out], f64>) -> !gnn.field<V, [out], f64>
  star.return %h [#gnn.result<output "h">] : !gnn.field<V, [out], f64>
}
