// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v3 | FileCheck %s

// Kernels that differ in the name of a dimension alone have one body: the second one gives it another extent.
// CHECK-LABEL: func.func @hidden.v3
// CHECK-SAME: i64 {star.source = "extent 0"}
// CHECK-SAME: attributes {star.isa = "x86-64-v3"} {
// CHECK: func.func private @classes.v3(
// CHECK-SAME: i64 {star.source = "extent 1"}
// CHECK-SAME: star.body = @hidden.v3
// CHECK: func.func private @classes.merge.v3
// CHECK-SAME: star.body = @hidden.merge.v3
module attributes {star.extents = ["hidden", "classes"]} {
star.kernel @hidden sweep of 0 to destination inputs [#star.operand<col <V, [hidden], f32>>]
    outputs [#star.operand<row <V, [hidden], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [hidden], f32>):
  star.contribute [%u] : !gnn.field<S, [hidden], f32>
} end {
^bb0(%sum: !gnn.field<V, [hidden], f32>):
  star.yield %sum : !gnn.field<V, [hidden], f32>
}
star.kernel @classes sweep of 0 to destination inputs [#star.operand<col <V, [classes], f32>>]
    outputs [#star.operand<row <V, [classes], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [classes], f32>):
  star.contribute [%u] : !gnn.field<S, [classes], f32>
} end {
^bb0(%sum: !gnn.field<V, [classes], f32>):
  star.yield %sum : !gnn.field<V, [classes], f32>
}
// Factors in the other order have the same product.
// CHECK-LABEL: func.func @scaled.v3
// CHECK-SAME: attributes {star.isa = "x86-64-v3"} {
// CHECK: func.func private @scaledToo.v3(
// CHECK-SAME: star.body = @scaled.v3
star.kernel @scaled sweep of 0 to destination inputs [#star.operand<col <V, [hidden], f32>>]
    outputs [#star.operand<row <V, [hidden], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [hidden], f32>):
  star.contribute [%u] : !gnn.field<S, [hidden], f32>
} end {
^bb0(%sum: !gnn.field<V, [hidden], f32>):
  %0 = gnn.neg %sum : !gnn.field<V, [hidden], f32>
  %1 = gnn.mul %0, %sum : (!gnn.field<V, [hidden], f32>, !gnn.field<V, [hidden], f32>) -> !gnn.field<V, [hidden], f32>
  star.yield %1 : !gnn.field<V, [hidden], f32>
}
star.kernel @scaledToo sweep of 0 to destination inputs [#star.operand<col <V, [classes], f32>>]
    outputs [#star.operand<row <V, [classes], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [classes], f32>):
  star.contribute [%u] : !gnn.field<S, [classes], f32>
} end {
^bb0(%sum: !gnn.field<V, [classes], f32>):
  %0 = gnn.neg %sum : !gnn.field<V, [classes], f32>
  %1 = gnn.mul %sum, %0 : (!gnn.field<V, [classes], f32>, !gnn.field<V, [classes], f32>) -> !gnn.field<V, [classes], f32>
  star.yield %1 : !gnn.field<V, [classes], f32>
}
// Those of a difference are not the same.
// CHECK-LABEL: func.func @less.v3
// CHECK-SAME: attributes {star.isa = "x86-64-v3"} {
// CHECK-LABEL: func.func @lessToo.v3
// CHECK-SAME: attributes {star.isa = "x86-64-v3"} {
star.kernel @less map of 0 inputs [#star.operand<row <V, [hidden], f32>>] outputs [#star.operand<row <V, [hidden], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [hidden], f32>):
  %0 = gnn.exp %x : !gnn.field<V, [hidden], f32>
  %1 = gnn.sub %x, %0 : (!gnn.field<V, [hidden], f32>, !gnn.field<V, [hidden], f32>) -> !gnn.field<V, [hidden], f32>
  star.yield %1 : !gnn.field<V, [hidden], f32>
}
star.kernel @lessToo map of 0 inputs [#star.operand<row <V, [hidden], f32>>] outputs [#star.operand<row <V, [hidden], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [hidden], f32>):
  %0 = gnn.exp %x : !gnn.field<V, [hidden], f32>
  %1 = gnn.sub %0, %x : (!gnn.field<V, [hidden], f32>, !gnn.field<V, [hidden], f32>) -> !gnn.field<V, [hidden], f32>
  star.yield %1 : !gnn.field<V, [hidden], f32>
}
// One that computes something else has a body of its own.
// CHECK-LABEL: func.func @twice.v3
// CHECK-SAME: attributes {star.isa = "x86-64-v3"} {
star.kernel @twice sweep of 0 to destination inputs [#star.operand<col <V, [hidden], f32>>]
    outputs [#star.operand<row <V, [hidden], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [hidden], f32>):
  %0 = gnn.add %u, %u : (!gnn.field<S, [hidden], f32>, !gnn.field<S, [hidden], f32>) -> !gnn.field<S, [hidden], f32>
  star.contribute [%0] : !gnn.field<S, [hidden], f32>
} end {
^bb0(%sum: !gnn.field<V, [hidden], f32>):
  star.yield %sum : !gnn.field<V, [hidden], f32>
}
}
