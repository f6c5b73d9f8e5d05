// RUN: gnn-opt %s --star-map-threads --star-to-gpu --canonicalize --cse | FileCheck %s

// 64 numbers are 16 vectors: 16 threads share a row, each with the sum of one vector in registers over all its edges, which it loads
// aligned; scratch memory is for totals of rows of more than a segment. The last op on the row is elementwise and takes it from there: nothing goes through memory, and no thread waits for another.
// Which row of the table a row of the block is, is read from memory; where it is a piece, its sum is spilled by its place in the block.
// CHECK-LABEL: gpu.func @sum
// CHECK-SAME: %[[PIECES:[a-z0-9]+]]: i64 {star.source = "pieces"}, %[[ROWS:[a-z0-9]+]]: memref<?xi32, #gpu.address_space<global>> {star.source = "block.rows"}
// CHECK-SAME: memref<?xi32, #gpu.address_space<global>> {star.source = "block.cols"}
// CHECK-SAME: kernel attributes {
// CHECK-SAME: star.mapping = #star.mapping<threads = 16, block = 256>
// CHECK-SAME: star.scratch_bytes = "512"
// CHECK: gpu.thread_id x
// CHECK: %[[NUM_PIECES:.+]] = arith.index_cast %[[PIECES]]
// CHECK-NOT: bar.warp.sync
// CHECK: scf.for %[[ROW:.+]] = {{.*}} {
// CHECK: %[[WHOLE:.+]] = arith.cmpi uge, %[[ROW]], %[[NUM_PIECES]]
// CHECK: %[[ENDS:.+]] = arith.andi %{{.+}}, %[[WHOLE]]
// CHECK: %[[OF_TABLE:.+]] = memref.load %[[ROWS]][%[[ROW]]]
// CHECK: arith.index_castui %[[OF_TABLE]]
// The neighbours of 16 edges are read at once, one by each thread, which tells the others. Edges come four at a time, which all load before the
// first is added, then two, then one.
// CHECK: scf.for {{.*}} step %c16 iter_args({{.*}}) -> (vector<4xf32>)
// CHECK: %[[COUNT:.+]] = arith.minui {{.*}}%c16
// CHECK: %[[COL:.+]] = memref.load {{.*}} : memref<?xi32
// CHECK: scf.for {{.*}} step %c4 iter_args({{.*}}) -> (vector<4xf32>)
// CHECK-NOT: arith.addf
// CHECK: nvvm.shfl.sync idx %{{.+}}, %[[COL]]
// CHECK-NOT: arith.addf
// CHECK: %[[U:.+]] = vector.load {{.*}} {star.aligned} : memref<?xf32, strided<[1], offset: ?>, #gpu.address_space<global>>, vector<4xf32>
// CHECK-NOT: arith.addf
// CHECK-COUNT-3: vector.load {{.*}} {star.aligned} : memref<?xf32, strided<[1], offset: ?>, #gpu.address_space<global>>, vector<4xf32>
// CHECK: arith.addf %{{.+}}, %[[U]] {{.*}} : vector<4xf32>
// CHECK: scf.for {{.*}} step %c2 iter_args({{.*}}) -> (vector<4xf32>)
// CHECK-COUNT-2: nvvm.shfl.sync idx %{{.+}}, %[[COL]]
// CHECK: scf.for {{.*}} to %[[COUNT]] step %c1 iter_args({{.*}}) -> (vector<4xf32>)
// CHECK: nvvm.shfl.sync idx %{{.+}}, %[[COL]]
// CHECK: scf.if %[[ENDS]] {
// CHECK-NOT: bar.warp.sync
// CHECK: vector.store {{.*}} {star.aligned} : memref<?xf32, strided<[1], offset: ?>, #gpu.address_space<global>>, vector<4xf32>
// CHECK: gpu.return

// All states that a row is merged of are folded in one loop, an element in the registers of the thread that it is dealt out to.
// CHECK-LABEL: gpu.func @sum$merge
// CHECK-SAME: star.source = "state_in"
// CHECK-SAME: threads = 16,
// CHECK-COUNT-2: memref.load {{.*}} : memref<?xi64
// CHECK: scf.for %{{.+}} = %{{.+}} to %{{.+}} step %c1 iter_args(%{{.+}} = %{{.+}}, %{{.+}} = %{{.+}}) -> (vector<4xf32>, vector<4xf32>)
// CHECK-NOT: store
// CHECK: scf.yield {{.*}} : vector<4xf32>, vector<4xf32>
// CHECK-COUNT-2: vector.store
// CHECK: gpu.return
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

