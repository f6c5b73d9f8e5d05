// RUN: gnn-opt %s --math-expansion | FileCheck %s --check-prefixes=CHECK,FMA
// RUN: gnn-opt %s --math-expansion=fma=false | FileCheck %s --check-prefixes=CHECK,PLAIN

// Vectors of f32 become arithmetic; products and sums are fused where the target can.
// CHECK-LABEL: func.func @vectors
func.func @vectors(%x: vector<16xf32>, %y: vector<16xf32>) -> vector<16xf32> {
  // CHECK-NOT: math.{{exp|log|tanh|erf|powf}}
  // FMA: math.fma {{.*}} : vector<16xf32>
  // PLAIN-NOT: math.fma
  // CHECK: return
  %0 = math.exp %x : vector<16xf32>
  %1 = math.log %0 : vector<16xf32>
  %2 = math.tanh %1 : vector<16xf32>
  %3 = math.powf %2, %y : vector<16xf32>
  %4 = math.erf %3 : vector<16xf32>
  return %4 : vector<16xf32>
}

// A scalar gets the same operations, so the same bits.
// CHECK-LABEL: func.func @scalar
func.func @scalar(%x: f32) -> f32 {
  // CHECK-NOT: math.exp
  // CHECK: arith.bitcast {{.*}} : f32 to i32
  // CHECK: return
  %0 = math.exp %x : f32
  return %0 : f32
}

// The error function of f64 too, for which libm has no vectors.
// CHECK-LABEL: func.func @erf_of_f64
func.func @erf_of_f64(%x: vector<8xf64>) -> vector<8xf64> {
  // CHECK-NOT: math.erf
  // CHECK: return
  %0 = math.erf %x : vector<8xf64>
  return %0 : vector<8xf64>
}

// Other functions of f64 are left to libm, and instructions to the target.
// CHECK-LABEL: func.func @stays
func.func @stays(%x: f64, %y: vector<8xf32>) -> (f64, vector<8xf32>) {
  // CHECK: math.exp %{{.*}} : f64
  // CHECK: math.sqrt %{{.*}} : vector<8xf32>
  %0 = math.exp %x : f64
  %1 = math.sqrt %y : vector<8xf32>
  return %0, %1 : f64, vector<8xf32>
}
