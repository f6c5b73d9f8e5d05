//===- GnnGraphOps.td - Ops between kinds of fields --------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products, ops between parameters, vertices and edges, and losses.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_GRAPHOPS_TD
#define GNN_GRAPHOPS_TD

include "dialects/Gnn/IR/GnnOpBase.td"

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

def Gnn_MatMulOp : Gnn_PureOp<"matmul", [Gnn_Differentiable, Gnn_InferType]> {
  let summary = "product with a parameter";
  let description = [{
    `x [a.., k] @ w [k, b..] -> [a.., b..]`; with `transpose_w`, `x [a.., b..] @ w [k, b..] -> [a.., k]`, contracting all dimensions of
    `w` but its first.

    Example:
    ```mlir
    %2 = gnn.matmul %0, %1 : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, heads, out], f32>) -> !gnn.field<V, [heads, out], f32>
    %4 = gnn.matmul %3, %1 transpose_w : (!gnn.field<V, [heads, out], f32>, !gnn.field<P, [in, heads, out], f32>) -> !gnn.field<V, [in], f32>
    ```
  }];
  let arguments = (ins Gnn_RealField:$x, Gnn_ParameterField:$w, UnitAttr:$transpose_w);
  let results = (outs Gnn_RealField:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$w, CArg<"bool", "false">:$transposeW)>];
  let assemblyFormat = "$x `,` $w (`transpose_w` $transpose_w^)? attr-dict `:` functional-type(operands, results)";
}

def Gnn_MatMulTNOp : Gnn_PureOp<"matmul_tn"> {
  let summary = "outer products of two fields, summed over the vertices: the adjoint of `gnn.matmul` by its parameter";
  let description = [{
    `x [a.., k], g [a.., b..] -> P [k, b..]`, summed over `a..` and, where the operands are vertex fields, over all vertices. The result type
    says how many dimensions `b..` are.

    Example:
    ```mlir
    %2 = gnn.matmul_tn %0, %1 : (!gnn.field<V, [in], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<P, [in, out], f32>
    ```
  }];
  let arguments = (ins Gnn_RealField:$x, Gnn_RealField:$g);
  let results = (outs Gnn_ParameterField:$result);
  let assemblyFormat = "$x `,` $g attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Gnn_TypedMatMulOp : Gnn_PureOp<"typed_matmul", [Gnn_Differentiable, Gnn_InferType]> {
  let summary = "product with one of several parameters, picked by an integer";
  let description = [{
    `gnn.matmul` of `x` with `gnn.index` of `w [n, k, b..]` at `index`: `[a.., k] -> [a.., b..]`, or back with `transpose_w`. 0 where the
    index is outside [0, n). Joins the kinds of `x` and `index`. gnn-reorder and gnn-decompose leave it only on edge fields that are no
    read of vertices, where each edge has a product of its own.

    Example:
    ```mlir
    %3 = gnn.typed_matmul %0, %1, %2 : (!gnn.field<E, [in], f32>, !gnn.field<P, [types, in, out], f32>, !gnn.field<E, [], i32>)
           -> !gnn.field<E, [out], f32>
    ```
  }];
  let arguments = (ins Gnn_RealField:$x, Gnn_ParameterField:$w, Gnn_IndexField:$index, UnitAttr:$transpose_w);
  let results = (outs Gnn_RealField:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$x, "::mlir::Value":$w, "::mlir::Value":$index, CArg<"bool", "false">:$transposeW)>];
  let assemblyFormat = "$x `,` $w `,` $index (`transpose_w` $transpose_w^)? attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Between parameters and vertices
//===----------------------------------------------------------------------===//

