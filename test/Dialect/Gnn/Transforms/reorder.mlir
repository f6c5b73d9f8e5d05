// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-reorder))' | FileCheck %s

// A product that narrows goes before the sum.
// CHECK-LABEL: gnn.program @narrowing
gnn.program @narrowing {
  %x = gnn.input "x" : !gnn.field<V, [64], f32>
  %w = gnn.param "w" : !gnn.field<P, [64, 16], f32>
  // CHECK: %[[PRODUCT:.+]] = gnn.matmul
  // CHECK: %[[READ:.+]] = gnn.read_source %[[PRODUCT]]
  // CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum %[[READ]]
  // CHECK: gnn.return %[[SUM]]
  %0 = gnn.read_source %x : !gnn.field<V, [64], f32> -> !gnn.field<S, [64], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [64], f32>) -> !gnn.field<V, [64], f32>
  %2 = gnn.matmul %1, %w : (!gnn.field<V, [64], f32>, !gnn.field<P, [64, 16], f32>) -> !gnn.field<V, [16], f32>
  gnn.return %2 [#gnn.result<output "y">] : !gnn.field<V, [16], f32>
}

// A product that widens goes after the sum, edge weights and all.
// CHECK-LABEL: gnn.program @widening
gnn.program @widening {
  %x = gnn.input "x" : !gnn.field<V, [16], f32>
  %e = gnn.input "e" : !gnn.field<E, [], f32>
  %w = gnn.param "w" : !gnn.field<P, [16, 64], f32>
  // CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum %{{.+}} to source : (!gnn.field<E, [16], f32>)
  // CHECK: %[[PRODUCT:.+]] = gnn.matmul %[[SUM]]
  // CHECK: gnn.return %[[PRODUCT]]
  %0 = gnn.matmul %x, %w : (!gnn.field<V, [16], f32>, !gnn.field<P, [16, 64], f32>) -> !gnn.field<V, [64], f32>
  %1 = gnn.read_destination %0 : !gnn.field<V, [64], f32> -> !gnn.field<D, [64], f32>
  %2 = gnn.broadcast %e dims [] : !gnn.field<E, [], f32> -> !gnn.field<E, [64], f32>
  %3 = gnn.mul %2, %1 : (!gnn.field<E, [64], f32>, !gnn.field<D, [64], f32>) -> !gnn.field<E, [64], f32>
  %4 = gnn.aggregate #gnn.sum %3 to source : (!gnn.field<E, [64], f32>) -> !gnn.field<V, [64], f32>
  gnn.return %4 [#gnn.result<output "y">] : !gnn.field<V, [64], f32>
}

// A scale of the sum does not stand between it and the product.
// CHECK-LABEL: gnn.program @scaled_sum
gnn.program @scaled_sum {
  %x = gnn.input "x" : !gnn.field<V, [64], f32>
  %c = gnn.input "c" : !gnn.field<V, [], f32>
  %w = gnn.param "w" : !gnn.field<P, [64, 16], f32>
  // CHECK: gnn.matmul
  // CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum
  // CHECK: gnn.mul %{{.+}}, %[[SUM]]
  %0 = gnn.read_source %x : !gnn.field<V, [64], f32> -> !gnn.field<S, [64], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [64], f32>) -> !gnn.field<V, [64], f32>
  %2 = gnn.broadcast %c dims [] : !gnn.field<V, [], f32> -> !gnn.field<V, [64], f32>
  %3 = gnn.mul %2, %1 : (!gnn.field<V, [64], f32>, !gnn.field<V, [64], f32>) -> !gnn.field<V, [64], f32>
  %4 = gnn.matmul %3, %w : (!gnn.field<V, [64], f32>, !gnn.field<P, [64, 16], f32>) -> !gnn.field<V, [16], f32>
  gnn.return %4 [#gnn.result<output "y">] : !gnn.field<V, [16], f32>
}

// The input layer has no gradient to sum, so the sum comes first up to twice the width; a maximum does not commute with a product.
// CHECK-LABEL: gnn.program @stays
gnn.program @stays {
  %x = gnn.input "x" : !gnn.field<V, [24], f32>
  %w = gnn.param "w" : !gnn.field<P, [24, 16], f32>
  // CHECK: gnn.aggregate #gnn.sum %{{.+}} : (!gnn.field<S, [24], f32>)
  // CHECK: gnn.matmul
  // CHECK: gnn.aggregate #gnn.max %{{.+}} : (!gnn.field<S, [24], f32>)
  // CHECK: gnn.matmul
  %0 = gnn.read_source %x : !gnn.field<V, [24], f32> -> !gnn.field<S, [24], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [24], f32>) -> !gnn.field<V, [24], f32>
  %2 = gnn.matmul %1, %w : (!gnn.field<V, [24], f32>, !gnn.field<P, [24, 16], f32>) -> !gnn.field<V, [16], f32>
  %3:2 = gnn.aggregate #gnn.max %0 to destination : (!gnn.field<S, [24], f32>) -> (!gnn.field<V, [24], f32>, !gnn.field<V, [24], i64>)
  %4 = gnn.matmul %3#0, %w : (!gnn.field<V, [24], f32>, !gnn.field<P, [24, 16], f32>) -> !gnn.field<V, [16], f32>
  gnn.return %2, %4 [#gnn.result<output "y">, #gnn.result<output "z">] : !gnn.field<V, [16], f32>, !gnn.field<V, [16], f32>
}

// A scale of a product joins the elementwise work before it.
// CHECK-LABEL: gnn.program @scaled_product
gnn.program @scaled_product {
  %x = gnn.input "x" : !gnn.field<V, [16], f32>
  %c = gnn.input "c" : !gnn.field<V, [], f32>
  %w = gnn.param "w" : !gnn.field<P, [16, 8], f32>
  // CHECK: %[[X:.+]] = gnn.sigmoid
  // CHECK: %[[SCALED:.+]] = gnn.mul %{{.+}}, %[[X]]
  // CHECK: %[[PRODUCT:.+]] = gnn.matmul %[[SCALED]]
  // CHECK: gnn.return %[[PRODUCT]]
  %0 = gnn.sigmoid %x : !gnn.field<V, [16], f32>
  %1 = gnn.matmul %0, %w : (!gnn.field<V, [16], f32>, !gnn.field<P, [16, 8], f32>) -> !gnn.field<V, [8], f32>
  %2 = gnn.broadcast %c dims [] : !gnn.field<V, [], f32> -> !gnn.field<V, [8], f32>
  %3 = gnn.mul %2, %1 : (!gnn.field<V, [8], f32>, !gnn.field<V, [8], f32>) -> !gnn.field<V, [8], f32>
  gnn.return %3 [#gnn.result<output "y">] : !gnn.field<V, [8], f32>
}
