// RUN: gnn-opt %s --split-input-file --gnn-vary-orders | FileCheck %s
// RUN: gnn-opt %s --split-input-file --gnn-vary-orders=products=last | FileCheck %s --check-prefix=LAST

// Open sizes: either order, and the program as it was.
// CHECK-LABEL: gnn.program @forward {
// CHECK: gnn.program @forward.2 attributes {gnn.orders = {"in -> out" = false}}
// CHECK: gnn.program @forward.3 attributes {gnn.orders = {"in -> out" = true}}
// CHECK-NOT: gnn.program
// LAST: gnn.program @forward attributes {gnn.orders = {"in -> out" = true}}
// LAST-NOT: forward.2
module attributes {} {
  gnn.program @forward {
    %x = gnn.input "x" : !gnn.field<V, [in], f32>
    %w = gnn.param "w" : !gnn.field<P, [in, out], f32>
    %0 = gnn.matmul %x, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
    %1 = gnn.read_source %0 : !gnn.field<V, [out], f32> -> !gnn.field<S, [out], f32>
    %2 = gnn.aggregate #gnn.sum %1 to destination : (!gnn.field<S, [out], f32>) -> !gnn.field<V, [out], f32>
    gnn.return %2 [#gnn.result<output "y">] : !gnn.field<V, [out], f32>
  }
}

// -----

// A sum that is no wider, and first, is the cheaper one whatever the graph.
// CHECK-LABEL: gnn.program @forward {
// CHECK-NOT: gnn.program
module {
  gnn.program @forward {
    %x = gnn.input "x" : !gnn.field<V, [16], f32>
    %w = gnn.param "w" : !gnn.field<P, [16, 64], f32>
    %0 = gnn.read_source %x : !gnn.field<V, [16], f32> -> !gnn.field<S, [16], f32>
    %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [16], f32>) -> !gnn.field<V, [16], f32>
    %2 = gnn.matmul %1, %w : (!gnn.field<V, [16], f32>, !gnn.field<P, [16, 64], f32>) -> !gnn.field<V, [64], f32>
    gnn.return %2 [#gnn.result<output "y">] : !gnn.field<V, [64], f32>
  }
}

// -----

// Known sizes: of two layers the first alone, where more rows may be read than summed.
// CHECK-LABEL: gnn.program @forward {
// CHECK: gnn.program @forward.2 attributes {gnn.orders = {"64 -> 16" = false}}
// CHECK: gnn.program @forward.3 attributes {gnn.orders = {"64 -> 16" = true}}
// CHECK-NOT: gnn.program
module {
  gnn.program @forward {
    %x = gnn.input "x" : !gnn.field<V, [64], f32>
    %w = gnn.param "w" : !gnn.field<P, [64, 16], f32>
    %v = gnn.param "v" : !gnn.field<P, [16, 4], f32>
    %0 = gnn.matmul %x, %w : (!gnn.field<V, [64], f32>, !gnn.field<P, [64, 16], f32>) -> !gnn.field<V, [16], f32>
    %1 = gnn.read_source %0 : !gnn.field<V, [16], f32> -> !gnn.field<S, [16], f32>
    %2 = gnn.aggregate #gnn.sum %1 to destination : (!gnn.field<S, [16], f32>) -> !gnn.field<V, [16], f32>
    %3 = gnn.exp %2 : !gnn.field<V, [16], f32>
    %4 = gnn.matmul %3, %v : (!gnn.field<V, [16], f32>, !gnn.field<P, [16, 4], f32>) -> !gnn.field<V, [4], f32>
    %5 = gnn.read_source %4 : !gnn.field<V, [4], f32> -> !gnn.field<S, [4], f32>
    %6 = gnn.aggregate #gnn.sum %5 to destination : (!gnn.field<S, [4], f32>) -> !gnn.field<V, [4], f32>
    gnn.return %6 [#gnn.result<output "y">] : !gnn.field<V, [4], f32>
  }
}
