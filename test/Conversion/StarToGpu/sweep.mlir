// RUN: gnn-opt %s --star-map-threads --star-to-gpu --canonicalize --cse | FileCheck %s

// 64 numbers are 16 vectors: 16 threads share a row, each with the sum of one vector in registers over all its edges, which it loads
// aligned; scratch memory is for totals of rows of more than a segment. The last op on the row is elementwise and takes it from there: nothing goes through memory, and no thread waits for another.
// CHECK-LABEL: gpu.func @sum
// CHECK-SAME: memref<?xi32, #gpu.address_space<global>> {star.source = "block.cols"}
// CHECK-SAME: kernel attributes {
// CHECK-SAME: star.mapping = #star.mapping<threads = 16, block = 256>
// CHECK-SAME: star.scratch_bytes = "512"
// CHECK: gpu.thread_id x
// CHECK-NOT: bar.warp.sync
// CHECK: scf.for
// CHECK: %[[SUM:.+]] = scf.for {{.*}} -> (vector<4xf32>)
// CHECK: %[[U:.+]] = vector.load {{.*}} {star.aligned} : memref<?xf32, #gpu.address_space<global>>, vector<4xf32>
// CHECK: arith.addf {{.*}} : vector<4xf32>
// CHECK: scf.yield
// CHECK-NOT: bar.warp.sync
// CHECK: vector.store {{.*}} {star.aligned} : memref<?xf32, #gpu.address_space<global>>, vector<4xf32>
// CHECK: gpu.return

// Merges are done by one thread for each row.
// CHECK-LABEL: gpu.func @sum$merge
// CHECK-SAME: star.source = "state_in"
// CHECK-SAME: threads = 1,
star.kernel @sum sweep of 0 to destination
    inputs [#star.operand<row <V, [], f32>>, #star.operand<col <V, [64], f32>>]
    outputs [#star.operand<row <V, [64], f32>>] reduce [#gnn.sum] step {
^bb0(%v: !gnn.field<D, [], f32>, %u: !gnn.field<S, [64], f32>):
  star.contribute [%u] : !gnn.field<S, [64], f32>
} end {
^bb0(%v: !gnn.field<V, [], f32>, %sum: !gnn.field<V, [64], f32>):
  %0 = gnn.broadcast %v dims [] : !gnn.field<V, [], f32> -> !gnn.field<V, [64], f32>
  %1 = gnn.mul %0, %sum : (!gnn.field<V, [64], f32>, !gnn.field<V, [64], f32>) -> !gnn.field<V, [64], f32>
  star.yield %1 : !gnn.field<V, [64], f32>
}

// Where the end of a row folds what other threads have, they meet before it is read.
// CHECK-LABEL: gpu.func @norm
// CHECK: vector.store
// CHECK: nvvm.bar.warp.sync
// CHECK: vector.load
// CHECK: gpu.return
star.kernel @norm sweep of 0 to destination
    inputs [#star.operand<col <V, [64], f32>>] outputs [#star.operand<row <V, [], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [64], f32>):
  star.contribute [%u] : !gnn.field<S, [64], f32>
} end {
^bb0(%sum: !gnn.field<V, [64], f32>):
  %0 = gnn.reduce #gnn.sum %sum dim 0 : (!gnn.field<V, [64], f32>) -> !gnn.field<V, [], f32>
  star.yield %0 : !gnn.field<V, [], f32>
}
