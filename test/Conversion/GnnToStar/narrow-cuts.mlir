// RUN: gnn-opt %s --gnn-to-star | FileCheck %s

// A number a head is stored; what repeats and multiplies it is made by the maps and sweeps that read it. The sum of 8 comes before that of 64, for what
// is made of both is then made beside the wider one.
// CHECK-LABEL: star.program @infer
// CHECK: star.sweep 0 to destination {{.*}} reduce [#gnn.sum]
// CHECK: -> rows(!gnn.field<V, [8], f32>)
// CHECK: star.sweep 0 to source rows(%{{.+}} : !gnn.field<V, [8], f32>)
// CHECK: -> rows(!gnn.field<V, [8, 8], f32>)
// CHECK: star.map 0 rows(%{{.+}}, %{{.+}} : !gnn.field<V, [8], f32>, !gnn.field<V, [8, 8], f32>)
// CHECK: gnn.broadcast
// CHECK: totals
// CHECK: star.return
gnn.program @infer {
  %z = gnn.input "z" : !gnn.field<V, [8, 8], f32>
  %s = gnn.input "s" : !gnn.field<V, [8], f32>
  %a = gnn.param "a" : !gnn.field<P, [8, 8], f32>
  %0 = gnn.read_destination %z : !gnn.field<V, [8, 8], f32> -> !gnn.field<D, [8, 8], f32>
  %wide = gnn.aggregate #gnn.sum %0 to source : (!gnn.field<D, [8, 8], f32>) -> !gnn.field<V, [8, 8], f32>
  %1 = gnn.read_source %s : !gnn.field<V, [8], f32> -> !gnn.field<S, [8], f32>
  %narrow = gnn.aggregate #gnn.sum %1 to destination : (!gnn.field<S, [8], f32>) -> !gnn.field<V, [8], f32>
  %2 = gnn.broadcast %narrow dims [0] : !gnn.field<V, [8], f32> -> !gnn.field<V, [8, 8], f32>
  %3 = gnn.mul %2, %a : (!gnn.field<V, [8, 8], f32>, !gnn.field<P, [8, 8], f32>) -> !gnn.field<V, [8, 8], f32>
  %4 = gnn.add %wide, %3 : (!gnn.field<V, [8, 8], f32>, !gnn.field<V, [8, 8], f32>) -> !gnn.field<V, [8, 8], f32>
  %5 = gnn.mul %2, %z : (!gnn.field<V, [8, 8], f32>, !gnn.field<V, [8, 8], f32>) -> !gnn.field<V, [8, 8], f32>
  %total = gnn.total #gnn.sum %5 : (!gnn.field<V, [8, 8], f32>) -> !gnn.field<P, [8, 8], f32>
  gnn.return %4, %total [#gnn.result<output "y">, #gnn.result<output "t">] : !gnn.field<V, [8, 8], f32>, !gnn.field<P, [8, 8], f32>
}

// What takes an exponential, or is no narrower, is stored as it is.
// CHECK-LABEL: star.program @stores
// CHECK: star.sweep 0 to destination
// CHECK: gnn.exp
// CHECK: -> rows(!gnn.field<V, [8], f32>, !gnn.field<V, [8], f32>)
// CHECK: star.map 0
// CHECK-NOT: gnn.exp
// CHECK: star.return
gnn.program @stores {
  %s = gnn.input "s" : !gnn.field<V, [8], f32>
  %a = gnn.param "a" : !gnn.field<P, [8], f32>
  %0 = gnn.read_source %s : !gnn.field<V, [8], f32> -> !gnn.field<S, [8], f32>
  %sum = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [8], f32>) -> !gnn.field<V, [8], f32>
  %1 = gnn.exp %sum : !gnn.field<V, [8], f32>
  %2 = gnn.mul %sum, %a : (!gnn.field<V, [8], f32>, !gnn.field<P, [8], f32>) -> !gnn.field<V, [8], f32>
  %t1 = gnn.total #gnn.sum %1 : (!gnn.field<V, [8], f32>) -> !gnn.field<P, [8], f32>
  %t2 = gnn.total #gnn.sum %2 : (!gnn.field<V, [8], f32>) -> !gnn.field<P, [8], f32>
  gnn.return %t1, %t2 [#gnn.result<output "t">, #gnn.result<output "u">] : !gnn.field<P, [8], f32>, !gnn.field<P, [8], f32>
}
