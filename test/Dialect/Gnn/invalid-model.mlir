// What the tables of the model say of types and ends, with each message.
// RUN: gnn-opt %s --split-input-file --verify-diagnostics

module attributes {gnn.model = #gnn.model<name = "m", real = f32, vertex_types = [#gnn.vertex_type<name = "a">, #gnn.vertex_type<name = "b">],
    relations = [#gnn.relation<name = "r", source = 1, destination = 0>, #gnn.relation<name = "p", source = 0, destination = 0, pairs = true>]>} {
gnn.program @vertex_type {
  // expected-error @+1 {{is of vertex type 2, but the model has 2}}
  %0 = gnn.input "x" : !gnn.field<V(2), [], f32>
  gnn.return []
}
}

// -----

module attributes {gnn.model = #gnn.model<name = "m", real = f32, vertex_types = [#gnn.vertex_type<name = "a">, #gnn.vertex_type<name = "b">],
    relations = [#gnn.relation<name = "r", source = 1, destination = 0>, #gnn.relation<name = "p", source = 0, destination = 0, pairs = true>]>} {
gnn.program @relation {
  // expected-error @+1 {{is of relation 2, but the model has 2}}
  %0 = gnn.input "x" : !gnn.field<E(2), [], f32>
  gnn.return []
}
}

// -----

module attributes {gnn.model = #gnn.model<name = "m", real = f32, vertex_types = [#gnn.vertex_type<name = "a">, #gnn.vertex_type<name = "b">],
    relations = [#gnn.relation<name = "r", source = 1, destination = 0>, #gnn.relation<name = "p", source = 0, destination = 0, pairs = true>]>} {
gnn.program @read_end {
  %0 = gnn.input "x" : !gnn.field<V, [], f32>
  // expected-error @+1 {{is at the source of relation 0, whose vertices are of type 1, not 0}}
  %1 = gnn.read_source %0 : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  gnn.return []
}
}

// -----

module attributes {gnn.model = #gnn.model<name = "m", real = f32, vertex_types = [#gnn.vertex_type<name = "a">, #gnn.vertex_type<name = "b">],
    relations = [#gnn.relation<name = "r", source = 1, destination = 0>, #gnn.relation<name = "p", source = 0, destination = 0, pairs = true>]>} {
gnn.program @aggregate_end {
  %0 = gnn.input "x" : !gnn.field<E, [], f32>
  // expected-error @+1 {{is at the destination of relation 0, whose vertices are of type 0, not 1}}
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<E, [], f32>) -> !gnn.field<V(1), [], f32>
  gnn.return []
}
}

// -----

module attributes {gnn.model = #gnn.model<name = "m", real = f32, vertex_types = [#gnn.vertex_type<name = "a">, #gnn.vertex_type<name = "b">],
    relations = [#gnn.relation<name = "r", source = 1, destination = 0>, #gnn.relation<name = "p", source = 0, destination = 0, pairs = true>]>} {
gnn.program @softmax_end {
  %0 = gnn.input "x" : !gnn.field<E, [], f32>
  // expected-error @+1 {{is at the source of relation 0, whose vertices are of type 1, not 0}}
  %1 = gnn.softmax %0 to source of 0 : (!gnn.field<E, [], f32>) -> !gnn.field<E, [], f32>
  gnn.return []
}
}

// -----

module attributes {gnn.model = #gnn.model<name = "m", real = f32, vertex_types = [#gnn.vertex_type<name = "a">, #gnn.vertex_type<name = "b">],
    relations = [#gnn.relation<name = "r", source = 1, destination = 0>, #gnn.relation<name = "p", source = 0, destination = 0, pairs = true>]>} {
gnn.program @degree_end {
  // expected-error @+1 {{is at the destination of relation 0, whose vertices are of type 0, not 1}}
  %0 = gnn.degree in of 0 : !gnn.field<V(1), [], f32>
  gnn.return []
}
}

// -----

module attributes {gnn.model = #gnn.model<name = "m", real = f32, vertex_types = [#gnn.vertex_type<name = "a">, #gnn.vertex_type<name = "b">],
    relations = [#gnn.relation<name = "r", source = 1, destination = 0>, #gnn.relation<name = "p", source = 0, destination = 0, pairs = true>]>} {
gnn.program @degree_relation {
  // expected-error @+1 {{is of relation 2, but the model has 2}}
  %0 = gnn.degree in of 2 : !gnn.field<V, [], f32>
  gnn.return []
}
}

// -----

module attributes {gnn.model = #gnn.model<name = "m", real = f32, vertex_types = [#gnn.vertex_type<name = "a">, #gnn.vertex_type<name = "b">],
    relations = [#gnn.relation<name = "r", source = 1, destination = 0>, #gnn.relation<name = "p", source = 0, destination = 0, pairs = true>]>} {
gnn.program @count_end {
  // expected-error @+1 {{is at the source of relation 0, whose vertices are of type 1, not 0}}
  %0 = gnn.count to source of 0 : !gnn.field<V, [], f32>
  gnn.return []
}
}

// -----

module attributes {gnn.model = #gnn.model<name = "m", real = f32, vertex_types = [#gnn.vertex_type<name = "a">, #gnn.vertex_type<name = "b">],
    relations = [#gnn.relation<name = "r", source = 1, destination = 0>, #gnn.relation<name = "p", source = 0, destination = 0, pairs = true>]>} {
gnn.program @degree_pairs {
  // expected-error @+1 {{is of pairs, which are no edges of the graph}}
  %0 = gnn.degree out of 1 : !gnn.field<V, [], f32>
  gnn.return []
}
}
