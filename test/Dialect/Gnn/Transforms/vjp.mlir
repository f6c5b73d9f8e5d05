// RUN: gnn-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(gnn-differentiate{vjp=true},gnn.program(canonicalize,cse))' | FileCheck %s

// CHECK-LABEL: gnn.program @forward {
// CHECK-NOT: gnn.program @train

// In training a mask multiplies forward and back, and the state comes last.
// CHECK-LABEL: gnn.program @vjp_train {
// CHECK: %[[MASK:.+]] = gnn.dropout_mask
// CHECK: %[[DY:.+]] = gnn.cotangent "y"
// CHECK: %[[DM:.+]] = gnn.matmul %[[DY]]
// CHECK: gnn.mul %[[DM]], %[[MASK]]
// CHECK: gnn.return {{.+}} [#gnn.result<output "y">, #gnn.result<gradient "w">, #gnn.result<gradient "x">, #gnn.result<state "n">]

// The cotangent of the output stands where a loss would begin. Gradients are by parameters and then by real inputs, also those that nothing reads; the integer input has none.
// CHECK-LABEL: gnn.program @vjp {
// CHECK-DAG: %[[X:.+]] = gnn.input "x"
// CHECK-DAG: %[[W:.+]] = gnn.param "w"
// CHECK-NOT: dropout_mask
// CHECK: %[[Y:.+]] = gnn.matmul %[[X]], %[[W]]
// CHECK: %[[DY:.+]] = gnn.cotangent "y" : !gnn.field<V, [out], f32>
// CHECK-DAG: %[[DW:.+]] = gnn.matmul_tn %[[X]], %[[DY]]
// CHECK-DAG: %[[DX:.+]] = gnn.matmul %[[DY]], %[[W]] transpose_w
// CHECK: gnn.return %[[Y]], %[[DW]], %[[DX]] [#gnn.result<output "y">, #gnn.result<gradient "w">, #gnn.result<gradient "x">]
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %k = gnn.input "k" : !gnn.field<V, [], i32>
  %w = gnn.param "w" : !gnn.field<P, [in, out], f32>
  %n = gnn.state "n" : !gnn.field<P, [], f32>
  %mask = gnn.dropout_mask site 1 probability 0.5 : !gnn.field<V, [in], f32>
  %dropped = gnn.mul %x, %mask : (!gnn.field<V, [in], f32>, !gnn.field<V, [in], f32>) -> !gnn.field<V, [in], f32>
  %y = gnn.matmul %dropped, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
  gnn.return %y, %n [#gnn.result<output "y">, #gnn.result<state "n">] : !gnn.field<V, [out], f32>, !gnn.field<P, [], f32>
}

// -----

gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [out], f32>
  // expected-error @+1 {{'gnn.copy' op has no adjoint, but its operands depend on parameters or inputs}}
  %0 = gnn.copy %x : !gnn.field<V, [out], f32>
  gnn.return %0 [#gnn.result<output "y">] : !gnn.field<V, [out], f32>
}
