// RUN: gnn-opt %s --split-input-file --pass-pipeline='builtin.module(gnn-differentiate,gnn.program(canonicalize,cse))' | FileCheck %s

// The graph convolution of Kipf and Welling: backward is one aggregation to the sources, a product for the weight and a sum for the bias.
// What has no weight in the loss is left out of it and, after the last product, of gradients.
// CHECK-LABEL: gnn.program @train
// CHECK-DAG: %[[LOSS_MASK:.+]] = gnn.loss_mask
// CHECK-DAG: %[[W:.+]] = gnn.param "w"
// CHECK-DAG: %[[MASKED:.+]] = gnn.mul %{{.+}}, %{{.+}} : (!gnn.field<V, [in], f32>, !gnn.field<V, [in], f32>)
// CHECK: gnn.aggregate #gnn.sum %{{.+}} to destination
// CHECK: %[[LOSS:.+]] = gnn.cross_entropy
// CHECK: %[[WEIGHT:.+]] = gnn.mul %{{.+}}, %{{.+}} : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>)
// CHECK: %[[COUNTS:.+]] = gnn.compare ne %[[LOSS_MASK]]
// CHECK: %[[COUNTED:.+]] = gnn.select %[[COUNTS]], %[[LOSS]], %{{.+}}
// CHECK: %[[WEIGHTED:.+]] = gnn.mul %[[COUNTED]], %[[WEIGHT]]
// CHECK: %[[TOTAL:.+]] = gnn.total #gnn.sum %[[WEIGHTED]]
// CHECK: gnn.one_hot
// CHECK: %[[SLOPE:.+]] = gnn.mul
// CHECK: %[[LABELLED:.+]] = gnn.and %[[COUNTS]]
// CHECK: %[[COUNT:.+]] = gnn.broadcast %[[LABELLED]] dims []
// CHECK: %[[DLOGITS:.+]] = gnn.select %[[COUNT]], %[[SLOPE]]
// CHECK: %[[DB:.+]] = gnn.total #gnn.sum %[[DLOGITS]] : (!gnn.field<V, [classes], f32>)
// CHECK: %[[SCALED:.+]] = gnn.mul %[[SLOPE]]
// CHECK: %[[DSUM:.+]] = gnn.select %[[COUNT]], %[[SCALED]]
// CHECK: %[[READ:.+]] = gnn.read_destination %[[DSUM]]
// CHECK-NOT: gnn.aggregate
// CHECK: %[[DSCALED:.+]] = gnn.aggregate #gnn.sum %[[READ]] to source
// CHECK: %[[DZ:.+]] = gnn.mul %[[DSCALED]]
// CHECK-NOT: gnn.aggregate
// CHECK: %[[DW:.+]] = gnn.matmul_tn %[[MASKED]], %[[DZ]]
// CHECK: gnn.return %[[TOTAL]], %[[DW]], %[[DB]] [#gnn.result<loss "loss">, #gnn.result<gradient "w">, #gnn.result<gradient "b">]
module attributes {gnn.model = #gnn.model<name = "gcn", real = f32,
    vertex_types = [#gnn.vertex_type<name = "vertices">], relations = [#gnn.relation<name = "edges", source = 0, destination = 0>],
    params = [#gnn.parameter<name = "w", type = <P, [in, classes], f32>, init = glorot_uniform, fan_in = "in", fan_out = "classes">,
              #gnn.parameter<name = "b", type = <P, [classes], f32>, init = zeros, fan_in = "1", fan_out = "classes">]>} {
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %label = gnn.target "label" : !gnn.field<V, [], i32>
  %w = gnn.param "w" : !gnn.field<P, [in, classes], f32>
  %b = gnn.param "b" : !gnn.field<P, [classes], f32>
  %degree = gnn.degree in of 0 : !gnn.field<V, [], f32>
  %c = gnn.rsqrt %degree : !gnn.field<V, [], f32>
  %cs = gnn.broadcast %c dims [] : !gnn.field<V, [], f32> -> !gnn.field<V, [classes], f32>
  %mask = gnn.dropout_mask site 1 probability 0.5 : !gnn.field<V, [in], f32>
  %dropped = gnn.mul %x, %mask : (!gnn.field<V, [in], f32>, !gnn.field<V, [in], f32>) -> !gnn.field<V, [in], f32>
  %z = gnn.matmul %dropped, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, classes], f32>) -> !gnn.field<V, [classes], f32>
  %scaled = gnn.mul %z, %cs : (!gnn.field<V, [classes], f32>, !gnn.field<V, [classes], f32>) -> !gnn.field<V, [classes], f32>
  %read = gnn.read_source %scaled : !gnn.field<V, [classes], f32> -> !gnn.field<S, [classes], f32>
  %sum = gnn.aggregate #gnn.sum %read to destination : (!gnn.field<S, [classes], f32>) -> !gnn.field<V, [classes], f32>
  %h = gnn.mul %sum, %cs : (!gnn.field<V, [classes], f32>, !gnn.field<V, [classes], f32>) -> !gnn.field<V, [classes], f32>
  %logits = gnn.add %h, %b : (!gnn.field<V, [classes], f32>, !gnn.field<P, [classes], f32>) -> !gnn.field<V, [classes], f32>
  %loss = gnn.cross_entropy %logits, %label : (!gnn.field<V, [classes], f32>, !gnn.field<V, [], i32>) -> !gnn.field<V, [], f32>
  gnn.return %logits, %loss [#gnn.result<output "logits">, #gnn.result<vertex_loss "loss">] : !gnn.field<V, [classes], f32>, !gnn.field<V, [], f32>
}
}

