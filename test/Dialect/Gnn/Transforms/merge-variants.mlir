// RUN: gnn-opt %s --gnn-merge-variants | FileCheck %s

// Equal programs are one, in whatever order their ops come, and others are numbered anew.
// CHECK: gnn.program @infer attributes {gnn.orders = {"in -> out" = false}}
// CHECK: gnn.program @infer.2 attributes {gnn.orders = {"in -> out" = true}}
// CHECK-NOT: gnn.program
gnn.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %w = gnn.param "w" : !gnn.field<P, [in, out], f32>
  %0 = gnn.matmul %x, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
  gnn.return %0 [#gnn.result<output "y">] : !gnn.field<V, [out], f32>
}
gnn.program @infer.2 attributes {gnn.orders = {"in -> out" = false}} {
  %w = gnn.param "w" : !gnn.field<P, [in, out], f32>
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %0 = gnn.matmul %x, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
  gnn.return %0 [#gnn.result<output "y">] : !gnn.field<V, [out], f32>
}
gnn.program @infer.3 attributes {gnn.orders = {"in -> out" = true}} {
  %x = gnn.input "x2" : !gnn.field<V, [in], f32>
  %w = gnn.param "w" : !gnn.field<P, [in, out], f32>
  %0 = gnn.matmul %x, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
  gnn.return %0 [#gnn.result<output "y">] : !gnn.field<V, [out], f32>
}
