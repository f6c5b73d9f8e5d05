// RUN: gnn-opt %s --canonicalize | FileCheck %s

// What is chosen where a vertex has edges is chosen everywhere, if every vertex has a loop: of relation 0, but not of relation 1, nor type by type.

module attributes {gnn.model = #gnn.model<name = "m", real = f32,
    dimensions = [#gnn.dimension<name = "types", fixed = 3>],
    vertex_types = [#gnn.vertex_type<name = "vertices">],
    relations = [#gnn.relation<name = "looped", source = 0, destination = 0, self_loops = true>,
                 #gnn.relation<name = "plain", source = 0, destination = 0>]>} {

// CHECK-LABEL: gnn.program @forward
gnn.program @forward {
  %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [], f32>
  %zeros = gnn.constant 0.0 : f32 -> !gnn.field<P, [types], f32>
  // CHECK: %[[X:.+]] = gnn.input "x"
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %t = gnn.input "t" : !gnn.field<V, [types], f32>
  %0 = gnn.degree in of 0 : !gnn.field<V, [], f32>
  %1 = gnn.compare gt %0, %zero : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], i1>
  %2 = gnn.select %1, %x, %zero : (!gnn.field<V, [], i1>, !gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  // CHECK: %[[PLAIN:.+]] = gnn.select
  %3 = gnn.degree in of 1 : !gnn.field<V, [], f32>
  %4 = gnn.compare gt %3, %zero : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], i1>
  %5 = gnn.select %4, %x, %zero : (!gnn.field<V, [], i1>, !gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  // CHECK: %[[TYPED:.+]] = gnn.select
  %6 = gnn.degree in of 0 : !gnn.field<V, [types], f32>
  %7 = gnn.compare gt %6, %zeros : (!gnn.field<V, [types], f32>, !gnn.field<P, [types], f32>) -> !gnn.field<V, [types], i1>
  %8 = gnn.select %7, %t, %zeros : (!gnn.field<V, [types], i1>, !gnn.field<V, [types], f32>, !gnn.field<P, [types], f32>) -> !gnn.field<V, [types], f32>
  // CHECK: gnn.return %[[X]], %[[PLAIN]], %[[TYPED]]
  gnn.return %2, %5, %8 [#gnn.result<output "a">, #gnn.result<output "b">, #gnn.result<output "c">]
      : !gnn.field<V, [], f32>, !gnn.field<V, [], f32>, !gnn.field<V, [types], f32>
}
}
