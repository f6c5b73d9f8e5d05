// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-typed-products,gnn-hoist,cse))' | FileCheck %s

// R-GCN. Edges carry 4 elements of x, once since x has no gradient, against 16 of the product: types are summed apart, and what all
// edges of one type share leaves the sum.

// CHECK-LABEL: @sum_first
// CHECK-DAG: %[[X:.+]] = gnn.input "x"
// CHECK-DAG: %[[W:.+]] = gnn.param "w"
// CHECK-DAG: %[[TYPE:.+]] = gnn.edge_type
// CHECK-DAG: %[[DEGREE:.+]] = gnn.degree in of 0 : !gnn.field<V, [3], f32>
// CHECK-DAG: %[[READ:.+]] = gnn.read_source %[[X]]
// CHECK: %[[SEEN:.+]] = gnn.count to destination of 0 : !gnn.field<V, [3], f32>
// CHECK: gnn.compare gt %[[SEEN]]
// CHECK: %[[DIVISOR:.+]] = gnn.select
// CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum %[[READ]] by %[[TYPE]] to destination : (!gnn.field<S, [4], f32>, !gnn.field<E, [], i32>) -> !gnn.field<V, [3, 4], f32>
// CHECK: %[[MEAN:.+]] = gnn.div %[[SUM]], %[[DIVISOR]]
// CHECK: %[[FLAT:.+]] = gnn.reshape %[[MEAN]] : !gnn.field<V, [3, 4], f32> -> !gnn.field<V, [12], f32>
// CHECK: %[[FLAT_W:.+]] = gnn.reshape %[[W]] : !gnn.field<P, [3, 4, 16], f32> -> !gnn.field<P, [12, 16], f32>
// CHECK: %[[Y:.+]] = gnn.matmul %[[FLAT]], %[[FLAT_W]]
// CHECK: gnn.return %[[Y]]
gnn.program @sum_first {
  %x = gnn.input "x" : !gnn.field<V, [4], f32>
  %w = gnn.param "w" : !gnn.field<P, [3, 4, 16], f32>
  %type = gnn.edge_type : !gnn.field<E, [], i32>
  %degree = gnn.degree in of 0 : !gnn.field<V, [3], f32>
  %s = gnn.read_source %x : !gnn.field<V, [4], f32> -> !gnn.field<S, [4], f32>
  %product = gnn.typed_matmul %s, %w, %type : (!gnn.field<S, [4], f32>, !gnn.field<P, [3, 4, 16], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [16], f32>
  %d = gnn.read_destination %degree : !gnn.field<V, [3], f32> -> !gnn.field<D, [3], f32>
  %count = gnn.index %d, %type : (!gnn.field<D, [3], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [], f32>
  %counts = gnn.broadcast %count dims [] : !gnn.field<E, [], f32> -> !gnn.field<E, [16], f32>
  %share = gnn.div %product, %counts : (!gnn.field<E, [16], f32>, !gnn.field<E, [16], f32>) -> !gnn.field<E, [16], f32>
  %y = gnn.aggregate #gnn.sum %share to destination : (!gnn.field<E, [16], f32>) -> !gnn.field<V, [16], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [16], f32>
}

// A hidden layer that narrows: the products of all types are made on the vertices.

// CHECK-LABEL: @product_first
// CHECK: %[[T:.+]] = gnn.transpose %{{.*}} permutation [1, 0, 2] : !gnn.field<P, [3, 16, 4], f32> -> !gnn.field<P, [16, 3, 4], f32>
// CHECK: %[[Z:.+]] = gnn.matmul %{{.*}}, %[[T]] : (!gnn.field<V, [16], f32>, !gnn.field<P, [16, 3, 4], f32>) -> !gnn.field<V, [3, 4], f32>
// CHECK: %[[READ:.+]] = gnn.read_source %[[Z]]
// CHECK: %[[PICKED:.+]] = gnn.index %[[READ]], %{{.*}} -> !gnn.field<E, [4], f32>
// CHECK: gnn.aggregate #gnn.sum %[[PICKED]] to destination
gnn.program @product_first {
  %x = gnn.param "x" : !gnn.field<P, [9, 16], f32>
  %h = gnn.table_rows %x : !gnn.field<P, [9, 16], f32> -> !gnn.field<V, [16], f32>
  %w = gnn.param "w" : !gnn.field<P, [3, 16, 4], f32>
  %type = gnn.edge_type : !gnn.field<E, [], i32>
  %s = gnn.read_source %h : !gnn.field<V, [16], f32> -> !gnn.field<S, [16], f32>
  %product = gnn.typed_matmul %s, %w, %type : (!gnn.field<S, [16], f32>, !gnn.field<P, [3, 16, 4], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [4], f32>
  %y = gnn.aggregate #gnn.sum %product to destination : (!gnn.field<E, [4], f32>) -> !gnn.field<V, [4], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [4], f32>
}

// What edges have of their own is summed first, or multiplied edge by edge.

// CHECK-LABEL: @edge_fields
// CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum %{{.*}} by %{{.*}} to source
// CHECK: gnn.typed_matmul
gnn.program @edge_fields {
  %x = gnn.input "x" : !gnn.field<E, [16], f32>
  %w = gnn.param "w" : !gnn.field<P, [3, 16, 4], f32>
  %type = gnn.edge_type : !gnn.field<E, [], i32>
  %product = gnn.typed_matmul %x, %w, %type : (!gnn.field<E, [16], f32>, !gnn.field<P, [3, 16, 4], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [4], f32>
  %y = gnn.aggregate #gnn.sum %product to source : (!gnn.field<E, [4], f32>) -> !gnn.field<V, [4], f32>
  %alone = gnn.typed_matmul %x, %w, %type : (!gnn.field<E, [16], f32>, !gnn.field<P, [3, 16, 4], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [4], f32>
  %e = gnn.exp %alone : !gnn.field<E, [4], f32>
  gnn.return %y, %e [#gnn.result<output "y">, #gnn.result<output "e">] : !gnn.field<V, [4], f32>, !gnn.field<E, [4], f32>
}

// CHECK-LABEL: @several_vectors
// CHECK: %[[AT:.+]] = gnn.one_hot %{{.*}} dim 0 : !gnn.field<V, [], i32> -> !gnn.field<V, [3], i1>
// CHECK: %[[PLACED:.+]] = gnn.select %{{.*}} -> !gnn.field<V, [heads, 3, 16], f32>
// CHECK: %[[FLAT:.+]] = gnn.reshape %[[PLACED]] : !gnn.field<V, [heads, 3, 16], f32> -> !gnn.field<V, [heads, 48], f32>
// CHECK: gnn.matmul %[[FLAT]], %{{.*}} : (!gnn.field<V, [heads, 48], f32>, !gnn.field<P, [48, 4], f32>) -> !gnn.field<V, [heads, 4], f32>
gnn.program @several_vectors {
  %x = gnn.input "x" : !gnn.field<V, [heads, 16], f32>
  %i = gnn.input "i" : !gnn.field<V, [], i32>
  %w = gnn.param "w" : !gnn.field<P, [3, 16, 4], f32>
  %y = gnn.typed_matmul %x, %w, %i : (!gnn.field<V, [heads, 16], f32>, !gnn.field<P, [3, 16, 4], f32>, !gnn.field<V, [], i32>) -> !gnn.field<V, [heads, 4], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [heads, 4], f32>
}

// For inference the widths alone decide, of what was multiplied first for its gradient too: 8 against 12.

// CHECK-LABEL: @infer
// CHECK: %[[SCALED:.+]] = gnn.mul %{{.+}}, %{{.+}} -> !gnn.field<E, [8], f32>
// CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum %[[SCALED]] by %{{.+}} to destination : (!gnn.field<E, [8], f32>, !gnn.field<E, [], i32>) -> !gnn.field<V, [3, 8], f32>
// CHECK: %[[FLAT:.+]] = gnn.reshape %[[SUM]]
// CHECK: gnn.reshape %{{.*}} : !gnn.field<P, [3, 8, 12], f32> -> !gnn.field<P, [24, 12], f32>
// CHECK: %[[Y:.+]] = gnn.matmul %[[FLAT]]
// CHECK: gnn.return %[[Y]]
gnn.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [8], f32>
  %e = gnn.input "e" : !gnn.field<E, [], f32>
  %w = gnn.param "w" : !gnn.field<P, [3, 8, 12], f32>
  %type = gnn.edge_type : !gnn.field<E, [], i32>
  %t = gnn.transpose %w permutation [1, 0, 2] : !gnn.field<P, [3, 8, 12], f32> -> !gnn.field<P, [8, 3, 12], f32>
  %z = gnn.matmul %x, %t : (!gnn.field<V, [8], f32>, !gnn.field<P, [8, 3, 12], f32>) -> !gnn.field<V, [3, 12], f32>
  %s = gnn.read_source %z : !gnn.field<V, [3, 12], f32> -> !gnn.field<S, [3, 12], f32>
  %picked = gnn.index %s, %type : (!gnn.field<S, [3, 12], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [12], f32>
  %scale = gnn.broadcast %e dims [] : !gnn.field<E, [], f32> -> !gnn.field<E, [12], f32>
  %scaled = gnn.mul %scale, %picked : (!gnn.field<E, [12], f32>, !gnn.field<E, [12], f32>) -> !gnn.field<E, [12], f32>
  %y = gnn.aggregate #gnn.sum %scaled to destination : (!gnn.field<E, [12], f32>) -> !gnn.field<V, [12], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [12], f32>
}

// In training a hidden layer of many types is summed by type for its forward pass, though edges carry more; the gradients stay sums by type of what
// comes from the other end. With few types it stays.

// CHECK-LABEL: @train
// CHECK: gnn.aggregate #gnn.sum %{{.+}} by %{{.+}} to destination : (!gnn.field<S, [16], f32>, !gnn.field<E, [], i32>) -> !gnn.field<V, [300, 16], f32>
// CHECK: gnn.index %{{.+}} -> !gnn.field<E, [4], f32>
// CHECK: gnn.aggregate #gnn.sum %{{.+}} to destination : (!gnn.field<E, [4], f32>)
gnn.program @train {
  %x = gnn.input "x" : !gnn.field<V, [16], f32>
  %many = gnn.param "many" : !gnn.field<P, [300, 16, 4], f32>
  %few = gnn.param "few" : !gnn.field<P, [3, 16, 4], f32>
  %type = gnn.edge_type : !gnn.field<E, [], i32>
  %0 = gnn.transpose %many permutation [1, 0, 2] : !gnn.field<P, [300, 16, 4], f32> -> !gnn.field<P, [16, 300, 4], f32>
  %1 = gnn.matmul %x, %0 : (!gnn.field<V, [16], f32>, !gnn.field<P, [16, 300, 4], f32>) -> !gnn.field<V, [300, 4], f32>
  %2 = gnn.read_source %1 : !gnn.field<V, [300, 4], f32> -> !gnn.field<S, [300, 4], f32>
  %3 = gnn.index %2, %type : (!gnn.field<S, [300, 4], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [4], f32>
  %y = gnn.aggregate #gnn.sum %3 to destination : (!gnn.field<E, [4], f32>) -> !gnn.field<V, [4], f32>
  %4 = gnn.transpose %few permutation [1, 0, 2] : !gnn.field<P, [3, 16, 4], f32> -> !gnn.field<P, [16, 3, 4], f32>
  %5 = gnn.matmul %x, %4 : (!gnn.field<V, [16], f32>, !gnn.field<P, [16, 3, 4], f32>) -> !gnn.field<V, [3, 4], f32>
  %6 = gnn.read_source %5 : !gnn.field<V, [3, 4], f32> -> !gnn.field<S, [3, 4], f32>
  %7 = gnn.index %6, %type : (!gnn.field<S, [3, 4], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [4], f32>
  %z = gnn.aggregate #gnn.sum %7 to destination : (!gnn.field<E, [4], f32>) -> !gnn.field<V, [4], f32>
  gnn.return %y, %z [#gnn.result<output "y">, #gnn.result<output "z">] : !gnn.field<V, [4], f32>, !gnn.field<V, [4], f32>
}
