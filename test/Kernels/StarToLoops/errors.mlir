// RUN: gnn-opt %s --star-to-loops --split-input-file --verify-diagnostics
// RUN: not gnn-opt %s --star-to-loops=isas=z80 2>&1 | FileCheck %s --check-prefix=ISA

// ISA: error: unknown instruction set `z80`

// Compound ops have to be decomposed before.
star.kernel @loss map of 0 inputs [#star.operand<row <V, [7], f32>>, #star.operand<row <V, [], i32>>]
    outputs [#star.operand<row <V, [], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [7], f32>, %label: !gnn.field<V, [], i32>):
  // expected-error @+1 {{'gnn.cross_entropy' op cannot stand in a kernel}}
  %0 = gnn.cross_entropy %x, %label : (!gnn.field<V, [7], f32>, !gnn.field<V, [], i32>) -> !gnn.field<V, [], f32>
  star.yield %0 : !gnn.field<V, [], f32>
}

// -----

// Tests that an edge whose entry needs a field in memory is refused, as that field would be filled after the entry is read.
star.kernel @byLargest sweep of 0 to destination inputs [#star.operand<edge <E, [n], f32>>] outputs [#star.operand<row <V, [5], f32>>]
    reduce [#gnn.sum] step {
^bb0(%x: !gnn.field<E, [n], f32>):
  %0 = gnn.concat %x, %x dim 0 : (!gnn.field<E, [n], f32>, !gnn.field<E, [n], f32>) -> !gnn.field<E, ["2 * n"], f32>
  %1 = gnn.arg_reduce max %0 dim 0 : (!gnn.field<E, ["2 * n"], f32>) -> !gnn.field<E, [], i64>
  %2 = gnn.reduce #gnn.sum %x dim 0 : (!gnn.field<E, [n], f32>) -> !gnn.field<E, [], f32>
  // expected-error @+1 {{'star.contribute' op takes the entry of an edge from a field in memory: compute the number of the entry without}}
  star.contribute [%2] by [%1] of [0] : !gnn.field<E, [], f32>, !gnn.field<E, [], i64>
} end {
^bb0(%sum: !gnn.field<V, [5], f32>):
  star.yield %sum : !gnn.field<V, [5], f32>
}