// -----

// A parameter that edges use is summed over the edges of each destination, then over the destinations. One that the loss does not depend on
// has gradient 0.
// CHECK-LABEL: gnn.program @train
// CHECK: %[[ZERO:.+]] = gnn.constant 0.000000e+00 : f32 -> !gnn.field<P, [7], f32>
// CHECK: %[[PER_EDGE:.+]] = gnn.mul %{{.+}} : (!gnn.field<S, [], f32>, !gnn.field<E, [], f32>)
// CHECK: %[[PER_VERTEX:.+]] = gnn.aggregate #gnn.sum %[[PER_EDGE]] to destination
// CHECK: %[[DA:.+]] = gnn.total #gnn.sum %[[PER_VERTEX]]
// CHECK: gnn.return %{{.+}}, %[[ZERO]], %[[DA]] [#gnn.result<loss "loss">, #gnn.result<gradient "unused">, #gnn.result<gradient "a">]
module attributes {gnn.model = #gnn.model<name = "m", real = f32, vertex_types = [#gnn.vertex_type<name = "vertices">],
    relations = [#gnn.relation<name = "edges", source = 0, destination = 0>],
    params = [#gnn.parameter<name = "unused", type = <P, [7], f32>, init = zeros, fan_in = "1", fan_out = "7">,
              #gnn.parameter<name = "a", type = <P, [], f32>, init = zeros, fan_in = "1", fan_out = "1">,
              #gnn.parameter<name = "s", type = <P, [], f32>, init = zeros, fan_in = "1", fan_out = "1", state = true>]>} {
gnn.program @forward {
  %e = gnn.input "e" : !gnn.field<E, [], f32>
  %a = gnn.param "a" : !gnn.field<P, [], f32>
  %s = gnn.state "s" : !gnn.field<P, [], f32>
  %0 = gnn.mul %e, %a : (!gnn.field<E, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<E, [], f32>
  %1 = gnn.aggregate #gnn.sum %0 to source : (!gnn.field<E, [], f32>) -> !gnn.field<V, [], f32>
  %2 = gnn.mul %1, %s : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %2 [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}
}

// -----

// The gradient of a maximum goes to the edge that won, and only to edges that may.
// CHECK-LABEL: gnn.program @train
// CHECK: %[[W:.+]] = gnn.param "w"
// CHECK: %[[MAX:.+]], %[[ARG:.+]] = gnn.aggregate #gnn.max %{{.+}} filter %{{.+}} to destination
// CHECK: %[[ID:.+]] = gnn.edge_id : !gnn.field<E, [], i64>
// CHECK: %[[WINNER:.+]] = gnn.read_destination %[[ARG]]
// CHECK: %[[G:.+]] = gnn.read_destination %{{.+}} : !gnn.field<V, [], f32>
// CHECK: %[[WON:.+]] = gnn.compare eq %[[ID]], %[[WINNER]]
// CHECK: %[[SENT:.+]] = gnn.select %[[WON]], %[[G]], %{{.+}} -> !gnn.field<E, [], f32>
// CHECK: gnn.aggregate #gnn.sum %[[SENT]] to source
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %f = gnn.input "f" : !gnn.field<E, [], i1>
  %w = gnn.param "w" : !gnn.field<P, [], f32>
  %0 = gnn.mul %x, %w : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  %1 = gnn.read_source %0 : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %2, %arg = gnn.aggregate #gnn.max %1 filter %f to destination : (!gnn.field<S, [], f32>, !gnn.field<E, [], i1>) -> (!gnn.field<V, [], f32>, !gnn.field<V, [], i64>)
  gnn.return %2 [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}

// -----

// What reaches one value by two ways is added before it goes on: one aggregation for one read.
// CHECK-LABEL: gnn.program @train
// CHECK: gnn.softmax
// CHECK: %[[GROUP:.+]] = gnn.aggregate #gnn.sum %{{.+}} to destination : (!gnn.field<E, [], f32>)
// CHECK: %[[READ:.+]] = gnn.read_destination %[[GROUP]]
// CHECK: gnn.sub %{{.+}}, %[[READ]]
// CHECK: %[[BOTH:.+]] = gnn.add
// CHECK: gnn.aggregate #gnn.sum %[[BOTH]] to source
// CHECK-NOT: gnn.aggregate
// CHECK: gnn.return
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %w = gnn.param "w" : !gnn.field<P, [], f32>
  %0 = gnn.mul %x, %w : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  %1 = gnn.read_source %0 : !gnn.field<V, [], f32> -> !gnn.field<S, [], f32>
  %2 = gnn.softmax %1 to destination of 0 : (!gnn.field<S, [], f32>) -> !gnn.field<E, [], f32>
  %3 = gnn.mul %1, %2 : (!gnn.field<S, [], f32>, !gnn.field<E, [], f32>) -> !gnn.field<E, [], f32>
  %4 = gnn.aggregate #gnn.sum %3 to destination : (!gnn.field<E, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %4 [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}

// -----

// A product on edges: the outer products of the edges are folded into the one entry of a table.
// CHECK-LABEL: gnn.program @train
// CHECK: %[[OUTER:.+]] = gnn.mul %{{.+}} -> !gnn.field<E, [in, out], f32>
// CHECK: %[[SUM:.+]] = gnn.aggregate #gnn.sum %[[OUTER]] by %{{.+}} to destination
// CHECK: %[[TABLE:.+]] = gnn.total #gnn.sum %[[SUM]] : (!gnn.field<V, [1, in, out], f32>)
// CHECK: gnn.reshape %[[TABLE]] : !gnn.field<P, [1, in, out], f32> -> !gnn.field<P, [in, out], f32>
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<E, [in], f32>
  %w = gnn.param "w" : !gnn.field<P, [in, out], f32>
  %0 = gnn.matmul %x, %w : (!gnn.field<E, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<E, [out], f32>
  %1 = gnn.tanh %0 : !gnn.field<E, [out], f32>
  %2 = gnn.aggregate #gnn.sum %1 to destination : (!gnn.field<E, [out], f32>) -> !gnn.field<V, [out], f32>
  %3 = gnn.reduce #gnn.sum %2 dim 0 : (!gnn.field<V, [out], f32>) -> !gnn.field<V, [], f32>
  gnn.return %3 [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}

// -----

// An entry that edges pick of a table at their source: its gradient is summed by the same integer.

// CHECK-LABEL: gnn.program @train
// CHECK-DAG: %[[TYPE:.+]] = gnn.edge_type
// CHECK: %[[DZ:.+]] = gnn.aggregate #gnn.sum %{{.*}} by %[[TYPE]] to source : {{.*}} -> !gnn.field<V, [types, out], f32>
// CHECK: gnn.return %{{.*}}, %{{.*}} [#gnn.result<loss "loss">, #gnn.result<gradient "w">]
gnn.program @forward {
  %w = gnn.param "w" : !gnn.field<P, [], f32>
  %x = gnn.input "x" : !gnn.field<V, [types, out], f32>
  %t = gnn.target "t" : !gnn.field<V, [out], f32>
  %type = gnn.edge_type : !gnn.field<E, [], i32>
  %ws = gnn.broadcast %w dims [] : !gnn.field<P, [], f32> -> !gnn.field<P, [types, out], f32>
  %one = gnn.constant 1.0 : f32 -> !gnn.field<V, [], f32>
  %ones = gnn.broadcast %one dims [] : !gnn.field<V, [], f32> -> !gnn.field<V, [types, out], f32>
  %z = gnn.mul %ones, %ws : (!gnn.field<V, [types, out], f32>, !gnn.field<P, [types, out], f32>) -> !gnn.field<V, [types, out], f32>
  %s = gnn.read_source %z : !gnn.field<V, [types, out], f32> -> !gnn.field<S, [types, out], f32>
  %e = gnn.index %s, %type : (!gnn.field<S, [types, out], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [out], f32>
  %y = gnn.aggregate #gnn.sum %e to destination : (!gnn.field<E, [out], f32>) -> !gnn.field<V, [out], f32>
  %loss = gnn.mean_squared_error %y, %t : (!gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<V, [], f32>
  gnn.return %loss [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}

// -----

// The gradient of a fold by type is what the edge's type has of it; the one of a product is the product of the others, by way of
// the number of zeros.

// CHECK-LABEL: gnn.program @train
// CHECK-DAG: %[[TYPE:.+]] = gnn.edge_type
// CHECK-DAG: %[[X:.+]] = gnn.mul
// CHECK-DAG: %[[MAX:.+]], %[[ARG:.+]] = gnn.aggregate #gnn.max %[[X]] by %[[TYPE]] to destination
// CHECK-DAG: %[[PROD:.+]] = gnn.aggregate #gnn.prod %[[X]] to destination
// CHECK: %[[ZERO:.+]] = gnn.compare eq %[[X]]
// CHECK: %[[NONZERO:.+]] = gnn.select %[[ZERO]], %{{.*}}, %[[X]]
// CHECK-DAG: gnn.aggregate #gnn.prod %[[NONZERO]] to destination
// CHECK-DAG: gnn.cast %[[ZERO]]
// CHECK-DAG: %[[READ:.+]] = gnn.read_destination %[[ARG]]
// CHECK-DAG: %[[WINNER:.+]] = gnn.index %[[READ]], %[[TYPE]]
// CHECK: gnn.compare eq %{{.*}}, %[[WINNER]]
gnn.program @forward {
  %w = gnn.param "w" : !gnn.field<P, [], f32>
  %a = gnn.input "a" : !gnn.field<E, [], f32>
  %t = gnn.target "t" : !gnn.field<V, [], f32>
  %type = gnn.edge_type : !gnn.field<E, [], i32>
  %x = gnn.mul %a, %w : (!gnn.field<E, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<E, [], f32>
  %max, %arg = gnn.aggregate #gnn.max %x by %type to destination : (!gnn.field<E, [], f32>, !gnn.field<E, [], i32>) -> (!gnn.field<V, [3], f32>, !gnn.field<V, [3], i64>)
  %best = gnn.reduce #gnn.sum %max dim 0 : (!gnn.field<V, [3], f32>) -> !gnn.field<V, [], f32>
  %prod = gnn.aggregate #gnn.prod %x to destination : (!gnn.field<E, [], f32>) -> !gnn.field<V, [], f32>
  %y = gnn.add %best, %prod : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.mean_squared_error %y, %t : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %loss [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}

// -----

// Of a maximum over vertices, the gradient goes to the first vertex that has it, or that is no number.

// CHECK-LABEL: gnn.program @train
// CHECK: %[[X:.+]] = gnn.mul
// CHECK: %[[MAX:.+]] = gnn.total #gnn.max %[[X]]
// CHECK: %[[ID:.+]] = gnn.vertex_id
// CHECK: %[[IS_BEST:.+]] = gnn.compare eq %[[X]], %[[MAX]]
// CHECK: %[[IS_NONE:.+]] = gnn.compare ne %[[X]], %[[X]]
// CHECK: %[[WINS:.+]] = gnn.or %[[IS_BEST]], %[[IS_NONE]]
// CHECK: %[[IDS:.+]] = gnn.select %[[WINS]]
// CHECK: %[[FIRST:.+]] = gnn.total #gnn.min %[[IDS]]
// CHECK: %[[WINNER:.+]] = gnn.compare eq %{{.*}}, %[[FIRST]]
// CHECK: gnn.select %[[WINNER]]
gnn.program @forward {
  %w = gnn.param "w" : !gnn.field<P, [], f32>
  %a = gnn.input "a" : !gnn.field<V, [], f32>
  %t = gnn.target "t" : !gnn.field<V, [], f32>
  %x = gnn.mul %a, %w : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  %max = gnn.total #gnn.max %x : (!gnn.field<V, [], f32>) -> !gnn.field<P, [], f32>
  %y = gnn.sub %x, %max : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.mean_squared_error %y, %t : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %loss [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}

// -----

// Of the greater of two, the gradient goes to what is no number, and to the first of two that are equal.

// CHECK-LABEL: gnn.program @train
// CHECK-DAG: %[[X:.+]] = gnn.input "x"
// CHECK-DAG: %[[Y:.+]] = gnn.mul
// CHECK-DAG: %[[NONE:.+]] = gnn.compare ne %[[X]], %[[X]]
// CHECK-DAG: %[[WINS:.+]] = gnn.compare ge %[[X]], %[[Y]]
// CHECK: %[[FIRST:.+]] = gnn.or %[[WINS]], %[[NONE]]
// CHECK: gnn.select %[[FIRST]], %{{.+}}, %{{.+}}
gnn.program @forward {
  %w = gnn.param "w" : !gnn.field<P, [], f32>
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  %t = gnn.target "t" : !gnn.field<V, [], f32>
  %y = gnn.mul %x, %w : (!gnn.field<V, [], f32>, !gnn.field<P, [], f32>) -> !gnn.field<V, [], f32>
  %max = gnn.maximum %x, %y : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  %loss = gnn.mean_squared_error %max, %t : (!gnn.field<V, [], f32>, !gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
  gnn.return %loss [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}

// -----

// A product of vertices with a parameter that a label picks: the outer products of the vertices stay apart until each is added
// to the entry of its label.

// CHECK-LABEL: gnn.program @train
// CHECK: %[[OUTER:.+]] = gnn.mul %{{.+}} -> !gnn.field<V, [in, out], f32>
// CHECK: %[[LABEL:.+]] = gnn.one_hot
// CHECK: %[[DW:.+]] = gnn.matmul_tn %[[LABEL]], %[[OUTER]] : {{.*}} -> !gnn.field<P, [kinds, in, out], f32>
// CHECK: gnn.return %{{.*}}, %[[DW]] [#gnn.result<loss "loss">, #gnn.result<gradient "w">]
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %kind = gnn.input "kind" : !gnn.field<V, [], i32>
  %w = gnn.param "w" : !gnn.field<P, [kinds, in, out], f32>
  %0 = gnn.typed_matmul %x, %w, %kind : (!gnn.field<V, [in], f32>, !gnn.field<P, [kinds, in, out], f32>, !gnn.field<V, [], i32>) -> !gnn.field<V, [out], f32>
  %1 = gnn.reduce #gnn.sum %0 dim 0 : (!gnn.field<V, [out], f32>) -> !gnn.field<V, [], f32>
  gnn.return %1 [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}

// -----

// The gradient of a part of a parameter lies in zeros where the part was.

// CHECK-LABEL: gnn.program @train
// CHECK: %[[DPART:.+]] = gnn.matmul_tn
// CHECK: %[[DW:.+]] = gnn.pad %[[DPART]] dim 0 at "a" : !gnn.field<P, [b, out], f32> -> !gnn.field<P, ["a + b", out], f32>
// CHECK: gnn.return %{{.*}}, %[[DW]] [#gnn.result<loss "loss">, #gnn.result<gradient "w">]
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [b], f32>
  %w = gnn.param "w" : !gnn.field<P, ["a + b", out], f32>
  %part = gnn.slice %w dim 0 at "a" : !gnn.field<P, ["a + b", out], f32> -> !gnn.field<P, [b, out], f32>
  %0 = gnn.matmul %x, %part : (!gnn.field<V, [b], f32>, !gnn.field<P, [b, out], f32>) -> !gnn.field<V, [out], f32>
  %1 = gnn.reduce #gnn.sum %0 dim 0 : (!gnn.field<V, [out], f32>) -> !gnn.field<V, [], f32>
  gnn.return %1 [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}

// -----

// An edge that a filter leaves out may have no number: what its gradient is multiplied by is chosen after the product. So are rows of a
// product that nothing reads.
// CHECK-LABEL: gnn.program @train
// CHECK-DAG: %[[X:.+]] = gnn.input "x"
// CHECK-DAG: %[[A:.+]] = gnn.input "a"
// CHECK-DAG: %[[OK:.+]] = gnn.input "ok"
// CHECK: %[[READ:.+]] = gnn.read_destination
// CHECK: %[[PRODUCT:.+]] = gnn.mul %[[READ]], %{{.+}}
// CHECK: %[[SPLAT:.+]] = gnn.broadcast %[[OK]] dims []
// CHECK: %[[CHOSEN:.+]] = gnn.select %[[SPLAT]], %[[PRODUCT]]
// CHECK: %[[DH:.+]] = gnn.aggregate #gnn.sum %[[CHOSEN]] to source
// CHECK: %[[IS_READ:.+]] = gnn.compare ne %[[DH]]
// CHECK: %[[ROW:.+]] = gnn.select %{{.+}}, %[[X]]
// CHECK: gnn.matmul_tn %[[ROW]], %[[DH]]
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [in], f32>
  %a = gnn.input "a" : !gnn.field<E, [out], f32>
  %ok = gnn.input "ok" : !gnn.field<E, [], i1>
  %w = gnn.param "w" : !gnn.field<P, [in, out], f32>
  %h = gnn.matmul %x, %w : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
  %read = gnn.read_source %h : !gnn.field<V, [out], f32> -> !gnn.field<S, [out], f32>
  %weighted = gnn.mul %read, %a : (!gnn.field<S, [out], f32>, !gnn.field<E, [out], f32>) -> !gnn.field<E, [out], f32>
  %sum = gnn.aggregate #gnn.sum %weighted filter %ok to destination : (!gnn.field<E, [out], f32>, !gnn.field<E, [], i1>) -> !gnn.field<V, [out], f32>
  %loss = gnn.reduce #gnn.sum %sum dim 0 : (!gnn.field<V, [out], f32>) -> !gnn.field<V, [], f32>
  gnn.return %loss [#gnn.result<vertex_loss "loss">] : !gnn.field<V, [], f32>
}

// -----

// No loss, nothing to train.
// CHECK-LABEL: gnn.program @forward
// CHECK-NOT: gnn.program
gnn.program @forward {
  %x = gnn.input "x" : !gnn.field<V, [], f32>
  gnn.return %x [#gnn.result<output "x">] : !gnn.field<V, [], f32>
}
