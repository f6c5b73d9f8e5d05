// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-reorder))' | FileCheck %s

// A product that narrows goes before the sum.
// CHECK-LABEL: gnn.program @narrowing
gnn.program @narrowing {
  %data = gnn.input "x" : !gnn.field<V, [64], f32>
  %mask = gnn.dropout_mask site 1 probability 0.5 : !gnn.field<V, [64], f32>
  %x = gnn.mul %data, %mask : (!gnn.field<V, [64], f32>, !gnn.field<V, [64], f32>) -> !gnn.field<V, [64], f32>
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

// The sum of what no step changes is done once, so it goes first up to sixteen times the width.
// CHECK-LABEL: gnn.program @once
gnn.program @once {
  %x = gnn.input "x" : !gnn.field<V, [64], f32>
  %w = gnn.param "w" : !gnn.field<P, [64, 16], f32>
  %v = gnn.param "v" : !gnn.field<P, [64, 2], f32>
  // CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum %{{.+}} : (!gnn.field<S, [64], f32>)
  // CHECK: gnn.matmul %[[SUM]]
  // CHECK: %[[PRODUCT:.+]] = gnn.matmul %{{.+}} -> !gnn.field<V, [2], f32>
  // CHECK: gnn.read_source %[[PRODUCT]]
  %0 = gnn.matmul %x, %w : (!gnn.field<V, [64], f32>, !gnn.field<P, [64, 16], f32>) -> !gnn.field<V, [16], f32>
  %1 = gnn.read_source %0 : !gnn.field<V, [16], f32> -> !gnn.field<S, [16], f32>
  %2 = gnn.aggregate #gnn.sum %1 to destination : (!gnn.field<S, [16], f32>) -> !gnn.field<V, [16], f32>
  %3 = gnn.read_source %x : !gnn.field<V, [64], f32> -> !gnn.field<S, [64], f32>
  %4 = gnn.aggregate #gnn.sum %3 to destination : (!gnn.field<S, [64], f32>) -> !gnn.field<V, [64], f32>
  %5 = gnn.matmul %4, %v : (!gnn.field<V, [64], f32>, !gnn.field<P, [64, 2], f32>) -> !gnn.field<V, [2], f32>
  gnn.return %2, %5 [#gnn.result<output "y">, #gnn.result<output "z">] : !gnn.field<V, [16], f32>, !gnn.field<V, [2], f32>
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
  %w = gnn.param "w" : !gnn.field<P, [64, 2], f32>
  // CHECK: gnn.matmul
  // CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum
  // CHECK: gnn.mul %{{.+}}, %[[SUM]]
  %0 = gnn.read_source %x : !gnn.field<V, [64], f32> -> !gnn.field<S, [64], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [64], f32>) -> !gnn.field<V, [64], f32>
  %2 = gnn.broadcast %c dims [] : !gnn.field<V, [], f32> -> !gnn.field<V, [64], f32>
  %3 = gnn.mul %2, %1 : (!gnn.field<V, [64], f32>, !gnn.field<V, [64], f32>) -> !gnn.field<V, [64], f32>
  %4 = gnn.matmul %3, %w : (!gnn.field<V, [64], f32>, !gnn.field<P, [64, 2], f32>) -> !gnn.field<V, [2], f32>
  gnn.return %4 [#gnn.result<output "y">] : !gnn.field<V, [2], f32>
}

// A mean of what no step changes is divided before its product, with the sum that is kept.
// CHECK-LABEL: gnn.program @mean_first
gnn.program @mean_first {
  %x = gnn.input "x" : !gnn.field<V, [24], f32>
  %c = gnn.degree in of 0 : !gnn.field<V, [], f32>
  %w = gnn.param "w" : !gnn.field<P, [24, 16], f32>
  // CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum %{{.+}} to destination : (!gnn.field<S, [24], f32>)
  // CHECK: %[[MEAN:.+]] = gnn.div %[[SUM]], %{{.+}} : (!gnn.field<V, [24], f32>
  // CHECK: %[[Y:.+]] = gnn.matmul %[[MEAN]]
  // CHECK: gnn.return %[[Y]]
  %0 = gnn.matmul %x, %w : (!gnn.field<V, [24], f32>, !gnn.field<P, [24, 16], f32>) -> !gnn.field<V, [16], f32>
  %1 = gnn.read_source %0 : !gnn.field<V, [16], f32> -> !gnn.field<S, [16], f32>
  %2 = gnn.aggregate #gnn.sum %1 to destination : (!gnn.field<S, [16], f32>) -> !gnn.field<V, [16], f32>
  %3 = gnn.broadcast %c dims [] : !gnn.field<V, [], f32> -> !gnn.field<V, [16], f32>
  %y = gnn.div %2, %3 : (!gnn.field<V, [16], f32>, !gnn.field<V, [16], f32>) -> !gnn.field<V, [16], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [16], f32>
}

// Nor is a sum that no step changes divided there by what every step changes, which would have each step sum again. A parameter divides as a degree does.
// CHECK-LABEL: gnn.program @divided_by_parameter
gnn.program @divided_by_parameter {
  %x = gnn.input "x" : !gnn.field<V, [24], f32>
  %s = gnn.param "s" : !gnn.field<P, [], f32>
  %w = gnn.param "w" : !gnn.field<P, [24, 16], f32>
  %v = gnn.param "v" : !gnn.field<P, [16, 16], f32>
  // CHECK: %[[FIXED:.+]] = gnn.aggregate #gnn.sum %{{.+}} to destination : (!gnn.field<S, [24], f32>)
  // CHECK: gnn.matmul %[[FIXED]]
  %0 = gnn.read_source %x : !gnn.field<V, [24], f32> -> !gnn.field<S, [24], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [24], f32>) -> !gnn.field<V, [24], f32>
  %2 = gnn.matmul %1, %w : (!gnn.field<V, [24], f32>, !gnn.field<P, [24, 16], f32>) -> !gnn.field<V, [16], f32>
  %3 = gnn.broadcast %s dims [] : !gnn.field<P, [], f32> -> !gnn.field<P, [16], f32>
  %h = gnn.div %2, %3 : (!gnn.field<V, [16], f32>, !gnn.field<P, [16], f32>) -> !gnn.field<V, [16], f32>
  // CHECK: %[[CHANGES:.+]] = gnn.aggregate #gnn.sum %{{.+}} to destination : (!gnn.field<S, [16], f32>)
  // CHECK: %[[NUMBER:.+]] = gnn.broadcast %{{.+}} dims [] : !gnn.field<P, [], f32> -> !gnn.field<P, [16], f32>
  // CHECK: %[[DIVIDED:.+]] = gnn.div %[[CHANGES]], %[[NUMBER]]
  // CHECK: gnn.matmul %[[DIVIDED]]
  %4 = gnn.read_source %h : !gnn.field<V, [16], f32> -> !gnn.field<S, [16], f32>
  %5 = gnn.aggregate #gnn.sum %4 to destination : (!gnn.field<S, [16], f32>) -> !gnn.field<V, [16], f32>
  %6 = gnn.matmul %5, %v : (!gnn.field<V, [16], f32>, !gnn.field<P, [16, 16], f32>) -> !gnn.field<V, [16], f32>
  %y = gnn.div %6, %3 : (!gnn.field<V, [16], f32>, !gnn.field<P, [16], f32>) -> !gnn.field<V, [16], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [16], f32>
}

// A division does not stand between a sum and the product that goes before it.
// CHECK-LABEL: gnn.program @mean_last
gnn.program @mean_last {
  %x = gnn.input "x" : !gnn.field<V, [64], f32>
  %c = gnn.degree in of 0 : !gnn.field<V, [], f32>
  %p = gnn.param "p" : !gnn.field<P, [64], f32>
  %w = gnn.param "w" : !gnn.field<P, [64, 4], f32>
  // CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum %{{.+}} to destination : (!gnn.field<S, [4], f32>)
  // CHECK: %[[Y:.+]] = gnn.div %[[SUM]], %{{.+}} : (!gnn.field<V, [4], f32>
  // CHECK: gnn.return %[[Y]]
  %h = gnn.mul %x, %p : (!gnn.field<V, [64], f32>, !gnn.field<P, [64], f32>) -> !gnn.field<V, [64], f32>
  %0 = gnn.read_source %h : !gnn.field<V, [64], f32> -> !gnn.field<S, [64], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [64], f32>) -> !gnn.field<V, [64], f32>
  %2 = gnn.broadcast %c dims [] : !gnn.field<V, [], f32> -> !gnn.field<V, [64], f32>
  %3 = gnn.div %1, %2 : (!gnn.field<V, [64], f32>, !gnn.field<V, [64], f32>) -> !gnn.field<V, [64], f32>
  %y = gnn.matmul %3, %w : (!gnn.field<V, [64], f32>, !gnn.field<P, [64, 4], f32>) -> !gnn.field<V, [4], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [4], f32>
}

