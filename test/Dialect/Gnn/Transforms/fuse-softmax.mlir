// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-decompose,canonicalize,cse,gnn-fuse-softmax,canonicalize))' | FileCheck %s

!s = !gnn.field<S, [heads, out], f32>
!e = !gnn.field<E, [heads, out], f32>
!scores = !gnn.field<E, [heads], f32>
!condition = !gnn.field<E, [], i1>
!v = !gnn.field<V, [heads, out], f32>
!z = !gnn.field<V, [heads, out], f32>

// The weight leaves the sum, with a mask that stays, and the values come before the normaliser.
// CHECK-LABEL: gnn.program @attention
gnn.program @attention {
  // CHECK: %[[X:.+]] = gnn.tanh
  // CHECK: %[[MASK:.+]] = gnn.dropout_mask
  // CHECK: %[[ALL:.+]] = gnn.broadcast %[[MASK]] dims [0]
  // CHECK: %[[Z:.+]] = gnn.read_source
  // CHECK: %[[KEPT:.+]] = gnn.mul %[[ALL]], %[[Z]]
  // CHECK: %[[N:.+]] = gnn.aggregate #gnn.logsumexp %[[X]] to destination
  // CHECK-NOT: gnn.exp
  // CHECK: %[[Y:.+]] = gnn.softmax_sum %[[KEPT]] over %[[N]] dims [0]
  // CHECK: gnn.return %[[Y]]
  %logits = gnn.input "x" : !scores
  %x = gnn.tanh %logits : !scores
  %a = gnn.softmax %x to destination of 0 : (!scores) -> !scores
  %mask = gnn.dropout_mask site 1 probability 0.5 : !scores
  %am = gnn.mul %a, %mask : (!scores, !scores) -> !scores
  %w = gnn.broadcast %am dims [0] : !scores -> !e
  %z = gnn.input "z" : !z
  %u = gnn.read_source %z : !z -> !s
  %m = gnn.mul %w, %u : (!e, !s) -> !e
  %y = gnn.aggregate #gnn.sum %m to destination : (!e) -> !v
  gnn.return %y [#gnn.result<output "y">] : !v
}

// Edges that a filter leaves out have no weight; a filter of the sum stays where it is.
// CHECK-LABEL: gnn.program @filtered
gnn.program @filtered {
  // CHECK: %[[F:.+]] = gnn.input "f"
  // CHECK: %[[HOLDS:.+]] = gnn.broadcast %[[F]] dims [] : {{.*}} -> !gnn.field<E, [heads, out], i1>
  // CHECK: %[[U:.+]] = gnn.select %[[HOLDS]], %{{.+}}, %{{.+}} : ({{.*}}, !gnn.field<S,
  // CHECK: gnn.aggregate #gnn.logsumexp
  // CHECK: gnn.softmax_sum %[[U]] over
  %logits = gnn.input "x" : !scores
  %x = gnn.tanh %logits : !scores
  %f = gnn.input "f" : !condition
  %a = gnn.softmax %x filter %f to destination of 0 : (!scores, !condition) -> !scores
  %w = gnn.broadcast %a dims [0] : !scores -> !e
  %z = gnn.input "z" : !z
  %u = gnn.read_source %z : !z -> !s
  %m = gnn.mul %w, %u : (!e, !s) -> !e
  %y = gnn.aggregate #gnn.sum %m filter %f to destination : (!e, !condition) -> !v
  gnn.return %y [#gnn.result<output "y">] : !v
}

// What depends on the normaliser cannot share its sweep, nor can a sum to the other end.
// CHECK-LABEL: gnn.program @second_sweep
gnn.program @second_sweep {
  // CHECK-NOT: gnn.softmax_sum
  // CHECK: gnn.return
  %logits = gnn.input "x" : !scores
  %x = gnn.tanh %logits : !scores
  %a = gnn.softmax %x to destination of 0 : (!scores) -> !scores
  %sum = gnn.aggregate #gnn.logsumexp %x to destination : (!scores) -> !gnn.field<V, [heads], f32>
  %u = gnn.read_source %sum : !gnn.field<V, [heads], f32> -> !gnn.field<S, [heads], f32>
  %m = gnn.mul %a, %u : (!scores, !gnn.field<S, [heads], f32>) -> !scores
  %y = gnn.aggregate #gnn.sum %m to destination : (!scores) -> !gnn.field<V, [heads], f32>
  %back = gnn.aggregate #gnn.sum %a to source : (!scores) -> !gnn.field<V, [heads], f32>
  // A weight that is no factor of all that is summed.
  %c = gnn.input "c" : !scores
  %am = gnn.add %a, %c : (!scores, !scores) -> !scores
  %mixed = gnn.aggregate #gnn.sum %am to destination : (!scores) -> !gnn.field<V, [heads], f32>
  gnn.return %y, %back, %mixed [#gnn.result<output "y">, #gnn.result<output "b">, #gnn.result<output "c">]
      : !gnn.field<V, [heads], f32>, !gnn.field<V, [heads], f32>, !gnn.field<V, [heads], f32>
}

// A weighted ReLU: the 0 of the choice stands first.
// CHECK-LABEL: gnn.program @zero_first
gnn.program @zero_first {
  // CHECK: %[[ZERO:.+]] = gnn.constant 0.0
  // CHECK: %[[F:.+]] = gnn.input "f"
  // CHECK: %[[HOLDS:.+]] = gnn.broadcast %[[F]] dims []
  // CHECK: %[[U:.+]] = gnn.select %[[HOLDS]], %[[ZERO]], %{{.+}} : ({{.*}}, !gnn.field<S,
  // CHECK: gnn.softmax_sum %[[U]] over
  %logits = gnn.input "x" : !scores
  %x = gnn.tanh %logits : !scores
  %f = gnn.input "f" : !condition
  %holds = gnn.broadcast %f dims [] : !condition -> !gnn.field<E, [heads, out], i1>
  %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [heads, out], f32>
  %a = gnn.softmax %x to destination of 0 : (!scores) -> !scores
  %w = gnn.broadcast %a dims [0] : !scores -> !e
  %z = gnn.input "z" : !z
  %u = gnn.read_source %z : !z -> !s
  %m = gnn.mul %w, %u : (!e, !s) -> !e
  %relu = gnn.select %holds, %zero, %m : (!gnn.field<E, [heads, out], i1>, !gnn.field<P, [heads, out], f32>, !e) -> !e
  %y = gnn.aggregate #gnn.sum %relu to destination : (!e) -> !v
  gnn.return %y [#gnn.result<output "y">] : !v
}
