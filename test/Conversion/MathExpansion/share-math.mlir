// RUN: gnn-opt %s --share-math=limit=2 | FileCheck %s
// RUN: gnn-opt %s --share-math | FileCheck %s --check-prefix=DEFAULT
// DEFAULT-NOT: call

// More than two of one type are calls of a function for the instruction set; others stay.
// CHECK-LABEL: func.func @many.v3
// CHECK-COUNT-3: call @math.tanh.8xf32.v3(%{{.*}}) : (vector<8xf32>) -> vector<8xf32>
// CHECK-NOT: call
// CHECK: math.exp {{.*}} : vector<8xf32>
// CHECK: math.tanh {{.*}} : f32
func.func @many.v3(%begin: index, %end: index, %memory: memref<?xf32> {star.source = "scratch"}) attributes {star.isa = "x86-64-v3"} {
  %x = vector.load %memory[%begin] : memref<?xf32>, vector<8xf32>
  %0 = math.tanh %x : vector<8xf32>
  %1 = math.tanh %0 : vector<8xf32>
  %2 = math.tanh %1 : vector<8xf32>
  %3 = math.exp %2 : vector<8xf32>
  vector.store %3, %memory[%begin] : memref<?xf32>, vector<8xf32>
  %y = memref.load %memory[%begin] : memref<?xf32>
  %4 = math.tanh %y : f32
  memref.store %4, %memory[%begin] : memref<?xf32>
  return
}

// What says no instruction set is no kernel's.
// CHECK-LABEL: func.func @other
// CHECK-NOT: call
// CHECK: return
func.func @other(%x: f32) -> f32 {
  %0 = math.tanh %x : f32
  %1 = math.tanh %0 : f32
  %2 = math.tanh %1 : f32
  return %2 : f32
}

// CHECK-LABEL: func.func private @math.tanh.8xf32.v3(%arg0: vector<8xf32>) -> vector<8xf32> attributes {star.isa = "x86-64-v3"} {
// CHECK-NEXT: math.tanh
// CHECK-NEXT: return
