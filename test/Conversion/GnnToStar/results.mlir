// RUN: gnn-opt %s --gnn-to-star | FileCheck %s

// Tests that every result is a value of its own: inputs and values that are results already are copied.

// CHECK-LABEL: star.program @infer
// CHECK-DAG: %[[X:.+]] = gnn.input "x"
// CHECK-DAG: %[[W:.+]] = gnn.input "w"
// CHECK: %[[Y:.+]] = star.map 0 rows(%[[X]] :
// CHECK: gnn.exp
// CHECK: %[[AGAIN:.+]] = star.map 0 rows(%[[Y]] :
// CHECK-NEXT: ^bb0(%[[ROW:.+]]: !gnn.field<V, [], f32>):
// CHECK-NEXT: star.yield %[[ROW]]
// CHECK: %[[COPY:.+]] = star.map 0 rows(%[[X]] :
// CHECK: %[[EDGES:.+]] = star.sweep 0 to destination edges(%[[W]] : !gnn.field<E, [], f32>) reduce []
// CHECK: star.return %[[Y]], %[[AGAIN]], %[[COPY]], %[[EDGES]]
gnn.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %w = gnn.input "w" : !gnn.field<E, [], f32>
  %y = gnn.exp %x : !gnn.field<V, [], f32>
  gnn.return %y, %y, %x, %w [#gnn.result<output "a">, #gnn.result<output "b">, #gnn.result<output "c">, #gnn.result<output "d">]
      : !gnn.field<V, [], f32>, !gnn.field<V, [], f32>, !gnn.field<V, [], f32>, !gnn.field<E, [], f32>
}
