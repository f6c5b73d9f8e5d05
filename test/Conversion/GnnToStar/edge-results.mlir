// RUN: gnn-opt %s --gnn-to-star | FileCheck %s

// Tests that an edge field which is a result is stored by the sweep that is there anyway.

module attributes {gnn.model = #gnn.model<name = "m", real = f32, vertex_types = [#gnn.vertex_type<name = "vertex">],
                                          relations = [#gnn.relation<name = "edge", source = 0, destination = 0>]>} {
  // CHECK-LABEL: star.program @infer
  // CHECK: star.sweep 0 to destination rows({{.*}}) cols({{.*}}) reduce [#gnn.sum]
  // CHECK: star.contribute [%[[E:[0-9]+]]] edges [%[[E]]]
  // CHECK: -> rows(!gnn.field<V, [], f32>) edges(!gnn.field<E, [], f32>)
  // CHECK-NOT: star.sweep
  gnn.program @infer {
    %x = gnn.input "x" : !gnn.field<V, [], f32>
    %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
    %d = gnn.read_destination %x : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
    %e = gnn.mul %s, %d : (!gnn.field<S, [], f32>, !gnn.field<D, [], f32>) -> !gnn.field<E, [], f32>
    %a = gnn.aggregate #gnn.sum %e to destination : (!gnn.field<E, [], f32>) -> !gnn.field<V, [], f32>
    gnn.return %a, %e [#gnn.result<output "a">, #gnn.result<output "e">] : !gnn.field<V, [], f32>, !gnn.field<E, [], f32>
  }

  // Tests that one is made where there is none.
  // CHECK-LABEL: star.program @evaluate
  // CHECK: star.sweep 0 to destination {{.*}} reduce []
  // CHECK: star.contribute [] edges
  gnn.program @evaluate {
    %x = gnn.input "x" : !gnn.field<V, [], f32>
    %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
    %d = gnn.read_destination %x : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
    %e = gnn.mul %s, %d : (!gnn.field<S, [], f32>, !gnn.field<D, [], f32>) -> !gnn.field<E, [], f32>
    gnn.return %e [#gnn.result<output "e">] : !gnn.field<E, [], f32>
  }
}
