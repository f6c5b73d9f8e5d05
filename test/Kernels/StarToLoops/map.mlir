// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v4 | FileCheck %s
// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v2 | FileCheck %s --check-prefix=V2

// Totals are carried by the loop over rows, from the slot and back to it.
// CHECK: star.kernel @totals {{.*}} state "28"
// CHECK-LABEL: func.func @totals.v4
// CHECK: %[[SLOT:.+]] = vector.maskedload
// CHECK: %[[SUM:.+]] = scf.for {{.*}} iter_args({{.*}} = %[[SLOT]]) -> (vector<8xf32>)
// CHECK: vector.maskedstore {{.*}}, %[[SUM]]
// CHECK: return
star.kernel @totals map of 0 inputs [#star.operand<row <V, [7], f32>>] outputs [#star.operand<whole <P, [7], f32>>]
    reduce [#gnn.sum] step {
} end {
^bb0(%x: !gnn.field<V, [7], f32>):
  star.yield %x : !gnn.field<V, [7], f32>
}

// A random number is keyed by the row once, then hashed for every lane.
// CHECK-LABEL: func.func @dropout.v4
// CHECK-SAME: star.source = "random.step_key"
// CHECK: scf.for
// CHECK: arith.muli {{.*}} : i64
// CHECK: arith.muli {{.*}} : vector<16xi32>
// CHECK: arith.cmpi uge, {{.*}} : vector<16xi32>
star.kernel @dropout map of 0 inputs [] outputs [#star.operand<row <V, [16], f32>>] reduce [] step {
} end {
  %0 = gnn.dropout_mask site 1 probability 0.5 : !gnn.field<V, [16], f32>
  star.yield %0 : !gnn.field<V, [16], f32>
}

// Bits of a whole vector are two bytes of memory; rows of 40 take three times two.
// CHECK-LABEL: func.func @bits.v4
// CHECK: %[[ROW:.+]] = arith.muli %{{.+}}, %c6
// CHECK: %[[BYTES:.+]] = vector.bitcast %{{.+}} : vector<16xi1> to vector<2xi8>
// CHECK: vector.store %[[BYTES]], %{{.+}} : memref<?xi8>, vector<2xi8>
star.kernel @bits map of 0 inputs [#star.operand<row <V, [40], f32>>] outputs [#star.operand<row <V, [40], i1> bits>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [40], f32>):
  %zero = gnn.constant 0.0 : f32 -> !gnn.field<P, [40], f32>
  %0 = gnn.compare gt %x, %zero : (!gnn.field<V, [40], f32>, !gnn.field<P, [40], f32>) -> !gnn.field<V, [40], i1>
  star.yield %0 : !gnn.field<V, [40], i1>
}

// A row's address is found before the loop over its columns, which adds nothing but the column.
// CHECK-LABEL: func.func @wide.v4
// CHECK: memref.reinterpret_cast %arg3
// CHECK: memref.reinterpret_cast %arg4
// CHECK: scf.for
// CHECK: %[[TAKEN_ROW:.+]] = memref.reinterpret_cast %arg3
// CHECK: %[[GIVEN_ROW:.+]] = memref.reinterpret_cast %arg4
// CHECK-NEXT: scf.for %[[COLUMN:.+]] =
// CHECK-NEXT: vector.load %[[TAKEN_ROW]][%[[COLUMN]]]
// CHECK-NOT: arith.addi
// CHECK: vector.store %{{.+}}, %[[GIVEN_ROW]][%[[COLUMN]]]
star.kernel @wide map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %0 = gnn.add %x, %x : (!gnn.field<V, [k], f32>, !gnn.field<V, [k], f32>) -> !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}

// Without masks what is left of whole vectors goes element by element, unless an element takes long.
// V2-LABEL: func.func @wide.v2
// V2: vector.load
// V2: vector.store
// V2: scf.for {{.*}} step %c1
// V2: memref.load
// V2: memref.store
// V2-NOT: masked
// V2-LABEL: func.func @long.v2
// V2: vector.maskedstore
star.kernel @long map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [k], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %0 = gnn.exp %x : !gnn.field<V, [k], f32>
  star.yield %0 : !gnn.field<V, [k], f32>
}

// The largest along a dimension is found by values alone; of none it is 0.
// CHECK-LABEL: func.func @largest.v4
// CHECK: %[[SIZE:.+]] = arith.index_cast %arg2 : i64 to index
// CHECK: %[[EMPTY:.+]] = arith.cmpi eq, %[[SIZE]], %
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-NOT: arith.cmpi {{.*}}xi64>
// CHECK: arith.select %[[EMPTY]], %{{.+}}, %{{.+}} : f32
star.kernel @largest map of 0 inputs [#star.operand<row <V, [k], f32>>] outputs [#star.operand<row <V, [], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [k], f32>):
  %0 = gnn.reduce #gnn.max %x dim 0 : (!gnn.field<V, [k], f32>) -> !gnn.field<V, [], f32>
  star.yield %0 : !gnn.field<V, [], f32>
}

// A whole vector is computed of what a part of it is stored of: the part's lanes are chosen where it is stored.
// CHECK-LABEL: func.func @part.v4
// CHECK: %[[ALL:.+]] = math.tanh %{{.+}} : vector<8xf32>
// CHECK-DAG: vector.maskedstore %{{.+}}, %{{.+}}, %[[ALL]] : memref<?xf32>, vector<8xi1>, vector<8xf32>
// CHECK-DAG: vector.store %[[ALL]], %{{.+}} : memref<?xf32>, vector<8xf32>
star.kernel @part map of 0 inputs [#star.operand<row <V, [8], f32>>]
    outputs [#star.operand<row <V, [5], f32>>, #star.operand<row <V, [8], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [8], f32>):
  %0 = gnn.tanh %x : !gnn.field<V, [8], f32>
  %1 = gnn.slice %0 dim 0 at "0" : !gnn.field<V, [8], f32> -> !gnn.field<V, [5], f32>
  star.yield %1, %0 : !gnn.field<V, [5], f32>, !gnn.field<V, [8], f32>
}

// Lanes behind the end of a dimension divide an integer by 1, whatever the divisor is computed of.
// CHECK-LABEL: func.func @quotient.v4
// CHECK: %[[LESS:.+]] = arith.subi %{{.+}}, %{{.+}} : vector<8xi64>
// CHECK: %[[DIVISOR:.+]] = arith.select %{{.+}}, %[[LESS]], %{{.+}} : vector<8xi1>, vector<8xi64>
// CHECK: arith.divsi %{{.+}}, %[[DIVISOR]] : vector<8xi64>
star.kernel @quotient map of 0 inputs [#star.operand<row <V, [5], i64>>] outputs [#star.operand<row <V, [5], i64>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [5], i64>):
  %one = gnn.constant 1 : i64 -> !gnn.field<P, [5], i64>
  %0 = gnn.sub %x, %one : (!gnn.field<V, [5], i64>, !gnn.field<P, [5], i64>) -> !gnn.field<V, [5], i64>
  %1 = gnn.div %x, %0 : (!gnn.field<V, [5], i64>, !gnn.field<V, [5], i64>) -> !gnn.field<V, [5], i64>
  star.yield %1 : !gnn.field<V, [5], i64>
}