// What is drawn for the input layer has no gradient to sum, so the sum comes first up to twice the width; a maximum does not commute with a product.
// CHECK-LABEL: gnn.program @stays
gnn.program @stays {
  %data = gnn.input "x" : !gnn.field<V, [24], f32>
  %mask = gnn.dropout_mask site 1 probability 0.5 : !gnn.field<V, [24], f32>
  %x = gnn.mul %data, %mask : (!gnn.field<V, [24], f32>, !gnn.field<V, [24], f32>) -> !gnn.field<V, [24], f32>
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

// Without gradients the widths alone decide: what stays above (24 and 16) goes first here.
// CHECK-LABEL: gnn.program @infer
gnn.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [24], f32>
  %w = gnn.param "w" : !gnn.field<P, [24, 16], f32>
  // CHECK: gnn.matmul
  // CHECK: gnn.aggregate #gnn.sum %{{.+}} : (!gnn.field<S, [16], f32>)
  %0 = gnn.read_source %x : !gnn.field<V, [24], f32> -> !gnn.field<S, [24], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [24], f32>) -> !gnn.field<V, [24], f32>
  %2 = gnn.matmul %1, %w : (!gnn.field<V, [24], f32>, !gnn.field<P, [24, 16], f32>) -> !gnn.field<V, [16], f32>
  gnn.return %2 [#gnn.result<output "y">] : !gnn.field<V, [16], f32>
}

