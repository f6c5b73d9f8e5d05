// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn-derive-programs,gnn.program(canonicalize,cse))' | FileCheck %s

// Neither program draws a mask, @infer knows no target, and @forward is gone.
// CHECK-NOT: @forward
// CHECK-LABEL: gnn.program @infer
// CHECK-NOT: gnn.dropout_mask
// CHECK-NOT: gnn.target
// CHECK: %[[LOGITS:.+]] = gnn.matmul %{{.+}}, %{{.+}}
// CHECK: gnn.return %[[LOGITS]] [#gnn.result<output "logits">]

// CHECK-LABEL: gnn.program @evaluate
// CHECK-NOT: gnn.dropout_mask
// CHECK-DAG: %[[LABEL:.+]] = gnn.target "label"
// CHECK-DAG: %[[LOGITS:.+]] = gnn.matmul
// CHECK: %[[LOSS:.+]] = gnn.cross_entropy %[[LOGITS]], %[[LABEL]]
// CHECK: %[[PREDICTION:.+]] = gnn.arg_reduce max %[[LOGITS]] dim 0
// CHECK: %[[WIDE:.+]] = gnn.cast %[[LABEL]] : !gnn.field<V, [], i32> -> !gnn.field<V, [], i64>
// CHECK: %[[EQUAL:.+]] = gnn.compare eq %[[PREDICTION]], %[[WIDE]]
// CHECK: %[[CORRECT:.+]] = gnn.cast %[[EQUAL]] : !gnn.field<V, [], i1> -> !gnn.field<V, [], f32>
// CHECK: gnn.return %[[LOGITS]], %[[LOSS]], %[[CORRECT]] [#gnn.result<output "logits">, #gnn.result<vertex_loss "loss">, #gnn.result<correct "correct">]
// CHECK-NOT: @forward
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %label = gnn.target "label" : !gnn.field<V, [], i32>
  %w = gnn.param "w" : !gnn.field<P, [in, classes], f32>
  %mask = gnn.dropout_mask site 1 probability 0.5 : !gnn.field<V, [in], f32>
  %0 = gnn.mul %x, %mask : (!gnn.field<V, [in], f32>, !gnn.field<V, [in], f32>) -> !gnn.field<V, [in], f32>
  %1 = gnn.matmul %0, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, classes], f32>) -> !gnn.field<V, [classes], f32>
  %2 = gnn.cross_entropy %1, %label : (!gnn.field<V, [classes], f32>, !gnn.field<V, [], i32>) -> !gnn.field<V, [], f32>
  gnn.return %1, %2 [#gnn.result<output "logits">, #gnn.result<vertex_loss "loss">] : !gnn.field<V, [classes], f32>, !gnn.field<V, [], f32>
}
