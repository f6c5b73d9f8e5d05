// RUN: gnn-opt %s --star-to-gpu --verify-diagnostics

// expected-error @+1 {{has no mapping to threads (star-map-threads)}}
star.kernel @k map of 0 inputs [#star.operand<row <V, [7], f32>>] outputs [#star.operand<row <V, [7], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [7], f32>):
  star.yield %x : !gnn.field<V, [7], f32>
}