// What an edge or a row sums over threads is exchanged from register to register: 8 heads of 8 numbers are 16 vectors, each head
// is that of two neighbours, which fold their vectors by one shuffle. Of edges nothing goes through memory, and no thread waits.
// CHECK-LABEL: gpu.func @heads
// CHECK-SAME: star.mapping = #star.mapping<threads = 16, block = 256>
// CHECK: %[[OWNS:.+]] = arith.cmpi eq, %{{.+}}, %c0 : index
// CHECK: scf.for {{.*}} -> (f32)
// CHECK: math.fma {{.*}} : vector<4xf32>
// CHECK: nvvm.shfl.sync bfly %{{.+}}, %{{.+}}, %c1_i32
// CHECK-NEXT: arith.addf {{.*}} : f32
// CHECK-COUNT-3: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync bfly
// CHECK-NOT: bar.warp.sync
// CHECK: scf.for {{.*}} -> (f32)
// CHECK: scf.if %[[OWNS]] {
// CHECK-NEXT: memref.store {{.*}} : memref<8xf32
// CHECK: scf.if %[[OWNS]] {
// CHECK-NEXT: memref.store {{.*}} : memref<?xf32, strided
// CHECK: gpu.return
star.kernel @heads sweep of 0 to destination
    inputs [#star.operand<row <V, [8, 8], f32>>, #star.operand<col <V, [8, 8], f32>>]
    outputs [#star.operand<row <V, [8], f32>>] reduce [#gnn.sum] step {
^bb0(%v: !gnn.field<D, [8, 8], f32>, %u: !gnn.field<S, [8, 8], f32>):
  %0 = gnn.mul %v, %u : (!gnn.field<D, [8, 8], f32>, !gnn.field<S, [8, 8], f32>) -> !gnn.field<E, [8, 8], f32>
  %1 = gnn.reduce #gnn.sum %0 dim 1 : (!gnn.field<E, [8, 8], f32>) -> !gnn.field<E, [8], f32>
  star.contribute [%1] : !gnn.field<E, [8], f32>
} end {
^bb0(%v: !gnn.field<V, [8, 8], f32>, %sum: !gnn.field<V, [8], f32>):
  star.yield %sum : !gnn.field<V, [8], f32>
}

// Of 7 numbers, which 8 threads share, one thread has none: it repeats another's and neither counts in a fold nor stores.
// CHECK-LABEL: gpu.func @norm
// CHECK-SAME: star.mapping = #star.mapping<threads = 8, block = 256>
// CHECK: %[[IS_THERE:.+]] = arith.cmpi ult
// CHECK: arith.minui
// CHECK: arith.select %[[IS_THERE]]
// CHECK-COUNT-3: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: gpu.return
star.kernel @norm sweep of 0 to destination
    inputs [#star.operand<col <V, [7], f32>>] outputs [#star.operand<row <V, [], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [7], f32>):
  star.contribute [%u] : !gnn.field<S, [7], f32>
} end {
^bb0(%sum: !gnn.field<V, [7], f32>):
  %0 = gnn.reduce #gnn.sum %sum dim 0 : (!gnn.field<V, [7], f32>) -> !gnn.field<V, [], f32>
  star.yield %0 : !gnn.field<V, [], f32>
}

// What only the end needs in memory, here to have heads side by side, it finds there once a row: edges are folded in registers.
// CHECK-LABEL: gpu.func @flatten
// CHECK: scf.for {{.*}} -> (vector<4xf32>)
// CHECK: %[[EDGES:.+]] = scf.for {{.*}} -> (vector<4xf32>)
// CHECK-NOT: bar.warp.sync
// CHECK: nvvm.shfl.sync bfly
// CHECK-NOT: bar.warp.sync
// CHECK: scf.yield
// CHECK: nvvm.bar.warp.sync
// CHECK: vector.load {{.*}} : memref<64xf32, #gpu.address_space<global>>, vector<4xf32>
// CHECK: vector.store
// CHECK: gpu.return
star.kernel @flatten sweep of 0 to destination
    inputs [#star.operand<row <V, [8, 8], f32>>, #star.operand<col <V, [8, 8], f32>>]
    outputs [#star.operand<row <V, [64], f32>>] reduce [#gnn.sum] step {
^bb0(%v: !gnn.field<D, [8, 8], f32>, %u: !gnn.field<S, [8, 8], f32>):
  %0 = gnn.mul %v, %u : (!gnn.field<D, [8, 8], f32>, !gnn.field<S, [8, 8], f32>) -> !gnn.field<E, [8, 8], f32>
  %1 = gnn.reduce #gnn.sum %0 dim 1 : (!gnn.field<E, [8, 8], f32>) -> !gnn.field<E, [8], f32>
  %2 = gnn.broadcast %1 dims [0] : !gnn.field<E, [8], f32> -> !gnn.field<E, [8, 8], f32>
  %3 = gnn.mul %2, %u : (!gnn.field<E, [8, 8], f32>, !gnn.field<S, [8, 8], f32>) -> !gnn.field<E, [8, 8], f32>
  star.contribute [%3] : !gnn.field<E, [8, 8], f32>
} end {
^bb0(%v: !gnn.field<V, [8, 8], f32>, %sum: !gnn.field<V, [8, 8], f32>):
  %0 = gnn.reshape %sum : !gnn.field<V, [8, 8], f32> -> !gnn.field<V, [64], f32>
  star.yield %0 : !gnn.field<V, [64], f32>
}

// Fields of 64 and of 16 numbers that have nothing but one number in common are dealt out each by itself: the fold of 16 threads gives the
// weight of the edge to each of them, of which four weigh something. Edges come four at a time.
// CHECK-LABEL: gpu.func @weigh
// CHECK: scf.for {{.*}} step %c4
// CHECK-COUNT-4: nvvm.shfl.sync idx
// CHECK: scf.yield
// CHECK: scf.for {{.*}} step %c1
// CHECK: nvvm.shfl.sync idx
// CHECK-COUNT-4: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.bar.warp.sync
// CHECK: scf.yield
star.kernel @weigh sweep of 0 to destination
    inputs [#star.operand<row <V, [64], f32>>, #star.operand<col <V, [64], f32>>, #star.operand<col <V, [16], f32>>]
    outputs [#star.operand<row <V, [16], f32>>] reduce [#gnn.sum] step {
^bb0(%v: !gnn.field<D, [64], f32>, %u: !gnn.field<S, [64], f32>, %z: !gnn.field<S, [16], f32>):
  %0 = gnn.mul %v, %u : (!gnn.field<D, [64], f32>, !gnn.field<S, [64], f32>) -> !gnn.field<E, [64], f32>
  %1 = gnn.reduce #gnn.sum %0 dim 0 : (!gnn.field<E, [64], f32>) -> !gnn.field<E, [], f32>
  %2 = gnn.broadcast %1 dims [] : !gnn.field<E, [], f32> -> !gnn.field<E, [16], f32>
  %3 = gnn.mul %2, %z : (!gnn.field<E, [16], f32>, !gnn.field<S, [16], f32>) -> !gnn.field<E, [16], f32>
  star.contribute [%3] : !gnn.field<E, [16], f32>
} end {
^bb0(%v: !gnn.field<V, [64], f32>, %sum: !gnn.field<V, [16], f32>):
  star.yield %sum : !gnn.field<V, [16], f32>
}

// Of an unknown width states are in memory, and threads meet before they read what others have written.
// CHECK-LABEL: gpu.func @open
// CHECK: vector.store
// CHECK: nvvm.bar.warp.sync
// CHECK: vector.load
// CHECK: gpu.return
star.kernel @open sweep of 0 to destination
    inputs [#star.operand<col <V, [n], f32>>] outputs [#star.operand<row <V, [], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [n], f32>):
  star.contribute [%u] : !gnn.field<S, [n], f32>
} end {
^bb0(%sum: !gnn.field<V, [n], f32>):
  %0 = gnn.reduce #gnn.sum %sum dim 0 : (!gnn.field<V, [n], f32>) -> !gnn.field<V, [], f32>
  star.yield %0 : !gnn.field<V, [], f32>
}

// Hot columns: the threads of the block load the rows of 16 of them into shared memory, 16 bytes at a time, and wait for each other. An
// edge loads by one pointer, into that memory or into the tensor.
// CHECK-LABEL: gpu.func @hot
// CHECK-SAME: memref<?xi32, #gpu.address_space<global>> {star.source = "block.hot"}
// CHECK-SAME: i64 {star.source = "hot"}
// CHECK-SAME: memref<?xi32, #gpu.address_space<global>> {star.source = "block.hot_cols"}
// CHECK-NOT: star.source = "block.cols"
// CHECK-SAME: star.shared_bytes = "4096"
// CHECK: %[[ROWS:.+]] = memref.view %{{.+}}[%c0][] : memref<?xi8, #gpu.address_space<workgroup>> to memref<1024xf32, #gpu.address_space<workgroup>>
// CHECK: scf.for
// CHECK: %[[ROW:.+]] = vector.load {{.*}} {star.aligned} : memref<?xf32, #gpu.address_space<global>>, vector<4xf32>
// CHECK: vector.store %[[ROW]], {{.*}} {star.aligned} : memref<{{.*}}xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: nvvm.barrier0
// CHECK: nvvm.shfl.sync idx
// CHECK: %[[HOT:.+]] = arith.cmpi ult, %{{.+}}, %c16 : index
// CHECK: %[[ANY:.+]] = arith.select %[[HOT]], %{{.+}}, %{{.+}} : memref<?xf32, strided<[1], offset: ?>>
// CHECK-NEXT: vector.load %[[ANY]]{{.*}} {star.aligned} : memref<?xf32, strided<[1], offset: ?>>, vector<4xf32>
// CHECK: gpu.return
star.kernel @hot sweep of 0 to destination
    inputs [#star.operand<col <V, [64], f32>>]
    outputs [#star.operand<row <V, [64], f32>>] reduce [#gnn.sum] schedule #star.schedule<hot = 16> step {
^bb0(%u: !gnn.field<S, [64], f32>):
  star.contribute [%u] : !gnn.field<S, [64], f32>
} end {
^bb0(%sum: !gnn.field<V, [64], f32>):
  star.yield %sum : !gnn.field<V, [64], f32>
}

// Rows of 8 heads of 64 would be four vectors a thread. Four heads are computed at a time, in a loop around that over the edges.
// CHECK-LABEL: gpu.func @wide
// CHECK-SAME: star.mapping = #star.mapping<threads = 32, block = 256>
// CHECK: scf.for %[[FIRST:.+]] = %c0 to %c8 step %c4
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (f32, f32)
// CHECK-COUNT-10: nvvm.shfl.sync bfly
// CHECK: gpu.return
star.kernel @wide sweep of 0 to destination
    inputs [#star.operand<row <V, [8, 64], f32>>, #star.operand<col <V, [8, 64], f32>>]
    outputs [#star.operand<row <V, [8], f32>>] reduce [#gnn.sum] step {
^bb0(%v: !gnn.field<D, [8, 64], f32>, %u: !gnn.field<S, [8, 64], f32>):
  %0 = gnn.mul %v, %u : (!gnn.field<D, [8, 64], f32>, !gnn.field<S, [8, 64], f32>) -> !gnn.field<E, [8, 64], f32>
  %1 = gnn.reduce #gnn.sum %0 dim 1 : (!gnn.field<E, [8, 64], f32>) -> !gnn.field<E, [8], f32>
  star.contribute [%1] : !gnn.field<E, [8], f32>
} end {
^bb0(%v: !gnn.field<V, [8, 64], f32>, %sum: !gnn.field<V, [8], f32>):
  star.yield %sum : !gnn.field<V, [8], f32>
}

// 100 numbers are 25 vectors of 32 threads: 7 threads have the last one again, so that all walk the edges and tell each other what they read. They
// store nothing, and what they would find in memory of states is another thread's.
// CHECK-LABEL: gpu.func @uneven
// CHECK-SAME: star.mapping = #star.mapping<threads = 32, block = 256>
// CHECK: %[[IS_THERE:.+]] = arith.cmpi ult, %{{.+}}, %c25 : index
// CHECK: arith.minui %{{.+}}, %c24 : index
// CHECK: scf.if %[[IS_THERE]] -> (vector<4xf32>)
// CHECK: scf.for {{.*}} step %c32
// CHECK-COUNT-4: nvvm.shfl.sync idx
// CHECK: scf.if %[[IS_THERE]] {
// CHECK-NEXT: vector.store {{.*}} : memref<100xf32, #gpu.address_space<global>>, vector<4xf32>
// CHECK: scf.if %[[IS_THERE]] {
// CHECK-NEXT: vector.store {{.*}} {star.aligned} : {{.*}}, vector<4xf32>
// CHECK: gpu.return
star.kernel @uneven sweep of 0 to destination
    inputs [#star.operand<col <V, [100], f32>>] outputs [#star.operand<row <V, [100], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [100], f32>):
  star.contribute [%u] : !gnn.field<S, [100], f32>
} end {
^bb0(%sum: !gnn.field<V, [100], f32>):
  star.yield %sum : !gnn.field<V, [100], f32>
}

// Types of edges and their original ids, of 64 bits, are read together as neighbours are; entries of a table without a branch. All loads of two edges come before
// the entry of the first takes the place of the one at hand.
// CHECK-LABEL: gpu.func @typed
// CHECK: scf.for {{.*}} step %c4 iter_args
// CHECK: scf.for {{.*}} step %c4 iter_args
// CHECK-NOT: scf.if
// CHECK: %[[INSIDE:.+]] = arith.cmpi ult, %{{.+}}, %c5
// CHECK: arith.select %[[INSIDE]]
// CHECK-NOT: scf.if
// CHECK-COUNT-4: vector.load {{.*}} {star.aligned} : {{.*}}, vector<4xf32>
// CHECK: scf.if
// CHECK: gpu.return
star.kernel @typed sweep of 0 to destination
    inputs [#star.operand<col <V, [5, 16], f32>>, #star.operand<edge <E, [], f32>>] outputs [#star.operand<row <V, [5, 16], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [5, 16], f32>, %e: !gnn.field<E, [], f32>):
  %t = gnn.edge_type : !gnn.field<E, [], i32>
  %0 = gnn.index %u, %t : (!gnn.field<S, [5, 16], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [16], f32>
  %1 = gnn.broadcast %e dims [] : !gnn.field<E, [], f32> -> !gnn.field<E, [16], f32>
  %2 = gnn.mul %0, %1 : (!gnn.field<E, [16], f32>, !gnn.field<E, [16], f32>) -> !gnn.field<E, [16], f32>
  star.contribute [%2] by [%t] of [0] : !gnn.field<E, [16], f32>, !gnn.field<E, [], i32>
} end {
^bb0(%sum: !gnn.field<V, [5, 16], f32>):
  star.yield %sum : !gnn.field<V, [5, 16], f32>
}

// Of an open width there is code for rows of whole vectors, which are aligned, and for others.
// CHECK-LABEL: gpu.func @anyWidth
// CHECK-SAME: star.mapping = #star.mapping<threads = 16, block = 256>
// CHECK: arith.remui %{{.+}}, %c4
// CHECK: %[[WHOLE:.+]] = arith.cmpi eq
// CHECK: scf.if %[[WHOLE]] {
// CHECK: nvvm.shfl.sync idx
// CHECK: vector.load {{.*}} {star.aligned} : {{.*}}, vector<4xf32>
// CHECK: vector.store {{.*}} {star.aligned} : {{.*}}, vector<4xf32>
// CHECK: } else {
// CHECK: nvvm.shfl.sync idx
// CHECK: vector.load {{.*}}, vector<1xf32>
// CHECK-NOT: vector<4xf32>
// CHECK: gpu.return
star.kernel @anyWidth sweep of 0 to destination
    inputs [#star.operand<col <V, [n], f32>>] outputs [#star.operand<row <V, [n], f32>>] reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [n], f32>):
  star.contribute [%u] : !gnn.field<S, [n], f32>
} end {
^bb0(%sum: !gnn.field<V, [n], f32>):
  star.yield %sum : !gnn.field<V, [n], f32>
}
