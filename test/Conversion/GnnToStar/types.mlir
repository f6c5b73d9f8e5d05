// RUN: gnn-opt %s --gnn-to-star | FileCheck %s

// Tests that a sum by type and one with a parameter of the type share a sweep, that the integer is of the edge, and that the fold of a
// total goes with it.
// CHECK-LABEL: star.program @infer
// CHECK: star.sweep 0 to destination cols({{.*}}) whole({{.*}}) reduce [#gnn.sum, #gnn.sum] step {
// CHECK: ^bb0(%[[U:.+]]: !gnn.field<S, [out], f32>, %[[W:.+]]: !gnn.field<P, [types, out], f32>):
// CHECK: %[[T:.+]] = gnn.edge_type
// CHECK: gnn.index %[[W]], %[[T]]
// CHECK: star.contribute [%[[U]], %{{.+}}] by [%[[T]]] of [0, -1]
// CHECK: ^bb0(%{{.+}}: !gnn.field<P, [types, out], f32>, %[[BY:.+]]: !gnn.field<V, [types, out], f32>, %[[SUM:.+]]: !gnn.field<V, [out], f32>):
// CHECK: gnn.reduce #gnn.max %[[BY]]
// CHECK-NOT: star.sweep
// CHECK: star.map 0 {{.*}} end {
// CHECK: totals {{\[}}#gnn.max{{\]}}
gnn.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [out], f32>
  %w = gnn.param "W" : !gnn.field<P, [types, out], f32>
  %t = gnn.edge_type : !gnn.field<E, [], i32>
  %s = gnn.read_source %x : !gnn.field<V, [out], f32> -> !gnn.field<S, [out], f32>
  %by = gnn.aggregate #gnn.sum %s by %t to destination
      : (!gnn.field<S, [out], f32>, !gnn.field<E, [], i32>) -> !gnn.field<V, [types, out], f32>
  %p = gnn.index %w, %t : (!gnn.field<P, [types, out], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [out], f32>
  %m = gnn.mul %p, %s : (!gnn.field<E, [out], f32>, !gnn.field<S, [out], f32>) -> !gnn.field<E, [out], f32>
  %a = gnn.aggregate #gnn.sum %m to destination : (!gnn.field<E, [out], f32>) -> !gnn.field<V, [out], f32>
  %r = gnn.reduce #gnn.max %by dim 0 : (!gnn.field<V, [types, out], f32>) -> !gnn.field<V, [out], f32>
  %y = gnn.add %r, %a : (!gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<V, [out], f32>
  %most = gnn.total #gnn.max %y : (!gnn.field<V, [out], f32>) -> !gnn.field<P, [out], f32>
  gnn.return %y, %most [#gnn.result<output "y">, #gnn.result<output "most">] : !gnn.field<V, [out], f32>, !gnn.field<P, [out], f32>
}
