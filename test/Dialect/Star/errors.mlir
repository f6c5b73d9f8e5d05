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
