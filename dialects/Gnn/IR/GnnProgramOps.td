//===- GnnProgramOps.td - Programs and leaves --------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs, and what they read: inputs, parameters and other values that no op computes.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_PROGRAMOPS_TD
#define GNN_PROGRAMOPS_TD

include "dialects/Gnn/IR/GnnOpBase.td"

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

def Gnn_ProgramOp : Gnn_Op<"program", [IsolatedFromAbove, Symbol, SingleBlock, NoRegionArguments]> {
  let summary = "program over a graph";
  let description = [{
    A list of fields, in an order in which operands come first. What it reads are the leaves: `gnn.input`, `gnn.target`, `gnn.param`,
    `gnn.state`, `gnn.loss_mask`, `gnn.loss_scale`, `gnn.cotangent`. `@forward` is the model; `@infer`, `@evaluate`, `@train`, `@vjp` and `@vjp_train` are made
    from it.

    Example:
    ```mlir
    gnn.program @forward {
      %0 = gnn.input "x" : !gnn.field<V, [in], f32>
      gnn.return %0 [#gnn.result<output "y">] : !gnn.field<V, [in], f32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    ReturnOp getReturn();
  }];
}

def Gnn_ReturnOp : Gnn_Op<"return", [Terminator, HasParent<"ProgramOp">, Pure]> {
  let summary = "results of a program";
  let description = [{
    Example:
    ```mlir
    gnn.return %loss, %dW [#gnn.result<loss "loss">, #gnn.result<gradient "conv1.W">]
        : !gnn.field<P, [], f32>, !gnn.field<P, [in, out], f32>
    ```
  }];
  let arguments = (ins Variadic<Gnn_Field>:$operands, TypedArrayAttrBase<Gnn_ResultAttr, "roles and names">:$roles);
  let assemblyFormat = "($operands^)? $roles attr-dict (`:` qualified(type($operands))^)?";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ResultAttr getRole(unsigned index) { return ::llvm::cast<ResultAttr>(getRoles()[index]); }
  }];
}

//===----------------------------------------------------------------------===//
// Leaves
//===----------------------------------------------------------------------===//

class Gnn_NamedLeaf<string mnemonic, Type resultType> : Gnn_PureOp<mnemonic> {
  let arguments = (ins StrAttr:$name);
  let results = (outs resultType:$result);
  let assemblyFormat = "$name attr-dict `:` qualified(type($result))";
}

def Gnn_InputOp : Gnn_NamedLeaf<"input", Gnn_Field> {
  let summary = "input that the caller binds";
  let description = [{
    A field of vertices or edges. Example: `%0 = gnn.input "x" : !gnn.field<V, [in], f32>`
  }];
}

def Gnn_TargetOp : Gnn_NamedLeaf<"target", Gnn_LocalField> {
  let summary = "what a vertex or edge should give, bound in training and evaluation";
  let description = [{Example: `%0 = gnn.target "label" : !gnn.field<V, [], i32>`}];
}

def Gnn_ParamOp : Gnn_NamedLeaf<"param", Gnn_ParameterField> {
  let summary = "trained parameter";
  let description = [{Example: `%0 = gnn.param "conv1.W" : !gnn.field<P, [in, out], f32>`}];
}

def Gnn_StateOp : Gnn_NamedLeaf<"state", Gnn_ParameterField> {
  let summary = "parameter that is saved but not trained";
  let description = [{Example: `%0 = gnn.state "norm.mean" : !gnn.field<P, [out], f32>`}];
}

class Gnn_UnnamedLeaf<string mnemonic, Type resultType> : Gnn_PureOp<mnemonic> {
  let results = (outs resultType:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Gnn_LossMaskOp : Gnn_UnnamedLeaf<"loss_mask", Gnn_LocalField> {
  let summary = "weight of each vertex or edge in the loss, bound by the executor";
  let description = [{Example: `%0 = gnn.loss_mask : !gnn.field<V, [], f32>`}];
}

def Gnn_LossScaleOp : Gnn_UnnamedLeaf<"loss_scale", Gnn_ParameterField> {
  let summary = "one over the sum of the loss mask over the whole graph, bound by the executor";
  let description = [{Example: `%0 = gnn.loss_scale : !gnn.field<P, [], f32>`}];
}

def Gnn_CotangentOp : Gnn_NamedLeaf<"cotangent", Gnn_RealField> {
  let summary = "gradient of an output, bound by the caller before the backward steps";
  let description = [{Example: `%0 = gnn.cotangent "logits" : !gnn.field<V, [classes], f32>`}];
}

def Gnn_EdgeIdOp : Gnn_UnnamedLeaf<"edge_id", Gnn_EdgeField> {
  let summary = "original id of each edge";
  let description = [{Example: `%0 = gnn.edge_id : !gnn.field<E, [], i64>`}];
}

def Gnn_EdgeTypeOp : Gnn_UnnamedLeaf<"edge_type", Gnn_EdgeField> {
  let summary = "type of each edge, in [0, types) of its relation";
  let description = [{Example: `%0 = gnn.edge_type : !gnn.field<E, [], i32>`}];
  let hasVerifier = 1;
}

def Gnn_VertexIdOp : Gnn_UnnamedLeaf<"vertex_id", Gnn_LocalField> {
  let summary = "original id of each vertex";
  let description = [{
    In a sweep, as `S` or `D`, that of the vertex at the end of each edge. Example: `%0 = gnn.vertex_id : !gnn.field<V, [], i64>`
  }];
}

def Gnn_TrainingOp : Gnn_UnnamedLeaf<"training", Gnn_ParameterField> {
  let summary = "whether this is training: true in `@train` and `@vjp_train`, false in the other programs";
  let description = [{
    gnn-differentiate and gnn-derive-programs put the constant in. Example: `%0 = gnn.training : !gnn.field<P, [], i1>`
  }];
}

def Gnn_DegreeOp : Gnn_PureOp<"degree"> {
  let summary = "number of edges of a vertex in the whole transformed graph";
  let description = [{
    A real number for each vertex of the destination type (`in`) or source type (`out`) of the relation; with a dimension, one for each type
    of edges.

    Examples:
    ```mlir
    %0 = gnn.degree in of 0 : !gnn.field<V, [], f32>
    %1 = gnn.degree in of 0 : !gnn.field<V, [types], f32>
    ```
  }];
  let arguments = (ins Gnn_DegreeKind:$kind, I64Attr:$relation);
  let results = (outs Gnn_VertexField:$result);
  let assemblyFormat = "$kind `of` $relation attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Gnn_CountOp : Gnn_PureOp<"count"> {
  let summary = "number of edges that a program sees at a vertex";
  let description = [{
    What a sweep over the relation toward that end folds for each row: all edges of the vertex over the whole graph, where it is the degree;
    those that were drawn over a sample. A real number or an integer, as the result's type says; with a dimension, one for each type of
    edges.

    Examples:
    ```mlir
    %0 = gnn.count to destination of 0 : !gnn.field<V, [], f32>
    %1 = gnn.count to destination of 0 : !gnn.field<V, [types], f32>
    ```
  }];
  let arguments = (ins Gnn_End:$toward, I64Attr:$relation);
  let results = (outs Gnn_VertexField:$result);
  let assemblyFormat = "`to` $toward `of` $relation attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Gnn_ConstantOp : Gnn_PureOp<"constant", [ConstantLike]> {
  let summary = "field whose elements are all one number";
  let description = [{
    Of any kind and shape. Example: `%0 = gnn.constant 1.0 : f32 -> !gnn.field<P, [], f32>`
  }];
  let arguments = (ins TypedAttrInterface:$value);
  let results = (outs Gnn_Field:$result);
  let builders = [OpBuilder<(ins "FieldType":$type, "double":$number)>];
  let assemblyFormat = "$value attr-dict `->` qualified(type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Gnn_ExtentOp : Gnn_PureOp<"extent"> {
  let summary = "value of a dimension as a number";
  let description = [{
    `value` is the text of a dimension polynomial. Example: `%0 = gnn.extent "heads * out" : !gnn.field<P, [], f32>`
  }];
  let arguments = (ins StrAttr:$value);
  let results = (outs Gnn_ParameterField:$result);
  let assemblyFormat = "$value attr-dict `:` qualified(type($result))";
  let hasFolder = 1;
}

def Gnn_DropoutMaskOp : Gnn_PureOp<"dropout_mask"> {
  let summary = "1 / (1 - probability) where kept, else 0";
  let description = [{
    Drawn for each element of each vertex or edge, keyed by seed, step, `site`, original id and element (docs/dev/abi.md, Random
    numbers): a pure function of the site. `sparse`, on edges of a sparse input: keyed by the vertex and, as element, the column.

    Example: `%0 = gnn.dropout_mask site 1 probability 5.0e-01 : !gnn.field<V, [hidden], f32>`
  }];
  let arguments = (ins I64Attr:$site, F64Attr:$probability, UnitAttr:$sparse);
  let results = (outs Gnn_RealField:$result);
  let assemblyFormat = "`site` $site `probability` $probability (`sparse` $sparse^)? attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

#endif // GNN_PROGRAMOPS_TD
