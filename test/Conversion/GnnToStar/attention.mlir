// RUN: gnn-opt %s --gnn-to-star | FileCheck %s

// Tests that softmax attention (in its simple form) is two sweeps, that both compute the score from vertex fields, and that no edge field is stored.

// CHECK-LABEL: star.program @infer
// CHECK: %[[L:.+]] = star.sweep 0 to destination rows(%[[T:.+]] : {{.*}}) cols(%[[S:.+]] : {{.*}}) reduce [#gnn.logsumexp]
// CHECK: gnn.add
// CHECK: star.sweep 0 to destination rows(%[[T]], %[[L]] : {{.*}}) cols(%[[S]], %{{.*}} : {{.*}}) reduce [#gnn.sum]
// CHECK: gnn.add
// CHECK: gnn.sub
// CHECK: gnn.exp
// CHECK-NOT: edges(
// CHECK-NOT: star.sweep
// CHECK: star.return
gnn.program @infer {
  %t = gnn.input "t" : !gnn.field<V, [], f32>
  %s = gnn.input "s" : !gnn.field<V, [], f32>
  %z = gnn.input "z" : !gnn.field<V, [], f32>
  %d = gnn.read_destination %t : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
  %u = gnn.read_source %s : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %score = gnn.add %d, %u : (!gnn.field<D, [], f32>, !gnn.field<S, [], f32>) -> !gnn.field<E, [], f32>
  %l = gnn.aggregate #gnn.logsumexp %score to destination : (!gnn.field<E, [], f32>) -> !gnn.field<V, [], f32>
  %lv = gnn.read_destination %l : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
  %shifted = gnn.sub %score, %lv : (!gnn.field<E, [], f32>, !gnn.field<D, [], f32>) -> !gnn.field<E, [], f32>
  %alpha = gnn.exp %shifted : !gnn.field<E, [], f32>
  %zu = gnn.read_source %z : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %m = gnn.mul %alpha, %zu : (!gnn.field<E, [], f32>, !gnn.field<S, [], f32>) -> !gnn.field<E, [], f32>
  %r = gnn.aggregate #gnn.sum %m to destination : (!gnn.field<E, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %r [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}
