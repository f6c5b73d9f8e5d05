// RUN: gnn-opt %s | gnn-opt | FileCheck %s
// RUN: gnn-opt %s --mlir-print-op-generic | gnn-opt | FileCheck %s

// Every op prints what it parses.

// CHECK: module attributes {gnn.model = #gnn.model<name = "tiny", real = f32,
// CHECK-SAME: dimensions = [#gnn.dimension<name = "in", fixed = 4>, #gnn.dimension<name = "out", fallback = 2, doc = "width \22a\22">]
// CHECK-SAME: vertex_types = [#gnn.vertex_type<name = "vertices">, #gnn.vertex_type<name = "x", rows = "in">]
// CHECK-SAME: relations = [#gnn.relation<name = "edges", source = 0, destination = 0, self_loops = true>, #gnn.relation<name = "x", source = 1, destination = 0, sparse_input = true>]
// CHECK-SAME: params = [#gnn.parameter<name = "w", type = <P, [in, out], f32>, init = uniform, init_arg = 1.000000e-01 : f64, fan_in = "in", fan_out = "out">]
// CHECK-SAME: inputs = [#gnn.input<name = "x", type = <E(1), [], f32>, sparse = true, row_normalized = true>]
// CHECK-SAME: outputs = [#gnn.output<name = "y", type = <V, [out], f32>>]
// CHECK-SAME: training = <loss = "cross_entropy", loss_output = 0, optimizer = "adam", learning_rate = 1.000000e-02 : f64, weight_decay = 0.000000e+00 : f64, decayed_layers = ["w"], epochs = 200>
module attributes {gnn.model = #gnn.model<name = "tiny", real = f32,
    dimensions = [#gnn.dimension<name = "in", fixed = 4>, #gnn.dimension<name = "out", fallback = 2, doc = "width \22a\22">],
    vertex_types = [#gnn.vertex_type<name = "vertices">, #gnn.vertex_type<name = "x", rows = "in">],
    relations = [#gnn.relation<name = "edges", source = 0, destination = 0, self_loops = true>,
                 #gnn.relation<name = "x", source = 1, destination = 0, sparse_input = true>],
    params = [#gnn.parameter<name = "w", type = !gnn.field<P, [in, out], f32>, init = uniform, init_arg = 0.1 : f64, fan_in = "in", fan_out = "out">],
    inputs = [#gnn.input<name = "x", type = !gnn.field<E(1), [], f32>, sparse = true, row_normalized = true>],
    outputs = [#gnn.output<name = "y", type = !gnn.field<V, [out], f32>>],
    training = #gnn.training<loss = "cross_entropy", loss_output = 0, optimizer = "adam", learning_rate = 0.01 : f64,
                             weight_decay = 0.0 : f64, decayed_layers = ["w"], epochs = 200>>} {

// CHECK-LABEL: gnn.program @leaves
gnn.program @leaves {
  // CHECK: gnn.input "x" : !gnn.field<E(1), [], f32>
  %0 = gnn.input "x" : !gnn.field<E(1), [], f32>
  // CHECK: gnn.target "label" : !gnn.field<V, [], i32>
  %1 = gnn.target "label" : !gnn.field<V, [], i32>
  // CHECK: gnn.param "w" : !gnn.field<P, [in, out], f32>
  %2 = gnn.param "w" : !gnn.field<P, [in, out], f32>
  // CHECK: gnn.state "m" : !gnn.field<P, ["2 * heads + 1", 7], f64>
  %3 = gnn.state "m" : !gnn.field<P, ["2 * heads + 1", 7], f64>
  // CHECK: gnn.loss_mask : !gnn.field<V, [], f32>
  %4 = gnn.loss_mask : !gnn.field<V, [], f32>
  // CHECK: gnn.loss_scale : !gnn.field<P, [], f32>
  %5 = gnn.loss_scale : !gnn.field<P, [], f32>
  // CHECK: gnn.edge_id : !gnn.field<E, [], i64>
  %6 = gnn.edge_id : !gnn.field<E, [], i64>
  // CHECK: gnn.degree out of 1 : !gnn.field<V(1), [], f32>
  %7 = gnn.degree out of 1 : !gnn.field<V(1), [], f32>
  // CHECK: gnn.constant 1.500000e+00 : f32 -> !gnn.field<V, [out], f32>
  %8 = gnn.constant 1.5 : f32 -> !gnn.field<V, [out], f32>
  // CHECK: gnn.extent "heads * out" : !gnn.field<P, [], f32>
  %9 = gnn.extent "heads * out" : !gnn.field<P, [], f32>
  // CHECK: gnn.dropout_mask site 1 probability 5.000000e-01 : !gnn.field<V, [out], f32>
  %10 = gnn.dropout_mask site 1 probability 0.5 : !gnn.field<V, [out], f32>
  // CHECK: gnn.dropout_mask site 2 probability 5.000000e-01 sparse : !gnn.field<E(1), [], f32>
  %11 = gnn.dropout_mask site 2 probability 0.5 sparse : !gnn.field<E(1), [], f32>
  // CHECK: gnn.return %{{.*}}, %{{.*}} [#gnn.result<output "y">, #gnn.result<gradient "w">] : !gnn.field<V, [out], f32>, !gnn.field<P, [in, out], f32>
  gnn.return %8, %2 [#gnn.result<output "y">, #gnn.result<gradient "w">] : !gnn.field<V, [out], f32>, !gnn.field<P, [in, out], f32>
}

// CHECK-LABEL: gnn.program @elementwise
gnn.program @elementwise {
  %s = gnn.input "s" : !gnn.field<S, [out], f32>
  %p = gnn.param "p" : !gnn.field<P, [out], f32>
  %d = gnn.input "d" : !gnn.field<D, [out], f32>
  // CHECK: gnn.neg %{{.*}} : !gnn.field<S, [out], f32>
  %0 = gnn.neg %s : !gnn.field<S, [out], f32>
  %1 = gnn.exp %s : !gnn.field<S, [out], f32>
  %2 = gnn.log %s : !gnn.field<S, [out], f32>
  %3 = gnn.sqrt %s : !gnn.field<S, [out], f32>
  %4 = gnn.rsqrt %s : !gnn.field<S, [out], f32>
  %5 = gnn.sigmoid %s : !gnn.field<S, [out], f32>
  %6 = gnn.tanh %s : !gnn.field<S, [out], f32>
  %7 = gnn.abs %s : !gnn.field<S, [out], f32>
  // CHECK: gnn.erf %{{.*}} : !gnn.field<S, [out], f32>
  %e = gnn.erf %s : !gnn.field<S, [out], f32>
  // CHECK: gnn.add %{{.*}}, %{{.*}} : (!gnn.field<S, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<S, [out], f32>
  %8 = gnn.add %s, %p : (!gnn.field<S, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<S, [out], f32>
  // CHECK: gnn.sub %{{.*}}, %{{.*}} : (!gnn.field<S, [out], f32>, !gnn.field<D, [out], f32>) -> !gnn.field<E, [out], f32>
  %9 = gnn.sub %s, %d : (!gnn.field<S, [out], f32>, !gnn.field<D, [out], f32>) -> !gnn.field<E, [out], f32>
  // CHECK: gnn.compare gt %{{.*}}, %{{.*}} : (!gnn.field<S, [out], f32>, !gnn.field<D, [out], f32>) -> !gnn.field<E, [out], i1>
  %10 = gnn.compare gt %s, %d : (!gnn.field<S, [out], f32>, !gnn.field<D, [out], f32>) -> !gnn.field<E, [out], i1>
  // CHECK: gnn.select %{{.*}}, %{{.*}}, %{{.*}} : (!gnn.field<E, [out], i1>, !gnn.field<S, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<E, [out], f32>
  %11 = gnn.select %10, %s, %p : (!gnn.field<E, [out], i1>, !gnn.field<S, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<E, [out], f32>
  // CHECK: gnn.cast %{{.*}} : !gnn.field<E, [out], i1> -> !gnn.field<E, [out], i64>
  %12 = gnn.cast %10 : !gnn.field<E, [out], i1> -> !gnn.field<E, [out], i64>
  %13 = gnn.not %10 : !gnn.field<E, [out], i1>
  %14 = gnn.and %10, %13 : (!gnn.field<E, [out], i1>, !gnn.field<E, [out], i1>) -> !gnn.field<E, [out], i1>
  gnn.return []
}

// CHECK-LABEL: gnn.program @shapes
gnn.program @shapes {
  %0 = gnn.input "x" : !gnn.field<V, [heads], f32>
  // CHECK: gnn.broadcast %{{.*}} dims [0] : !gnn.field<V, [heads], f32> -> !gnn.field<V, [heads, out], f32>
  %1 = gnn.broadcast %0 dims [0] : !gnn.field<V, [heads], f32> -> !gnn.field<V, [heads, out], f32>
  // CHECK: gnn.reduce #gnn.logsumexp %{{.*}} dim 1 : (!gnn.field<V, [heads, out], f32>) -> !gnn.field<V, [heads], f32>
  %2 = gnn.reduce #gnn.logsumexp %1 dim 1 : (!gnn.field<V, [heads, out], f32>) -> !gnn.field<V, [heads], f32>
  // CHECK: gnn.arg_reduce min %{{.*}} dim 0 : (!gnn.field<V, [heads, out], f32>) -> !gnn.field<V, [out], i64>
  %3 = gnn.arg_reduce min %1 dim 0 : (!gnn.field<V, [heads, out], f32>) -> !gnn.field<V, [out], i64>
  // CHECK: gnn.one_hot %{{.*}} dim 0 : !gnn.field<V, [out], i64> -> !gnn.field<V, [heads, out], f32>
  %4 = gnn.one_hot %3 dim 0 : !gnn.field<V, [out], i64> -> !gnn.field<V, [heads, out], f32>
  // CHECK: gnn.reshape %{{.*}} : !gnn.field<V, [heads, out], f32> -> !gnn.field<V, ["heads * out"], f32>
  %5 = gnn.reshape %1 : !gnn.field<V, [heads, out], f32> -> !gnn.field<V, ["heads * out"], f32>
  // CHECK: gnn.concat %{{.*}}, %{{.*}} dim 0 : (!gnn.field<V, [heads], f32>, !gnn.field<V, ["heads * out"], f32>) -> !gnn.field<V, ["heads + heads * out"], f32>
  %6 = gnn.concat %0, %5 dim 0 : (!gnn.field<V, [heads], f32>, !gnn.field<V, ["heads * out"], f32>) -> !gnn.field<V, ["heads + heads * out"], f32>
  // CHECK: gnn.slice %{{.*}} dim 0 at "heads" : !gnn.field<V, ["heads + heads * out"], f32> -> !gnn.field<V, ["heads * out"], f32>
  %7 = gnn.slice %6 dim 0 at "heads" : !gnn.field<V, ["heads + heads * out"], f32> -> !gnn.field<V, ["heads * out"], f32>
  // CHECK: gnn.pad %{{.*}} dim 0 at "0" : !gnn.field<V, [heads], f32> -> !gnn.field<V, [16], f32>
  %8 = gnn.pad %0 dim 0 at "0" : !gnn.field<V, [heads], f32> -> !gnn.field<V, [16], f32>
  gnn.return []
}

// CHECK-LABEL: gnn.program @products
gnn.program @products {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %w = gnn.param "w" : !gnn.field<P, [in, heads, out], f32>
  // CHECK: gnn.matmul %{{.*}}, %{{.*}} : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, heads, out], f32>) -> !gnn.field<V, [heads, out], f32>
  %0 = gnn.matmul %x, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, heads, out], f32>) -> !gnn.field<V, [heads, out], f32>
  // CHECK: gnn.matmul %{{.*}}, %{{.*}} transpose_w : (!gnn.field<V, [heads, out], f32>, !gnn.field<P, [in, heads, out], f32>) -> !gnn.field<V, [in], f32>
  %1 = gnn.matmul %0, %w transpose_w : (!gnn.field<V, [heads, out], f32>, !gnn.field<P, [in, heads, out], f32>) -> !gnn.field<V, [in], f32>
  // CHECK: gnn.matmul_tn %{{.*}}, %{{.*}} : (!gnn.field<V, [in], f32>, !gnn.field<V, [heads, out], f32>) -> !gnn.field<P, [in, heads, out], f32>
  %2 = gnn.matmul_tn %x, %0 : (!gnn.field<V, [in], f32>, !gnn.field<V, [heads, out], f32>) -> !gnn.field<P, [in, heads, out], f32>
  // CHECK: gnn.table_rows %{{.*}} : !gnn.field<P, [in, heads, out], f32> -> !gnn.field<V(1), [heads, out], f32>
  %3 = gnn.table_rows %w : !gnn.field<P, [in, heads, out], f32> -> !gnn.field<V(1), [heads, out], f32>
  // CHECK: gnn.rows_table %{{.*}} : !gnn.field<V(1), [heads, out], f32> -> !gnn.field<P, [in, heads, out], f32>
  %4 = gnn.rows_table %3 : !gnn.field<V(1), [heads, out], f32> -> !gnn.field<P, [in, heads, out], f32>
  // CHECK: gnn.total #gnn.sum %{{.*}} : (!gnn.field<V, [in], f32>) -> !gnn.field<P, [in], f32>
  %5 = gnn.total #gnn.sum %x : (!gnn.field<V, [in], f32>) -> !gnn.field<P, [in], f32>
  gnn.return []
}

// CHECK-LABEL: gnn.program @graph
gnn.program @graph {
  %x = gnn.input "x" : !gnn.field<V, [out], f32>
  %table = gnn.param "t" : !gnn.field<P, [in, out], f32>
  %rows = gnn.table_rows %table : !gnn.field<P, [in, out], f32> -> !gnn.field<V(1), [out], f32>
  // CHECK: gnn.read_source %{{.*}} : !gnn.field<V(1), [out], f32> -> !gnn.field<S(1), [out], f32>
  %0 = gnn.read_source %rows : !gnn.field<V(1), [out], f32> -> !gnn.field<S(1), [out], f32>
  // CHECK: gnn.aggregate #gnn.sum %{{.*}} to destination : (!gnn.field<S(1), [out], f32>) -> !gnn.field<V, [out], f32>
  %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S(1), [out], f32>) -> !gnn.field<V, [out], f32>
  // CHECK: gnn.read_destination %{{.*}} : !gnn.field<V, [out], f32> -> !gnn.field<D, [out], f32>
  %2 = gnn.read_destination %x : !gnn.field<V, [out], f32> -> !gnn.field<D, [out], f32>
  %filter = gnn.input "f" : !gnn.field<E, [], i1>
  // CHECK: gnn.aggregate #gnn.max %{{.*}} filter %{{.*}} to source : (!gnn.field<D, [out], f32>, !gnn.field<E, [], i1>) -> (!gnn.field<V, [out], f32>, !gnn.field<V, [out], i64>)
  %3, %arg = gnn.aggregate #gnn.max %2 filter %filter to source : (!gnn.field<D, [out], f32>, !gnn.field<E, [], i1>) -> (!gnn.field<V, [out], f32>, !gnn.field<V, [out], i64>)
  // CHECK: gnn.softmax %{{.*}} to destination of 0 : (!gnn.field<D, [out], f32>) -> !gnn.field<E, [out], f32>
  %4 = gnn.softmax %2 to destination of 0 : (!gnn.field<D, [out], f32>) -> !gnn.field<E, [out], f32>
  // CHECK: gnn.softmax %{{.*}} filter %{{.*}} to source of 0 : (!gnn.field<D, [out], f32>, !gnn.field<E, [], i1>) -> !gnn.field<E, [out], f32>
  %5 = gnn.softmax %2 filter %filter to source of 0 : (!gnn.field<D, [out], f32>, !gnn.field<E, [], i1>) -> !gnn.field<E, [out], f32>
  gnn.return []
}

// CHECK-LABEL: gnn.program @losses
gnn.program @losses {
  %x = gnn.input "x" : !gnn.field<V, [out], f32>
  %label = gnn.target "label" : !gnn.field<V, [], i32>
  // CHECK: gnn.cross_entropy %{{.*}}, %{{.*}} : (!gnn.field<V, [out], f32>, !gnn.field<V, [], i32>) -> !gnn.field<V, [], f32>
  %0 = gnn.cross_entropy %x, %label : (!gnn.field<V, [out], f32>, !gnn.field<V, [], i32>) -> !gnn.field<V, [], f32>
  // CHECK: gnn.binary_cross_entropy
  %1 = gnn.binary_cross_entropy %x, %x : (!gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<V, [], f32>
  // CHECK: gnn.mean_squared_error
  %2 = gnn.mean_squared_error %x, %x : (!gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<V, [], f32>
  gnn.return []
}

// CHECK-LABEL: gnn.program @types
gnn.program @types {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  // CHECK: gnn.edge_type : !gnn.field<E, [], i32>
  %t = gnn.edge_type : !gnn.field<E, [], i32>
  // CHECK: gnn.count to source of 0 : !gnn.field<V, [], f32>
  %count = gnn.count to source of 0 : !gnn.field<V, [], f32>
  // CHECK: gnn.degree in of 0 : !gnn.field<V, [types], f32>
  %0 = gnn.degree in of 0 : !gnn.field<V, [types], f32>
  %1 = gnn.read_destination %0 : !gnn.field<V, [types], f32> -> !gnn.field<D, [types], f32>
  // CHECK: gnn.index %{{.*}}, %{{.*}} : (!gnn.field<D, [types], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [], f32>
  %2 = gnn.index %1, %t : (!gnn.field<D, [types], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [], f32>
  %3 = gnn.read_source %x : !gnn.field<V, [in], f32> -> !gnn.field<S, [in], f32>
  %w = gnn.param "w" : !gnn.field<P, [types, in, out], f32>
  // CHECK: %[[PRODUCT:.+]] = gnn.typed_matmul %{{.*}}, %{{.*}}, %{{.*}} : (!gnn.field<S, [in], f32>, !gnn.field<P, [types, in, out], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [out], f32>
  %4 = gnn.typed_matmul %3, %w, %t : (!gnn.field<S, [in], f32>, !gnn.field<P, [types, in, out], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [out], f32>
  // CHECK: gnn.typed_matmul %[[PRODUCT]], %{{.*}}, %{{.*}} transpose_w : (!gnn.field<E, [out], f32>, !gnn.field<P, [types, in, out], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [in], f32>
  %5 = gnn.typed_matmul %4, %w, %t transpose_w : (!gnn.field<E, [out], f32>, !gnn.field<P, [types, in, out], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [in], f32>
  // CHECK: gnn.aggregate #gnn.sum %{{.*}} by %{{.*}} to destination : (!gnn.field<S, [in], f32>, !gnn.field<E, [], i32>) -> !gnn.field<V, [types, in], f32>
  %6 = gnn.aggregate #gnn.sum %3 by %t to destination : (!gnn.field<S, [in], f32>, !gnn.field<E, [], i32>) -> !gnn.field<V, [types, in], f32>
  %f = gnn.constant true -> !gnn.field<E, [], i1>
  // CHECK: gnn.aggregate #gnn.max %{{.*}} filter %{{.*}} by %{{.*}} to source
  %7, %arg = gnn.aggregate #gnn.max %3 filter %f by %t to source : (!gnn.field<S, [in], f32>, !gnn.field<E, [], i1>, !gnn.field<E, [], i32>)
               -> (!gnn.field<V, [types, in], f32>, !gnn.field<V, [types, in], i64>)
  // CHECK: gnn.aggregate #gnn.prod
  %8 = gnn.aggregate #gnn.prod %5 to destination : (!gnn.field<E, [in], f32>) -> !gnn.field<V, [in], f32>
  // CHECK: gnn.transpose %{{.*}} permutation [1, 0, 2] : !gnn.field<P, [types, in, out], f32> -> !gnn.field<P, [in, types, out], f32>
  %9 = gnn.transpose %w permutation [1, 0, 2] : !gnn.field<P, [types, in, out], f32> -> !gnn.field<P, [in, types, out], f32>
  gnn.return []
}

// CHECK-LABEL: gnn.program @totals
gnn.program @totals {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  // CHECK: gnn.total #gnn.sum ones %{{.*}} : (!gnn.field<V, [in], f32>) -> !gnn.field<P, [], f32>
  %n = gnn.total #gnn.sum ones %x : (!gnn.field<V, [in], f32>) -> !gnn.field<P, [], f32>
  // CHECK: gnn.total #gnn.max %{{.*}} : (!gnn.field<V, [in], f32>) -> !gnn.field<P, [in], f32>
  %0 = gnn.total #gnn.max %x : (!gnn.field<V, [in], f32>) -> !gnn.field<P, [in], f32>
  // CHECK: gnn.stop_gradient %{{.*}} : !gnn.field<P, [in], f32>
  %1 = gnn.stop_gradient %0 : !gnn.field<P, [in], f32>
  // CHECK: gnn.training : !gnn.field<P, [], i1>
  %2 = gnn.training : !gnn.field<P, [], i1>
  // CHECK: gnn.vertex_id : !gnn.field<V, [], i64>
  %3 = gnn.vertex_id : !gnn.field<V, [], i64>
  // CHECK: gnn.loss_mask : !gnn.field<E, [], f32>
  %4 = gnn.loss_mask : !gnn.field<E, [], f32>
  // CHECK: gnn.target "y" : !gnn.field<E, [], f32>
  %5 = gnn.target "y" : !gnn.field<E, [], f32>
  // CHECK: gnn.return %{{.*}} [#gnn.result<state "norm.mean">]
  gnn.return %1 [#gnn.result<state "norm.mean">] : !gnn.field<P, [in], f32>
}
}