def Gnn_TableRowsOp : Gnn_PureOp<"table_rows", [Gnn_Differentiable]> {
  let summary = "rows of a parameter as a vertex field";
  let description = [{
    Vertex i of the result's type, whose `rows` are the table's, has row i. Example:
    `%1 = gnn.table_rows %0 : !gnn.field<P, [in, out], f32> -> !gnn.field<V(1), [out], f32>`
  }];
  let arguments = (ins Gnn_ParameterField:$table);
  let results = (outs Gnn_VertexField:$result);
  let assemblyFormat = "$table attr-dict `:` qualified(type($table)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Gnn_RowsTableOp : Gnn_PureOp<"rows_table"> {
  let summary = "vertex field as a parameter whose rows are the vertices: inverse and adjoint of `gnn.table_rows`";
  let description = [{
    Example: `%1 = gnn.rows_table %0 : !gnn.field<V(1), [out], f32> -> !gnn.field<P, [in, out], f32>`
  }];
  let arguments = (ins Gnn_VertexField:$rows);
  let results = (outs Gnn_ParameterField:$result);
  let assemblyFormat = "$rows attr-dict `:` qualified(type($rows)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Gnn_TotalOp : Gnn_PureOp<"total", [Gnn_Differentiable, Gnn_InferType]> {
  let summary = "fold of the values of all vertices";
  let description = [{
    By `#gnn.sum`, `#gnn.max` or `#gnn.min`; 0 over no vertices. The sum is the adjoint of using a parameter in an op on vertices.
    With `ones` it is the sum of a one for each vertex instead: how many the totals of the operand are over. Of a part of a graph,
    such as a sample, these are fewer than the graph has.

    Example: `%1 = gnn.total #gnn.sum %0 : (!gnn.field<V, [out], f32>) -> !gnn.field<P, [out], f32>`
  }];
  let arguments = (ins Gnn_AggregatorInterface:$aggregator, Gnn_VertexField:$operand, UnitAttr:$ones);
  let results = (outs Gnn_ParameterField:$result);
  let assemblyFormat = "$aggregator (`ones` $ones^)? $operand attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Graph
//===----------------------------------------------------------------------===//

class Gnn_ReadOp<string mnemonic, string end> : Gnn_PureOp<mnemonic, [Gnn_Differentiable]> {
  let summary = "vertex field at the " # end # " of every edge";
  let arguments = (ins Gnn_VertexField:$operand);
  let results = (outs Gnn_EdgeField:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Gnn_ReadSourceOp : Gnn_ReadOp<"read_source", "source"> {
  let description = [{
    The relation is that of the result. Example: `%1 = gnn.read_source %0 : !gnn.field<V, [out], f32> -> !gnn.field<S, [out], f32>`
  }];
}

def Gnn_ReadDestinationOp : Gnn_ReadOp<"read_destination", "destination"> {
  let description = [{
    The relation is that of the result. Example: `%1 = gnn.read_destination %0 : !gnn.field<V, [out], f32> -> !gnn.field<D, [out], f32>`
  }];
}

def Gnn_AggregateOp : Gnn_PureOp<"aggregate", [Gnn_Differentiable, AttrSizedOperandSegments]> {
  let summary = "fold of the values of edges that share an end";
  let description = [{
    Folds in canonical edge order the edges for which `filter` holds. With `by`, the edges of a vertex are folded apart for each value of that
    integer: the result has a new first dimension, and an edge whose `by` is outside it counts for nothing. Aggregators that track their arg
    give it as a second result (i64): the id of the edge that won, -1 over no edges.

    Example:
    ```mlir
    %1 = gnn.aggregate #gnn.sum %0 to destination : (!gnn.field<S, [out], f32>) -> !gnn.field<V, [out], f32>
    %4, %arg = gnn.aggregate #gnn.max %2 filter %3 to source : (!gnn.field<E, [], f32>, !gnn.field<E, [], i1>)
                 -> (!gnn.field<V, [], f32>, !gnn.field<V, [], i64>)
    %7 = gnn.aggregate #gnn.sum %5 by %6 to destination : (!gnn.field<S, [out], f32>, !gnn.field<E, [], i32>)
           -> !gnn.field<V, [types, out], f32>
    ```
  }];
  let arguments = (ins Gnn_AggregatorInterface:$aggregator, Gnn_EdgeField:$operand, Optional<Gnn_BoolEdgeField>:$filter,
                       Optional<Gnn_IndexEdgeField>:$by, Gnn_End:$toward);
  let results = (outs Gnn_VertexField:$result, Optional<Gnn_VertexField>:$arg);
  let builders = [
    OpBuilder<(ins "AggregatorInterface":$aggregator, "::mlir::Value":$operand, "::mlir::Value":$filter, "End":$toward,
                   "unsigned":$vertexType)>,
    OpBuilder<(ins "AggregatorInterface":$aggregator, "::mlir::Value":$operand, "::mlir::Value":$filter, "::mlir::Value":$by,
                   "::mlir::StringAttr":$byDim, "End":$toward, "unsigned":$vertexType)>
  ];
  let assemblyFormat = [{
    $aggregator $operand (`filter` $filter^)? (`by` $by^)? `to` $toward attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The dimension that `by` adds, null without.
    ::mlir::StringAttr getByDim() { return getBy() ? ::llvm::cast<FieldType>(getResult().getType()).getDims()[0] : ::mlir::StringAttr(); }
  }];
}

def Gnn_SoftmaxOp : Gnn_PureOp<"softmax", [Gnn_Differentiable]> {
  let summary = "edge field normalised by exp over the edges that share an end";
  let description = [{
    `exp(x) / sum(exp(x))`, over the edges for which `filter` holds; 0 on the others.

    Example: `%1 = gnn.softmax %0 to destination : (!gnn.field<E, [heads], f32>) -> !gnn.field<E, [heads], f32>`
  }];
  let arguments = (ins Gnn_EdgeField:$operand, Optional<Gnn_BoolEdgeField>:$filter, Gnn_End:$toward, I64Attr:$vertex_type);
  let results = (outs Gnn_EdgeField:$result);
  let assemblyFormat = [{
    $operand (`filter` $filter^)? `to` $toward `of` $vertex_type attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Gnn_SoftmaxSumOp : Gnn_PureOp<"softmax_sum"> {
  let summary = "sum weighted by a softmax, in the sweep that folds its normaliser";
  let description = [{
    The sum of `exp(x - n) * operand` over the edges of a vertex, where `n` is the normaliser, which a `gnn.aggregate #gnn.logsumexp` without
    filter gives, and `x` what that folds; 0 over no edges. Dimension i of the normaliser is dimension `dims[i]` of the operand. One sweep gives
    both (Milakov and Gimelshein 2018): `gnn-fuse-softmax` makes this op, and places its operand before the normaliser.

    Example:
    ```mlir
    %n = gnn.aggregate #gnn.logsumexp %x to destination : (!gnn.field<E, [heads], f32>) -> !gnn.field<V, [heads], f32>
    %y = gnn.softmax_sum %z over %n dims [0] : (!gnn.field<S, [heads, out], f32>, !gnn.field<V, [heads], f32>) -> !gnn.field<V, [heads, out], f32>
    ```
  }];
  let arguments = (ins Gnn_RealField:$operand, Gnn_VertexField:$normaliser, DenseI64ArrayAttr:$dims);
  let results = (outs Gnn_VertexField:$result);
  let assemblyFormat = "$operand `over` $normaliser `dims` $dims attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The aggregation that gives the normaliser.
    AggregateOp getNormaliserOp() { return getNormaliser().getDefiningOp<AggregateOp>(); }
  }];
}

//===----------------------------------------------------------------------===//
// Losses
//===----------------------------------------------------------------------===//

class Gnn_LossOp<string mnemonic, Type targetType> : Gnn_PureOp<mnemonic, [Gnn_Differentiable]> {
  let arguments = (ins Gnn_RealField:$prediction, targetType:$target);
  let results = (outs Gnn_RealField:$result);
  let assemblyFormat = "$prediction `,` $target attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Gnn_CrossEntropyOp : Gnn_LossOp<"cross_entropy", Gnn_IndexField> {
  let summary = "logsumexp of logits [classes] minus the logit of the target class";
  let description = [{
    A target outside [0, classes) marks a vertex without label, whose loss is 0. Example:
    ```mlir
    %2 = gnn.cross_entropy %0, %1 : (!gnn.field<V, [classes], f32>, !gnn.field<V, [], i32>) -> !gnn.field<V, [], f32>
    ```
  }];
}

def Gnn_BinaryCrossEntropyOp : Gnn_LossOp<"binary_cross_entropy", Gnn_RealField> {
  let summary = "mean over the elements of max(x, 0) - x t + log(1 + exp(-|x|))";
  let description = [{
    For a logit x and a target t in [0, 1]; gradients flow to the logits only. Example:
    ```mlir
    %2 = gnn.binary_cross_entropy %0, %1 : (!gnn.field<V, [tasks], f32>, !gnn.field<V, [tasks], f32>) -> !gnn.field<V, [], f32>
    ```
  }];
}

def Gnn_MeanSquaredErrorOp : Gnn_LossOp<"mean_squared_error", Gnn_RealField> {
  let summary = "mean over the elements of (x - t)^2";
  let description = [{
    Example:
    ```mlir
    %2 = gnn.mean_squared_error %0, %1 : (!gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<V, [], f32>
    ```
  }];
}

#endif // GNN_GRAPHOPS_TD
