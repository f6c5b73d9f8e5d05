// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v3 --split-input-file | FileCheck %s

// Four kernels that differ in a factor alone are a family: the first one's functions take it as an argument. What is the same in all, 0.5, is a
// constant of the body.
// CHECK-LABEL: func.func @first.v3
// CHECK-SAME: %[[FACTOR:[a-z0-9]+]]: f32 {star.source = "constant 0"}
// CHECK-SAME: star.constants = [1.500000e+00 : f32]
// CHECK: arith.constant dense<5.000000e-01>
// CHECK: vector.splat %[[FACTOR]]
// CHECK: func.func private @second.v3(
// CHECK-SAME: f32 {star.source = "constant 0"}
// CHECK-SAME: star.body = @first.v3, star.constants = [2.500000e+00 : f32]
// CHECK: func.func private @third.v3(
// CHECK-SAME: star.body = @first.v3, star.constants = [3.500000e+00 : f32]
// CHECK: func.func private @fourth.v3(
// CHECK-SAME: star.body = @first.v3, star.constants = [4.500000e+00 : f32]
star.kernel @first map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %factor = gnn.constant 1.5 : f32 -> !gnn.field<P, [k], f32>
  %half = gnn.constant 0.5 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.mul %x, %factor : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  %1 = gnn.add %0, %half : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %1 : !gnn.field<V, [k], f32>
}
star.kernel @second map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %factor = gnn.constant 2.5 : f32 -> !gnn.field<P, [k], f32>
  %half = gnn.constant 0.5 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.mul %x, %factor : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  %1 = gnn.add %0, %half : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %1 : !gnn.field<V, [k], f32>
}
star.kernel @third map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %factor = gnn.constant 3.5 : f32 -> !gnn.field<P, [k], f32>
  %half = gnn.constant 0.5 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.mul %x, %factor : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  %1 = gnn.add %0, %half : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %1 : !gnn.field<V, [k], f32>
}
star.kernel @fourth map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %factor = gnn.constant 4.5 : f32 -> !gnn.field<P, [k], f32>
  %half = gnn.constant 0.5 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.mul %x, %factor : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  %1 = gnn.add %0, %half : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %1 : !gnn.field<V, [k], f32>
}

// -----

// Three such kernels have code of their own.
// CHECK-LABEL: func.func @one.v3
// CHECK-LABEL: func.func @two.v3
// CHECK-LABEL: func.func @three.v3
// CHECK-NOT: star.body
star.kernel @one map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.constant 1.5 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.mul %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
star.kernel @two map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.constant 2.5 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.mul %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
star.kernel @three map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.constant 3.5 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.mul %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}

// -----

// So do those in which a known number makes the code shorter: a divisor that is a power of two, and one side of a maximum.
// CHECK-LABEL: func.func @divided1.v3
// CHECK-NOT: star.constants
// CHECK-NOT: star.body
star.kernel @divided1 map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.constant 2.0 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.div %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
star.kernel @divided2 map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.constant 4.0 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.div %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
star.kernel @divided3 map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.constant 8.0 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.div %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
star.kernel @divided4 map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.constant 16.0 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.div %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
star.kernel @largest1 map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.constant 1.5 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.maximum %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
star.kernel @largest2 map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.constant 2.5 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.maximum %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
star.kernel @largest3 map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.constant 3.5 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.maximum %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
star.kernel @largest4 map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.constant 4.5 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.maximum %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
// CHECK-LABEL: func.func @last.v3
star.kernel @last map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.constant 1.5 : f32 -> !gnn.field<P, [k], f32>
  %0 = gnn.sub %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<P, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}

// -----

// Kernels whose dropouts are at different sites are a family.
// CHECK-LABEL: func.func @dropout.v3
// CHECK-SAME: %[[SITE:[a-z0-9]+]]: i64 {star.source = "constant 0"}
// CHECK-SAME: star.constants = [1]
// CHECK: arith.muli %[[SITE]]
// CHECK: func.func private @dropout2.v3
// CHECK-SAME: star.body = @dropout.v3, star.constants = [2]
// CHECK: func.func private @dropout3.v3
// CHECK-SAME: star.body = @dropout.v3, star.constants = [3]
// CHECK: func.func private @dropout4.v3
// CHECK-SAME: star.body = @dropout.v3, star.constants = [4]
star.kernel @dropout map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.dropout_mask site 1 probability 0.5 : !gnn.field<V, [k], f32>
  %0 = gnn.mul %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<V, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
star.kernel @dropout2 map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.dropout_mask site 2 probability 0.5 : !gnn.field<V, [k], f32>
  %0 = gnn.mul %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<V, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
star.kernel @dropout3 map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.dropout_mask site 3 probability 0.5 : !gnn.field<V, [k], f32>
  %0 = gnn.mul %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<V, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
star.kernel @dropout4 map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %c = gnn.dropout_mask site 4 probability 0.5 : !gnn.field<V, [k], f32>
  %0 = gnn.mul %x, %c : (!gnn.field<V, [k], f32>, !gnn.field<V, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}
