// RUN: gnn-opt %s --star-to-loops=isas=x86-64-v3 | FileCheck %s

// A small fixed shape: two vectors of eight lanes are carried by the loop over edges; the total is in memory.
// CHECK: star.kernel @sum {{.*}} scratch "0" state "8" passes "16"
// CHECK-LABEL: func.func @sum.v3(%{{.*}}: index, %{{.*}}: index, %{{.*}}: i32 {star.source = "flags"}
// CHECK-SAME: star.isa = "x86-64-v3"
// CHECK: scf.for %[[ROW:.+]] =
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>)
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>)
// CHECK: vector.load {{.*}} vector<8xf32>
// CHECK: vector.load {{.*}} vector<8xf32>
// CHECK-NOT: vector.store
// CHECK: scf.yield {{.*}} : vector<8xf32>, vector<8xf32>
// CHECK-LABEL: func.func @sum.merge.v3
star.kernel @sum sweep of 0 to destination inputs [#star.operand<col <V, [16], f32>>]
    outputs [#star.operand<row <V, [16], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [16], f32>):
  star.contribute [%u] : !gnn.field<S, [16], f32>
} end {
^bb0(%sum: !gnn.field<V, [16], f32>):
  star.yield %sum : !gnn.field<V, [16], f32>
}

// What depends on the row only is computed before the loop over edges: the begin phase.
// CHECK-LABEL: func.func @begin.v3
// CHECK: scf.for %[[ROW:.+]] =
// CHECK: math.sqrt
// CHECK: scf.for
// CHECK: scf.for
// CHECK-NOT: math.sqrt
// CHECK: return
star.kernel @begin sweep of 0 to destination inputs [#star.operand<row <V, [], f32>>, #star.operand<col <V, [8], f32>>]
    outputs [#star.operand<row <V, [8], f32>>] reduce [#gnn.sum] step {
^bb0(%v: !gnn.field<D, [], f32>, %u: !gnn.field<S, [8], f32>):
  %0 = gnn.sqrt %v : !gnn.field<D, [], f32>
  %1 = gnn.broadcast %0 dims [] : !gnn.field<D, [], f32> -> !gnn.field<D, [8], f32>
  %2 = gnn.mul %1, %u : (!gnn.field<D, [8], f32>, !gnn.field<S, [8], f32>) -> !gnn.field<E, [8], f32>
  star.contribute [%2] : !gnn.field<E, [8], f32>
} end {
^bb0(%v: !gnn.field<V, [], f32>, %sum: !gnn.field<V, [8], f32>):
  star.yield %sum : !gnn.field<V, [8], f32>
}

// A width that no vector divides is masked, in registers of the next power of two.
// CHECK-LABEL: func.func @odd.v3
// CHECK: dense<[true, true, true, true, true, false, false, false]>
// CHECK: vector.maskedload {{.*}} vector<8xf32>
// CHECK: vector.maskedstore
star.kernel @odd sweep of 0 to destination inputs [#star.operand<col <V, [5], f32>>]
    outputs [#star.operand<row <V, [5], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [5], f32>):
  star.contribute [%u] : !gnn.field<S, [5], f32>
} end {
^bb0(%sum: !gnn.field<V, [5], f32>):
  star.yield %sum : !gnn.field<V, [5], f32>
}
