// RUN: gnn-opt %s --star-outline-kernels | FileCheck %s

// Tests that equal steps of two programs share one kernel, that an unequal one has its own, and that the table of extents holds each dimension
// once, in order of occurrence.

// CHECK: module attributes {star.extents = ["out", "heads * out", "2", "out - 1", "0", "1"]}

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

// Bools of vertices that only steps read are bits, wherever they are read; not one or two, nor what is returned, sliced or reshaped.
// CHECK-LABEL: star.program @train
// CHECK: star.launch @masks_map(
star.program @train {
  %x = gnn.input "x" : !gnn.field<V, [out], f32>
  %r:4 = star.map 0 rows(%x : !gnn.field<V, [out], f32>) end {
  ^bb0(%a: !gnn.field<V, [out], f32>):
    %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [out], f32>
    %0 = gnn.compare gt %a, %zero : (!gnn.field<V, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<V, [out], i1> loc("masks")
    %1 = gnn.slice %0 dim 0 at "0" : !gnn.field<V, [out], i1> -> !gnn.field<V, [2], i1>
    star.yield %0, %0, %1, %0 : !gnn.field<V, [out], i1>, !gnn.field<V, [out], i1>, !gnn.field<V, [2], i1>, !gnn.field<V, [out], i1>
  } -> rows(!gnn.field<V, [out], i1>, !gnn.field<V, [out], i1>, !gnn.field<V, [2], i1>, !gnn.field<V, [out], i1>)
  %s:2 = star.sweep 0 to destination rows(%r#0, %r#3 : !gnn.field<V, [out], i1>, !gnn.field<V, [out], i1>) cols(%r#0, %r#2 : !gnn.field<V, [out], i1>, !gnn.field<V, [2], i1>) reduce [#gnn.sum] step {
  ^bb0(%v: !gnn.field<D, [out], i1>, %unused: !gnn.field<D, [out], i1>, %u: !gnn.field<S, [out], i1>, %two: !gnn.field<S, [2], i1>):
    %0 = gnn.and %v, %u : (!gnn.field<D, [out], i1>, !gnn.field<S, [out], i1>) -> !gnn.field<E, [out], i1>
    %1 = gnn.cast %0 : !gnn.field<E, [out], i1> -> !gnn.field<E, [out], f32>
    star.contribute [%1] : !gnn.field<E, [out], f32>
  } end {
  ^bb0(%v: !gnn.field<V, [out], i1>, %sliced: !gnn.field<V, [out], i1>, %sum: !gnn.field<V, [out], f32>):
    %0 = gnn.slice %sliced dim 0 at "1" : !gnn.field<V, [out], i1> -> !gnn.field<V, ["out - 1"], i1>
    %1 = gnn.cast %0 : !gnn.field<V, ["out - 1"], i1> -> !gnn.field<V, ["out - 1"], f32>
    star.yield %sum, %1 : !gnn.field<V, [out], f32>, !gnn.field<V, ["out - 1"], f32>
  } -> rows(!gnn.field<V, [out], f32>, !gnn.field<V, ["out - 1"], f32>)
  star.return %s#0, %r#1, %s#1 [#gnn.result<output "y">, #gnn.result<output "b">, #gnn.result<output "c">] : !gnn.field<V, [out], f32>, !gnn.field<V, [out], i1>, !gnn.field<V, ["out - 1"], f32>
}

// CHECK: star.kernel @h_map map of 0
// CHECK: star.kernel @conv1_z_map map of 0
// CHECK: star.kernel @masks_map map of 0
// CHECK-SAME: outputs [#star.operand<row <V, [out], i1> bits>, #star.operand<row <V, [out], i1>>, #star.operand<row <V, [2], i1>>, #star.operand<row <V, [out], i1>>]
// CHECK: star.kernel @{{.+}} sweep of 0
// CHECK-SAME: inputs [#star.operand<row <V, [out], i1> bits>, #star.operand<row <V, [out], i1>>, #star.operand<col <V, [out], i1> bits>, #star.operand<col <V, [2], i1>>]
