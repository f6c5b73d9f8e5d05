// The rules of sweeps, maps, kernels and launches, each with its message.
// RUN: gnn-opt %s --split-input-file --verify-diagnostics

star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  // expected-error @+1 {{argument 0 of `step` is '!gnn.field<D, [], f32>', expected '!gnn.field<S, [], f32>' (rule 1)}}
  %r = star.sweep 0 to destination cols(%x : !gnn.field<V, [], f32>) reduce [#gnn.sum] step {
  ^bb0(%d: !gnn.field<D, [], f32>):
    star.contribute [%d] : !gnn.field<D, [], f32>
  } end {
  ^bb0(%sum: !gnn.field<V, [], f32>):
    star.yield %sum : !gnn.field<V, [], f32>
  } -> rows(!gnn.field<V, [], f32>)
  star.return %r [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// -----

star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %r = star.sweep 0 to destination cols(%x : !gnn.field<V, [], f32>) reduce [#gnn.sum, #gnn.sum] step {
  ^bb0(%s: !gnn.field<S, [], f32>):
    // expected-error @+1 {{gives 1 values for 2 reductions (rule 2)}}
    star.contribute [%s] : !gnn.field<S, [], f32>
  } end {
  ^bb0(%sum: !gnn.field<V, [], f32>, %other: !gnn.field<V, [], f32>):
    star.yield %sum : !gnn.field<V, [], f32>
  } -> rows(!gnn.field<V, [], f32>)
  star.return %r [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// -----

star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  // expected-error @+1 {{lacks the argument of `end` for reduction 0 (rule 1)}}
  %r = star.sweep 0 to destination cols(%x : !gnn.field<V, [], f32>) reduce [#gnn.max] step {
  ^bb0(%s: !gnn.field<S, [], f32>):
    star.contribute [%s] : !gnn.field<S, [], f32>
  } end {
  ^bb0(%max: !gnn.field<V, [], f32>):
    star.yield %max : !gnn.field<V, [], f32>
  } -> rows(!gnn.field<V, [], f32>)
  star.return %r [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// -----

star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [out], f32>
  %r = star.map 0 rows(%x : !gnn.field<V, [out], f32>) end {
  ^bb0(%a: !gnn.field<V, [out], f32>):
    // expected-error @+1 {{yields '!gnn.field<V, [out], f32>' for a result of type '!gnn.field<V, [], f32>' (rule 3)}}
    star.yield %a : !gnn.field<V, [out], f32>
  } -> rows(!gnn.field<V, [], f32>)
  star.return %r [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// -----

star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  // expected-error @+1 {{is neither a leaf, a view nor a step}}
  %y = gnn.exp %x : !gnn.field<V, [], f32>
  star.return %y [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// -----

star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  // expected-error @+1 {{names no kernel: @absent}}
  %y = star.launch @absent(%x) : (!gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  star.return %y [#gnn.result<output "y">] : !gnn.field<V, [], f32>
}

// -----

star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  // expected-error @+1 {{results are not the kernel's outputs}}
  %y = star.launch @map(%x) : (!gnn.field<V, [], f32>) -> !gnn.field<V, [], f64>
  star.return %y [#gnn.result<output "y">] : !gnn.field<V, [], f64>
}
star.kernel @map map of 0 inputs [#star.operand<row !gnn.field<V, [], f32>>] outputs [#star.operand<row !gnn.field<V, [], f32>>] reduce []
    step {
} end {
^bb0(%x: !gnn.field<V, [], f32>):
  star.yield %x : !gnn.field<V, [], f32>
}

// -----

// expected-error @+1 {{a sweep has a direction and a `step`, a map has neither}}
star.kernel @map map of 0 to source inputs [] outputs [] reduce [] step {
} end {
^bb0():
  star.yield
}

// -----

// expected-error @+1 {{expects inputs in the order row, col, edge, whole}}
star.kernel @map map of 0 inputs [#star.operand<whole !gnn.field<P, [], f32>>, #star.operand<row !gnn.field<V, [], f32>>] outputs []
    reduce [] step {
} end {
^bb0(%p: !gnn.field<P, [], f32>, %x: !gnn.field<V, [], f32>):
  star.yield
}

// -----

star.kernel @k sweep of 0 to destination inputs [#star.operand<edge <E, [2], f32>>] outputs [] reduce [#gnn.sum] step {
^bb0(%x: !gnn.field<E, [2], f32>):
  %t = gnn.edge_type : !gnn.field<E, [], i32>
  // expected-error@+1 {{'star.contribute' op has no `by` 1}}
  star.contribute [%x] by [%t] of [1] : !gnn.field<E, [2], f32>, !gnn.field<E, [], i32>
} end {
^bb0(%sum: !gnn.field<V, [3, 2], f32>):
  star.yield
}

// -----

// expected-error@+1 {{'star.kernel' op reduction 0 is '!gnn.field<V, [2], f32>' but folds '!gnn.field<E, [2], f32>' (rule 2)}}
star.kernel @k sweep of 0 to destination inputs [#star.operand<edge <E, [2], f32>>] outputs [] reduce [#gnn.sum] step {
^bb0(%x: !gnn.field<E, [2], f32>):
  %t = gnn.edge_type : !gnn.field<E, [], i32>
  star.contribute [%x] by [%t] of [0] : !gnn.field<E, [2], f32>, !gnn.field<E, [], i32>
} end {
^bb0(%sum: !gnn.field<V, [2], f32>):
  star.yield
}

// -----

// expected-error@+1 {{'star.kernel' op has 1 totals and 0 aggregators}}
star.kernel @k map of 0 inputs [#star.operand<row <V, [], f32>>] outputs [#star.operand<whole <P, [], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [], f32>):
  star.yield %x : !gnn.field<V, [], f32>
}

// -----

// expected-error@+1 {{'star.kernel' op cannot fold a total by #gnn.logsumexp}}
star.kernel @k map of 0 inputs [#star.operand<row <V, [], f32>>] outputs [#star.operand<whole <P, [], f32>>] reduce [#gnn.logsumexp] step {
} end {
^bb0(%x: !gnn.field<V, [], f32>):
  star.yield %x : !gnn.field<V, [], f32>
}

// -----

star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [a], f32>
  %w = gnn.param "w" : !gnn.field<P, [b, c], f32>
  // expected-error @+1 {{does not give '!gnn.field<V, [c], f32>' from '!gnn.field<V, [a], f32>' and '!gnn.field<P, [b, c], f32>'}}
  %y = star.matmul %x, %w : (!gnn.field<V, [a], f32>, !gnn.field<P, [b, c], f32>) -> !gnn.field<V, [c], f32>
  star.return %y [#gnn.result<output "y">] : !gnn.field<V, [c], f32>
}

// -----

star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [a], f32>
  %w = gnn.param "w" : !gnn.field<P, [a, c], f64>
  // expected-error @+1 {{multiplies with a parameter [k, n..] of the same element type}}
  %y = star.matmul %x, %w : (!gnn.field<V, [a], f32>, !gnn.field<P, [a, c], f64>) -> !gnn.field<V, [c], f32>
  star.return %y [#gnn.result<output "y">] : !gnn.field<V, [c], f32>
}

// -----

star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [a], f64>
  %w = gnn.param "w" : !gnn.field<P, [a, c], f64>
  // expected-error @+1 {{rounds operands of f32 to bf16, no others}}
  %y = star.matmul %x, %w of_bf16 : (!gnn.field<V, [a], f64>, !gnn.field<P, [a, c], f64>) -> !gnn.field<V, [c], f64>
  star.return %y [#gnn.result<output "y">] : !gnn.field<V, [c], f64>
}

// -----

star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [a], f32>
  %g = gnn.input "g" : !gnn.field<V, [b], f32>
  // expected-error @+1 {{does not give '!gnn.field<P, [b, a], f32>' from '!gnn.field<V, [a], f32>' and '!gnn.field<V, [b], f32>'}}
  %y = star.matmul_tn %x, %g : (!gnn.field<V, [a], f32>, !gnn.field<V, [b], f32>) -> !gnn.field<P, [b, a], f32>
  star.return %y [#gnn.result<gradient "y">] : !gnn.field<P, [b, a], f32>
}

// -----

star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [a], f32>
  %g = gnn.input "g" : !gnn.field<V(1), [b], f32>
  // expected-error @+1 {{multiplies fields of one vertex type and element type}}
  %y = star.matmul_tn %x, %g : (!gnn.field<V, [a], f32>, !gnn.field<V(1), [b], f32>) -> !gnn.field<P, [a, b], f32>
  star.return %y [#gnn.result<gradient "y">] : !gnn.field<P, [a, b], f32>
}

// -----


// expected-error @+1 {{`tile` is a power of two from 4 to 512}}
module attributes {star.schedule = #star.schedule<tile = 48>} {}

// -----

// expected-error@+1 {{only several bools of a vertex are stored as bits, not '!gnn.field<V, [], i1>'}}
star.kernel @k map of 0 inputs [#star.operand<row <V, [], i1> bits>] outputs [#star.operand<row <V, [], i1>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [], i1>):
  star.yield %x : !gnn.field<V, [], i1>
}

// -----

// expected-error@+1 {{only several f32 of a vertex or an edge are stored as bf16, not '!gnn.field<V, [8], f64>'}}
star.kernel @k map of 0 inputs [#star.operand<row <V, [8], f64> bf16>] outputs [#star.operand<row <V, [8], f64>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [8], f64>):
  star.yield %x : !gnn.field<V, [8], f64>
}

// -----

// expected-error@+1 {{only several f32 of a vertex or an edge are stored as f16, not '!gnn.field<V, [], f32>'}}
star.kernel @k map of 0 inputs [#star.operand<row <V, [], f32> f16>] outputs [#star.operand<row <V, [], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [], f32>):
  star.yield %x : !gnn.field<V, [], f32>
}

// -----

// expected-error@+1 {{only several f32 of a vertex or an edge are stored as bf16, not '!gnn.field<P, [8], f32>'}}
star.kernel @k map of 0 inputs [#star.operand<whole <P, [8], f32> bf16>] outputs [#star.operand<row <V, [8], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<P, [8], f32>):
  star.yield %x : !gnn.field<P, [8], f32>
}

// -----

star.kernel @k map of 0 inputs [#star.operand<row <V, [8], f32> bf16>] outputs [#star.operand<row <V, [8], f32>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [8], f32>):
  star.yield %x : !gnn.field<V, [8], f32>
}
star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [8], f32>
  // expected-error@+1 {{operand 0 is stored as elements, which is not how the kernel reads it}}
  %y = star.launch @k(%x) : (!gnn.field<V, [8], f32>) -> !gnn.field<V, [8], f32>
  star.return %y [#gnn.result<output "y">] : !gnn.field<V, [8], f32>
}

// -----

star.kernel @k map of 0 inputs [#star.operand<row <V, [8], i1> bits>] outputs [#star.operand<row <V, [8], i1>>] reduce [] step {
} end {
^bb0(%x: !gnn.field<V, [8], i1>):
  star.yield %x : !gnn.field<V, [8], i1>
}
star.program @infer {
  %x = gnn.input "x" : !gnn.field<V, [8], i1>
  // expected-error@+1 {{'star.launch' op operand 0 is stored as elements, which is not how the kernel reads it}}
  %y = star.launch @k(%x) : (!gnn.field<V, [8], i1>) -> !gnn.field<V, [8], i1>
  star.return %y [#gnn.result<output "y">] : !gnn.field<V, [8], i1>
}

// -----

// expected-error@+1 {{'star.kernel' op has 2 results and 1 totals, expected totals alone (rule 5)}}
star.kernel @k sweep of 0 to destination inputs [#star.operand<edge <E, [2], f32>>]
    outputs [#star.operand<whole <P, [3, 2], f32>>, #star.operand<whole <P, [3, 2], f32>>] reduce [#gnn.sum] step {
^bb0(%x: !gnn.field<E, [2], f32>):
  %t = gnn.edge_type : !gnn.field<E, [], i32>
  star.contribute [%x] by [%t] of [0] : !gnn.field<E, [2], f32>, !gnn.field<E, [], i32>
} end {
^bb0:
  star.yield
}

// -----

// expected-error@+1 {{'star.kernel' op result 0 is '!gnn.field<P, [3, 2], f32>', which is no total of '!gnn.field<E, [2], f32>' by an integer (rule 5)}}
star.kernel @k sweep of 0 to destination inputs [#star.operand<edge <E, [2], f32>>]
    outputs [#star.operand<whole <P, [3, 2], f32>>] reduce [#gnn.sum] step {
^bb0(%x: !gnn.field<E, [2], f32>):
  star.contribute [%x] : !gnn.field<E, [2], f32>
} end {
^bb0:
  star.yield
}
