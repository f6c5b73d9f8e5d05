// RUN: gnn-opt %s --gnn-differentiate --gnn-derive-programs --canonicalize --split-input-file | FileCheck %s

// A running mean: what training uses and the next state are results of @train alone.

// CHECK-LABEL: gnn.program @infer
// CHECK-NOT: gnn.total
// CHECK: %[[MEAN:.+]] = gnn.state "mean"
// CHECK: gnn.sub %{{.*}}, %[[MEAN]]
// CHECK: gnn.return %{{.*}} [#gnn.result<output "y">] :
// CHECK-LABEL: gnn.program @evaluate
// CHECK-NOT: #gnn.result<state
// CHECK-LABEL: gnn.program @train
// CHECK-NOT: gnn.training
// CHECK: %[[BATCH:.+]] = gnn.total #gnn.sum
// CHECK: gnn.sub %{{.*}}, %[[BATCH]]
// CHECK: gnn.return %{{.*}}, %{{.*}}, %[[BATCH]] [#gnn.result<loss "loss">, #gnn.result<gradient "w">, #gnn.result<state "mean">]
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %t = gnn.target "t" : !gnn.field<V, [], f32>
  %w = gnn.param "w" : !gnn.field<P, [], f32>
  %mean = gnn.state "mean" : !gnn.field<P, [], f32>
  %training = gnn.training : !gnn.field<P, [], i1>
  %h = gnn.mul %x, %w : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  %batch = gnn.total #gnn.sum %h : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %used = gnn.select %training, %batch, %mean : (!gnn.field<P, [], i1>, !gnn.field<P, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<P, [], f32>
  %y = gnn.sub %h, %used : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.mean_squared_error %y, %t : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %y, %loss, %batch [#gnn.result<output "y">, #gnn.result<vertex_loss "loss">, #gnn.result<state "mean">]
      : !gnn.field<V, [], f32>, !gnn.field<V, [], f32>, !gnn.field<P, [], f32>
}

// -----

// The loss of pairs: its weight is one of edges, and the loss is summed over them by way of their destinations.

// CHECK-LABEL: gnn.program @train
// CHECK: %[[MASK:.+]] = gnn.loss_mask : !gnn.field<E, [], f32>
// CHECK: %[[WEIGHT:.+]] = gnn.mul %[[MASK]], %{{.*}}
// CHECK: %[[WEIGHTED:.+]] = gnn.mul %{{.*}}, %[[WEIGHT]]
// CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum %[[WEIGHTED]] to destination
// CHECK: %[[LOSS:.+]] = gnn.total #gnn.sum %[[SUM]]
// CHECK: gnn.return %[[LOSS]], %{{.*}} [#gnn.result<loss "loss">, #gnn.result<gradient "z">]
gnn.program @forward {
  %table = gnn.param "z" : !gnn.field<P, [num_vertices, d], f32>
  %y = gnn.target "y" : !gnn.field<E, [], f32>
  %z = gnn.table_rows %table : !gnn.field<P, [num_vertices, d], f32> -> !gnn.field<V, [d], f32>
  %a = gnn.read_source %z : !gnn.field<V, [d], f32> -> !gnn.field<S, [d], f32>
  %b = gnn.read_destination %z : !gnn.field<V, [d], f32> -> !gnn.field<D, [d], f32>
  %ab = gnn.mul %a, %b : (!gnn.field<S, [d], f32>, !gnn.field<D, [d], f32>) -> !gnn.field<E, [d], f32>
  %score = gnn.reduce #gnn.sum %ab dim 0 : (!gnn.field<E, [d], f32>) -> !gnn.field<E, [], f32>
  %loss = gnn.binary_cross_entropy %score, %y : (!gnn.field<E, [], f32>, !gnn.field<E, [], f32>) -> !gnn.field<E, [], f32>
  gnn.return %score, %loss [#gnn.result<output "score">, #gnn.result<vertex_loss "loss">] : !gnn.field<E, [], f32>, !gnn.field<E, [], f32>
}
