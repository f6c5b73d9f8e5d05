// RUN: gnn-opt %s --star-map-threads --star-to-gpu --canonicalize --cse | FileCheck %s

// Totals are folded in slots of 512 rows, by one group each: its state is that of the slot.
// CHECK-LABEL: gpu.func @totals
// CHECK-DAG: %[[ROWS:.+]] = arith.constant 512 : index
// CHECK-DAG: %[[BYTES:.+]] = arith.constant 64 : index
// CHECK: scf.for
// CHECK: arith.divui {{.*}}, %[[ROWS]]
// CHECK: arith.muli {{.*}}, %[[BYTES]]
// CHECK: memref.view
// CHECK: gpu.return
star.kernel @totals map of 0 inputs [#star.operand<row <V, [16], f32>>] outputs [#star.operand<whole <P, [16], f32>>]
    reduce [#gnn.sum] step {
} end {
^bb0(%x: !gnn.field<V, [16], f32>):
  star.yield %x : !gnn.field<V, [16], f32>
}

// A result of one number is written by one of the threads that share the row.
// CHECK-LABEL: gpu.func @two
// CHECK: %[[FIRST:.+]] = arith.cmpi eq
// CHECK: scf.if %[[FIRST]]
// CHECK-NEXT: memref.store
// CHECK: gpu.return
star.kernel @two map of 0 inputs [#star.operand<row <V, [16], f32>>, #star.operand<row <V, [], f32>>]
    outputs [#star.operand<row <V, [16], f32>>, #star.operand<row <V, [], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [16], f32>, %y: !gnn.field<V, [], f32>):
  star.yield %x, %y : !gnn.field<V, [16], f32>, !gnn.field<V, [], f32>
}
