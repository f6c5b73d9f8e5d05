// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-hoist))' | FileCheck %s

// Work at one end of the edges moves to the vertices; the read is what stays.
// CHECK-LABEL: gnn.program @work_at_source
gnn.program @work_at_source {
  %h = gnn.input "h" : !gnn.field<V, [in], f32>
  %w = gnn.param "w" : !gnn.field<P, [in, out], f32>
  // CHECK: %[[H:.+]] = gnn.input
  // CHECK: %[[PRODUCT:.+]] = gnn.matmul %[[H]], %{{.+}} -> !gnn.field<V, [out], f32>
  // CHECK: %[[SIGMOID:.+]] = gnn.sigmoid %[[PRODUCT]] : {{.*}}<V, [out], f32>
  // CHECK: %[[READ:.+]] = gnn.read_source %[[SIGMOID]]
  // CHECK: gnn.aggregate #gnn.sum %[[READ]]
  %0 = gnn.read_source %h : !gnn.field<V, [in], f32> -> !gnn.field<S, [in], f32>
  %1 = gnn.matmul %0, %w : (!gnn.field<S, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<S, [out], f32>
  %2 = gnn.sigmoid %1 : !gnn.field<S, [out], f32>
  %3 = gnn.aggregate #gnn.sum %2 to destination : (!gnn.field<S, [out], f32>) -> !gnn.field<V, [out], f32>
  gnn.return %3 [#gnn.result<output "y">] : !gnn.field<V, [out], f32>
}

// A repetition moves along with what uses it.
// CHECK-LABEL: gnn.program @repetition_with_its_use
gnn.program @repetition_with_its_use {
  %h = gnn.input "h" : !gnn.field<V, [out], f32>
  %c = gnn.input "c" : !gnn.field<V, [], f32>
  // CHECK: %[[C:.+]] = gnn.broadcast %{{.+}} dims [] : {{.*}}<V, [], f32> -> {{.*}}<V, [out], f32>
  // CHECK: %[[SCALED:.+]] = gnn.mul %[[C]], %{{.+}} -> !gnn.field<V, [out], f32>
  // CHECK: gnn.read_source %[[SCALED]]
  %0 = gnn.read_source %h : !gnn.field<V, [out], f32> -> !gnn.field<S, [out], f32>
  %1 = gnn.read_source %c : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %2 = gnn.broadcast %1 dims [] : !gnn.field<S, [], f32> -> !gnn.field<S, [out], f32>
  %3 = gnn.mul %2, %0 : (!gnn.field<S, [out], f32>, !gnn.field<S, [out], f32>) -> !gnn.field<S, [out], f32>
  %4:2 = gnn.aggregate #gnn.max %3 to source : (!gnn.field<S, [out], f32>) -> (!gnn.field<V, [out], f32>, !gnn.field<V, [out], i64>)
  gnn.return %4#0 [#gnn.result<output "y">] : !gnn.field<V, [out], f32>
}

// A repetition alone stays on the edges: stored, it would be larger.
// CHECK-LABEL: gnn.program @repetition_alone
gnn.program @repetition_alone {
  %s = gnn.input "s" : !gnn.field<V, [heads], f32>
  %w = gnn.input "w" : !gnn.field<E, [heads, out], f32>
  // CHECK: gnn.read_source
  // CHECK-NEXT: gnn.broadcast %{{.+}} : {{.*}}<S, [heads], f32>
  %0 = gnn.read_source %s : !gnn.field<V, [heads], f32> -> !gnn.field<S, [heads], f32>
  %1 = gnn.broadcast %0 dims [0] : !gnn.field<S, [heads], f32> -> !gnn.field<S, [heads, out], f32>
  %2 = gnn.mul %1, %w : (!gnn.field<S, [heads, out], f32>, !gnn.field<E, [heads, out], f32>) -> !gnn.field<E, [heads, out], f32>
  %3 = gnn.aggregate #gnn.sum %2 to destination : (!gnn.field<E, [heads, out], f32>) -> !gnn.field<V, [heads, out], f32>
  gnn.return %3 [#gnn.result<output "y">] : !gnn.field<V, [heads, out], f32>
}

// What all edges into a vertex share is multiplied after their sum. Data may be NaN: it counts only where there are edges.
// CHECK-LABEL: gnn.program @shared_factor
gnn.program @shared_factor {
  %h = gnn.input "h" : !gnn.field<V, [out], f32>
  %c = gnn.input "c" : !gnn.field<V, [], f32>
  // CHECK: %[[C:.+]] = gnn.broadcast %{{.+}} : {{.*}}<V, [], f32>
  // CHECK: gnn.compare gt
  // CHECK: %[[FACTOR:.+]] = gnn.select %{{.+}}, %[[C]], %{{.+}}
  // CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum
  // CHECK: gnn.mul %[[FACTOR]], %[[SUM]]
  %0 = gnn.read_source %h : !gnn.field<V, [out], f32> -> !gnn.field<S, [out], f32>
  %1 = gnn.read_destination %c : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
  %2 = gnn.broadcast %1 dims [] : !gnn.field<D, [], f32> -> !gnn.field<D, [out], f32>
  %3 = gnn.mul %2, %0 : (!gnn.field<D, [out], f32>, !gnn.field<S, [out], f32>) -> !gnn.field<E, [out], f32>
  %4 = gnn.aggregate #gnn.sum %3 to destination : (!gnn.field<E, [out], f32>) -> !gnn.field<V, [out], f32>
  gnn.return %4 [#gnn.result<output "y">] : !gnn.field<V, [out], f32>
}

// A degree is a number everywhere.
// CHECK-LABEL: gnn.program @shared_degree
// CHECK-NOT: gnn.select
// CHECK: gnn.mul %{{.+}} : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>)
gnn.program @shared_degree {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %degree = gnn.degree in of 0 : !gnn.field<V, [], f32>
  %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %d = gnn.read_destination %degree : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
  %product = gnn.mul %s, %d : (!gnn.field<S, [], f32>, !gnn.field<D, [], f32>) -> !gnn.field<E, [], f32>
  %y = gnn.aggregate #gnn.sum %product to destination : (!gnn.field<E, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// By an integer of the edges, no degree tells which sums are over no edges.
// CHECK-LABEL: gnn.program @shared_by_integer
// CHECK: gnn.mul %{{.+}} -> !gnn.field<E, [], f32>
// CHECK: gnn.aggregate
gnn.program @shared_by_integer {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %kind = gnn.input "kind" : !gnn.field<E, [], i32>
  %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %d = gnn.read_destination %x : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
  %product = gnn.mul %s, %d : (!gnn.field<S, [], f32>, !gnn.field<D, [], f32>) -> !gnn.field<E, [], f32>
  %y = gnn.aggregate #gnn.sum %product by %kind to destination : (!gnn.field<E, [], f32>, !gnn.field<E, [], i32>) -> !gnn.field<V, [kinds], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [kinds], f32>
}

// A factor of the other end stays, and so does a factor of a maximum.
// CHECK-LABEL: gnn.program @not_shared
gnn.program @not_shared {
  %h = gnn.input "h" : !gnn.field<V, [], f32>
  %e = gnn.input "e" : !gnn.field<E, [], f32>
  // CHECK: gnn.mul %{{.+}} -> !gnn.field<E, [], f32>
  // CHECK: gnn.mul %{{.+}} -> !gnn.field<E, [], f32>
  // CHECK-NOT: gnn.mul
  // CHECK: gnn.return
  %0 = gnn.read_source %h : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %1 = gnn.mul %0, %e : (!gnn.field<S, [], f32>, !gnn.field<E, [], f32>) -> !gnn.field<E, [], f32>
  %2 = gnn.aggregate #gnn.sum %1 to destination : (!gnn.field<E, [], f32>) -> !gnn.field<V, [], f32>
  %3 = gnn.read_destination %h : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
  %4 = gnn.mul %3, %e : (!gnn.field<D, [], f32>, !gnn.field<E, [], f32>) -> !gnn.field<E, [], f32>
  %5:2 = gnn.aggregate #gnn.max %4 to destination : (!gnn.field<E, [], f32>) -> (!gnn.field<V, [], f32>, !gnn.field<V, [], i64>)
  gnn.return %2, %5#0 [#gnn.result<output "y">, #gnn.result<output "z">] : !gnn.field<V, [], f32>, !gnn.field<V, [], f32>
}

// Divided by a degree, a sum over no edges would be 0 / 0.

// CHECK-LABEL: @divisor
// CHECK: %[[D:.+]] = gnn.degree in of 0
// CHECK: %[[ANY:.+]] = gnn.compare gt
// CHECK: %[[DIVISOR:.+]] = gnn.select %[[ANY]], %[[D]]
// CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum
// CHECK: gnn.div %[[SUM]], %[[DIVISOR]]
gnn.program @divisor {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %degree = gnn.degree in of 0 : !gnn.field<V, [], f32>
  %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %d = gnn.read_destination %degree : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
  %share = gnn.div %s, %d : (!gnn.field<S, [], f32>, !gnn.field<D, [], f32>) -> !gnn.field<E, [], f32>
  %y = gnn.aggregate #gnn.sum %share to destination : (!gnn.field<E, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// A factor that may be no number where there are no edges is 0 there, as the sum is.

// CHECK-LABEL: @factor
// CHECK: %[[ZERO:.+]] = gnn.constant 0.000000e+00
// CHECK: %[[F:.+]] = gnn.log
// CHECK: %[[ANY:.+]] = gnn.compare gt
// CHECK: %[[FACTOR:.+]] = gnn.select %[[ANY]], %[[F]], %[[ZERO]]
// CHECK: gnn.mul %[[FACTOR]], %{{.+}}
gnn.program @factor {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %w = gnn.input "w" : !gnn.field<V, [], f32>
  %log = gnn.log %w : !gnn.field<V, [], f32>
  %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %d = gnn.read_destination %log : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
  %product = gnn.mul %s, %d : (!gnn.field<S, [], f32>, !gnn.field<D, [], f32>) -> !gnn.field<E, [], f32>
  %y = gnn.aggregate #gnn.sum %product to destination : (!gnn.field<E, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// Degrees do not tell whether a filter leaves an edge.

// CHECK-LABEL: @divisor_of_some
// CHECK: %[[SHARE:.+]] = gnn.div
// CHECK: gnn.aggregate #gnn.sum %[[SHARE]] filter
gnn.program @divisor_of_some {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %e = gnn.input "e" : !gnn.field<E, [], i1>
  %degree = gnn.degree in of 0 : !gnn.field<V, [], f32>
  %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %d = gnn.read_destination %degree : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
  %share = gnn.div %s, %d : (!gnn.field<S, [], f32>, !gnn.field<D, [], f32>) -> !gnn.field<E, [], f32>
  %y = gnn.aggregate #gnn.sum %share filter %e to destination : (!gnn.field<E, [], f32>, !gnn.field<E, [], i1>) -> !gnn.field<V, [], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// An input that is 0 where no edges are would make the sum over none 0 / 0.

// CHECK-LABEL: @divisor_input
// CHECK: %[[W:.+]] = gnn.input "w"
// CHECK: %[[ANY:.+]] = gnn.compare gt
// CHECK: %[[DIVISOR:.+]] = gnn.select %[[ANY]], %[[W]]
// CHECK: gnn.div %{{.+}}, %[[DIVISOR]]
gnn.program @divisor_input {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %w = gnn.input "w" : !gnn.field<V, [], f32>
  %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %d = gnn.read_destination %w : !gnn.field<V, [], f32> -> !gnn.field<D, [], f32>
  %share = gnn.div %s, %d : (!gnn.field<S, [], f32>, !gnn.field<D, [], f32>) -> !gnn.field<E, [], f32>
  %y = gnn.aggregate #gnn.sum %share to destination : (!gnn.field<E, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// A logarithm moves to the vertices, of 1 at those that no edge reads: 0 times its slope at 0 would be no number.

// CHECK-LABEL: @logarithm
// CHECK: %[[X:.+]] = gnn.input "x"
// CHECK: %[[D:.+]] = gnn.degree out of 0
// CHECK: %[[ANY:.+]] = gnn.compare gt %[[D]]
// CHECK: %[[SAFE:.+]] = gnn.select %[[ANY]], %[[X]]
// CHECK: %[[LOG:.+]] = gnn.log %[[SAFE]]
// CHECK: gnn.read_source %[[LOG]]
gnn.program @logarithm {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %log = gnn.log %s : !gnn.field<S, [], f32>
  %y = gnn.aggregate #gnn.sum %log to destination : (!gnn.field<S, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// Of what is above 0 everywhere it needs no care.

// CHECK-LABEL: @logarithm_of_positive
// CHECK-NOT: gnn.degree
// CHECK: gnn.log %{{.+}} : !gnn.field<V, [], f32>
gnn.program @logarithm_of_positive {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %abs = gnn.abs %s : !gnn.field<S, [], f32>
  %half = gnn.constant 0.5 : f32 -> !gnn.field<P, [], f32>
  %positive = gnn.add %abs, %half : (!gnn.field<S, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<S, [], f32>
  %log = gnn.log %positive : !gnn.field<S, [], f32>
  %y = gnn.aggregate #gnn.sum %log to destination : (!gnn.field<S, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// A filter may be what keeps it from 0: it stays on the edges.

// CHECK-LABEL: @logarithm_of_some
// CHECK: gnn.log %{{.+}} : !gnn.field<S, [], f32>
gnn.program @logarithm_of_some {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %e = gnn.input "e" : !gnn.field<E, [], i1>
  %s = gnn.read_source %x : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %log = gnn.log %s : !gnn.field<S, [], f32>
  %y = gnn.aggregate #gnn.sum %log filter %e to destination : (!gnn.field<S, [], f32>, !gnn.field<E, [], i1>) -> !gnn.field<V, [], f32>
  gnn.return %y [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}
