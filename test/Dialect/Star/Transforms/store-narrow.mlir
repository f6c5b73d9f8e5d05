// RUN: gnn-opt %s --star-outline-kernels=reals=bf16 | FileCheck %s '-D$STORED=bf16'
// RUN: gnn-opt %s --star-outline-kernels=reals=f16 | FileCheck %s '-D$STORED=f16'
// RUN: gnn-opt %s --star-outline-kernels | FileCheck %s --check-prefix=F32

// With `reals=bf16` or `f16` inputs and what steps pass to each other are stored so where they have several f32; without it nothing is.
// F32-NOT: {{bf16|f16}}

// Inputs of each program, sums, products and what a map makes are; single numbers, parameters, integers and what is returned are not.
// CHECK-LABEL: star.program @infer
// CHECK: gnn.input "x" {star.stored = "[[$STORED]]"} : !gnn.field<V, [in], f32>
// CHECK: gnn.input "w" : !gnn.field<E, [], f32>
// CHECK: gnn.input "kind" : !gnn.field<V, [in], i32>
// CHECK: gnn.param "W" : !gnn.field<P, [in, out], f32>
// CHECK: star.matmul {{.*}} {star.stored = "[[$STORED]]"} : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %e = gnn.input "w" : !gnn.field<E, [], f32>
  %k = gnn.input "kind" : !gnn.field<V, [in], i32>
  %w = gnn.param "W" : !gnn.field<P, [in, out], f32>
  %c:2 = star.map 0 rows(%x, %k : !gnn.field<V, [in], f32>, !gnn.field<V, [in], i32>) end {
  ^bb0(%a: !gnn.field<V, [in], f32>, %n: !gnn.field<V, [in], i32>):
    %0 = gnn.cast %n : !gnn.field<V, [in], i32> -> !gnn.field<V, [in], f32>
    %1 = gnn.add %a, %0 : (!gnn.field<V, [in], f32>, !gnn.field<V, [in], f32>) -> !gnn.field<V, [in], f32> loc("added")
    %2 = gnn.reduce #gnn.sum %a dim 0 : (!gnn.field<V, [in], f32>) -> !gnn.field<V, [], f32>
    star.yield %1, %2 : !gnn.field<V, [in], f32>, !gnn.field<V, [], f32>
  } -> rows(!gnn.field<V, [in], f32>, !gnn.field<V, [], f32>)
  %h = star.matmul %c#0, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
  %s:2 = star.sweep 0 to destination rows(%c#1 : !gnn.field<V, [], f32>) cols(%h : !gnn.field<V, [out], f32>) edges(%e : !gnn.field<E, [], f32>) reduce [#gnn.sum] step {
  ^bb0(%v: !gnn.field<D, [], f32>, %u: !gnn.field<S, [out], f32>, %f: !gnn.field<E, [], f32>):
    %0 = gnn.broadcast %f dims [] : !gnn.field<E, [], f32> -> !gnn.field<E, [out], f32>
    %1 = gnn.mul %u, %0 : (!gnn.field<S, [out], f32>, !gnn.field<E, [out], f32>) -> !gnn.field<E, [out], f32> loc("swept")
    star.contribute [%1] edges [%1] : !gnn.field<E, [out], f32>, !gnn.field<E, [out], f32>
  } end {
  ^bb0(%v: !gnn.field<V, [], f32>, %sum: !gnn.field<V, [out], f32>):
    star.yield %sum : !gnn.field<V, [out], f32>
  } -> rows(!gnn.field<V, [out], f32>) edges(!gnn.field<E, [out], f32>)
  %y = star.sweep 0 to source rows(%s#0 : !gnn.field<V, [out], f32>) edges(%s#1 : !gnn.field<E, [out], f32>) reduce [#gnn.sum] step {
  ^bb0(%v: !gnn.field<S, [out], f32>, %f: !gnn.field<E, [out], f32>):
    star.contribute [%f] : !gnn.field<E, [out], f32>
  } end {
  ^bb0(%v: !gnn.field<V, [out], f32>, %sum: !gnn.field<V, [out], f32>):
    %0 = gnn.add %v, %sum : (!gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<V, [out], f32> loc("result")
    star.yield %0 : !gnn.field<V, [out], f32>
  } -> rows(!gnn.field<V, [out], f32>)
  star.return %y [#gnn.result<output "y">] : !gnn.field<V, [out], f32>
}

// An input that some program hands out stays f32 in all of them. So does what an extremum over all vertices is computed from, back to the inputs, and the
// normaliser of a softmax.
// CHECK-LABEL: star.program @evaluate
// CHECK: gnn.input "given" : !gnn.field<V, [in], f32>
// CHECK: gnn.input "x" {star.stored = "[[$STORED]]"} : !gnn.field<V, [in], f32>
star.program @evaluate {
  %g = gnn.input "given" : !gnn.field<V, [in], f32>
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %a = star.map 0 rows(%x : !gnn.field<V, [in], f32>) end {
  ^bb0(%i: !gnn.field<V, [in], f32>):
    %0 = gnn.exp %i : !gnn.field<V, [in], f32> loc("before")
    star.yield %0 : !gnn.field<V, [in], f32>
  } -> rows(!gnn.field<V, [in], f32>)
  %m = star.map 0 rows(%a : !gnn.field<V, [in], f32>) end {
  ^bb0(%i: !gnn.field<V, [in], f32>):
    %0 = gnn.neg %i : !gnn.field<V, [in], f32> loc("largest")
    star.yield %0 : !gnn.field<V, [in], f32>
  } -> totals [#gnn.max] (!gnn.field<P, [in], f32>)
  %n = star.sweep 0 to destination cols(%x : !gnn.field<V, [in], f32>) reduce [#gnn.logsumexp] step {
  ^bb0(%u: !gnn.field<S, [in], f32>):
    %0 = gnn.neg %u : !gnn.field<S, [in], f32> loc("scores")
    star.contribute [%0] : !gnn.field<S, [in], f32>
  } end {
  ^bb0(%sum: !gnn.field<V, [in], f32>):
    star.yield %sum : !gnn.field<V, [in], f32>
  } -> rows(!gnn.field<V, [in], f32>)
  %y = star.map 0 rows(%n : !gnn.field<V, [in], f32>) whole(%m : !gnn.field<P, [in], f32>) end {
  ^bb0(%i: !gnn.field<V, [in], f32>, %l: !gnn.field<P, [in], f32>):
    %0 = gnn.mul %i, %l : (!gnn.field<V, [in], f32>, !gnn.field<P, [in], f32>) -> !gnn.field<V, [in], f32> loc("last")
    star.yield %0 : !gnn.field<V, [in], f32>
  } -> rows(!gnn.field<V, [in], f32>)
  star.return %g, %y [#gnn.result<output "g">, #gnn.result<output "y">] : !gnn.field<V, [in], f32>, !gnn.field<V, [in], f32>
}

// CHECK: star.kernel @added_map
// CHECK-SAME: inputs [#star.operand<row <V, [in], f32> [[$STORED]]>, #star.operand<row <V, [in], i32>>] outputs [#star.operand<row <V, [in], f32> [[$STORED]]>, #star.operand<row <V, [], f32>>]
// CHECK: star.kernel @swept_sweep
// CHECK-SAME: inputs [#star.operand<row <V, [], f32>>, #star.operand<col <V, [out], f32> [[$STORED]]>, #star.operand<edge <E, [], f32>>] outputs [#star.operand<row <V, [out], f32> [[$STORED]]>, #star.operand<edge <E, [out], f32> [[$STORED]]>]
// CHECK: star.kernel @result_sweep
// CHECK-SAME: inputs [#star.operand<row <V, [out], f32> [[$STORED]]>, #star.operand<edge <E, [out], f32> [[$STORED]]>] outputs [#star.operand<row <V, [out], f32>>]
// CHECK: star.kernel @before_map
// CHECK-SAME: inputs [#star.operand<row <V, [in], f32> [[$STORED]]>] outputs [#star.operand<row <V, [in], f32>>]
// CHECK: star.kernel @scores_sweep
// CHECK-SAME: inputs [#star.operand<col <V, [in], f32> [[$STORED]]>] outputs [#star.operand<row <V, [in], f32>>]
