// RUN: gnn-opt %s --gnn-separate-totals --split-input-file | FileCheck %s
// RUN: gnn-opt %s --gnn-separate-totals --gnn-differentiate --gnn-derive-programs --gnn-decompose --canonicalize --cse --gnn-to-star \
// RUN:     --split-input-file | FileCheck %s --check-prefix=STAR

// A total that edges read is over the vertices one step away from the seeds, although its gradient only comes from the
// seeds, as `gnn.stop_gradient` ends the other way.

// CHECK-LABEL: gnn.program @forward
// CHECK: gnn.total #gnn.sum %{{.+}} {depth = 1 : i64}
// STAR-LABEL: star.program @train
// STAR: totals [#gnn.sum](!gnn.field<P, [], f32>) {depth = 1 : i64}
// STAR: star.sweep 0 to destination
// STAR: gnn.add %{{.+}} {depth} : (!gnn.field<P, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
// STAR: {depth = 1 : i64}
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %a = gnn.param "a" : !gnn.field<P, [], f32>
  %t = gnn.target "t" : !gnn.field<V, [], f32>
  %xa = gnn.mul %x, %a : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  %total = gnn.total #gnn.sum %xa : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %n = gnn.mul %x, %total : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  %frozen = gnn.stop_gradient %n : !gnn.field<V, [], f32>
  %s = gnn.read_source %frozen : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %sum = gnn.aggregate #gnn.sum %s to destination : (!gnn.field<S, [], f32>) -> !gnn.field<V, [], f32>
  %y = gnn.add %sum, %n : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.mean_squared_error %y, %t : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %y, %loss [#gnn.result<output "y">, #gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>, !gnn.field<V, [], f32>
}

// -----

// A total that only an output reads through edges is over the seeds in training.

// CHECK-LABEL: gnn.program @forward
// CHECK: gnn.total #gnn.sum %{{.+}} {depth = 0 : i64}
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %a = gnn.param "a" : !gnn.field<P, [], f32>
  %t = gnn.target "t" : !gnn.field<V, [], f32>
  %xa = gnn.mul %x, %a : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  %total = gnn.total #gnn.sum %xa : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %n = gnn.mul %x, %total : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  %s = gnn.read_source %n : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %sum = gnn.aggregate #gnn.sum %s to destination : (!gnn.field<S, [], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.mean_squared_error %n, %t : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %sum, %loss [#gnn.result<output "y">, #gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>, !gnn.field<V, [], f32>
}