// In a training program only products of gradients have a choice left. The first is made after two sums, which are then narrower, with the scale of a
// vertex that was between them; the second, of a wide sum, before it. A sum that something else reads stays.
// CHECK-LABEL: gnn.program @train
gnn.program @train {
  %x = gnn.input "x" : !gnn.field<V, [64], f32>
  %g = gnn.input "g" : !gnn.field<V, [16], f32>
  %c = gnn.input "c" : !gnn.field<V, [], f32>
  %w = gnn.param "w" : !gnn.field<P, [64, 16], f32>
  %v = gnn.param "v" : !gnn.field<P, [16, 64], f32>
  // CHECK: gnn.aggregate #gnn.sum %{{.+}} to destination : (!gnn.field<S, [64], f32>)
  // CHECK: gnn.matmul %{{.+}} : (!gnn.field<V, [64], f32>, !gnn.field<P, [64, 16], f32>)
  %0 = gnn.read_source %x : !gnn.field<V, [64], f32> -> !gnn.field<S, [64], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [64], f32>) -> !gnn.field<V, [64], f32>
  %2 = gnn.matmul %1, %w : (!gnn.field<V, [64], f32>, !gnn.field<P, [64, 16], f32>) -> !gnn.field<V, [16], f32>
  // CHECK: %[[SCALED:.+]] = gnn.mul
  // CHECK: %[[READ:.+]] = gnn.read_destination %[[SCALED]] : !gnn.field<V, [16], f32>
  // CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum %[[READ]] to source : (!gnn.field<D, [16], f32>)
  // CHECK: %[[PRODUCT:.+]] = gnn.matmul %{{.+}} transpose_w : (!gnn.field<V, [64], f32>, !gnn.field<P, [16, 64], f32>)
  // CHECK: gnn.read_destination %[[PRODUCT]] : !gnn.field<V, [16], f32>
  // CHECK: %[[AGAIN:.+]] = gnn.read_destination %[[SUM]] : !gnn.field<V, [16], f32>
  // CHECK: %[[SUMS:.+]] = gnn.aggregate #gnn.sum %[[AGAIN]] to source : (!gnn.field<D, [16], f32>)
  // CHECK: %[[WIDE:.+]] = gnn.matmul %[[SUMS]], %{{.+}} transpose_w
  // CHECK: gnn.matmul %[[WIDE]], %{{.+}} transpose_w
  %3 = gnn.matmul %g, %w transpose_w : (!gnn.field<V, [16], f32>, !gnn.field<P, [64, 16], f32>) -> !gnn.field<V, [64], f32>
  %4 = gnn.broadcast %c dims [] : !gnn.field<V, [], f32> -> !gnn.field<V, [64], f32>
  %5 = gnn.mul %4, %3 : (!gnn.field<V, [64], f32>, !gnn.field<V, [64], f32>) -> !gnn.field<V, [64], f32>
  %6 = gnn.read_destination %5 : !gnn.field<V, [64], f32> -> !gnn.field<D, [64], f32>
  %7 = gnn.aggregate #gnn.sum %6 to source : (!gnn.field<D, [64], f32>) -> !gnn.field<V, [64], f32>
  %8 = gnn.read_destination %x : !gnn.field<V, [64], f32> -> !gnn.field<D, [64], f32>
  %9 = gnn.aggregate #gnn.sum %8 to source : (!gnn.field<D, [64], f32>) -> !gnn.field<V, [64], f32>
  %10 = gnn.matmul %9, %v transpose_w : (!gnn.field<V, [64], f32>, !gnn.field<P, [16, 64], f32>) -> !gnn.field<V, [16], f32>
  %11 = gnn.read_destination %7 : !gnn.field<V, [64], f32> -> !gnn.field<D, [64], f32>
  %12 = gnn.aggregate #gnn.sum %11 to source : (!gnn.field<D, [64], f32>) -> !gnn.field<V, [64], f32>
  %13 = gnn.matmul %12, %v transpose_w : (!gnn.field<V, [64], f32>, !gnn.field<P, [16, 64], f32>) -> !gnn.field<V, [16], f32>
  gnn.return %2, %10, %12, %13 [#gnn.result<output "y">, #gnn.result<output "a">, #gnn.result<output "b">, #gnn.result<output "d">]
      : !gnn.field<V, [16], f32>, !gnn.field<V, [16], f32>, !gnn.field<V, [64], f32>, !gnn.field<V, [16], f32>
}

