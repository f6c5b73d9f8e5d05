// RUN: gnn-opt %s --star-map-threads --split-input-file --verify-diagnostics | FileCheck %s

// Groups fit the feature width: as few idle threads as can be, with up to four vectors of 16 bytes for each.

// CHECK: star.kernel @w1 {{.*}} mapping <threads = 1, block = 256>
star.kernel @w1 sweep of 0 to destination inputs [#star.operand<col <V, [], f32>>] outputs [#star.operand<row <V, [], f32>>]
    reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [], f32>):
  star.contribute [%u] : !gnn.field<S, [], f32>
} end {
^bb0(%sum: !gnn.field<V, [], f32>):
  star.yield %sum : !gnn.field<V, [], f32>
}

// CHECK: star.kernel @w16 {{.*}} mapping <threads = 4, block = 256>
star.kernel @w16 map of 0 inputs [#star.operand<row <V, [16], f32>>] outputs [#star.operand<row <V, [16], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [16], f32>):
  star.yield %x : !gnn.field<V, [16], f32>
}

// 12 vectors: 4 threads with 3 each leave none idle, 16 threads would leave 4.
// CHECK: star.kernel @w48 {{.*}} mapping <threads = 4, block = 256>
star.kernel @w48 map of 0 inputs [#star.operand<row <V, [48], f32>>] outputs [#star.operand<row <V, [48], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [48], f32>):
  star.yield %x : !gnn.field<V, [48], f32>
}

// Heads count as well.
// CHECK: star.kernel @heads {{.*}} mapping <threads = 16, block = 256>
star.kernel @heads map of 0 inputs [#star.operand<row <V, [8, 8], f32>>] outputs [#star.operand<row <V, [8, 8], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [8, 8], f32>):
  star.yield %x : !gnn.field<V, [8, 8], f32>
}

// 7 numbers are 7 vectors of one.
// CHECK: star.kernel @w7 {{.*}} mapping <threads = 8, block = 256>
star.kernel @w7 map of 0 inputs [#star.operand<row <V, [7], f32>>] outputs [#star.operand<row <V, [7], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [7], f32>):
  star.yield %x : !gnn.field<V, [7], f32>
}

// CHECK: star.kernel @w512 {{.*}} mapping <threads = 32, block = 256>
star.kernel @w512 map of 0 inputs [#star.operand<row <V, [512], f32>>] outputs [#star.operand<row <V, [512], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [512], f32>):
  star.yield %x : !gnn.field<V, [512], f32>
}

// Open dimensions count as their fallback, without one as 64.
// CHECK: star.kernel @open {{.*}} mapping <threads = 16, block = 256>
star.kernel @open map of 0 inputs [#star.operand<row <V, [F], f32>>] outputs [#star.operand<row <V, [F], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [F], f32>):
  star.yield %x : !gnn.field<V, [F], f32>
}

// Eight numbers of 16 bits are a vector, of which a thread has up to two.
// CHECK: star.kernel @bf16 {{.*}} mapping <threads = 8, block = 256>
star.kernel @bf16 map of 0 inputs [#star.operand<row <V, [64], f32> bf16>] outputs [#star.operand<row <V, [64], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [64], f32>):
  star.yield %x : !gnn.field<V, [64], f32>
}

// Of sums by type, the threads have one entry at a time.
// CHECK: star.kernel @byType {{.*}} mapping <threads = 4, block = 256>
star.kernel @byType sweep of 0 to destination inputs [#star.operand<col <V, [16], f32>>] outputs [#star.operand<row <V, [90, 16], f32>>]
    reduce [#gnn.sum] step {
^bb0(%u: !gnn.field<S, [16], f32>):
  %t = gnn.edge_type : !gnn.field<E, [], i32>
  star.contribute [%u] by [%t] of [0] : !gnn.field<S, [16], f32>, !gnn.field<E, [], i32>
} end {
^bb0(%sum: !gnn.field<V, [90, 16], f32>):
  star.yield %sum : !gnn.field<V, [90, 16], f32>
}

// A schedule may ask for others.
// CHECK: star.kernel @scheduled {{.*}} schedule #star.schedule<threads = 2> mapping <threads = 2, block = 256>
star.kernel @scheduled map of 0 inputs [#star.operand<row <V, [16], f32>>] outputs [#star.operand<row <V, [16], f32>>] reduce []
    schedule #star.schedule<threads = 2> step {
} end {
^bb0(%x: !gnn.field<V, [16], f32>):
  star.yield %x : !gnn.field<V, [16], f32>
}

// A mapping that is there stays.
// CHECK: star.kernel @stated {{.*}} mapping <threads = 2, block = 64>
star.kernel @stated map of 0 inputs [#star.operand<row <V, [16], f32>>] outputs [#star.operand<row <V, [16], f32>>] reduce []
    mapping <threads = 2, block = 64> step {
} end {
^bb0(%x: !gnn.field<V, [16], f32>):
  star.yield %x : !gnn.field<V, [16], f32>
}

// -----

// 8 heads of 4 numbers, of the model's defaults.
module attributes {gnn.model = #gnn.model<name = "Attention", real = f32, dimensions = [#gnn.dimension<name = "heads", fallback = 8>,
    #gnn.dimension<name = "out", fallback = 4>], vertex_types = [#gnn.vertex_type<name = "vertices">],
    relations = [#gnn.relation<name = "edges", source = 0, destination = 0>]>} {
// CHECK: star.kernel @fallback {{.*}} mapping <threads = 8, block = 256>
star.kernel @fallback map of 0 inputs [#star.operand<row <V, [heads, out], f32>>] outputs [#star.operand<row <V, [heads, out], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [heads, out], f32>):
  star.yield %x : !gnn.field<V, [heads, out], f32>
}
}

// -----

// expected-error @+1 {{a row is shared by a power of 2 of threads, at most 32, not by 12}}
#mapping = #star.mapping<threads = 12, block = 256>

// -----

// expected-error @+1 {{a block has a multiple of 32 threads, at most 1024, not 48}}
#mapping = #star.mapping<threads = 4, block = 48>
