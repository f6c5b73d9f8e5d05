// RUN: gnn-opt %s --gnn-to-star | FileCheck %s

// Tests that a dropout mask is drawn in the step that uses it, and stored with what edges read.

// CHECK-LABEL: star.program @train
// CHECK: star.sweep
// CHECK: end {
// CHECK: gnn.dropout_mask site 1
// CHECK: star.yield
// CHECK-NOT: star.map
// CHECK: star.return
gnn.program @train {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %mask = gnn.dropout_mask site 1 probability 0.5 : !gnn.field<V, [], f32>
  %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %a = gnn.aggregate #gnn.sum %s to destination : (!gnn.field<S, [], f32>) -> !gnn.field<V, [], f32>
  %m = gnn.mul %a, %mask : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %m [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// CHECK-LABEL: star.program @infer
// CHECK: %[[M:.+]] = star.map 0
// CHECK: gnn.dropout_mask site 1
// CHECK: star.sweep 0 to destination cols(%[[M]] :
// CHECK-NOT: gnn.dropout_mask
// CHECK: star.return
gnn.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %mask = gnn.dropout_mask site 1 probability 0.5 : !gnn.field<V, [], f32>
  %m = gnn.mul %x, %mask : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  %s = gnn.read_source %m : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %a = gnn.aggregate #gnn.sum %s to destination : (!gnn.field<S, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %a [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// Tests that backward computes again from what forward has stored: forward gives the loss its sum, and stores that, not its exponential.
// CHECK-LABEL: star.program @evaluate
// CHECK: star.sweep 0 to destination
// CHECK-NOT: gnn.exp
// CHECK: star.map 0
// CHECK: star.sweep 0 to source
// CHECK: gnn.exp
// CHECK: star.return
gnn.program @evaluate {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %a = gnn.aggregate #gnn.sum %s to destination : (!gnn.field<S, [], f32>) -> !gnn.field<V, [], f32>
  %as = gnn.read_source %a : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %b = gnn.aggregate #gnn.sum %as to destination : (!gnn.field<S, [], f32>) -> !gnn.field<V, [], f32>
  %mask = gnn.loss_mask : !gnn.field<V, [], f32>
  %masked = gnn.mul %b, %mask : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.total #gnn.sum %masked : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %e = gnn.exp %a : !gnn.field<V, [], f32>
  %d = gnn.read_destination %mask : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
  %g = gnn.aggregate #gnn.sum %d to source : (!gnn.field<D, [], f32>) -> !gnn.field<V, [], f32>
  %ge = gnn.mul %g, %e : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  %gt = gnn.total #gnn.sum %ge : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  gnn.return %loss, %gt [#gnn.result<loss "loss">, #gnn.result<gradient "g">] : !gnn.field<P, [], f32>, !gnn.field<P, [], f32>
}
