//===- GnnElementOps.td - Ops on the elements of a field ---*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elementwise ops, and those that change the shape of each value of a field.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_ELEMENTOPS_TD
#define GNN_ELEMENTOPS_TD

include "dialects/Gnn/IR/GnnOpBase.td"

//===----------------------------------------------------------------------===//
// Elementwise
//===----------------------------------------------------------------------===//

class Gnn_UnaryOp<string mnemonic, Type type, Gnn_Facts facts, list<Trait> traits = []>
    : Gnn_ElementwiseOp<mnemonic, facts, !listconcat([SameOperandsAndResultType], traits)> {
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($result))";
}

/// A function of one real operand.
class Gnn_RealUnaryOp<string mnemonic, string text, Gnn_Facts facts>
    : Gnn_UnaryOp<mnemonic, Gnn_RealField, facts, [Gnn_Differentiable]> {
  let summary = text;
  let description = "Example: `%1 = gnn." # mnemonic # " %0 : !gnn.field<V, [out], f32>`";
}

def Gnn_NegOp : Gnn_UnaryOp<"neg", Gnn_NumberField, Gnn_Facts<"Simple", isZeroAtZero=1>, [Gnn_Differentiable]> {
  let summary = "negation";
  let description = [{Example: `%1 = gnn.neg %0 : !gnn.field<V, [out], f32>`}];
  let hasFolder = 1;
}
def Gnn_AbsOp : Gnn_UnaryOp<"abs", Gnn_NumberField, Gnn_Facts<"Simple", sign="NotNegative", isZeroAtZero=1>, [Gnn_Differentiable]> {
  let summary = "absolute value; its derivative at 0 is 0";
  let description = [{Example: `%1 = gnn.abs %0 : !gnn.field<V, [out], f32>`}];
}
def Gnn_ExpOp : Gnn_RealUnaryOp<"exp", "exponential", Gnn_Facts<"Transcendental", sign="NotNegative">>;
def Gnn_LogOp : Gnn_RealUnaryOp<"log", "natural logarithm", Gnn_Facts<"Transcendental", hasInfiniteSlope=1>>;
def Gnn_SqrtOp : Gnn_RealUnaryOp<"sqrt", "square root", Gnn_Facts<"SquareRoot", sign="NotNegative", isZeroAtZero=1, hasInfiniteSlope=1>>;
def Gnn_RsqrtOp : Gnn_RealUnaryOp<"rsqrt", "one over the square root", Gnn_Facts<"SquareRoot", sign="NotNegative", hasInfiniteSlope=1>>;
def Gnn_SigmoidOp : Gnn_RealUnaryOp<"sigmoid", "logistic function, 1 / (1 + exp(-x))",
                                    Gnn_Facts<"Transcendental", sign="NotNegative">>;
def Gnn_TanhOp : Gnn_RealUnaryOp<"tanh", "hyperbolic tangent", Gnn_Facts<"Transcendental", sign="OfOperand", isZeroAtZero=1>>;
def Gnn_ErfOp : Gnn_RealUnaryOp<"erf", "error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x",
                                Gnn_Facts<"Transcendental", sign="OfOperand", isZeroAtZero=1>>;
def Gnn_SignOp : Gnn_RealUnaryOp<"sign", "1 above 0, -1 below, else 0, also of NaN; its derivative is 0",
                                 Gnn_Facts<"Simple", sign="OfOperand", isZeroAtZero=1>>;
def Gnn_SinOp : Gnn_RealUnaryOp<"sin", "sine", Gnn_Facts<"Transcendental", isZeroAtZero=1>>;
def Gnn_CosOp : Gnn_RealUnaryOp<"cos", "cosine", Gnn_Facts<"Transcendental">>;
def Gnn_Log1pOp : Gnn_RealUnaryOp<"log1p", "natural logarithm of 1 + x",
                                  Gnn_Facts<"Transcendental", sign="OfOperand", isZeroAtZero=1, hasInfiniteSlope=1>>;
def Gnn_Expm1Op : Gnn_RealUnaryOp<"expm1", "exponential less 1",
                                  Gnn_Facts<"Transcendental", sign="OfOperand", isZeroAtZero=1>>;
def Gnn_FloorOp : Gnn_RealUnaryOp<"floor", "nearest integer at or below; its derivative is 0",
                                  Gnn_Facts<"Simple", sign="OfOperand", isZeroAtZero=1>>;
def Gnn_CeilOp : Gnn_RealUnaryOp<"ceil", "nearest integer at or above; its derivative is 0",
                                 Gnn_Facts<"Simple", sign="OfOperand", isZeroAtZero=1>>;
def Gnn_RoundOp : Gnn_RealUnaryOp<"round", "nearest integer, halves away from 0; its derivative is 0",
                                  Gnn_Facts<"Simple", sign="OfOperand", isZeroAtZero=1>>;
def Gnn_NotOp : Gnn_UnaryOp<"not", Gnn_BoolField, Gnn_Facts<"Simple">> {
  let summary = "logical negation";
  let description = [{Example: `%1 = gnn.not %0 : !gnn.field<E, [], i1>`}];
  let hasFolder = 1;
}

