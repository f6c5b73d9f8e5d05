// RUN: gnn-opt %s --group-kernels | FileCheck %s --check-prefix=GROUP
// RUN: gnn-opt %s --loops-to-llvm | FileCheck %s

// A group has its own copy of what its functions call; nothing is left outside.
// GROUP-NOT: func.func
// GROUP: module attributes {star.isa = "x86-64-v3"} {
// GROUP-NEXT: func.func private @math.floor.f32.v3
// GROUP: func.func @twice.v3
// GROUP: module attributes {star.isa = "x86-64-v4"} {
// GROUP-NEXT: func.func @nothing.v4
// GROUP-NOT: func.func

// It is no kernel: there is no entry for it, and it has its result, which depends on nothing else.
// CHECK-LABEL: llvm.func internal @twice.v3.body
// CHECK-COUNT-2: llvm.call @math.floor.f32.v3(%{{.*}}) : (f32) -> f32
// CHECK-NOT: @math.floor.f32.v3.body
// CHECK-LABEL: llvm.func internal @math.floor.f32.v3(%arg0: f32) -> f32
// CHECK-SAME: memory = #llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none>
// CHECK: llvm.return %{{.*}} : f32
func.func @twice.v3(%begin: index, %end: index, %memory: memref<?xf32> {star.source = "scratch"})
    attributes {star.isa = "x86-64-v3"} {
  %0 = memref.load %memory[%begin] : memref<?xf32>
  %1 = call @math.floor.f32.v3(%0) : (f32) -> f32
  %2 = call @math.floor.f32.v3(%1) : (f32) -> f32
  memref.store %2, %memory[%begin] : memref<?xf32>
  return
}
func.func @nothing.v4(%begin: index, %end: index) attributes {star.isa = "x86-64-v4"} {
  return
}
func.func private @math.floor.f32.v3(%x: f32) -> f32 attributes {star.isa = "x86-64-v3"} {
  %0 = math.floor %x : f32
  return %0 : f32
}
