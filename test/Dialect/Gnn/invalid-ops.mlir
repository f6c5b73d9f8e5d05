// Each rule of the verifier of an op, with its message.
// RUN: gnn-opt %s --split-input-file --verify-diagnostics

gnn.program @constant {
  // expected-error @+1 {{has a number of type 'f64' for a '!gnn.field<P, [], f32>'}}
  %0 = gnn.constant 1.0 : f64 -> !gnn.field<P, [], f32>
  gnn.return []
}

// -----

gnn.program @degree_rank {
  // expected-error @+1 {{is one number for each vertex, or one for each type of edges}}
  %0 = gnn.degree in of 0 : !gnn.field<V, [a, b], f32>
  gnn.return []
}

// -----

gnn.program @count_rank {
  // expected-error @+1 {{is one number for each vertex, or one for each type of edges}}
  %0 = gnn.count to source of 0 : !gnn.field<V, [a, b], f32>
  gnn.return []
}

// -----

gnn.program @mask_of_parameters {
  // expected-error @+1 {{is drawn for each vertex (V) or each edge (E)}}
  %0 = gnn.dropout_mask site 1 probability 0.5 : !gnn.field<P, [], f32>
  gnn.return []
}

// -----

gnn.program @cast_shape {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{changes more than the element type}}
  %1 = gnn.cast %0 : !gnn.field<V, [a], f32> -> !gnn.field<V, [b], f64>
  gnn.return []
}

// -----

gnn.program @broadcast_kind {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{has operand '!gnn.field<V, [a], f32>' and result '!gnn.field<E, [a], f32>', which are not of one graph kind}}
  %1 = gnn.broadcast %0 dims [0] : !gnn.field<V, [a], f32> -> !gnn.field<E, [a], f32>
  gnn.return []
}

// -----

gnn.program @broadcast_count {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{needs one position for each of 1 operand dimensions}}
  %1 = gnn.broadcast %0 dims [] : !gnn.field<V, [a], f32> -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @broadcast_order {
  %0 = gnn.input "x" : !gnn.field<V, [a, b], f32>
  // expected-error @+1 {{has positions that do not increase within the result's rank}}
  %1 = gnn.broadcast %0 dims [1, 0] : !gnn.field<V, [a, b], f32> -> !gnn.field<V, [b, a], f32>
  gnn.return []
}

// -----

gnn.program @broadcast_element {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{changes the element type}}
  %1 = gnn.broadcast %0 dims [0] : !gnn.field<V, [a], f32> -> !gnn.field<V, [a], f64>
  gnn.return []
}

// -----

gnn.program @one_hot_kind {
  %0 = gnn.input "x" : !gnn.field<V, [], i32>
  // expected-error @+1 {{which are not of one graph kind}}
  %1 = gnn.one_hot %0 dim 0 : !gnn.field<V, [], i32> -> !gnn.field<E, [a], f32>
  gnn.return []
}

// -----

gnn.program @one_hot_dim {
  %0 = gnn.input "x" : !gnn.field<V, [], i32>
  // expected-error @+1 {{must add dimension 1 to the shape of its operand}}
  %1 = gnn.one_hot %0 dim 1 : !gnn.field<V, [], i32> -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @reshape_kind {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{which are not of one graph kind}}
  %1 = gnn.reshape %0 : !gnn.field<V, [a], f32> -> !gnn.field<V(1), [a], f32>
  gnn.return []
}

// -----

