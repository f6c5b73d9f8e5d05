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
