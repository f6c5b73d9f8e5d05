//===- GnnOps.td - Ops of the gnn dialect ------------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One op for each kind of value of a checked model, and what differentiation and decomposition need besides. In the descriptions `F[..]` is a
// field with those dimensions; types are shortened where they repeat.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_OPS_TD
#define GNN_OPS_TD

include "dialects/Gnn/IR/GnnAttrs.td"
include "dialects/Gnn/IR/GnnDialect.td"
include "dialects/Gnn/IR/GnnInterfaces.td"
include "dialects/Gnn/IR/GnnTypes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Gnn_Op<string mnemonic, list<Trait> traits = []> : Op<Gnn_Dialect, mnemonic, traits>;

class Gnn_PureOp<string mnemonic, list<Trait> traits = []> : Gnn_Op<mnemonic, !listconcat([Pure], traits)>;

def Gnn_Differentiable : DeclareOpInterfaceMethods<Gnn_DifferentiableOpInterface>;
def Gnn_Elementwise : DeclareOpInterfaceMethods<Gnn_ElementwiseOpInterface>;
def Gnn_InferType : DeclareOpInterfaceMethods<InferTypeOpInterface>;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

def Gnn_ProgramOp : Gnn_Op<"program", [IsolatedFromAbove, Symbol, SingleBlock, NoRegionArguments]> {
  let summary = "program over a graph";
  let description = [{
    A list of fields, in an order in which operands come first. What it reads are the leaves: `gnn.input`, `gnn.target`, `gnn.param`,
    `gnn.state`, `gnn.loss_mask`, `gnn.loss_scale`. `@forward` is the model; `@infer`, `@evaluate` and `@train` are made from it.

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
  let summary = "whether this is training: true in `@train`, false in the other programs";
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
    Drawn for each element of each vertex or edge, keyed by seed, step, `site`, original id and element (docs/architecture.md, Random
    numbers): a pure function of the site. `sparse`, on edges of a sparse input: keyed by the vertex and, as element, the column.

    Example: `%0 = gnn.dropout_mask site 1 probability 5.0e-01 : !gnn.field<V, [hidden], f32>`
  }];
  let arguments = (ins I64Attr:$site, F64Attr:$probability, UnitAttr:$sparse);
  let results = (outs Gnn_RealField:$result);
  let assemblyFormat = "`site` $site `probability` $probability (`sparse` $sparse^)? attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

class Gnn_UnaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : Gnn_PureOp<mnemonic, !listconcat([Gnn_Elementwise, SameOperandsAndResultType], traits)> {
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($result))";
}

class Gnn_RealUnaryOp<string mnemonic, string text> : Gnn_UnaryOp<mnemonic, Gnn_RealField, [Gnn_Differentiable]> {
  let summary = text;
  let description = "Example: `%1 = gnn." # mnemonic # " %0 : !gnn.field<V, [out], f32>`";
}

def Gnn_NegOp : Gnn_UnaryOp<"neg", Gnn_NumberField, [Gnn_Differentiable]> {
  let summary = "negation";
  let description = [{Example: `%1 = gnn.neg %0 : !gnn.field<V, [out], f32>`}];
  let hasFolder = 1;
}
def Gnn_AbsOp : Gnn_UnaryOp<"abs", Gnn_NumberField, [Gnn_Differentiable]> {
  let summary = "absolute value; its derivative at 0 is 0";
  let description = [{Example: `%1 = gnn.abs %0 : !gnn.field<V, [out], f32>`}];
}
def Gnn_ExpOp : Gnn_RealUnaryOp<"exp", "exponential">;
def Gnn_LogOp : Gnn_RealUnaryOp<"log", "natural logarithm">;
def Gnn_SqrtOp : Gnn_RealUnaryOp<"sqrt", "square root">;
def Gnn_RsqrtOp : Gnn_RealUnaryOp<"rsqrt", "one over the square root">;
def Gnn_SigmoidOp : Gnn_RealUnaryOp<"sigmoid", "logistic function, 1 / (1 + exp(-x))">;
def Gnn_TanhOp : Gnn_RealUnaryOp<"tanh", "hyperbolic tangent">;
def Gnn_NotOp : Gnn_UnaryOp<"not", Gnn_BoolField> {
  let summary = "logical negation";
  let description = [{Example: `%1 = gnn.not %0 : !gnn.field<E, [], i1>`}];
  let hasFolder = 1;
}

