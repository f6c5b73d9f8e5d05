// RUN: gnn-opt %s --gnn-to-star | FileCheck %s

// Tests that softmax sums share the sweep of their normaliser, that the weights of an edge are made once for two of them, and that the
// normaliser, which the return needs, is a result.

!s = !gnn.field<S, [heads, out], f32>
!scores = !gnn.field<E, [heads], f32>
!v = !gnn.field<V, [heads, out], f32>
!n = !gnn.field<V, [heads], f32>

// CHECK-LABEL: star.program @infer
// CHECK: star.sweep 0 to destination rows({{.*}}) cols({{.*}}) reduce [#gnn.logsumexp, #star.softmax_sum<0, [0]>, #star.softmax_sum<0, [0]>]
// CHECK: %[[SCORE:.+]] = gnn.add
// CHECK: %[[DECAY:.+]], %[[WEIGHT:.+]] = star.online_softmax %[[SCORE]] of 0 : !gnn.field<E, [heads], f32> -> !gnn.field<E, [heads], f32>
// CHECK-NOT: star.online_softmax
// CHECK: %[[WIDE:.+]] = gnn.broadcast %[[WEIGHT]] dims [0]
// CHECK: %[[WEIGHTED:.+]] = gnn.mul %[[WIDE]]
// CHECK: %[[OTHER:.+]] = gnn.mul %[[WEIGHT]]
// CHECK: star.contribute [%[[SCORE]], %[[WEIGHTED]], %[[OTHER]]]
// CHECK: ^bb0({{.*}}%[[N:[a-z0-9]+]]: !gnn.field<V, [heads], f32>, %[[Y:[a-z0-9]+]]: !gnn.field<V, [heads, out], f32>, %{{.*}}: !gnn.field<V, [heads], f32>):
// CHECK-NOT: star.sweep
// CHECK: star.return
gnn.program @infer {
  %t = gnn.input "t" : !n
  %z = gnn.input "z" : !v
  %d = gnn.read_destination %t : !n -> !gnn.field<D, [heads], f32>
  %u = gnn.read_source %t : !n -> !gnn.field<S, [heads], f32>
  %score = gnn.add %d, %u : (!gnn.field<D, [heads], f32>, !gnn.field<S, [heads], f32>) -> !scores
  %zu = gnn.read_source %z : !v -> !s
  %norm = gnn.aggregate #gnn.logsumexp %score to destination : (!scores) -> !n
  %y = gnn.softmax_sum %zu over %norm dims [0] : (!s, !n) -> !v
  %r = gnn.softmax_sum %u over %norm dims [0] : (!gnn.field<S, [heads], f32>, !n) -> !n
  gnn.return %y, %r, %norm [#gnn.result<output "y">, #gnn.result<output "r">, #gnn.result<output "n">] : !v, !n, !n
}
