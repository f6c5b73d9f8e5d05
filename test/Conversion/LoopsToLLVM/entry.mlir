// RUN: gnn-opt %s --loops-to-llvm | FileCheck %s

// Pointers of a body do not alias; the entry takes gnn_kernel_args_t apart.
// CHECK-LABEL: llvm.func internal @copy.v4.body
// CHECK-SAME: !llvm.ptr {llvm.noalias}
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
// CHECK-LABEL: llvm.func @copy.v4(
// CHECK-SAME: %[[ARGS:.+]]: !llvm.ptr, %[[BEGIN:.+]]: i64, %[[END:.+]]: i64) attributes {star.isa = "x86-64-v4"}
// CHECK: llvm.getelementptr %[[ARGS]][32]
// CHECK: llvm.icmp "ne" {{.*}} : !llvm.ptr
// CHECK: llvm.call @copy.v4.body(%[[BEGIN]], %[[END]]
func.func @copy.v4(%begin: index, %end: index, %from: memref<?xf32> {star.source = "tensors 0"},
                   %to: memref<?xf32> {star.source = "tensors 1"}, %given: i1 {star.source = "given block.row_id"})
    attributes {star.isa = "x86-64-v4"} {
  %mask = arith.constant dense<[true, true, true, false]> : vector<4xi1>
  %zero = arith.constant dense<0.0> : vector<4xf32>
  %x = vector.maskedload %from[%begin], %mask, %zero : memref<?xf32>, vector<4xi1>, vector<4xf32> into vector<4xf32>
  vector.maskedstore %to[%end], %mask, %x : memref<?xf32>, vector<4xi1>, vector<4xf32>
  return
}

// A function that has the body of another one is an entry alone, which gives it what its own sources say.
// CHECK-NOT: @other.v4.body
// CHECK-LABEL: llvm.func @other.v4(
// CHECK: llvm.getelementptr %{{.+}}[8]
// CHECK: llvm.getelementptr %{{.+}}[16]
// CHECK: llvm.call @sized.v4.body
func.func @sized.v4(%begin: index, %end: index, %size: i64 {star.source = "extent 0"}) attributes {star.isa = "x86-64-v4"} {
  return
}
func.func private @other.v4(index, index, i64 {star.source = "extent 2"})
    attributes {star.isa = "x86-64-v4", star.body = @sized.v4}
