//===- StarOps.td - Ops of the star dialect -----------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs, their steps, and kernels with the ops that end their regions.
//
//===----------------------------------------------------------------------===//

#ifndef STAR_OPS_TD
#define STAR_OPS_TD

include "dialects/Gnn/IR/GnnAttrs.td"
include "dialects/Gnn/IR/GnnTypes.td"
include "dialects/Star/IR/StarAttrs.td"
include "dialects/Star/IR/StarDialect.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Star_Op<string mnemonic, list<Trait> traits = []> : Op<Star_Dialect, mnemonic, traits>;

def Star_AggregatorArray : TypedArrayAttrBase<Gnn_AggregatorInterface, "array of aggregators">;
def Star_OperandArray : TypedArrayAttrBase<Star_OperandAttr, "array of kernel operands">;
def Star_ResultArray : TypedArrayAttrBase<Gnn_ResultAttr, "roles and names of results">;

def Star_StoredField : Gnn_FieldWhere<"!field.isEdge() || field.getKind() == ::gnnc::gnn::GraphKind::E", "field of kind P, V or E">;
def Star_StoredEdgeField : Gnn_FieldWhere<"field.getKind() == ::gnnc::gnn::GraphKind::E", "field of kind E">;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

def Star_ProgramOp : Star_Op<"program", [IsolatedFromAbove, Symbol, SingleBlock, NoRegionArguments]> {
  let summary = "program as a list of steps";
  let description = [{
    Steps run in order. `@infer`, `@evaluate` and `@train` are what the library offers (program.h).

    Example:
    ```mlir
    star.program @infer {
      %0 = gnn.input "x" : !gnn.field<V, [in], f32>
      star.return %0 [#gnn.result<output "y">] : !gnn.field<V, [in], f32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Star_ReturnOp : Star_Op<"return", [Terminator, HasParent<"ProgramOp">, Pure]> {
  let summary = "results of a program";
  let description = [{Example: `star.return %0 [#gnn.result<output "logits">] : !gnn.field<V, [classes], f32>`}];
  let arguments = (ins Variadic<Star_StoredField>:$operands, Star_ResultArray:$roles);
  let assemblyFormat = "($operands^)? $roles attr-dict (`:` type($operands)^)?";
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

def Star_SweepOp : Star_Op<"sweep", [IsolatedFromAbove, Pure, AttrSizedOperandSegments, AttrSizedResultSegments]> {
  let summary = "one pass over the edges of a relation";
  let description = [{
    For each row: folds what `step` contributes for each of its edges, in canonical order, with one aggregator for each reduction; then
    computes `end`. What of `step` depends on `rows` and `whole` only is computed once for each row.

    Arguments of `step`: `rows` as `D` (towards destinations) or `S` (towards sources), `cols` as the other, `edges` as `E`, `whole`
    as `P`. Arguments of `end`: `rows`, `whole`, then the finished reductions as `V`; a reduction whose aggregator tracks its arg gives
    two, the value and the i64 edge id (-1: none). A reduction that is folded apart by an integer of the edges (`by` of `star.contribute`)
    has one more dimension, its first. Results: those of the rows, which `end` yields, then one value for each edge, which `step`
    contributes.

    A sweep may give totals over all edges instead, one for each reduction and of its shape, which has an entry for each number that edges
    are folded apart by. Runs of edges with the same number, each within a segment, are folded first, then these into the slot of their rows
    (program.h). Such a sweep has no other results, and `end` does nothing.

    Rules: 1. block arguments are those that the operands and reductions imply; 2. `step` ends in `star.contribute` with a value for
    each reduction, of that reduction's dimensions (but the first, where it is folded by an integer) and element, and one for each edge
    result; 3. `end` ends in `star.yield` with the row results; 4. a `#star.softmax_sum` has a `star.online_softmax` in `step` for its
    normaliser, which folds the same scores; 5. totals are sums, folded apart by an integer, and a sweep with totals has no other reductions and results.

    Example: see the dialect.
  }];
  let arguments = (ins I64Attr:$relation, Gnn_End:$toward, Variadic<Gnn_VertexField>:$rows, Variadic<Gnn_VertexField>:$cols,
                       Variadic<Star_StoredEdgeField>:$edges, Variadic<Gnn_ParameterField>:$whole, Star_AggregatorArray:$aggregators);
  let results = (outs Variadic<Gnn_VertexField>:$row_results, Variadic<Star_StoredEdgeField>:$edge_results,
                      Variadic<Gnn_ParameterField>:$totals);
  let regions = (region SizedRegion<1>:$step, SizedRegion<1>:$end);
  let assemblyFormat = [{
    $relation `to` $toward (`rows` `(` $rows^ `:` type($rows) `)`)? (`cols` `(` $cols^ `:` type($cols) `)`)?
    (`edges` `(` $edges^ `:` type($edges) `)`)? (`whole` `(` $whole^ `:` type($whole) `)`)? `reduce` $aggregators
    `step` $step `end` $end `->` (`rows` `(` type($row_results)^ `)`)? (`edges` `(` type($edge_results)^ `)`)?
    (`totals` `(` type($totals)^ `)`)? attr-dict
  }];
  let hasRegionVerifier = 1;
}

def Star_MapOp : Star_Op<"map", [IsolatedFromAbove, Pure, AttrSizedOperandSegments, AttrSizedResultSegments]> {
  let summary = "one pass over the vertices of a type";
  let description = [{
    Computes `end` for each row. Its arguments are `rows` and `whole`, as they are. It yields the row results, then for each total what the
    row contributes to it; totals are folded by `#gnn.sum`, `#gnn.max` or `#gnn.min`, in slots of rows (program.h), and are 0 over no rows.

    A map may compute parameters from parameters: then it runs over a vertex type with one row, `vertex_type` is -1 and its row results
    are `P`.

    Example:
    ```mlir
    %1, %2 = star.map 0 rows(%0 : !gnn.field<V, [out], f32>) end {
    ^bb0(%x: !gnn.field<V, [out], f32>):
      %y = gnn.exp %x : !gnn.field<V, [out], f32>
      star.yield %y, %x : !gnn.field<V, [out], f32>, !gnn.field<V, [out], f32>
    } -> rows(!gnn.field<V, [out], f32>) totals [#gnn.sum] (!gnn.field<P, [out], f32>)
    ```
  }];
  let arguments = (ins I64Attr:$vertex_type, Variadic<Gnn_VertexField>:$rows, Variadic<Gnn_ParameterField>:$whole,
                       DefaultValuedAttr<Star_AggregatorArray, "{}">:$aggregators);
  let results = (outs Variadic<Gnn_Field>:$row_results, Variadic<Gnn_ParameterField>:$totals);
  let regions = (region SizedRegion<1>:$end);
  let assemblyFormat = [{
    $vertex_type (`rows` `(` $rows^ `:` type($rows) `)`)? (`whole` `(` $whole^ `:` type($whole) `)`)?
    `end` $end `->` (`rows` `(` type($row_results)^ `)`)? (`totals` $aggregators^ `(` type($totals) `)`)? attr-dict
  }];
  let hasRegionVerifier = 1;
}

def Star_MatMulOp : Star_Op<"matmul", [Pure]> {
  let summary = "dense product of the rows of a field with a parameter";
  let description = [{
    `x [k] @ w [k, n..] -> [n..]` for each vertex; with `transpose_w`, `x [n..] @ w [k, n..] -> [k]`. With `of_bf16` both are rounded to bf16
    before, to the nearest, of two to the even one; sums are f32.

    Example:
    ```mlir
    %2 = star.matmul %0, %1 : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
    ```
  }];
  let arguments = (ins Gnn_VertexField:$x, Gnn_ParameterField:$w, UnitAttr:$transpose_w, UnitAttr:$of_bf16);
  let results = (outs Gnn_VertexField:$result);
  let assemblyFormat = "$x `,` $w (`transpose_w` $transpose_w^)? (`of_bf16` $of_bf16^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Star_MatMulTNOp : Star_Op<"matmul_tn", [Pure]> {
  let summary = "sum over vertices of outer products";
  let description = [{
    `x [k], g [n..] -> P [k, n..]`, in slots of rows (program.h). `of_bf16` is that of `star.matmul`.

    Example:
    ```mlir
    %2 = star.matmul_tn %0, %1 : (!gnn.field<V, [in], f32>, !gnn.field<V, [out], f32>) -> !gnn.field<P, [in, out], f32>
    ```
  }];
  let arguments = (ins Gnn_VertexField:$x, Gnn_VertexField:$g, UnitAttr:$of_bf16);
  let results = (outs Gnn_ParameterField:$result);
  let assemblyFormat = "$x `,` $g (`of_bf16` $of_bf16^)? attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Star_LaunchOp : Star_Op<"launch", [Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run of a kernel";
  let description = [{
    Operands and results are those that the kernel's `inputs` and `outputs` list.

    Example: `%1 = star.launch @sweep0(%0) : (!gnn.field<V, [out], f32>) -> !gnn.field<V, [out], f32>`
  }];
  let arguments = (ins FlatSymbolRefAttr:$kernel, Variadic<Star_StoredField>:$operands);
  let results = (outs Variadic<Star_StoredField>:$results);
  let assemblyFormat = "$kernel `(` $operands `)` attr-dict `:` functional-type(operands, results)";
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

def Star_KernelOp : Star_Op<"kernel", [IsolatedFromAbove, Symbol]> {
  let summary = "code of a sweep or a map";
  let description = [{
    The regions of a `star.sweep` (`id` is the relation) or of a `star.map` (`id` is the vertex type, `step` is empty), under the same rules.
    `inputs` are in the order rows, cols, edges, whole; `outputs` are row results, then edge results (sweep), then totals (access
    `whole`); `aggregators` are those of the reductions or of the totals. `scratch_bytes` and `state_bytes` are dimension polynomials that the lowering to loops sets: bytes that a call needs for
    itself, and bytes of the spilled state of a row (sweep) or a slot (totals), as docs/dev/abi.md lays them out. `passes`, where the
    lowering finds that calls may fold a part of the last dimension each, is that dimension; `state_bytes` is then for each of its elements. `mapping`
    says how a device runs the kernel.

    Example:
    ```mlir
    star.kernel @map0 map of 0 inputs [#star.operand<row !gnn.field<V, [], f32>>] outputs [#star.operand<row !gnn.field<V, [], f32>>]
        reduce [] step {
    } end {
    ^bb0(%x: !gnn.field<V, [], f32>):
      %y = gnn.exp %x : !gnn.field<V, [], f32>
      star.yield %y : !gnn.field<V, [], f32>
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, Star_KernelKindAttr:$kind, I64Attr:$id, OptionalAttr<Gnn_End>:$toward,
                       Star_OperandArray:$inputs, Star_OperandArray:$outputs, Star_AggregatorArray:$aggregators,
                       OptionalAttr<StrAttr>:$scratch_bytes, OptionalAttr<StrAttr>:$state_bytes, OptionalAttr<StrAttr>:$passes,
                       OptionalAttr<Star_ScheduleAttr>:$schedule, OptionalAttr<Star_MappingAttr>:$mapping);
  let regions = (region MaxSizedRegion<1>:$step, SizedRegion<1>:$end);
  let assemblyFormat = [{
    $sym_name $kind `of` $id (`to` $toward^)? `inputs` $inputs `outputs` $outputs `reduce` $aggregators
    (`scratch` $scratch_bytes^)? (`state` $state_bytes^)? (`passes` $passes^)? (`schedule` qualified($schedule)^)?
    (`mapping` $mapping^)? `step` $step `end` $end attr-dict
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    bool isSweep() { return getKind() == KernelKind::Sweep; }
    /// A sweep that gives edges values and rows none: it may go over its edges in any order.
    bool isEdgeWise() { return isSweep() && getAggregators().empty() && getNumRowOutputs() == 0; }
    /// A sweep that gives totals: its states are those of slots, and it has no merge.
    bool isOfTotals() { return isSweep() && !getOutputs().empty() && getOutput(0).getAccess() == Access::Whole; }
    OperandAttr getInput(unsigned index) { return ::llvm::cast<OperandAttr>(getInputs()[index]); }
    OperandAttr getOutput(unsigned index) { return ::llvm::cast<OperandAttr>(getOutputs()[index]); }
    ::gnnc::gnn::AggregatorInterface getAggregator(unsigned index) {
      return ::llvm::cast<::gnnc::gnn::AggregatorInterface>(getAggregators()[index]);
    }
    /// Outputs that `star.yield` gives for each row; the others are edge results or totals.
    unsigned getNumRowOutputs();
    /// The argument of `end` that holds the value of reduction `index`; where it tracks its arg, that is the next argument.
    ::mlir::BlockArgument getReduction(unsigned index);
    /// What weights the edges of softmax sums over reduction `index`; null if there are none.
    OnlineSoftmaxOp getOnlineSoftmax(unsigned index);
    /// Null for a map.
    ContributeOp getContribute();
    YieldOp getYield();
  }];
}

def Star_ContributeOp : Star_Op<"contribute", [Terminator, Pure, AttrSizedOperandSegments, ParentOneOf<["SweepOp", "KernelOp"]>]> {
  let summary = "what one edge adds to the reductions, and its edge results";
  let description = [{
    Reduction i folds `values[i]`; where `filter_of[i]` is not -1, only for edges on which `filters[filter_of[i]]` (a bool without
    dimensions) holds; where `by_of[i]` is not -1, into its entry `by[by_of[i]]` (an integer without dimensions), or nowhere if it has no
    such entry.

    Example:
    ```mlir
    star.contribute [%0, %1] filters [%2] of [-1, 0] by [%3] of [0, -1] edges [%4]
        : !gnn.field<E, [out], f32>, !gnn.field<S, [], f32>, !gnn.field<E, [], i1>, !gnn.field<E, [], i32>, !gnn.field<E, [], f32>
    ```
  }];
  let arguments = (ins Variadic<Gnn_Field>:$values, Variadic<Gnn_BoolField>:$filters, Variadic<Gnn_IndexField>:$by,
                       Variadic<Gnn_Field>:$edges, OptionalAttr<DenseI64ArrayAttr>:$filter_of, OptionalAttr<DenseI64ArrayAttr>:$by_of);
  let assemblyFormat = [{
    ` ` `[` $values `]` (`filters` ` ` `[` $filters^ `]` `of` $filter_of)? (`by` ` ` `[` $by^ `]` `of` $by_of)?
    (`edges` ` ` `[` $edges^ `]`)? attr-dict `:` type(operands)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The filter of reduction `index`, or null.
    ::mlir::Value getFilter(unsigned index);
    /// The integer by which reduction `index` is folded apart, or null.
    ::mlir::Value getBy(unsigned index);
  }];
}

def Star_OnlineSoftmaxOp : Star_Op<"online_softmax", [Pure, AllTypesMatch<["decay", "weight"]>, ParentOneOf<["SweepOp", "KernelOp"]>]> {
  let summary = "weight of an edge in a softmax whose normaliser is still being folded";
  let description = [{
    With m the largest score of the edges of the row so far and m' that with this edge: `decay` is exp(m - m'), what sums weighted so far are
    multiplied by, and `weight` is exp(score - m'). One of the two is 1. `reduction` is the `#gnn.logsumexp` that folds `score`.

    Example:
    ```mlir
    %decay, %weight = star.online_softmax %score of 0 : !gnn.field<E, [heads], f32> -> !gnn.field<E, [heads], f32>
    ```
  }];
  let arguments = (ins Gnn_RealField:$score, I64Attr:$reduction);
  let results = (outs Gnn_RealField:$decay, Gnn_RealField:$weight);
  let assemblyFormat = "$score `of` $reduction attr-dict `:` qualified(type($score)) `->` qualified(type($weight))";
  let hasVerifier = 1;
}

def Star_YieldOp : Star_Op<"yield", [Terminator, Pure, ParentOneOf<["SweepOp", "MapOp", "KernelOp"]>]> {
  let summary = "row results, then what the row adds to totals";
  let description = [{Example: `star.yield %0, %1 : !gnn.field<V, [out], f32>, !gnn.field<V, [], f32>`}];
  let arguments = (ins Variadic<Gnn_Field>:$values);
  let assemblyFormat = "($values^)? attr-dict (`:` type($values)^)?";
}

#endif // STAR_OPS_TD
