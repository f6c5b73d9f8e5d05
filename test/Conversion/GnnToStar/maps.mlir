// RUN: gnn-opt %s --gnn-to-star | FileCheck %s

// Tests that vertex ops between products are one map, with totals over its rows, and that unused work is gone.
// CHECK-LABEL: star.program @train
// CHECK: %[[X:.+]] = gnn.input "x"
// CHECK: %[[Z:.+]] = star.matmul
// CHECK: %[[R:.+]], %{{.+}} = star.map 0 rows(%[[Z]] :
// CHECK-NOT: gnn.tanh
// CHECK: -> rows(!gnn.field<V, [out], f32>) totals {{\[}}#gnn.sum{{\]}}(!gnn.field<P, [out], f32>)
// CHECK: star.matmul_tn %[[X]], %[[R]] :
// CHECK-NOT: star.map
// CHECK: star.return
gnn.program @train {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %w = gnn.param "W" : !gnn.field<P, [in, out], f32>
  %z = gnn.matmul %x, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
  %e = gnn.exp %z : !gnn.field<V, [out], f32>
  %g = gnn.mul %e, %z : (!gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<V, [out], f32>
  %unused = gnn.tanh %g : !gnn.field<V, [out], f32>
  %db = gnn.total #gnn.sum %g : (!gnn.field<V, [out], f32>) -> !gnn.field<P, [out], f32>
  %dw = gnn.matmul_tn %x, %g : (!gnn.field<V, [in], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<P, [in, out], f32>
  gnn.return %dw, %db [#gnn.result<gradient "W">, #gnn.result<gradient "b">] : !gnn.field<P, [in, out], f32>, !gnn.field<P, [out], f32>
}

// Tests that a sum over vertices and how many they are come from one map: of a sample both are of the same rows.
// CHECK-LABEL: star.program @mean
// CHECK: star.map 0 rows(%{{.*}} : !gnn.field<V, [in], f32>) end {
// CHECK: %[[ONE:.+]] = gnn.constant 1.0
// CHECK: star.yield %{{.*}}, %[[ONE]]
// CHECK: totals {{\[}}#gnn.sum, #gnn.sum{{\]}}(!gnn.field<P, [in], f32>, !gnn.field<P, [], f32>)
gnn.program @mean {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %s = gnn.total #gnn.sum %x : (!gnn.field<V, [in], f32>) -> !gnn.field<P, [in], f32>
  %n = gnn.total #gnn.sum ones %x : (!gnn.field<V, [in], f32>) -> !gnn.field<P, [], f32>
  gnn.return %s, %n [#gnn.result<output "s">, #gnn.result<output "n">] : !gnn.field<P, [in], f32>, !gnn.field<P, [], f32>
}

// Tests that a parameter computed from a total is a map over one row.
// CHECK-LABEL: star.program @infer
// CHECK: %[[T:.+]] = star.map 0 {{.*}} end {
// CHECK: totals {{\[}}#gnn.sum{{\]}}(!gnn.field<P, [], f32>)
// CHECK: star.map -1 whole(%[[T]] : !gnn.field<P, [], f32>) end {
// CHECK: gnn.sqrt %{{.*}} : !gnn.field<P, [], f32>
// CHECK: star.return
gnn.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %t = gnn.total #gnn.sum %x : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %r = gnn.sqrt %t : !gnn.field<P, [], f32>
  gnn.return %r [#gnn.result<output "norm">] : !gnn.field<P, [], f32>
}
