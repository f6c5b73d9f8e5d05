// RUN: gnn-opt %s --split-input-file --verify-diagnostics

gnn.program @vertex_with_edge {
  %0 = gnn.input "x" : !gnn.field<V, [], f32>
  %1 = gnn.input "w" : !gnn.field<E, [], f32>
  // expected-error @+2 {{mixes a vertex field with an edge field; a vertex field must be read at an end of the edges first}}
  // expected-error @+1 {{failed to infer returned types}}
  %2 = gnn.add %0, %1 : (!gnn.field<V, [], f32>, !gnn.field<E, [], f32>) -> !gnn.field<E, [], f32>
  gnn.return []
}

// -----

gnn.program @two_relations {
  %0 = gnn.input "x" : !gnn.field<E(1), [], f32>
  %1 = gnn.input "w" : !gnn.field<E, [], f32>
  // expected-error @+2 {{mixes fields of two relations}}
  // expected-error @+1 {{failed to infer returned types}}
  %2 = gnn.add %0, %1 : (!gnn.field<E(1), [], f32>, !gnn.field<E, [], f32>) -> !gnn.field<E, [], f32>
  gnn.return []
}

// -----

gnn.program @source_and_destination {
  %0 = gnn.input "x" : !gnn.field<S, [], f32>
  %1 = gnn.input "w" : !gnn.field<D, [], f32>
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{inferred type(s) '!gnn.field<E, [], f32>' are incompatible with return type(s) of operation '!gnn.field<S, [], f32>'}}
  %2 = gnn.add %0, %1 : (!gnn.field<S, [], f32>, !gnn.field<D, [], f32>) -> !gnn.field<S, [], f32>
  gnn.return []
}

// -----

// expected-error @+1 {{dimension 'b * a' should be written 'a * b'}}
gnn.program @dimension { %0 = gnn.input "x" : !gnn.field<V, ["b * a"], f32> }

// -----

// expected-error @+1 {{elements are f32, f64, i32, i64 or i1, not 'f16'}}
gnn.program @element { %0 = gnn.input "x" : !gnn.field<V, [], f16> }

// -----

gnn.program @no_return {
  // expected-error @+1 {{block with no terminator}}
  %0 = gnn.input "x" : !gnn.field<V, [], f32>
}

// -----

gnn.program @probability {
  // expected-error @+1 {{has a probability outside [0, 1)}}
  %0 = gnn.dropout_mask site 1 probability 1.0 : !gnn.field<V, [], f32>
  gnn.return []
}

// -----

gnn.program @broadcast {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{has operand dimension "a" at result dimension "b"}}
  %1 = gnn.broadcast %0 dims [1] : !gnn.field<V, [a], f32> -> !gnn.field<V, [a, b], f32>
  gnn.return []
}

// -----

gnn.program @reshape {
  %0 = gnn.input "x" : !gnn.field<V, [a, b], f32>
  // expected-error @+1 {{must keep element type and number of elements: a * b is not a}}
  %1 = gnn.reshape %0 : !gnn.field<V, [a, b], f32> -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @matmul {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  %1 = gnn.param "w" : !gnn.field<P, [b, a], f32>
  // expected-error @+2 {{last dimensions of the first operand differ from those of the parameter}}
  // expected-error @+1 {{failed to infer returned types}}
  %2 = gnn.matmul %0, %1 : (!gnn.field<V, [a], f32>, !gnn.field<P, [b, a], f32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @arg {
  %0 = gnn.input "x" : !gnn.field<E, [], f32>
  // expected-error @+1 {{has no arg though its aggregator tracks one}}
  %1 = gnn.aggregate #gnn.max %0 to source : (!gnn.field<E, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return []
}

// -----

gnn.program @filter {
  %0 = gnn.input "x" : !gnn.field<E, [a], f32>
  %1 = gnn.input "f" : !gnn.field<E, [a], i1>
  // expected-error @+1 {{needs a filter with one bool for each edge of the same relation}}
  %2 = gnn.aggregate #gnn.sum %0 filter %1 to source : (!gnn.field<E, [a], f32>, !gnn.field<E, [a], i1>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

module attributes {gnn.model = #gnn.model<name = "m", real = f32,
    vertex_types = [#gnn.vertex_type<name = "vertices">, #gnn.vertex_type<name = "x", rows = "in">],
    relations = [#gnn.relation<name = "edges", source = 0, destination = 0>, #gnn.relation<name = "x", source = 1, destination = 0>]>} {
gnn.program @ends {
  %0 = gnn.input "x" : !gnn.field<V, [], f32>
  // expected-error @+1 {{is at the source of relation 1, whose vertices are of type 1, not 0}}
  %1 = gnn.read_source %0 : !gnn.field<V, [], f32> -> !gnn.field<S(1), [], f32>
  gnn.return []
}
}

// -----

gnn.program @fold_by {
  %0 = gnn.input "x" : !gnn.field<E, [a], f32>
  %1 = gnn.edge_type : !gnn.field<E, [], i32>
  // expected-error @+1 {{should have a vertex field of the operand's shape and element type as result, with a new first dimension}}
  %2 = gnn.aggregate #gnn.sum %0 by %1 to source : (!gnn.field<E, [a], f32>, !gnn.field<E, [], i32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @total {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{folds by #gnn.sum, #gnn.max or #gnn.min}}
  %1 = gnn.total #gnn.prod %0 : (!gnn.field<V, [a], f32>) -> !gnn.field<P, [a], f32>
  gnn.return []
}

// -----

gnn.program @ones {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{folds ones by #gnn.sum}}
  %1 = gnn.total #gnn.max ones %0 : (!gnn.field<V, [a], f32>) -> !gnn.field<P, [], f32>
  gnn.return []
}

// -----

gnn.program @index {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  %1 = gnn.edge_type : !gnn.field<E, [], i32>
  // expected-error @+2 {{mixes a vertex field with an edge field}}
  // expected-error @+1 {{failed to infer returned types}}
  %2 = gnn.index %0, %1 : (!gnn.field<V, [a], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [], f32>
  gnn.return []
}

// -----

gnn.program @typed_matmul {
  %0 = gnn.input "x" : !gnn.field<E, [a], f32>
  %1 = gnn.edge_type : !gnn.field<E, [], i32>
  %2 = gnn.param "w" : !gnn.field<P, [n, b, a], f32>
  // expected-error @+2 {{last dimensions of the first operand differ from those of the parameter}}
  // expected-error @+1 {{failed to infer returned types}}
  %3 = gnn.typed_matmul %0, %2, %1 : (!gnn.field<E, [a], f32>, !gnn.field<P, [n, b, a], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [a], f32>
  gnn.return []
}

// -----

gnn.program @transpose {
  %0 = gnn.param "w" : !gnn.field<P, [a, b], f32>
  // expected-error @+1 {{needs each of 2 operand dimensions once}}
  %1 = gnn.transpose %0 permutation [0, 0] : !gnn.field<P, [a, b], f32> -> !gnn.field<P, [a, a], f32>
  gnn.return []
}

// -----

gnn.program @edge_type {
  // expected-error @+1 {{is one i32 for each edge (E)}}
  %0 = gnn.edge_type : !gnn.field<S, [], i32>
  gnn.return []
}

// -----

// expected-error @+1 {{attribute 'gnn.unknown' is not known to the gnn dialect}}
module attributes {gnn.unknown = 1} {}
