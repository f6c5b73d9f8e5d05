// RUN: gnn-opt %s --loops-to-llvm | FileCheck %s

// A loop asks at its end whether it goes on, and once before it whether it runs: LLVM's loop-rotate is not needed.
// CHECK-LABEL: llvm.func internal @total.v3.body
// CHECK: %[[ANY:.+]] = llvm.icmp "slt" %[[BEGIN:.+]], %[[END:.+]] : i64
// CHECK: llvm.cond_br %[[ANY]], ^[[LOOP:.+]](%[[BEGIN]], %{{.+}} : i64, f32), ^[[AFTER:.+]](%{{.+}} : f32)
// CHECK: ^[[LOOP]](%[[INDEX:.+]]: i64, %{{.+}}: f32):
// CHECK: %[[NEXT:.+]] = llvm.add %[[INDEX]], %{{.+}} : i64
// CHECK: %[[MORE:.+]] = llvm.icmp "slt" %[[NEXT]], %[[END]] : i64
// CHECK: llvm.cond_br %[[MORE]], ^[[LOOP]](%[[NEXT]], %{{.+}} : i64, f32), ^[[AFTER]](%{{.+}} : f32)
// CHECK: ^[[AFTER]](%[[TOTAL:.+]]: f32):
// CHECK: llvm.store %[[TOTAL]]
func.func @total.v3(%begin: index, %end: index, %memory: memref<?xf32> {star.source = "scratch"})
    attributes {star.isa = "x86-64-v3"} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %total = scf.for %i = %begin to %end step %one iter_args(%sum = %zero) -> f32 {
    %x = memref.load %memory[%i] : memref<?xf32>
    %next = arith.addf %sum, %x : f32
    scf.yield %next : f32
  }
  memref.store %total, %memory[%begin] : memref<?xf32>
  return
}
