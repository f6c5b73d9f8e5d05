// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-distribute))' | FileCheck %s --check-prefixes=CHECK,AUTO
// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-distribute{form=edges}))' | FileCheck %s --check-prefixes=CHECK,EDGES
// RUN: gnn-opt %s --pass-pipeline='builtin.module(gnn.program(gnn-distribute{form=vertices}))' | FileCheck %s --check-prefixes=CHECK,VERTICES

// Edges read 32 bytes and compute 1024 flops (as long as reading 128 bytes), or read 256 bytes: the product stays.
// CHECK-LABEL: gnn.program @narrow_to_wide
gnn.program @narrow_to_wide {
  %x = gnn.input "x" : !gnn.field<V, [8], f32>
  %h = gnn.abs %x : !gnn.field<V, [8], f32>
  %w = gnn.param "w" : !gnn.field<P, [8, 64], f32>
  %u = gnn.read_source %h : !gnn.field<V, [8], f32> -> !gnn.field<S, [8], f32>
  %v = gnn.read_destination %h : !gnn.field<V, [8], f32> -> !gnn.field<D, [8], f32>
  // AUTO: gnn.matmul {{.*}} -> !gnn.field<E, [64], f32>
  // EDGES: gnn.matmul {{.*}} -> !gnn.field<E, [64], f32>
  // VERTICES: gnn.matmul {{.*}} -> !gnn.field<S, [64], f32>
  // VERTICES: gnn.matmul {{.*}} -> !gnn.field<D, [64], f32>
  %0 = gnn.add %u, %v : (!gnn.field<S, [8], f32>, !gnn.field<D, [8], f32>) -> !gnn.field<E, [8], f32>
  %1 = gnn.matmul %0, %w : (!gnn.field<E, [8], f32>, !gnn.field<P, [8, 64], f32>) -> !gnn.field<E, [64], f32>
  %2 = gnn.aggregate #gnn.sum %1 to destination : (!gnn.field<E, [64], f32>) -> !gnn.field<V, [64], f32>
  gnn.return %2 [#gnn.result<output "y">] : !gnn.field<V, [64], f32>
}

// Twice as wide (and a difference of terms with the same sign), edges read 64 bytes and compute 2048 flops (256 bytes): more than the 256 bytes of the product.
// CHECK-LABEL: gnn.program @wider
gnn.program @wider {
  %x = gnn.input "x" : !gnn.field<V, [16], f32>
  %h = gnn.abs %x : !gnn.field<V, [16], f32>
  %w = gnn.param "w" : !gnn.field<P, [16, 64], f32>
  %n = gnn.neg %h : !gnn.field<V, [16], f32>
  %u = gnn.read_source %h : !gnn.field<V, [16], f32> -> !gnn.field<S, [16], f32>
  %v = gnn.read_destination %n : !gnn.field<V, [16], f32> -> !gnn.field<D, [16], f32>
  // AUTO: gnn.matmul {{.*}} -> !gnn.field<S, [64], f32>
  // AUTO: gnn.matmul {{.*}} -> !gnn.field<D, [64], f32>
  // AUTO: gnn.sub {{.*}} -> !gnn.field<E, [64], f32>
  // EDGES: gnn.matmul {{.*}} -> !gnn.field<E, [64], f32>
  %0 = gnn.sub %u, %v : (!gnn.field<S, [16], f32>, !gnn.field<D, [16], f32>) -> !gnn.field<E, [16], f32>
  %1 = gnn.matmul %0, %w : (!gnn.field<E, [16], f32>, !gnn.field<P, [16, 64], f32>) -> !gnn.field<E, [64], f32>
  %2 = gnn.aggregate #gnn.sum %1 to destination : (!gnn.field<E, [64], f32>) -> !gnn.field<V, [64], f32>
  gnn.return %2 [#gnn.result<output "y">] : !gnn.field<V, [64], f32>
}

// Parts of a concatenation are multiplied by their rows of the parameter.
// CHECK-LABEL: gnn.program @joined
gnn.program @joined {
  %h = gnn.input "h" : !gnn.field<V, [in], f32>
  %w = gnn.param "w" : !gnn.field<P, ["2 * in", out], f32>
  %u = gnn.read_source %h : !gnn.field<V, [in], f32> -> !gnn.field<S, [in], f32>
  %v = gnn.read_destination %h : !gnn.field<V, [in], f32> -> !gnn.field<D, [in], f32>
  // VERTICES: %[[FIRST:.+]] = gnn.slice {{.*}} dim 0 at "0"
  // VERTICES: gnn.matmul {{.*}}, %[[FIRST]] : {{.*}} -> !gnn.field<D, [out], f32>
  // VERTICES: %[[SECOND:.+]] = gnn.slice {{.*}} dim 0 at "in"
  // VERTICES: gnn.matmul {{.*}}, %[[SECOND]] : {{.*}} -> !gnn.field<S, [out], f32>
  %0 = gnn.concat %v, %u dim 0 : (!gnn.field<D, [in], f32>, !gnn.field<S, [in], f32>) -> !gnn.field<E, ["2 * in"], f32>
  %1 = gnn.matmul %0, %w : (!gnn.field<E, ["2 * in"], f32>, !gnn.field<P, ["2 * in", out], f32>) -> !gnn.field<E, [out], f32>
  %2 = gnn.aggregate #gnn.sum %1 to destination : (!gnn.field<E, [out], f32>) -> !gnn.field<V, [out], f32>
  gnn.return %2 [#gnn.result<output "y">] : !gnn.field<V, [out], f32>
}

// With a loss the product goes to the vertices, however little edges read; what is not linear stays in every form.
// CHECK-LABEL: gnn.program @trained
gnn.program @trained {
  %x = gnn.input "x" : !gnn.field<V, [1], f32>
  %h = gnn.abs %x : !gnn.field<V, [1], f32>
  %w = gnn.param "w" : !gnn.field<P, [1, 64], f32>
  %t = gnn.param "t" : !gnn.field<P, [64, 1], f32>
  %u = gnn.read_source %h : !gnn.field<V, [1], f32> -> !gnn.field<S, [1], f32>
  %v = gnn.read_destination %h : !gnn.field<V, [1], f32> -> !gnn.field<D, [1], f32>
  // AUTO: gnn.matmul {{.*}} -> !gnn.field<S, [64], f32>
  // EDGES: gnn.matmul {{.*}} -> !gnn.field<E, [64], f32>
  // CHECK: gnn.tanh
  // CHECK: gnn.matmul {{.*}} -> !gnn.field<E, [1], f32>
  %0 = gnn.add %u, %v : (!gnn.field<S, [1], f32>, !gnn.field<D, [1], f32>) -> !gnn.field<E, [1], f32>
  %1 = gnn.matmul %0, %w : (!gnn.field<E, [1], f32>, !gnn.field<P, [1, 64], f32>) -> !gnn.field<E, [64], f32>
  %2 = gnn.tanh %1 : !gnn.field<E, [64], f32>
  %3 = gnn.matmul %2, %t : (!gnn.field<E, [64], f32>, !gnn.field<P, [64, 1], f32>) -> !gnn.field<E, [1], f32>
  %4 = gnn.aggregate #gnn.sum %3 to destination : (!gnn.field<E, [1], f32>) -> !gnn.field<V, [1], f32>
  %5 = gnn.reduce #gnn.sum %4 dim 0 : (!gnn.field<V, [1], f32>) -> !gnn.field<V, [], f32>
  gnn.return %5 [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}

// Terms that may have opposite signs cancel: their sum is multiplied, unless the form by vertices is asked for.
// CHECK-LABEL: gnn.program @cancelling
gnn.program @cancelling {
  %x = gnn.input "x" : !gnn.field<V, [64], f32>
  %h = gnn.abs %x : !gnn.field<V, [64], f32>
  %w = gnn.param "w" : !gnn.field<P, [64, 8], f32>
  %u = gnn.read_source %x : !gnn.field<V, [64], f32> -> !gnn.field<S, [64], f32>
  %v = gnn.read_destination %h : !gnn.field<V, [64], f32> -> !gnn.field<D, [64], f32>
  %a = gnn.read_source %h : !gnn.field<V, [64], f32> -> !gnn.field<S, [64], f32>
  // AUTO: %[[SUM:.+]] = gnn.add
  // AUTO: gnn.matmul %[[SUM]]
  // VERTICES: gnn.matmul {{.*}} -> !gnn.field<S, [8], f32>
  // VERTICES: gnn.matmul {{.*}} -> !gnn.field<D, [8], f32>
  %0 = gnn.add %u, %v : (!gnn.field<S, [64], f32>, !gnn.field<D, [64], f32>) -> !gnn.field<E, [64], f32>
  %1 = gnn.matmul %0, %w : (!gnn.field<E, [64], f32>, !gnn.field<P, [64, 8], f32>) -> !gnn.field<E, [8], f32>
  // AUTO: %[[DIFFERENCE:.+]] = gnn.sub
  // AUTO: gnn.matmul %[[DIFFERENCE]]
  // VERTICES: gnn.matmul {{.*}} -> !gnn.field<S, [8], f32>
  // VERTICES: gnn.matmul {{.*}} -> !gnn.field<D, [8], f32>
  %2 = gnn.sub %a, %v : (!gnn.field<S, [64], f32>, !gnn.field<D, [64], f32>) -> !gnn.field<E, [64], f32>
  %3 = gnn.matmul %2, %w : (!gnn.field<E, [64], f32>, !gnn.field<P, [64, 8], f32>) -> !gnn.field<E, [8], f32>
  %4 = gnn.mul %1, %3 : (!gnn.field<E, [8], f32>, !gnn.field<E, [8], f32>) -> !gnn.field<E, [8], f32>
  %5 = gnn.aggregate #gnn.sum %4 to destination : (!gnn.field<E, [8], f32>) -> !gnn.field<V, [8], f32>
  gnn.return %5 [#gnn.result<output "y">] : !gnn.field<V, [8], f32>
}

// The parts of an end leave a concatenation; the difference and its neighbour stay one product on the edges.
// CHECK-LABEL: gnn.program @parts
gnn.program @parts {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %e = gnn.input "e" : !gnn.field<E, [k], f32>
  %w = gnn.param "w" : !gnn.field<P, ["2 * in + k", 8], f32>
  %u = gnn.read_source %x : !gnn.field<V, [in], f32> -> !gnn.field<S, [in], f32>
  %v = gnn.read_destination %x : !gnn.field<V, [in], f32> -> !gnn.field<D, [in], f32>
  // AUTO: %[[DIFFERENCE:.+]] = gnn.sub
  // AUTO: %[[FIRST:.+]] = gnn.slice {{.*}} dim 0 at "0"
  // AUTO: %[[OF_END:.+]] = gnn.matmul {{.*}}, %[[FIRST]] : {{.*}} -> !gnn.field<D, [8], f32>
  // AUTO: %[[REST:.+]] = gnn.concat %[[DIFFERENCE]], {{.*}} -> !gnn.field<E, ["in + k"], f32>
  // AUTO: %[[SECOND:.+]] = gnn.slice {{.*}} dim 0 at "in"
  // AUTO: %[[OF_EDGES:.+]] = gnn.matmul %[[REST]], %[[SECOND]] : {{.*}} -> !gnn.field<E, [8], f32>
  // AUTO: gnn.add %[[OF_END]], %[[OF_EDGES]]
  %0 = gnn.sub %u, %v : (!gnn.field<S, [in], f32>, !gnn.field<D, [in], f32>) -> !gnn.field<E, [in], f32>
  %1 = gnn.concat %v, %0, %e dim 0 : (!gnn.field<D, [in], f32>, !gnn.field<E, [in], f32>, !gnn.field<E, [k], f32>) -> !gnn.field<E, ["2 * in + k"], f32>
  %2 = gnn.matmul %1, %w : (!gnn.field<E, ["2 * in + k"], f32>, !gnn.field<P, ["2 * in + k", 8], f32>) -> !gnn.field<E, [8], f32>
  %3 = gnn.aggregate #gnn.sum %2 to destination : (!gnn.field<E, [8], f32>) -> !gnn.field<V, [8], f32>
  gnn.return %3 [#gnn.result<output "y">] : !gnn.field<V, [8], f32>
}