// What the program says goes before all costs, forward
// CHECK-LABEL: gnn.program @said
gnn.program @said attributes {gnn.orders = {"64 -> 16" = true}} {
  %data = gnn.input "x" : !gnn.field<V, [64], f32>
  %mask = gnn.dropout_mask site 1 probability 0.5 : !gnn.field<V, [64], f32>
  %x = gnn.mul %data, %mask : (!gnn.field<V, [64], f32>, !gnn.field<V, [64], f32>) -> !gnn.field<V, [64], f32>
  %w = gnn.param "w" : !gnn.field<P, [64, 16], f32>
  // CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum
  // CHECK: %[[PRODUCT:.+]] = gnn.matmul %[[SUM]]
  // CHECK: gnn.return %[[PRODUCT]]
  %0 = gnn.matmul %x, %w : (!gnn.field<V, [64], f32>, !gnn.field<P, [64, 16], f32>) -> !gnn.field<V, [16], f32>
  %1 = gnn.read_source %0 : !gnn.field<V, [16], f32> -> !gnn.field<S, [16], f32>
  %2 = gnn.aggregate #gnn.sum %1 to destination : (!gnn.field<S, [16], f32>) -> !gnn.field<V, [16], f32>
  gnn.return %2 [#gnn.result<output "y">] : !gnn.field<V, [16], f32>
}

// and backward: both products are of the rows that have sums.
// CHECK-LABEL: gnn.program @train.2
gnn.program @train.2 attributes {gnn.orders = {"64 -> 16" = true}} {
  %g = gnn.input "g" : !gnn.field<V, [16], f32>
  %w = gnn.param "w" : !gnn.field<P, [64, 16], f32>
  // CHECK: %[[PRODUCT:.+]] = gnn.matmul
  // CHECK: %[[READ:.+]] = gnn.read_destination %[[PRODUCT]]
  // CHECK: gnn.aggregate #gnn.sum %[[READ]]
  %0 = gnn.read_destination %g : !gnn.field<V, [16], f32> -> !gnn.field<D, [16], f32>
  %1 = gnn.aggregate #gnn.sum %0 to source : (!gnn.field<D, [16], f32>) -> !gnn.field<V, [16], f32>
  %2 = gnn.matmul %1, %w transpose_w : (!gnn.field<V, [16], f32>, !gnn.field<P, [64, 16], f32>) -> !gnn.field<V, [64], f32>
  gnn.return %2 [#gnn.result<output "y">] : !gnn.field<V, [64], f32>
}