gnn.program @concat_nothing {
  // expected-error @+1 {{needs operands}}
  %0 = gnn.concat dim 0 : () -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @concat_dim {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{has no dimension 1}}
  %1 = gnn.concat %0 dim 1 : (!gnn.field<V, [a], f32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @concat_shapes {
  %0 = gnn.input "x" : !gnn.field<V, [a, b], f32>
  %1 = gnn.input "x" : !gnn.field<V, [a, c], f32>
  // expected-error @+1 {{has operands that differ in more than dimension 0}}
  %2 = gnn.concat %0, %1 dim 0 : (!gnn.field<V, [a, b], f32>, !gnn.field<V, [a, c], f32>) -> !gnn.field<V, ["2 * a", b], f32>
  gnn.return []
}

// -----

gnn.program @concat_result {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{should have the result type '!gnn.field<V, ["2 * a"], f32>'}}
  %1 = gnn.concat %0, %0 dim 0 : (!gnn.field<V, [a], f32>, !gnn.field<V, [a], f32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @pad_dims {
  %0 = gnn.input "x" : !gnn.field<V, [a, b], f32>
  // expected-error @+1 {{must change dimension 0 only}}
  %1 = gnn.pad %0 dim 0 at "0" : !gnn.field<V, [a, b], f32> -> !gnn.field<V, [c, d], f32>
  gnn.return []
}

// -----

gnn.program @pad_offset {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{has an offset that is not a dimension}}
  %1 = gnn.pad %0 dim 0 at "a +" : !gnn.field<V, [a], f32> -> !gnn.field<V, [c], f32>
  gnn.return []
}

// -----

gnn.program @slice_kind {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{which are not of one graph kind}}
  %1 = gnn.slice %0 dim 0 at "0" : !gnn.field<V, [a], f32> -> !gnn.field<V(1), [b], f32>
  gnn.return []
}

// -----

gnn.program @transpose_result {
  %0 = gnn.param "w" : !gnn.field<P, [a, b], f32>
  // expected-error @+1 {{should have the result type '!gnn.field<P, [b, a], f32>'}}
  %1 = gnn.transpose %0 permutation [1, 0] : !gnn.field<P, [a, b], f32> -> !gnn.field<P, [a, b], f32>
  gnn.return []
}

// -----

gnn.program @reduce_dim {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+2 {{has no dimension 1 to reduce}}
  // expected-error @+1 {{failed to infer returned types}}
  %1 = gnn.reduce #gnn.sum %0 dim 1 : (!gnn.field<V, [a], f32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @shapes {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  %1 = gnn.input "x" : !gnn.field<V, [b], f32>
  // expected-error @+2 {{operands differ in shape}}
  // expected-error @+1 {{failed to infer returned types}}
  %2 = gnn.add %0, %1 : (!gnn.field<V, [a], f32>, !gnn.field<V, [b], f32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @elements {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  %1 = gnn.input "x" : !gnn.field<V, [a], f64>
  // expected-error @+2 {{operands differ in element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %2 = gnn.add %0, %1 : (!gnn.field<V, [a], f32>, !gnn.field<V, [a], f64>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @vertex_types {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  %1 = gnn.input "x" : !gnn.field<V(1), [a], f32>
  // expected-error @+2 {{mixes fields of two vertex types}}
  // expected-error @+1 {{failed to infer returned types}}
  %2 = gnn.add %0, %1 : (!gnn.field<V, [a], f32>, !gnn.field<V(1), [a], f32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @matmul_number {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  %1 = gnn.param "w" : !gnn.field<P, [], f32>
  // expected-error @+2 {{needs a parameter with a dimension}}
  // expected-error @+1 {{failed to infer returned types}}
  %2 = gnn.matmul %0, %1 : (!gnn.field<V, [a], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @matmul_element {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  %1 = gnn.param "w" : !gnn.field<P, [a], f64>
  // expected-error @+2 {{operands differ in element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %2 = gnn.matmul %0, %1 : (!gnn.field<V, [a], f32>, !gnn.field<P, [a], f64>) -> !gnn.field<V, [], f32>
  gnn.return []
}

// -----

gnn.program @typed_element {
  %0 = gnn.input "x" : !gnn.field<E, [a], f32>
  %1 = gnn.edge_type : !gnn.field<E, [], i32>
  %2 = gnn.param "w" : !gnn.field<P, [n, a], f64>
  // expected-error @+2 {{operands differ in element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %3 = gnn.typed_matmul %0, %2, %1 : (!gnn.field<E, [a], f32>, !gnn.field<P, [n, a], f64>, !gnn.field<E, [], i32>) -> !gnn.field<E, [], f32>
  gnn.return []
}

// -----

gnn.program @typed_rank {
  %0 = gnn.input "x" : !gnn.field<E, [a], f32>
  %1 = gnn.edge_type : !gnn.field<E, [], i32>
  %2 = gnn.param "w" : !gnn.field<P, [], f32>
  // expected-error @+2 {{needs a parameter with a dimension and an index without}}
  // expected-error @+1 {{failed to infer returned types}}
  %3 = gnn.typed_matmul %0, %2, %1 : (!gnn.field<E, [a], f32>, !gnn.field<P, [], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [], f32>
  gnn.return []
}

// -----

gnn.program @index_rank {
  %0 = gnn.input "x" : !gnn.field<E, [], f32>
  %1 = gnn.edge_type : !gnn.field<E, [], i32>
  // expected-error @+2 {{needs a table with a dimension and an index without}}
  // expected-error @+1 {{failed to infer returned types}}
  %2 = gnn.index %0, %1 : (!gnn.field<E, [], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [], f32>
  gnn.return []
}

// -----

gnn.program @outer_edges {
  %0 = gnn.input "x" : !gnn.field<E, [a], f32>
  // expected-error @+1 {{multiplies vertex fields or parameters}}
  %1 = gnn.matmul_tn %0, %0 : (!gnn.field<E, [a], f32>, !gnn.field<E, [a], f32>) -> !gnn.field<P, [a, a], f32>
  gnn.return []
}

// -----

gnn.program @outer_shapes {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  %1 = gnn.input "x" : !gnn.field<V, [b], f32>
  // expected-error @+1 {{has shapes other than [a.., k], [a.., b..] -> [k, b..]}}
  %2 = gnn.matmul_tn %0, %1 : (!gnn.field<V, [a], f32>, !gnn.field<V, [b], f32>) -> !gnn.field<P, [b, a], f32>
  gnn.return []
}

// -----

gnn.program @outer_element {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{has different element types}}
  %1 = gnn.matmul_tn %0, %0 : (!gnn.field<V, [a], f32>, !gnn.field<V, [a], f32>) -> !gnn.field<P, [a, a], f64>
  gnn.return []
}

// -----

gnn.program @table {
  %0 = gnn.param "w" : !gnn.field<P, [n, a], f32>
  // expected-error @+1 {{turns a parameter [n, rest..] into vertices [rest..], or back}}
  %1 = gnn.table_rows %0 : !gnn.field<P, [n, a], f32> -> !gnn.field<V(1), [n], f32>
  gnn.return []
}

// -----

gnn.program @read {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{should have a result of kind S with the operand's shape}}
  %1 = gnn.read_source %0 : !gnn.field<V, [a], f32> -> !gnn.field<D, [a], f32>
  gnn.return []
}

// -----

gnn.program @sweeps_only {
  %0 = gnn.input "x" : !gnn.field<E, [a], f32>
  // expected-error @+1 {{has an aggregator that only sweeps know}}
  %1 = gnn.aggregate #star.softmax_sum<0, [0]> %0 to source : (!gnn.field<E, [a], f32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @by_shape {
  %0 = gnn.input "x" : !gnn.field<E, [a], f32>
  %1 = gnn.input "x" : !gnn.field<E, [a], i32>
  // expected-error @+1 {{needs one integer for each edge of the same relation to fold by}}
  %2 = gnn.aggregate #gnn.sum %0 by %1 to source : (!gnn.field<E, [a], f32>, !gnn.field<E, [a], i32>) -> !gnn.field<V, [n, a], f32>
  gnn.return []
}

// -----

gnn.program @by_number {
  %0 = gnn.input "x" : !gnn.field<E, [], f32>
  %1 = gnn.input "x" : !gnn.field<E, [], i32>
  // expected-error @+1 {{needs a first dimension of the result for what it folds by}}
  %2 = gnn.aggregate #gnn.sum %0 by %1 to source : (!gnn.field<E, [], f32>, !gnn.field<E, [], i32>) -> !gnn.field<V, [], f32>
  gnn.return []
}

// -----

gnn.program @arg_of_sum {
  %0 = gnn.input "x" : !gnn.field<E, [], f32>
  // expected-error @+1 {{has an arg that its aggregator does not track}}
  %1:2 = gnn.aggregate #gnn.sum %0 to source : (!gnn.field<E, [], f32>) -> (!gnn.field<V, [], f32>, !gnn.field<V, [], i64>)
  gnn.return []
}

// -----

gnn.program @arg_element {
  %0 = gnn.input "x" : !gnn.field<E, [], f32>
  // expected-error @+1 {{should have an arg of i64 in the shape of the result}}
  %1:2 = gnn.aggregate #gnn.max %0 to source : (!gnn.field<E, [], f32>) -> (!gnn.field<V, [], f32>, !gnn.field<V, [], i32>)
  gnn.return []
}

// -----

gnn.program @softmax_result {
  %0 = gnn.input "x" : !gnn.field<E, [a], f32>
  // expected-error @+1 {{turns a real edge field into an E field of the same shape}}
  %1 = gnn.softmax %0 to source of 0 : (!gnn.field<E, [a], f32>) -> !gnn.field<S, [a], f32>
  gnn.return []
}

// -----

gnn.program @no_normaliser {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  %1 = gnn.input "x" : !gnn.field<E, [a], f32>
  // expected-error @+1 {{should have the result of a plain `gnn.aggregate #gnn.logsumexp` as normaliser}}
  %2 = gnn.softmax_sum %1 over %0 dims [0] : (!gnn.field<E, [a], f32>, !gnn.field<V, [a], f32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @other_edges {
  %0 = gnn.input "x" : !gnn.field<E, [a], f32>
  %1 = gnn.aggregate #gnn.logsumexp %0 to source : (!gnn.field<E, [a], f32>) -> !gnn.field<V, [a], f32>
  %2 = gnn.input "x" : !gnn.field<E(1), [a], f32>
  // expected-error @+1 {{should sum a field of the edges that its normaliser is folded from}}
  %3 = gnn.softmax_sum %2 over %1 dims [0] : (!gnn.field<E(1), [a], f32>, !gnn.field<V, [a], f32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @sum_result {
  %0 = gnn.input "x" : !gnn.field<E, [a], f32>
  %1 = gnn.aggregate #gnn.logsumexp %0 to source : (!gnn.field<E, [a], f32>) -> !gnn.field<V, [a], f32>
  // expected-error @+1 {{should have a vertex field of the operand's shape and element type as result}}
  %2 = gnn.softmax_sum %0 over %1 dims [0] : (!gnn.field<E, [a], f32>, !gnn.field<V, [a], f32>) -> !gnn.field<V, [b], f32>
  gnn.return []
}

// -----

gnn.program @sum_dims {
  %0 = gnn.input "x" : !gnn.field<E, [a], f32>
  %1 = gnn.aggregate #gnn.logsumexp %0 to source : (!gnn.field<E, [a], f32>) -> !gnn.field<V, [a], f32>
  // expected-error @+1 {{should say for each dimension of the normaliser which of the operand it is}}
  %2 = gnn.softmax_sum %0 over %1 dims [] : (!gnn.field<E, [a], f32>, !gnn.field<V, [a], f32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @sum_dim {
  %0 = gnn.input "x" : !gnn.field<E, [a], f32>
  %1 = gnn.aggregate #gnn.logsumexp %0 to source : (!gnn.field<E, [a], f32>) -> !gnn.field<V, [a], f32>
  // expected-error @+1 {{dimension 0 of the normaliser is not dimension 1 of the operand}}
  %2 = gnn.softmax_sum %0 over %1 dims [1] : (!gnn.field<E, [a], f32>, !gnn.field<V, [a], f32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @logits {
  %0 = gnn.input "x" : !gnn.field<V, [], f32>
  %1 = gnn.input "x" : !gnn.field<V, [], i32>
  // expected-error @+1 {{takes logits [classes] and one class for each vertex}}
  %2 = gnn.cross_entropy %0, %1 : (!gnn.field<V, [], f32>, !gnn.field<V, [], i32>) -> !gnn.field<V, [], f32>
  gnn.return []
}

// -----

gnn.program @loss_shape {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  %1 = gnn.input "x" : !gnn.field<V, [b], f32>
  // expected-error @+1 {{takes a target of the shape and element type of the prediction}}
  %2 = gnn.mean_squared_error %0, %1 : (!gnn.field<V, [a], f32>, !gnn.field<V, [b], f32>) -> !gnn.field<V, [], f32>
  gnn.return []
}

// -----

gnn.program @loss_result {
  %0 = gnn.input "x" : !gnn.field<V, [a], f32>
  // expected-error @+1 {{should give one number for each vertex, '!gnn.field<V, [], f32>'}}
  %1 = gnn.binary_cross_entropy %0, %0 : (!gnn.field<V, [a], f32>, !gnn.field<V, [a], f32>) -> !gnn.field<V, [a], f32>
  gnn.return []
}

// -----

gnn.program @roles {
  %0 = gnn.input "x" : !gnn.field<V, [], f32>
  // expected-error @+1 {{has 1 results but 0 roles}}
  gnn.return %0 [] : !gnn.field<V, [], f32>
}
