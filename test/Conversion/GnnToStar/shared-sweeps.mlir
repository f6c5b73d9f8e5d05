// RUN: gnn-opt %s --gnn-to-star | FileCheck %s

// Tests that independent aggregations over the same edges share a sweep, and that another direction, a dependence or another depth makes another one:
// the first sum is read through edges, one step farther from the seeds of a sample than the maximum.

// CHECK-LABEL: star.program @infer
// CHECK: star.sweep 0 to destination cols({{.*}}) reduce [#gnn.sum]
// CHECK: star.sweep 0 to source cols({{.*}}) reduce [#gnn.sum]
// CHECK: star.sweep 0 to destination cols({{.*}}) reduce [#gnn.max, #gnn.sum]
// CHECK-NOT: star.sweep
// CHECK: star.return
gnn.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %sum = gnn.aggregate #gnn.sum %s to destination : (!gnn.field<S, [], f32>) -> !gnn.field<V, [], f32>
  %d = gnn.read_destination %x : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
  %out = gnn.aggregate #gnn.sum %d to source : (!gnn.field<D, [], f32>) -> !gnn.field<V, [], f32>
  %max, %arg = gnn.aggregate #gnn.max %s to destination : (!gnn.field<S, [], f32>) -> (!gnn.field<V, [], f32>, !gnn.field<V, [], i64>)
  %s2 = gnn.read_source %sum : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %twice = gnn.aggregate #gnn.sum %s2 to destination : (!gnn.field<S, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %twice, %max, %out [#gnn.result<output "a">, #gnn.result<output "b">, #gnn.result<output "c">]
      : !gnn.field<V, [], f32>, !gnn.field<V, [], f32>, !gnn.field<V, [], f32>
}
