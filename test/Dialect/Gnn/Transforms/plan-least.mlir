// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-plan{keep=least}))' | FileCheck %s
// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-plan))' | FileCheck %s --check-prefix=FAST

// Backward reads a sum and a sigmoid of it, which a product of forward reads too. The sum alone is kept.
// CHECK-LABEL: gnn.program @one_of_two
// FAST-LABEL: gnn.program @one_of_two
gnn.program @one_of_two {
  %x = gnn.input "x" : !gnn.field<V, [8], f32>
  %w = gnn.param "w" : !gnn.field<P, [8, 8], f32>
  // CHECK: %[[SUM:.+]] = gnn.aggregate
  // CHECK: gnn.total
  // CHECK: %[[COPY:.+]] = gnn.sigmoid %[[SUM]]
  // CHECK: gnn.mul %[[SUM]], %[[COPY]]
  // FAST: %[[SUM:.+]] = gnn.aggregate
  // FAST: %[[STORED:.+]] = gnn.sigmoid %[[SUM]]
  // FAST: gnn.total
  // FAST-NEXT: gnn.mul %[[SUM]], %[[STORED]]
  %0 = gnn.read_source %x : !gnn.field<V, [8], f32> -> !gnn.field<S, [8], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [8], f32>) -> !gnn.field<V, [8], f32>
  %2 = gnn.sigmoid %1 : !gnn.field<V, [8], f32>
  %3 = gnn.matmul %2, %w : (!gnn.field<V, [8], f32>, !gnn.field<P, [8, 8], f32>) -> !gnn.field<V, [8], f32>
  %4 = gnn.reduce #gnn.sum %3 dim 0 : (!gnn.field<V, [8], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.total #gnn.sum %4 : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %5 = gnn.mul %1, %2 : (!gnn.field<V, [8], f32>, !gnn.field<V, [8], f32>) -> !gnn.field<V, [8], f32>
  %grad = gnn.total #gnn.sum %5 : (!gnn.field<V, [8], f32>) -> !gnn.field<P, [8], f32>
  gnn.return %loss, %grad [#gnn.result<loss "loss">, #gnn.result<gradient "w">] : !gnn.field<P, [], f32>, !gnn.field<P, [8], f32>
}

// Edges of backward read what is computed again, those of forward what forward has.
// CHECK-LABEL: gnn.program @edges
// FAST-LABEL: gnn.program @edges
gnn.program @edges {
  %x = gnn.input "x" : !gnn.field<V, [8], f32>
  %w = gnn.param "w" : !gnn.field<P, [8], f32>
  // CHECK: %[[SUM:.+]] = gnn.aggregate
  // CHECK: %[[ONCE:.+]] = gnn.sigmoid %[[SUM]]
  // CHECK: gnn.read_source %[[ONCE]]
  // CHECK: gnn.total
  // CHECK: %[[AGAIN:.+]] = gnn.sigmoid %[[SUM]]
  // CHECK: %[[READ:.+]] = gnn.read_source %[[AGAIN]]
  // CHECK: %[[SCALED:.+]] = gnn.mul %[[READ]]
  // CHECK: gnn.aggregate #gnn.sum %[[SCALED]] to source
  // CHECK: gnn.mul %{{.+}}, %[[SUM]]
  // FAST-COUNT-1: gnn.sigmoid
  // FAST-NOT: gnn.sigmoid
  // FAST: gnn.return
  %0 = gnn.read_source %x : !gnn.field<V, [8], f32> -> !gnn.field<S, [8], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [8], f32>) -> !gnn.field<V, [8], f32>
  %2 = gnn.sigmoid %1 : !gnn.field<V, [8], f32>
  %3 = gnn.read_source %2 : !gnn.field<V, [8], f32> -> !gnn.field<S, [8], f32>
  %4 = gnn.mul %3, %w : (!gnn.field<S, [8], f32>, !gnn.field<P, [8], f32>) -> !gnn.field<S, [8], f32>
  %5 = gnn.aggregate #gnn.sum %4 to destination : (!gnn.field<S, [8], f32>) -> !gnn.field<V, [8], f32>
  %6 = gnn.reduce #gnn.sum %5 dim 0 : (!gnn.field<V, [8], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.total #gnn.sum %6 : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %7 = gnn.aggregate #gnn.sum %4 to source : (!gnn.field<S, [8], f32>) -> !gnn.field<V, [8], f32>
  %8 = gnn.mul %7, %1 : (!gnn.field<V, [8], f32>, !gnn.field<V, [8], f32>) -> !gnn.field<V, [8], f32>
  %grad = gnn.total #gnn.sum %8 : (!gnn.field<V, [8], f32>) -> !gnn.field<P, [8], f32>
  gnn.return %loss, %grad [#gnn.result<loss "loss">, #gnn.result<gradient "w">] : !gnn.field<P, [], f32>, !gnn.field<P, [8], f32>
}
