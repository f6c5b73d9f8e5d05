// RUN: gnn-opt %s --canonicalize | FileCheck %s

!v = !gnn.field<V, [out], f32>
!p = !gnn.field<P, [out], f32>

// Neutral elements go; constants are computed.
// CHECK-LABEL: gnn.program @neutral
gnn.program @neutral {
  // CHECK: %[[SUM:.+]] = gnn.constant 5.000000e+00 : f32 -> !gnn.field<P, [out], f32>
  // CHECK: %[[X:.+]] = gnn.input "x"
  // CHECK-NEXT: gnn.return %[[X]], %[[SUM]]
  %x = gnn.input "x" : !v
  %0 = gnn.constant 0.0 : f32 -> !p
  %1 = gnn.constant 1.0 : f32 -> !p
  %2 = gnn.constant 2.0 : f32 -> !p
  %3 = gnn.constant 3.0 : f32 -> !p
  %4 = gnn.add %0, %x : (!p, !v) -> !v
  %5 = gnn.mul %4, %1 : (!v, !p) -> !v
  %6 = gnn.sub %5, %0 : (!v, !p) -> !v
  %7 = gnn.div %6, %1 : (!v, !p) -> !v
  %8 = gnn.pow %7, %1 : (!v, !p) -> !v
  %9 = gnn.neg %8 : !v
  %10 = gnn.neg %9 : !v
  %11 = gnn.add %2, %3 : (!p, !p) -> !p
  gnn.return %10, %11 [#gnn.result<output "x">, #gnn.result<output "c">] : !v, !p
}

// x * 1 stays where it makes a P value one of every vertex: the type of a result does not change.
// CHECK-LABEL: gnn.program @kind_stays
gnn.program @kind_stays {
  // CHECK: gnn.mul %{{.+}}, %{{.+}} : (!gnn.field<P, [out], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<V, [out], f32>
  %w = gnn.param "w" : !p
  %1 = gnn.constant 1.0 : f32 -> !v
  %2 = gnn.mul %w, %1 : (!p, !v) -> !v
  gnn.return %2 [#gnn.result<output "y">] : !v
}

// Selects of a known or no choice, shapes that do not change, and constants through shapes.
// CHECK-LABEL: gnn.program @choice
gnn.program @choice {
  // CHECK-DAG: %[[X:.+]] = gnn.input "x"
  // CHECK-DAG: %[[C:.+]] = gnn.constant 2.000000e+00 : f32 -> !gnn.field<P, [out], f32>
  // CHECK-DAG: %[[EXTENT:.+]] = gnn.constant 6.000000e+00 : f32 -> !gnn.field<P, [], f32>
  // CHECK: gnn.return %[[X]], %[[X]], %[[C]], %[[EXTENT]], %[[X]]
  %x = gnn.input "x" : !v
  %y = gnn.input "y" : !v
  %b = gnn.input "b" : !gnn.field<V, [out], i1>
  %true = gnn.constant true -> !gnn.field<P, [out], i1>
  %0 = gnn.select %true, %x, %y : (!gnn.field<P, [out], i1>, !v, !v) -> !v
  %1 = gnn.select %b, %x, %x : (!gnn.field<V, [out], i1>, !v, !v) -> !v
  %2 = gnn.constant 2.0 : f32 -> !gnn.field<P, [], f32>
  %3 = gnn.broadcast %2 dims [] : !gnn.field<P, [], f32> -> !p
  %4 = gnn.extent "6" : !gnn.field<P, [], f32>
  %5 = gnn.reshape %x : !v -> !gnn.field<V, [1, out], f32>
  %6 = gnn.reshape %5 : !gnn.field<V, [1, out], f32> -> !v
  gnn.return %0, %1, %3, %4, %6 [#gnn.result<output "a">, #gnn.result<output "b">, #gnn.result<output "c">, #gnn.result<output "d">, #gnn.result<output "e">]
      : !v, !v, !p, !gnn.field<P, [], f32>, !v
}

// The two halves of a leaky slope's gradient are one choice.
// CHECK-LABEL: gnn.program @two_halves
gnn.program @two_halves {
  // CHECK: %[[B:.+]] = gnn.input "b"
  // CHECK: gnn.select %[[B]], %{{.+}}, %{{.+}} : (!gnn.field<V, [out], i1>, !gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>)
  // CHECK-NEXT: gnn.return
  %x = gnn.input "x" : !v
  %y = gnn.input "y" : !v
  %b = gnn.input "b" : !gnn.field<V, [out], i1>
  %0 = gnn.constant 0.0 : f32 -> !p
  %1 = gnn.select %b, %x, %0 : (!gnn.field<V, [out], i1>, !v, !p) -> !v
  %2 = gnn.select %b, %0, %y : (!gnn.field<V, [out], i1>, !p, !v) -> !v
  %3 = gnn.add %1, %2 : (!v, !v) -> !v
  gnn.return %3 [#gnn.result<output "y">] : !v
}

// A factor moves into what is chosen, so that halves can meet.
// CHECK-LABEL: gnn.program @scaled_half
gnn.program @scaled_half {
  // CHECK: %[[SCALED:.+]] = gnn.mul %{{.+}}, %{{.+}} : (!gnn.field<V, [out], f32>, !gnn.field<P, [out], f32>)
  // CHECK-NEXT: gnn.select %{{.+}}, %{{.+}}, %[[SCALED]]
  // CHECK-NEXT: gnn.return
  %x = gnn.input "x" : !v
  %b = gnn.input "b" : !gnn.field<V, [out], i1>
  %0 = gnn.constant 0.0 : f32 -> !p
  %slope = gnn.constant 0.2 : f32 -> !p
  %1 = gnn.select %b, %0, %x : (!gnn.field<V, [out], i1>, !p, !v) -> !v
  %2 = gnn.mul %1, %slope : (!v, !p) -> !v
  gnn.return %2 [#gnn.result<output "y">] : !v
}

// The sum of equal elements is their number times one; squares are products.
// CHECK-LABEL: gnn.program @sums_of_constants
gnn.program @sums_of_constants {
  // CHECK: %[[N:.+]] = gnn.extent "out" : !gnn.field<P, [], f32>
  // CHECK: %[[SQUARE:.+]] = gnn.mul %[[X:.+]], %[[X]]
  // CHECK: gnn.return %[[N]], %[[SQUARE]]
  %x = gnn.input "x" : !v
  %1 = gnn.constant 1.0 : f32 -> !p
  %2 = gnn.constant 2.0 : f32 -> !p
  %3 = gnn.reduce #gnn.sum %1 dim 0 : (!p) -> !gnn.field<P, [], f32>
  %4 = gnn.pow %x, %2 : (!v, !p) -> !v
  gnn.return %3, %4 [#gnn.result<output "n">, #gnn.result<output "s">] : !gnn.field<P, [], f32>, !v
}

// Anything to the power of 0 is 1, 0 too, and its slope is 0.
// CHECK-LABEL: gnn.program @powers_of_zero
gnn.program @powers_of_zero {
  // CHECK: %[[ONE:.+]] = gnn.constant 1.000000e+00 : f32 -> !gnn.field<V, [out], f32>
  // CHECK-NOT: gnn.pow
  // CHECK: gnn.return %[[ONE]]
  %x = gnn.input "x" : !v
  %0 = gnn.constant 0.0 : f32 -> !p
  %1 = gnn.pow %x, %0 : (!v, !p) -> !v
  gnn.return %1 [#gnn.result<output "y">] : !v
}

// Masks of one site are one draw; those of two sites are two.
// CHECK-LABEL: gnn.program @masks
gnn.program @masks {
  // CHECK: gnn.dropout_mask site 1
  // CHECK: gnn.dropout_mask site 2
  %0 = gnn.dropout_mask site 1 probability 0.5 : !v
  %1 = gnn.dropout_mask site 2 probability 0.5 : !v
  gnn.return %0, %1 [#gnn.result<output "a">, #gnn.result<output "b">] : !v, !v
}