def Gnn_CopyOp : Gnn_UnaryOp<"copy", Gnn_Field, Gnn_Facts<"Simple", sign="OfOperand", isZeroAtZero=1>> {
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

def Gnn_CastOp : Gnn_ElementwiseOp<"cast", Gnn_Facts<"Simple", isZeroAtZero=1>> {
  let summary = "conversion to another element type";
  let description = [{
    Real to integer truncates; bool is 0 or 1, and what is not 0 is true. No gradient flows: a model has one real type.

    Example: `%1 = gnn.cast %0 : !gnn.field<E, [], i1> -> !gnn.field<E, [], f32>`
  }];
  let arguments = (ins Gnn_Field:$operand);
  let results = (outs Gnn_Field:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasFolder = 1;
  let hasVerifier = 1;
}

class Gnn_JoiningOp<string mnemonic, Gnn_Facts facts, list<Trait> traits = [], string definitions = "">
    : Gnn_ElementwiseOp<mnemonic, facts, !listconcat([Gnn_InferType], traits), definitions>;

/// An op whose result has the shape and the element type of both operands.
class Gnn_BinaryOp<string mnemonic, Type type, Gnn_Facts facts, list<Trait> traits = []>
    : Gnn_JoiningOp<mnemonic, facts, traits, [{
        ::llvm::LogicalResult $cppClass::inferReturnTypes(::mlir::MLIRContext *, std::optional<::mlir::Location> loc,
            ::mlir::ValueRange operands, ::mlir::DictionaryAttr, ::mlir::OpaqueProperties, ::mlir::RegionRange,
            ::llvm::SmallVectorImpl<::mlir::Type> &results) {
          ::mlir::FailureOr<FieldType> joined = joinOperands(loc, operands.getTypes());
          if (failed(joined))
            return ::mlir::failure();
          results.push_back(*joined);
          return ::mlir::success();
        }
      }]> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` functional-type(operands, results)";
  let description = "Joins the kinds of its operands. Example:\n```mlir\n%2 = gnn." # mnemonic #
    " %0, %1 : (!gnn.field<S, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<S, [out], f32>\n```";
}

/// A function of two real operands.
class Gnn_RealBinaryOp<string mnemonic, string text, Gnn_Facts facts>
    : Gnn_BinaryOp<mnemonic, Gnn_RealField, facts, [Gnn_Differentiable]> {
  let summary = text;
}

def Gnn_AddOp : Gnn_BinaryOp<"add", Gnn_NumberField, Gnn_Facts<"Simple", isZeroAtZero=1>, [Commutative, Gnn_Differentiable]> {
  let summary = "sum";
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}
def Gnn_SubOp : Gnn_BinaryOp<"sub", Gnn_NumberField, Gnn_Facts<"Simple", isZeroAtZero=1>, [Gnn_Differentiable]> {
  let summary = "difference";
  let hasFolder = 1;
}
def Gnn_MulOp : Gnn_BinaryOp<"mul", Gnn_NumberField, Gnn_Facts<"Simple", isZeroAtZero=1>, [Commutative, Gnn_Differentiable]> {
  let summary = "product";
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}
def Gnn_DivOp : Gnn_BinaryOp<"div", Gnn_NumberField, Gnn_Facts<"Division", hasInfiniteSlope=1>, [Gnn_Differentiable]> {
  let summary = "quotient";
  let hasFolder = 1;
}
def Gnn_MaximumOp : Gnn_BinaryOp<"maximum", Gnn_NumberField, Gnn_Facts<"Simple", isZeroAtZero=1>, [Gnn_Differentiable]> {
  let summary = "larger of two; NaN where one is. The gradient of equal ones goes to the first";
  let hasFolder = 1;
}
def Gnn_MinimumOp : Gnn_BinaryOp<"minimum", Gnn_NumberField, Gnn_Facts<"Simple", isZeroAtZero=1>, [Gnn_Differentiable]> {
  let summary = "smaller of two; NaN where one is. The gradient of equal ones goes to the first";
  let hasFolder = 1;
}
def Gnn_PowOp : Gnn_RealBinaryOp<"pow", "power", Gnn_Facts<"Transcendental", hasInfiniteSlope=1>> {
  let hasCanonicalizer = 1;
  let hasFolder = 1;
}
def Gnn_Atan2Op : Gnn_RealBinaryOp<"atan2", "angle of the point (rhs, lhs), from -pi to pi",
                                   Gnn_Facts<"Transcendental", hasInfiniteSlope=1>>;
def Gnn_AndOp : Gnn_BinaryOp<"and", Gnn_BoolField, Gnn_Facts<"Simple", isZeroAtZero=1>, [Commutative]> {
  let summary = "logical conjunction";
  let hasFolder = 1;
}
def Gnn_OrOp : Gnn_BinaryOp<"or", Gnn_BoolField, Gnn_Facts<"Simple", isZeroAtZero=1>, [Commutative]> {
  let summary = "logical disjunction";
  let hasFolder = 1;
}

def Gnn_CompareOp : Gnn_JoiningOp<"compare", Gnn_Facts<"Simple">> {
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

def Gnn_SelectOp : Gnn_JoiningOp<"select", Gnn_Facts<"Simple", isZeroAtZero=1>, [Gnn_Differentiable]> {
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
  let summary = "a field with its dimensions in another order";
  let description = [{
    Result dimension i is operand dimension `permutation[i]`.

    Example: `%1 = gnn.transpose %0 permutation [1, 0] : !gnn.field<P, [types, in], f32> -> !gnn.field<P, [in, types], f32>`
  }];
  let arguments = (ins Gnn_Field:$operand, DenseI64ArrayAttr:$permutation);
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

#endif // GNN_ELEMENTOPS_TD
