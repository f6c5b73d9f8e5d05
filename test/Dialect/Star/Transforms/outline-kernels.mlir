// RUN: gnn-opt %s --star-outline-kernels | FileCheck %s

// Tests that equal steps of two programs share one kernel, that an unequal one has its own, and that the table of extents holds each dimension
// once, in order of occurrence.

// CHECK: module attributes {star.extents = ["out", "heads * out"]}

// CHECK-LABEL: star.program @infer
// CHECK: star.launch @h_map(
star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [out], f32>
  %r = star.map 0 rows(%x : !gnn.field<V, [out], f32>) end {
  ^bb0(%a: !gnn.field<V, [out], f32>):
    %b = gnn.exp %a : !gnn.field<V, [out], f32> loc("h")
    star.yield %b : !gnn.field<V, [out], f32>
  } -> rows(!gnn.field<V, [out], f32>)
  star.return %r [#gnn.result<output "y">] : !gnn.field<V, [out], f32>
}

// CHECK-LABEL: star.program @evaluate
// CHECK: star.launch @h_map(
// CHECK: star.launch @conv1_z_map(
star.program @evaluate {
  %x = gnn.input "x" : !gnn.field<V, [out], f32>
  %r = star.map 0 rows(%x : !gnn.field<V, [out], f32>) end {
  ^bb0(%a: !gnn.field<V, [out], f32>):
    %b = gnn.exp %a : !gnn.field<V, [out], f32>
    star.yield %b : !gnn.field<V, [out], f32>
  } -> rows(!gnn.field<V, [out], f32>)
  %s = gnn.input "s" : !gnn.field<V, ["heads * out"], f32>
  %t = star.map 0 rows(%s : !gnn.field<V, ["heads * out"], f32>) end {
  ^bb0(%a: !gnn.field<V, ["heads * out"], f32>):
    %b = gnn.exp %a : !gnn.field<V, ["heads * out"], f32> loc("conv1.z")
    star.yield %b : !gnn.field<V, ["heads * out"], f32>
  } -> rows(!gnn.field<V, ["heads * out"], f32>)
  star.return %r, %t [#gnn.result<output "y">, #gnn.result<output "z">] : !gnn.field<V, [out], f32>, !gnn.field<V, ["heads * out"], f32>
}

// CHECK: star.kernel @h_map map of 0
// CHECK: star.kernel @conv1_z_map map of 0
// CHECK-NOT: star.kernel
