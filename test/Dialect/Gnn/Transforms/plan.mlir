// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-plan))' | FileCheck %s

// Backward of a sigmoid of what is bound anyway: repeated rather than kept.
// CHECK-LABEL: gnn.program @repeats
gnn.program @repeats {
  %x = gnn.input "x" : !gnn.field<V, [8], f32>
  %w = gnn.param "w" : !gnn.field<P, [8], f32>
  // CHECK: %[[X:.+]] = gnn.input "x"
  // CHECK: gnn.total
  // CHECK: %[[COPY:.+]] = gnn.sigmoid %[[X]]
  // CHECK: gnn.mul %[[COPY]]
  %0 = gnn.sigmoid %x : !gnn.field<V, [8], f32>
  %1 = gnn.mul %0, %w : (!gnn.field<V, [8], f32>, !gnn.field<P, [8], f32>) -> !gnn.field<V, [8], f32>
  %2 = gnn.reduce #gnn.sum %1 dim 0 : (!gnn.field<V, [8], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.total #gnn.sum %2 : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %3 = gnn.mul %0, %0 : (!gnn.field<V, [8], f32>, !gnn.field<V, [8], f32>) -> !gnn.field<V, [8], f32>
  %grad = gnn.total #gnn.sum %3 : (!gnn.field<V, [8], f32>) -> !gnn.field<P, [8], f32>
  gnn.return %loss, %grad [#gnn.result<loss "loss">, #gnn.result<gradient "w">] : !gnn.field<P, [], f32>, !gnn.field<P, [8], f32>
}

// Two functions of one sum: the sum is kept once and both are repeated, for it is narrower than the two together.
// CHECK-LABEL: gnn.program @keeps_the_narrow
gnn.program @keeps_the_narrow {
  %x = gnn.input "x" : !gnn.field<V, [8], f32>
  %w = gnn.param "w" : !gnn.field<P, [8], f32>
  // CHECK: %[[SUM:.+]] = gnn.aggregate
  // CHECK: gnn.total
  // CHECK: gnn.exp %[[SUM]]
  // CHECK: gnn.return
  %0 = gnn.read_source %x : !gnn.field<V, [8], f32> -> !gnn.field<S, [8], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [8], f32>) -> !gnn.field<V, [8], f32>
  %2 = gnn.exp %1 : !gnn.field<V, [8], f32>
  %3 = gnn.mul %2, %w : (!gnn.field<V, [8], f32>, !gnn.field<P, [8], f32>) -> !gnn.field<V, [8], f32>
  %4 = gnn.reduce #gnn.sum %3 dim 0 : (!gnn.field<V, [8], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.total #gnn.sum %4 : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %5 = gnn.mul %1, %2 : (!gnn.field<V, [8], f32>, !gnn.field<V, [8], f32>) -> !gnn.field<V, [8], f32>
  %grad = gnn.total #gnn.sum %5 : (!gnn.field<V, [8], f32>) -> !gnn.field<P, [8], f32>
  gnn.return %loss, %grad [#gnn.result<loss "loss">, #gnn.result<gradient "w">] : !gnn.field<P, [], f32>, !gnn.field<P, [8], f32>
}

// The bits of a comparison are narrower than the sum that is compared: they are kept.
// CHECK-LABEL: gnn.program @keeps_the_bits
gnn.program @keeps_the_bits {
  %x = gnn.input "x" : !gnn.field<V, [8], f32>
  %w = gnn.param "w" : !gnn.field<P, [8], f32>
  %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [8], f32>
  // CHECK: %[[BITS:.+]] = gnn.compare
  // CHECK: gnn.total
  // CHECK-NEXT: gnn.select %[[BITS]]
  %0 = gnn.read_source %x : !gnn.field<V, [8], f32> -> !gnn.field<S, [8], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [8], f32>) -> !gnn.field<V, [8], f32>
  %2 = gnn.compare le %1, %zero : (!gnn.field<V, [8], f32>, !gnn.field<P, [8], f32>) -> !gnn.field<V, [8], i1>
  %3 = gnn.select %2, %zero, %1 : (!gnn.field<V, [8], i1>, !gnn.field<P, [8], f32>, !gnn.field<V, [8], f32>) -> !gnn.field<V, [8], f32>
  %4 = gnn.mul %3, %w : (!gnn.field<V, [8], f32>, !gnn.field<P, [8], f32>) -> !gnn.field<V, [8], f32>
  %5 = gnn.reduce #gnn.sum %4 dim 0 : (!gnn.field<V, [8], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.total #gnn.sum %5 : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %6 = gnn.select %2, %zero, %x : (!gnn.field<V, [8], i1>, !gnn.field<P, [8], f32>, !gnn.field<V, [8], f32>) -> !gnn.field<V, [8], f32>
  %grad = gnn.total #gnn.sum %6 : (!gnn.field<V, [8], f32>) -> !gnn.field<P, [8], f32>
  gnn.return %loss, %grad [#gnn.result<loss "loss">, #gnn.result<gradient "w">] : !gnn.field<P, [], f32>, !gnn.field<P, [8], f32>
}

// The result of a ReLU is there for a product: backward reads its sign instead of a mask.
// CHECK-LABEL: gnn.program @sign_of_the_result
gnn.program @sign_of_the_result {
  %x = gnn.input "x" : !gnn.field<V, [8], f32>
  %w = gnn.param "w" : !gnn.field<P, [8, 8], f32>
  %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [8], f32>
  // CHECK: %[[RELU:.+]] = gnn.select
  // CHECK: %[[SIGN:.+]] = gnn.compare le %[[RELU]]
  // CHECK: gnn.total
  // CHECK-NEXT: gnn.select %[[SIGN]]
  %0 = gnn.read_source %x : !gnn.field<V, [8], f32> -> !gnn.field<S, [8], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [8], f32>) -> !gnn.field<V, [8], f32>
  %2 = gnn.compare le %1, %zero : (!gnn.field<V, [8], f32>, !gnn.field<P, [8], f32>) -> !gnn.field<V, [8], i1>
  %3 = gnn.select %2, %zero, %1 : (!gnn.field<V, [8], i1>, !gnn.field<P, [8], f32>, !gnn.field<V, [8], f32>) -> !gnn.field<V, [8], f32>
  %4 = gnn.matmul %3, %w : (!gnn.field<V, [8], f32>, !gnn.field<P, [8, 8], f32>) -> !gnn.field<V, [8], f32>
  %5 = gnn.reduce #gnn.sum %4 dim 0 : (!gnn.field<V, [8], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.total #gnn.sum %5 : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %6 = gnn.select %2, %zero, %x : (!gnn.field<V, [8], i1>, !gnn.field<P, [8], f32>, !gnn.field<V, [8], f32>) -> !gnn.field<V, [8], f32>
  %grad = gnn.total #gnn.sum %6 : (!gnn.field<V, [8], f32>) -> !gnn.field<P, [8], f32>
  gnn.return %loss, %grad [#gnn.result<loss "loss">, #gnn.result<gradient "w">] : !gnn.field<P, [], f32>, !gnn.field<P, [8], f32>
}

// What is 0 where the result of a choice is not is no ReLU: its mask says other than the sign of the result.
// CHECK-LABEL: gnn.program @no_relu
gnn.program @no_relu {
  %x = gnn.input "x" : !gnn.field<V, [8], f32>
  %w = gnn.param "w" : !gnn.field<P, [8, 8], f32>
  %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [8], f32>
  // CHECK-COUNT-1: gnn.compare
  // CHECK-NOT: gnn.compare
  // CHECK: gnn.return
  %0 = gnn.read_source %x : !gnn.field<V, [8], f32> -> !gnn.field<S, [8], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [8], f32>) -> !gnn.field<V, [8], f32>
  %2 = gnn.compare le %1, %zero : (!gnn.field<V, [8], f32>, !gnn.field<P, [8], f32>) -> !gnn.field<V, [8], i1>
  %3 = gnn.select %2, %1, %zero : (!gnn.field<V, [8], i1>, !gnn.field<V, [8], f32>, !gnn.field<P, [8], f32>) -> !gnn.field<V, [8], f32>
  %4 = gnn.matmul %3, %w : (!gnn.field<V, [8], f32>, !gnn.field<P, [8, 8], f32>) -> !gnn.field<V, [8], f32>
  %5 = gnn.reduce #gnn.sum %4 dim 0 : (!gnn.field<V, [8], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.total #gnn.sum %5 : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %6 = gnn.select %2, %x, %zero : (!gnn.field<V, [8], i1>, !gnn.field<V, [8], f32>, !gnn.field<P, [8], f32>) -> !gnn.field<V, [8], f32>
  %grad = gnn.total #gnn.sum %6 : (!gnn.field<V, [8], f32>) -> !gnn.field<P, [8], f32>
  gnn.return %loss, %grad [#gnn.result<loss "loss">, #gnn.result<gradient "w">] : !gnn.field<P, [], f32>, !gnn.field<P, [8], f32>
}

// Three transcendentals would take longer than to write and read one number: the last is kept, not the sum that they start from.
// CHECK-LABEL: gnn.program @keeps_what_takes_long
gnn.program @keeps_what_takes_long {
  %x = gnn.input "x" : !gnn.field<V, [8], f32>
  // CHECK: gnn.tanh
  // CHECK: gnn.tanh
  // CHECK: %[[LAST:.+]] = gnn.tanh
  // CHECK-NOT: gnn.tanh
  // CHECK: gnn.exp %[[LAST]]
  %0 = gnn.read_source %x : !gnn.field<V, [8], f32> -> !gnn.field<S, [8], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [8], f32>) -> !gnn.field<V, [8], f32>
  %2 = gnn.tanh %1 : !gnn.field<V, [8], f32>
  %3 = gnn.tanh %2 : !gnn.field<V, [8], f32>
  %4 = gnn.tanh %3 : !gnn.field<V, [8], f32>
  %5 = gnn.reduce #gnn.sum %4 dim 0 : (!gnn.field<V, [8], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.total #gnn.sum %5 : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %6 = gnn.exp %4 : !gnn.field<V, [8], f32>
  %grad = gnn.total #gnn.sum %6 : (!gnn.field<V, [8], f32>) -> !gnn.field<P, [8], f32>
  gnn.return %loss, %grad [#gnn.result<loss "loss">, #gnn.result<gradient "w">] : !gnn.field<P, [], f32>, !gnn.field<P, [8], f32>
}