def Gnn_CopyOp : Gnn_UnaryOp<"copy", Gnn_Field> {
  let summary = "the same field in memory of its own";
  let description = [{
    For results of a program, of which each is a tensor. Does not fold. Example: `%1 = gnn.copy %0 : !gnn.field<V, [out], f32>`
  }];
}

def Gnn_StopGradientOp : Gnn_PureOp<"stop_gradient", [SameOperandsAndResultType]> {
  let summary = "the same field, through which no gradient flows";
  let description = [{
    gnn-decompose puts its operand in its place. Example: `%1 = gnn.stop_gradient %0 : !gnn.field<V, [out], f32>`
  }];
  let arguments = (ins Gnn_RealField:$operand);
  let results = (outs Gnn_RealField:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($result))";
}

def Gnn_CastOp : Gnn_PureOp<"cast", [Gnn_Elementwise, Gnn_Differentiable]> {
  let summary = "conversion to another element type";
  let description = [{
    Real to integer truncates; bool is 0 or 1, and what is not 0 is true. Gradients flow between real types only.

    Example: `%1 = gnn.cast %0 : !gnn.field<E, [], i1> -> !gnn.field<E, [], f32>`
  }];
  let arguments = (ins Gnn_Field:$operand);
  let results = (outs Gnn_Field:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

class Gnn_JoiningOp<string mnemonic, list<Trait> traits = []>
    : Gnn_PureOp<mnemonic, !listconcat([Gnn_Elementwise, Gnn_InferType], traits)>;

class Gnn_BinaryOp<string mnemonic, Type type, list<Trait> traits = []> : Gnn_JoiningOp<mnemonic, traits> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let description = "Joins the kinds of its operands. Example:\n```mlir\n%2 = gnn." # mnemonic #
    " %0, %1 : (!gnn.field<S, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<S, [out], f32>\n```";
}

def Gnn_AddOp : Gnn_BinaryOp<"add", Gnn_NumberField, [Commutative, Gnn_Differentiable]> {
  let summary = "sum";
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}
def Gnn_SubOp : Gnn_BinaryOp<"sub", Gnn_NumberField, [Gnn_Differentiable]> {
  let summary = "difference";
  let hasFolder = 1;
}
def Gnn_MulOp : Gnn_BinaryOp<"mul", Gnn_NumberField, [Commutative, Gnn_Differentiable]> {
  let summary = "product";
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}
def Gnn_DivOp : Gnn_BinaryOp<"div", Gnn_NumberField, [Gnn_Differentiable]> {
  let summary = "quotient";
  let hasFolder = 1;
}
def Gnn_MaximumOp : Gnn_BinaryOp<"maximum", Gnn_NumberField, [Gnn_Differentiable]> {
  let summary = "larger of two; NaN where one is. The gradient of equal ones goes to the first";
  let hasFolder = 1;
}
def Gnn_MinimumOp : Gnn_BinaryOp<"minimum", Gnn_NumberField, [Gnn_Differentiable]> {
  let summary = "smaller of two; NaN where one is. The gradient of equal ones goes to the first";
  let hasFolder = 1;
}
def Gnn_PowOp : Gnn_BinaryOp<"pow", Gnn_RealField, [Gnn_Differentiable]> {
  let summary = "power";
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}
def Gnn_AndOp : Gnn_BinaryOp<"and", Gnn_BoolField, [Commutative]> {
  let summary = "logical conjunction";
  let hasFolder = 1;
}
def Gnn_OrOp : Gnn_BinaryOp<"or", Gnn_BoolField, [Commutative]> {
  let summary = "logical disjunction";
  let hasFolder = 1;
}

def Gnn_CompareOp : Gnn_JoiningOp<"compare"> {
  let summary = "comparison; false where an operand is NaN, but `ne` is true";
  let description = [{
    Example:
    ```mlir
    %2 = gnn.compare gt %0, %1 : (!gnn.field<V, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<V, [out], i1>
    ```
  }];
  let arguments = (ins Gnn_Predicate:$predicate, Gnn_Field:$lhs, Gnn_Field:$rhs);
  let results = (outs Gnn_BoolField:$result);
  let assemblyFormat = "$predicate $lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
}

def Gnn_SelectOp : Gnn_JoiningOp<"select", [Gnn_Differentiable]> {
  let summary = "one of two by a condition";
  let description = [{
    Example:
    ```mlir
    %3 = gnn.select %0, %1, %2 : (!gnn.field<V, [out], i1>, !gnn.field<V, [out], f32>, !gnn.field<P, [out], f32>)
           -> !gnn.field<V, [out], f32>
    ```
  }];
  let arguments = (ins Gnn_BoolField:$condition, Gnn_Field:$then, Gnn_Field:$otherwise);
  let results = (outs Gnn_Field:$result);
  let assemblyFormat = "$condition `,` $then `,` $otherwise attr-dict `:` functional-type(operands, results)";
  let hasFolder = 1;
}

//===----------------------------------------------------------------------===//
// Shape
//===----------------------------------------------------------------------===//

def Gnn_BroadcastOp : Gnn_PureOp<"broadcast", [Gnn_Differentiable]> {
  let summary = "repetition along new dimensions";
  let description = [{
    Operand dimension i is result dimension `dims[i]`; `dims` increases.

    Example: `%1 = gnn.broadcast %0 dims [0] : !gnn.field<E, [heads], f32> -> !gnn.field<E, [heads, out], f32>`
  }];
  let arguments = (ins Gnn_Field:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Gnn_Field:$result);
  let assemblyFormat = "$operand `dims` $dims attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

class Gnn_ReductionOp<string mnemonic, Type resultType, list<Trait> traits = []>
    : Gnn_PureOp<mnemonic, !listconcat([Gnn_InferType], traits)> {
  let results = (outs resultType:$result);
}

def Gnn_ReduceOp : Gnn_ReductionOp<"reduce", Gnn_NumberField, [Gnn_Differentiable]> {
  let summary = "reduction over one dimension of each value";
  let description = [{
    Example: `%1 = gnn.reduce #gnn.sum %0 dim 1 : (!gnn.field<V, [heads, out], f32>) -> !gnn.field<V, [heads], f32>`
  }];
  let arguments = (ins Gnn_AggregatorInterface:$aggregator, Gnn_NumberField:$operand, I64Attr:$dim);
  let hasCanonicalizer = 1;
  let assemblyFormat = "$aggregator $operand `dim` $dim attr-dict `:` functional-type(operands, results)";
}

def Gnn_ArgReduceOp : Gnn_ReductionOp<"arg_reduce", Gnn_IndexField> {
  let summary = "position of the first largest or smallest element along one dimension";
  let description = [{
    The first NaN wins over everything. Example: `%1 = gnn.arg_reduce max %0 dim 0 : (!gnn.field<V, [classes], f32>) -> !gnn.field<V, [], i64>`
  }];
  let arguments = (ins Gnn_Extremum:$extremum, Gnn_NumberField:$operand, I64Attr:$dim);
  let assemblyFormat = "$extremum $operand `dim` $dim attr-dict `:` functional-type(operands, results)";
}

def Gnn_OneHotOp : Gnn_PureOp<"one_hot"> {
  let summary = "1 (true) at a position of a new dimension, 0 (false) elsewhere";
  let description = [{
    The new dimension is result dimension `dim`. A position outside it gives no 1.

    Example: `%1 = gnn.one_hot %0 dim 0 : !gnn.field<V, [], i32> -> !gnn.field<V, [classes], f32>`
  }];
  let arguments = (ins Gnn_IndexField:$index, I64Attr:$dim);
  let results = (outs Gnn_Field:$result);
  let assemblyFormat = "$index `dim` $dim attr-dict `:` qualified(type($index)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

class Gnn_ReshapingOp<string mnemonic> : Gnn_PureOp<mnemonic, [Gnn_Differentiable]> {
  let results = (outs Gnn_Field:$result);
}

def Gnn_ReshapeOp : Gnn_ReshapingOp<"reshape"> {
  let summary = "the same elements in row-major order in another shape";
  let description = [{
    Example: `%1 = gnn.reshape %0 : !gnn.field<V, [heads, out], f32> -> !gnn.field<V, ["heads * out"], f32>`
  }];
  let arguments = (ins Gnn_Field:$operand);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Gnn_ConcatOp : Gnn_ReshapingOp<"concat"> {
  let summary = "fields one after the other along a dimension";
  let description = [{
    Joins the kinds of its operands. Example:
    ```mlir
    %2 = gnn.concat %0, %1 dim 0 : (!gnn.field<V, [a], f32>, !gnn.field<V, [b], f32>) -> !gnn.field<V, ["a + b"], f32>
    ```
  }];
  let arguments = (ins Variadic<Gnn_Field>:$operands, I64Attr:$dim);
  let assemblyFormat = "$operands `dim` $dim attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Gnn_PadOp : Gnn_ReshapingOp<"pad"> {
  let summary = "zeros around a field along a dimension";
  let description = [{
    Along `dim` the operand starts at position `offset` (the text of a dimension polynomial) of the result.

    Example: `%1 = gnn.pad %0 dim 0 at "0" : !gnn.field<V, [in], f32> -> !gnn.field<V, [hidden], f32>`
  }];
  let arguments = (ins Gnn_NumberField:$operand, I64Attr:$dim, StrAttr:$offset);
  let assemblyFormat = "$operand `dim` $dim `at` $offset attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Gnn_SliceOp : Gnn_ReshapingOp<"slice"> {
  let summary = "a run of elements along a dimension: the adjoint of `gnn.pad`";
  let description = [{
    Example: `%1 = gnn.slice %0 dim 0 at "a" : !gnn.field<V, ["a + b"], f32> -> !gnn.field<V, [b], f32>`
  }];
  let arguments = (ins Gnn_Field:$operand, I64Attr:$dim, StrAttr:$offset);
  let assemblyFormat = "$operand `dim` $dim `at` $offset attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Gnn_TransposeOp : Gnn_ReshapingOp<"transpose"> {
  let summary = "parameter with its dimensions in another order";
  let description = [{
    Result dimension i is operand dimension `permutation[i]`.

    Example: `%1 = gnn.transpose %0 permutation [1, 0] : !gnn.field<P, [types, in], f32> -> !gnn.field<P, [in, types], f32>`
  }];
  let arguments = (ins Gnn_ParameterField:$operand, DenseI64ArrayAttr:$permutation);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand, "::llvm::ArrayRef<int64_t>":$permutation)>];
  let assemblyFormat = "$operand `permutation` $permutation attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

def Gnn_IndexOp : Gnn_PureOp<"index", [Gnn_Differentiable, Gnn_InferType]> {
  let summary = "one of a table's entries, picked by an integer";
  let description = [{
    `table [n, rest..]` at `index` is `[rest..]`; outside [0, n) it is 0, and there is no gradient. Joins the kinds of its operands: the table
    may be a parameter or lie at each vertex or edge.

    Example:
    ```mlir
    %2 = gnn.index %0, %1 : (!gnn.field<P, [types, out], f32>, !gnn.field<E, [], i32>) -> !gnn.field<E, [out], f32>
    ```
  }];
  let arguments = (ins Gnn_Field:$table, Gnn_IndexField:$index);
  let results = (outs Gnn_Field:$result);
  let assemblyFormat = "$table `,` $index attr-dict `:` functional-type(operands, results)";
}

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

def Gnn_RowsTableOp : Gnn_PureOp<"rows_table", [Gnn_Differentiable]> {
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

    Example: `%1 = gnn.total #gnn.sum %0 : (!gnn.field<V, [out], f32>) -> !gnn.field<P, [out], f32>`
  }];
  let arguments = (ins Gnn_AggregatorInterface:$aggregator, Gnn_VertexField:$operand);
  let results = (outs Gnn_ParameterField:$result);
  let assemblyFormat = "$aggregator $operand attr-dict `:` functional-type(operands, results)";
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

#endif // GNN_OPS_TD
