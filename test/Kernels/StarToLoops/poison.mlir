// RUN: gnn-opt %s --star-to-loops='isas=x86-64-v4 poison=true' | FileCheck %s
// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v4 | FileCheck %s --check-prefix=WITHOUT

// Lanes that a field does not have are NaN, integers -1, in what is read and in all that is computed.
// WITHOUT-NOT: select
// CHECK-LABEL: func.func @lanes.v4
// CHECK: %[[NAN:.+]] = arith.constant dense<0x7FC00000> : vector<8xf32>
// CHECK: %[[READ:.+]] = vector.maskedload %{{.+}}, %{{.+}}, %[[NAN]]
// CHECK: %[[X:.+]] = arith.select %{{.+}}, %[[READ]], %{{.+}} : vector<8xi1>, vector<8xf32>
// CHECK: %[[EXP:.+]] = math.exp %[[X]]
// CHECK: arith.select %{{.+}}, %[[EXP]], %{{.+}} : vector<8xi1>, vector<8xf32>
star.kernel @lanes map of 0 inputs [#star.operand<row <V, [5], f32>>] outputs [#star.operand<row <V, [5], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [5], f32>):
  %0 = gnn.exp %x : !gnn.field<V, [5], f32>
  star.yield %0 : !gnn.field<V, [5], f32>
}
