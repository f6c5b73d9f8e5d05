// RUN: gnn-opt %s --gnn-differentiate --split-input-file --verify-diagnostics

// An op without an adjoint between a parameter and the loss is an error, never a gradient of zeros.
gnn.program @forward {
  %w = gnn.param "w" : !gnn.field<P, [out], f32>
  %x = gnn.input "x" : !gnn.field<V, [out], f32>
  %0 = gnn.mul %x, %w : (!gnn.field<V, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<V, [out], f32>
  // expected-error @+1 {{'gnn.copy' op has no adjoint, but its operands depend on parameters}}
  %1 = gnn.copy %0 : !gnn.field<V, [out], f32>
  %2 = gnn.reduce #gnn.sum %1 dim 0 : (!gnn.field<V, [out], f32>) -> !gnn.field<V, [], f32>
  gnn.return %2 [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}

// -----

// What does not depend on parameters, and what stop_gradient hides, needs none.
gnn.program @forward {
  %w = gnn.param "w" : !gnn.field<P, [out], f32>
  %x = gnn.input "x" : !gnn.field<V, [out], f32>
  %0 = gnn.copy %x : !gnn.field<V, [out], f32>
  %1 = gnn.mul %0, %w : (!gnn.field<V, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<V, [out], f32>
  %2 = gnn.stop_gradient %1 : !gnn.field<V, [out], f32>
  %3 = gnn.copy %2 : !gnn.field<V, [out], f32>
  %4 = gnn.add %1, %3 : (!gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<V, [out], f32>
  %5 = gnn.reduce #gnn.sum %4 dim 0 : (!gnn.field<V, [out], f32>) -> !gnn.field<V, [], f32>
  gnn.return %5 [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}
