// RUN: gnn-opt %s --group-kernels | FileCheck %s

// Each instruction set has modules of its own. A function without a body is where the body is that it has.
// CHECK-NOT: func.func
// CHECK: module attributes {star.isa = "x86-64-v2"} {
// CHECK-NEXT: func.func @sum.v2
// CHECK: func.func private @other.v2
// CHECK: func.func @max.v2
// CHECK: module attributes {star.isa = "x86-64-v3"} {
// CHECK-NEXT: func.func @sum.v3
// CHECK-NOT: module
func.func @sum.v2(%begin: index, %end: index, %size: i64 {star.source = "extent 0"}) attributes {star.isa = "x86-64-v2"} {
  return
}
func.func @sum.v3(%begin: index, %end: index, %size: i64 {star.source = "extent 0"}) attributes {star.isa = "x86-64-v3"} {
  return
}
func.func @max.v2(%begin: index, %end: index) attributes {star.isa = "x86-64-v2"} {
  return
}
func.func private @other.v2(index, index, i64 {star.source = "extent 2"})
    attributes {star.isa = "x86-64-v2", star.body = @sum.v2}
