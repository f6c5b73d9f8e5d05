// Every op of the star dialect survives printing and parsing.
// RUN: gnn-opt %s --verify-roundtrip | FileCheck %s

// CHECK-LABEL: star.program @train
star.program @train {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %w = gnn.param "w" : !gnn.field<P, [in, out], f32>
  // CHECK: star.matmul %{{.*}}, %{{.*}} : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>)
  %z = star.matmul %x, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
  // CHECK: star.launch @both(
  %h, %e = star.launch @both(%z, %z) : (!gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>)
      -> (!gnn.field<V, [out], f32>, !gnn.field<E, [out], f32>)
  // CHECK: star.matmul %{{.*}}, %{{.*}} transpose_w
  %g = star.matmul %h, %w transpose_w : (!gnn.field<V, [out], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [in], f32>
  // CHECK: star.matmul_tn
  %dw = star.matmul_tn %x, %h : (!gnn.field<V, [in], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<P, [in, out], f32>
  // CHECK: star.map 0 rows(%{{.*}} : !gnn.field<V, [in], f32>)
  // CHECK: -> rows(!gnn.field<V, [in], f32>) totals [#gnn.sum](!gnn.field<P, [in], f32>)
  %r, %t = star.map 0 rows(%g : !gnn.field<V, [in], f32>) end {
  ^bb0(%a: !gnn.field<V, [in], f32>):
    %b = gnn.exp %a : !gnn.field<V, [in], f32>
    star.yield %b, %a : !gnn.field<V, [in], f32>, !gnn.field<V, [in], f32>
  } -> rows(!gnn.field<V, [in], f32>) totals [#gnn.sum](!gnn.field<P, [in], f32>)
  // CHECK: star.sweep 0 to source cols(
  // CHECK: star.contribute [%{{.*}}] filters [%{{.*}}] of [0] :
  %m, %i = star.sweep 0 to source cols(%r : !gnn.field<V, [in], f32>) edges(%e : !gnn.field<E, [out], f32>) reduce [#gnn.max] step {
  ^bb0(%c: !gnn.field<D, [in], f32>, %d: !gnn.field<E, [out], f32>):
    %id = gnn.edge_id : !gnn.field<E, [], i64>
    %zero = gnn.constant 0 : i64 -> !gnn.field<P, [], i64>
    %f = gnn.compare gt %id, %zero : (!gnn.field<E, [], i64>, !gnn.field<P, [], i64>) -> !gnn.field<E, [], i1>
    star.contribute [%d] filters [%f] of [0] : !gnn.field<E, [out], f32>, !gnn.field<E, [], i1>
  } end {
  ^bb0(%v: !gnn.field<V, [out], f32>, %arg: !gnn.field<V, [out], i64>):
    star.yield %v, %arg : !gnn.field<V, [out], f32>, !gnn.field<V, [out], i64>
  } -> rows(!gnn.field<V, [out], f32>, !gnn.field<V, [out], i64>)
  // CHECK: star.return %{{.*}}, %{{.*}} [#gnn.result<gradient "w">, #gnn.result<output "t">]
  star.return %dw, %t [#gnn.result<gradient "w">, #gnn.result<output "t">] : !gnn.field<P, [in, out], f32>, !gnn.field<P, [in], f32>
}

// CHECK-LABEL: star.kernel @both sweep of 0 to destination
// CHECK: scratch "64 * out" state "8" schedule #star.schedule<tile = 64>
star.kernel @both sweep of 0 to destination
    inputs [#star.operand<row !gnn.field<V, [out], f32>>, #star.operand<col !gnn.field<V, [out], f32>>]
    outputs [#star.operand<row !gnn.field<V, [out], f32>>, #star.operand<edge !gnn.field<E, [out], f32>>]
    reduce [#gnn.sum] scratch "64 * out" state "8" schedule #star.schedule<tile = 64> step {
^bb0(%d: !gnn.field<D, [out], f32>, %s: !gnn.field<S, [out], f32>):
  %p = gnn.mul %d, %s : (!gnn.field<D, [out], f32>, !gnn.field<S, [out], f32>) -> !gnn.field<E, [out], f32>
  star.contribute [%p] edges [%p] : !gnn.field<E, [out], f32>, !gnn.field<E, [out], f32>
} end {
^bb0(%v: !gnn.field<V, [out], f32>, %sum: !gnn.field<V, [out], f32>):
  star.yield %sum : !gnn.field<V, [out], f32>
}
