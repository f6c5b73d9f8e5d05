// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v3 | FileCheck %s
// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v2 | FileCheck %s --check-prefix=V2
// RUN: gnn-opt %s --star-map-threads --star-to-gpu | FileCheck %s --check-prefix=GPU

// f32 that are stored as bf16: the kernel has memory of 16-bit integers, a load shifts them to the upper half of an f32, and a store rounds to the
// nearest, of two to the even one, with NaN left what it is. What is computed between is f32. Devices do the same with vectors of their own.

// CHECK-LABEL: func.func @k.v3
// CHECK-SAME: memref<?xi16> {star.source = "tensors 0"}
// CHECK-SAME: memref<?xi16> {star.source = "tensors 1"}
// CHECK: %[[NARROW:.+]] = vector.load {{.*}} : memref<?xi16>, vector<8xi16>
// CHECK: %[[BITS:.+]] = arith.extui %[[NARROW]] : vector<8xi16> to vector<8xi32>
// CHECK: %[[SHIFT:.+]] = arith.constant dense<16> : vector<8xi32>
// CHECK: %[[UPPER:.+]] = arith.shli %[[BITS]], %[[SHIFT]] : vector<8xi32>
// CHECK: %[[X:.+]] = arith.bitcast %[[UPPER]] : vector<8xi32> to vector<8xf32>
// CHECK: %[[Y:.+]] = arith.mulf %[[X]], %[[X]] {{.*}}: vector<8xf32>
// CHECK: %[[YBITS:.+]] = arith.bitcast %[[Y]] : vector<8xf32> to vector<8xi32>
// CHECK: arith.constant dense<1> : vector<8xi32>
// CHECK: %[[HALF:.+]] = arith.constant dense<32767> : vector<8xi32>
// CHECK: arith.addi %{{.+}}, %[[HALF]] : vector<8xi32>
// CHECK: %[[SUM:.+]] = arith.addi %[[YBITS]], %{{.+}} : vector<8xi32>
// CHECK: %[[ROUNDED:.+]] = arith.shrui %[[SUM]], %{{.+}} : vector<8xi32>
// CHECK: %[[NAN:.+]] = arith.cmpf uno, %[[Y]], %[[Y]] : vector<8xf32>
// CHECK: %[[UPPERY:.+]] = arith.select %[[NAN]], %{{.+}}, %[[ROUNDED]] : vector<8xi1>, vector<8xi32>
// CHECK: %[[STORED:.+]] = arith.trunci %[[UPPERY]] : vector<8xi32> to vector<8xi16>
// CHECK: vector.store %[[STORED]], {{.*}} : memref<?xi16>, vector<8xi16>

// GPU-LABEL: gpu.func @k
// GPU: vector.load {{.*}} {star.aligned} : memref<?xi16, {{.*}}#gpu.address_space<global>>, vector<8xi16>
// GPU: arith.mulf {{.*}} : vector<8xf32>
// GPU: arith.trunci {{.*}} : vector<8xi32> to vector<8xi16>
// GPU: vector.store {{.*}} {star.aligned} : memref<?xi16, {{.*}}#gpu.address_space<global>>, vector<8xi16>
star.kernel @k map of 0 inputs [#star.operand<row <V, [64], f32> bf16>] outputs [#star.operand<row <V, [64], f32> bf16>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [64], f32>):
  %0 = gnn.mul %x, %x : (!gnn.field<V, [64], f32>, !gnn.field<V, [64], f32>) -> !gnn.field<V, [64], f32>
  star.yield %0 : !gnn.field<V, [64], f32>
}

// f16 is another type of memory. Instructions convert it, where there are some; else it is done in integers, as what LLVM would call is not there.

// CHECK-LABEL: func.func @h.v3
// CHECK-SAME: memref<?xf16> {star.source = "tensors 0"}
// CHECK-SAME: memref<?xf16> {star.source = "tensors 1"}
// CHECK: %[[NARROW:.+]] = vector.load {{.*}} : memref<?xf16>, vector<8xf16>
// CHECK: %[[X:.+]] = arith.extf %[[NARROW]] : vector<8xf16> to vector<8xf32>
// CHECK: %[[Y:.+]] = arith.mulf %[[X]], %[[X]] {{.*}}: vector<8xf32>
// CHECK: %[[STORED:.+]] = arith.truncf %[[Y]] : vector<8xf32> to vector<8xf16>
// CHECK: vector.store %[[STORED]], {{.*}} : memref<?xf16>, vector<8xf16>

// V2-LABEL: func.func @h.v2
// V2: vector.load {{.*}} : memref<?xf16{{.*}}>, vector<4xf16>
// V2-NOT: arith.{{extf|truncf}}
// V2: vector.store {{.*}} : memref<?xf16{{.*}}>, vector<4xf16>

// GPU-LABEL: gpu.func @h
// GPU: vector.load {{.*}} {star.aligned} : memref<?xf16, {{.*}}#gpu.address_space<global>>, vector<8xf16>
// GPU: arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
// GPU: arith.truncf {{.*}} : vector<8xf32> to vector<8xf16>
star.kernel @h map of 0 inputs [#star.operand<row <V, [64], f32> f16>] outputs [#star.operand<row <V, [64], f32> f16>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [64], f32>):
  %0 = gnn.mul %x, %x : (!gnn.field<V, [64], f32>, !gnn.field<V, [64], f32>) -> !gnn.field<V, [64], f32>
  star.yield %0 : !gnn.field<V, [64], f32>
}
