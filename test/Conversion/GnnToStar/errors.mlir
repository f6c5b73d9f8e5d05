// RUN: gnn-opt %s --gnn-to-star --split-input-file --verify-diagnostics

gnn.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  // expected-error @+1 {{expected softmax over edges to be decomposed before fusion}}
  %a = gnn.softmax %s to destination of 0 : (!gnn.field<S, [], f32>) -> !gnn.field<E, [], f32>
  %r = gnn.aggregate #gnn.sum %a to destination : (!gnn.field<E, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %r [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// -----

gnn.program @train {
  %x = gnn.input "x" : !gnn.field<V, [heads, in], f32>
  %g = gnn.input "g" : !gnn.field<V, [heads, out], f32>
  // expected-error @+1 {{this product over vertices has no step: expected vertex fields with one row each}}
  %w = gnn.matmul_tn %x, %g : (!gnn.field<V, [heads, in], f32>, !gnn.field<V, [heads, out], f32>) -> !gnn.field<P, [in, out], f32>
  gnn.return %w [#gnn.result<gradient "w">] : !gnn.field<P, [in, out], f32>
}
