// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-separate-results))' | FileCheck %s

// Inputs, constants and what is returned before are copied; a first result stays.
// CHECK: %[[X:.+]] = gnn.input "x"
// CHECK: %[[ZERO:.+]] = gnn.constant
// CHECK: %[[Y:.+]] = gnn.exp %[[X]]
// CHECK: %[[X_COPY:.+]] = gnn.copy %[[X]] : !gnn.field<V, [out], f32>
// CHECK: %[[Y_COPY:.+]] = gnn.copy %[[Y]] : !gnn.field<V, [out], f32>
// CHECK: %[[ZERO_COPY:.+]] = gnn.copy %[[ZERO]] : !gnn.field<P, [out], f32>
// CHECK: gnn.return %[[X_COPY]], %[[Y]], %[[Y_COPY]], %[[ZERO_COPY]]
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [out], f32>
  %0 = gnn.constant 0.0 : f32 -> !gnn.field<P, [out], f32>
  %y = gnn.exp %x : !gnn.field<V, [out], f32>
  gnn.return %x, %y, %y, %0 [#gnn.result<output "a">, #gnn.result<output "b">, #gnn.result<output "c">, #gnn.result<gradient "d">]
      : !gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>, !gnn.field<P, [out], f32>
}

// A table is where its rows are.
// CHECK: %[[ROWS:.+]] = gnn.exp
// CHECK: %[[TABLE:.+]] = gnn.rows_table %[[ROWS]]
// CHECK: %[[COPY:.+]] = gnn.copy %[[TABLE]]
// CHECK: gnn.return %[[ROWS]], %[[COPY]]
gnn.program @views {
  %x = gnn.input "x" : !gnn.field<V(1), [out], f32>
  %rows = gnn.exp %x : !gnn.field<V(1), [out], f32>
  %table = gnn.rows_table %rows : !gnn.field<V(1), [out], f32> -> !gnn.field<P, [in, out], f32>
  gnn.return %rows, %table [#gnn.result<output "a">, #gnn.result<gradient "b">] : !gnn.field<V(1), [out], f32>, !gnn.field<P, [in, out], f32>
}
