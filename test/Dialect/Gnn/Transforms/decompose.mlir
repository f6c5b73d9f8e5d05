// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-decompose))' | FileCheck %s

!e = !gnn.field<E, [heads], f32>
!v = !gnn.field<V, [heads], f32>
!scalar = !gnn.field<V, [], f32>

// Softmax over edges keeps one number for each vertex and element; over filtered edges, 0 elsewhere.
// CHECK-LABEL: gnn.program @softmax
gnn.program @softmax {
  // CHECK-DAG: %[[ZERO:.+]] = gnn.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[NOTHING:.+]] = gnn.constant 0xFF800000 : f32
  // CHECK-DAG: %[[X:.+]] = gnn.tanh
  // CHECK-DAG: %[[F:.+]] = gnn.input "f"
  // CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.logsumexp %[[X]] to source
  // CHECK: %[[READ:.+]] = gnn.read_source %[[SUM]]
  // CHECK: %[[SHIFTED:.+]] = gnn.sub %[[X]], %[[READ]]
  // CHECK: %[[A:.+]] = gnn.exp %[[SHIFTED]]
  // CHECK: %[[HOLDS:.+]] = gnn.broadcast %[[F]] dims []
  // CHECK: %[[SOME:.+]] = gnn.select %[[HOLDS]], %[[X]], %[[NOTHING]]
  // CHECK: gnn.aggregate #gnn.logsumexp %[[SOME]] to destination
  // CHECK: %[[EXP:.+]] = gnn.exp
  // CHECK: %[[B:.+]] = gnn.select %{{.+}}, %[[EXP]], %[[ZERO]]
  // CHECK: gnn.aggregate #gnn.sum %[[A]]
  // CHECK: gnn.aggregate #gnn.sum %[[B]]
  %logits = gnn.input "x" : !e
  %x = gnn.tanh %logits : !e
  %f = gnn.input "f" : !gnn.field<E, [], i1>
  %0 = gnn.softmax %x to source of 0 : (!e) -> !e
  %1 = gnn.softmax %x filter %f to destination of 0 : (!e, !gnn.field<E, [], i1>) -> !e
  %2 = gnn.aggregate #gnn.sum %0 to destination : (!e) -> !v
  %3 = gnn.aggregate #gnn.sum %1 to destination : (!e) -> !v
  gnn.return %2, %3 [#gnn.result<output "a">, #gnn.result<output "b">] : !v, !v
}

// Scores that may be exact, however large, are taken relative to the largest one first.
// CHECK-LABEL: gnn.program @exact_scores
gnn.program @exact_scores {
  // CHECK: %[[X:.+]] = gnn.input "x"
  // CHECK: %[[LARGEST:.+]], %{{.+}} = gnn.aggregate #gnn.max %[[X]] to destination
  // CHECK: %[[BOUND:.+]] = gnn.maximum %[[LARGEST]]
  // CHECK: %[[READ:.+]] = gnn.read_destination %[[BOUND]]
  // CHECK: %[[RELATIVE:.+]] = gnn.sub %[[X]], %[[READ]]
  // CHECK: gnn.aggregate #gnn.logsumexp %[[RELATIVE]] to destination
  // CHECK: gnn.sub %[[RELATIVE]]
  %x = gnn.input "x" : !e
  %0 = gnn.softmax %x to destination of 0 : (!e) -> !e
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!e) -> !v
  gnn.return %1 [#gnn.result<output "a">] : !v
}

// Filters of sums are selects; a maximum keeps its own.
// CHECK-LABEL: gnn.program @filters
gnn.program @filters {
  // CHECK: %[[X:.+]] = gnn.input "x"
  // CHECK: %[[CHOSEN:.+]] = gnn.select %{{.+}}, %[[X]], %{{.+}}
  // CHECK: gnn.aggregate #gnn.sum %[[CHOSEN]] to destination : (!gnn.field<E, [heads], f32>)
  // CHECK: gnn.aggregate #gnn.max %[[X]] filter %{{.+}} to destination
  %x = gnn.input "x" : !e
  %f = gnn.input "f" : !gnn.field<E, [], i1>
  %0 = gnn.aggregate #gnn.sum %x filter %f to destination : (!e, !gnn.field<E, [], i1>) -> !v
  %1, %arg = gnn.aggregate #gnn.max %x filter %f to destination : (!e, !gnn.field<E, [], i1>) -> (!v, !gnn.field<V, [heads], i64>)
  gnn.return %0, %1 [#gnn.result<output "a">, #gnn.result<output "b">] : !v, !v
}

// Cross entropy is minus the logarithm of the picked share, where there is one to pick; the shares are those of logits
// relative to the largest.
// CHECK-LABEL: gnn.program @losses
gnn.program @losses {
  // CHECK: %[[X:.+]] = gnn.input "x"
  // CHECK: %[[LARGEST:.+]] = gnn.reduce #gnn.max %[[X]] dim 0
  // CHECK: %[[BOUND:.+]] = gnn.maximum %[[LARGEST]]
  // CHECK: %[[BOUNDS:.+]] = gnn.broadcast %[[BOUND]] dims []
  // CHECK: %[[SHIFTED:.+]] = gnn.sub %[[X]], %[[BOUNDS]]
  // CHECK: %[[EXP:.+]] = gnn.exp %[[SHIFTED]]
  // CHECK: %[[EXPS:.+]] = gnn.reduce #gnn.sum %[[EXP]] dim 0
  // CHECK: %[[LOG:.+]] = gnn.log %[[EXPS]]
  // CHECK: %[[LOGS:.+]] = gnn.broadcast %[[LOG]] dims []
  // CHECK: %[[SHARES:.+]] = gnn.sub %[[SHIFTED]], %[[LOGS]]
  // CHECK: %[[HOT:.+]] = gnn.one_hot %{{.+}} dim 0 : !gnn.field<V, [], i32> -> !gnn.field<V, [heads], i1>
  // CHECK: %[[CHOSEN:.+]] = gnn.select %[[HOT]], %[[SHARES]]
  // CHECK: %[[PICKED:.+]] = gnn.reduce #gnn.sum %[[CHOSEN]] dim 0
  // CHECK: %[[LABELLED:.+]] = gnn.and
  // CHECK: %[[LOSS:.+]] = gnn.neg %[[PICKED]]
  // CHECK: gnn.select %[[LABELLED]], %[[LOSS]]
  // CHECK: gnn.abs
  // CHECK: gnn.log
  // CHECK: gnn.div
  // CHECK: %[[ERROR:.+]] = gnn.sub
  // CHECK: gnn.mul %[[ERROR]], %[[ERROR]]
  // CHECK: gnn.div
  %x = gnn.input "x" : !v
  %label = gnn.target "label" : !gnn.field<V, [], i32>
  %target = gnn.target "t" : !v
  %0 = gnn.cross_entropy %x, %label : (!v, !gnn.field<V, [], i32>) -> !scalar
  %1 = gnn.binary_cross_entropy %x, %target : (!v, !v) -> !scalar
  %2 = gnn.mean_squared_error %x, %target : (!v, !v) -> !scalar
  gnn.return %0, %1, %2 [#gnn.result<output "a">, #gnn.result<output "b">, #gnn.result<output "c">] : !scalar, !scalar, !scalar
}

// CHECK-LABEL: @stop_gradient
// CHECK: %[[X:.+]] = gnn.input
// CHECK-NEXT: gnn.return %[[X]]
gnn.program @stop_gradient {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %0 = gnn.stop_gradient %x : !gnn.field<V, [], f32>
  gnn.return %0 [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}
