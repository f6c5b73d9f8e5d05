//===- Passes.td - Transforms of the gnn dialect -----------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In the examples types are shortened: `V[out]` is `!gnn.field<V, [out], f32>`.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TRANSFORMS_PASSES_TD
#define GNN_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Hoist : Pass<"gnn-hoist", "::gnnc::gnn::ProgramOp"> {
  let summary = "Move vertex-only work out of the edge stage";
  let description = [{
    A vertex has many edges, so what depends on one end of an edge only is cheaper on the vertices (NeuGraph, section 3.4). Afterwards S and D
    fields come from `gnn.read_source` and `gnn.read_destination` alone, or from ops that only repeat elements of those (`gnn.broadcast`,
    `gnn.pad`, `gnn.one_hot`), which stay where the repetition need not be stored. A factor that all edges of a sum share leaves the sum.
    Vertices that no edge reads must not matter, and 0 times an infinite slope is no number: quotients, roots and logarithms of what may be 0 are made
    of 1 at vertices without edges, and stay on edges of which a filter leaves some out.

    ```mlir
    %1 = gnn.read_source %h : V[in] -> S[in]
    %2 = gnn.matmul %1, %w : (S[in], P[in, out]) -> S[out]
    // becomes
    %1 = gnn.matmul %h, %w : (V[in], P[in, out]) -> V[out]
    %2 = gnn.read_source %1 : V[out] -> S[out]
    ```
  }];
  let statistics = [Statistic<"numHoisted", "hoisted", "ops moved from edges to vertices">,
                    Statistic<"numFactored", "factored", "factors taken out of sums">];
}

def Distribute : Pass<"gnn-distribute", "::gnnc::gnn::ProgramOp"> {
  let summary = "Make products of vertices of products of both ends of edges";
  let description = [{
    A product on edges of a concatenation of fields of their ends is also the sum of products of vertices, which gnn-hoist then moves there; so
    is one of a sum (FeatGraph, figure 3b) whose terms have the same sign, as after a ReLU, an exponential or a square. Other sums and
    differences may be far smaller than their terms. Their products, which have errors relative to the terms, would cancel: what is multiplied
    is the sum, on the edges, and the error is a multiple of |x| |w|. Parts of a concatenation that are of no end stay there too.

    Edges read the product of the other end in this form, what it is made of in the other. `form=auto` takes the form that costs less by bytes
    read and flops, and with a loss the products of vertices: the gradient of a product on edges is a sum over edges of whole matrices.
    `form=vertices` distributes over all sums and differences, and may cancel. Must run before gnn-hoist.

    ```mlir
    %1 = gnn.add %u, %v : (S[in], D[in]) -> E[in]   // neither is negative
    %2 = gnn.matmul %1, %w : (E[in], P[in, out]) -> E[out]
    // becomes
    %1 = gnn.matmul %u, %w : (S[in], P[in, out]) -> S[out]
    %2 = gnn.matmul %v, %w : (D[in], P[in, out]) -> D[out]
    %3 = gnn.add %1, %2 : (S[out], D[out]) -> E[out]
    ```
  }];
  let options = [Option<"form", "form", "::gnnc::gnn::EdgeProducts", "::gnnc::gnn::EdgeProducts::Auto", "where products are computed", [{
      ::llvm::cl::values(clEnumValN(::gnnc::gnn::EdgeProducts::Auto, "auto", "where it costs less"),
                         clEnumValN(::gnnc::gnn::EdgeProducts::Edges, "edges", "on the edges"),
                         clEnumValN(::gnnc::gnn::EdgeProducts::Vertices, "vertices", "on the vertices, also of sums that may cancel"))}]>];
  let statistics = [Statistic<"numDistributed", "distributed", "products that became products of vertices">];
}

def TypedProducts : Pass<"gnn-typed-products", "::gnnc::gnn::ProgramOp"> {
  let summary = "Make plain products of products with one parameter a type";
  let description = [{
    A product `x @ W[i]` of each edge costs as much as one of each vertex for every edge. A sum of such products is written as the sum of x for
    each type, then one product that contracts types and width together; or all types' products of a vertex are made at once and each edge
    picks one. Which of the two is chosen by what edges then carry, as in gnn-reorder, and again after differentiation for programs without
    gradients. With more than 64 types nothing is stored for every vertex and type: forward sums by type, and the gradients of the product first
    are sums by type as well, and sums that products alone read executors make a panel of rows at a time. Afterwards `gnn.typed_matmul` stands only where x is
    of edges and no sum follows, or where edges have several vectors. Must run before gnn-hoist, which moves the products to the vertices,
    and after differentiation again.

    ```mlir
    %1 = gnn.typed_matmul %x, %w, %type : (S[in], P[types, in, out], E[]) -> E[out]
    %2 = gnn.aggregate #gnn.sum %1 to destination : (E[out]) -> V[out]
    // becomes
    %1 = gnn.aggregate #gnn.sum %x by %type to destination : (S[in], E[]) -> V[types, in]
    %2 = gnn.matmul %1, %w : (V["types * in"], P["types * in", out]) -> V[out]   // reshaped
    // or, if edges carry less of it
    %1 = gnn.matmul %x, %w : (S[in], P[in, types, out]) -> S[types, out]         // transposed
    %2 = gnn.index %1, %type : (S[types, out], E[]) -> E[out]
    ```
  }];
  let statistics = [Statistic<"numSumFirst", "sum-first", "sums of typed products that became sums by type">,
                    Statistic<"numProductFirst", "product-first", "typed products that became a product for all types">];
}

def VaryOrders : Pass<"gnn-vary-orders", "::mlir::ModuleOp"> {
  let summary = "Make variants of @forward with other orders of sums and products";
  let description = [{
    Which of `(A X) W` and `A (X W)` is cheaper data decides where dimensions are open and, in samples and around a few vertices, by how many more
    rows are read than summed: with known sizes that speaks against a narrower product in the first layer, which has by far the most rows. For each
    choice among the orders that are open so @forward gets a variant, `@forward.2` and so on, with the attribute `gnn.orders`, which gnn-reorder
    obeys. An order is that of all sums and products of the same sizes, so that layers of the same sizes double nothing. At most two orders are
    varied, the first ones; @forward itself is as gnn-reorder chooses by sizes. Must run right before gnn-reorder, before differentiation.

    With `products=first` or `last` there are no variants: in @forward all products come before the sums, or after them.

    ```mlir
    gnn.program @forward {...}
    // adds
    gnn.program @forward.2 attributes {gnn.orders = {"in -> hidden" = false}} {...}  // the product first
    gnn.program @forward.3 attributes {gnn.orders = {"in -> hidden" = true}} {...}   // the sum first
    ```
  }];
  let options = [Option<"products", "products", "::gnnc::gnn::Products", "::gnnc::gnn::Products::Both", "when products are computed", [{
      ::llvm::cl::values(clEnumValN(::gnnc::gnn::Products::Both, "both", "before and after sums, in variants"),
                         clEnumValN(::gnnc::gnn::Products::First, "first", "before sums"),
                         clEnumValN(::gnnc::gnn::Products::Last, "last", "after sums"))}]>];
  let statistics = [Statistic<"numVariants", "variants", "variants that were made">];
}

def Reorder : Pass<"gnn-reorder", "::gnnc::gnn::ProgramOp"> {
  let summary = "Choose the order of aggregations and products by cost";
  let description = [{
    `(A X) W = A (X W)` for the weighted adjacency A of a sum over edges: the product moves to the side where edges carry fewer elements. An
    open dimension counts as its default; without one as 512 where it sizes an input, else as 16. What edges carry depends on the program:

    - `@forward`, before differentiation: forward and backward together. With the product first, edges carry its width in both, for the
      gradient of W needs the summed gradient; with the sum first, the width of X, and backward only if X has a gradient. Where X is data
      (no parameter and no dropout), executors sum it once, not in every step: an eighth of its width counts.
    - `@train`, after differentiation: that order stays, and products with `W^T`, which only gradients have, get their own:
      `A^T (G W^T) = (A^T G) W^T`.
    - `@infer` and `@evaluate`: forward alone.

    The attribute `gnn.orders` of a program goes before all this (gnn-vary-orders). `"in -> hidden" = true`: what has `in` elements before such a
    product and `hidden` after it is summed before the product, and its gradient after the product with `W^T`.

    Must run after gnn-hoist, which gives the forms that it matches. On equal cost the source's order stays. Scalings by one number a vertex
    move out of the way: past a product to meet a sum, before it to join elementwise work. A sum that stays before its product is divided there.

    ```mlir
    %1 = gnn.read_source %x : V[in] -> S[in]
    %2 = gnn.aggregate #gnn.sum %1 to destination : (S[in]) -> V[in]
    %3 = gnn.matmul %2, %w : (V[in], P[in, 16]) -> V[16]
    // becomes
    %1 = gnn.matmul %x, %w : (V[in], P[in, 16]) -> V[16]
    %2 = gnn.read_source %1 : V[16] -> S[16]
    %3 = gnn.aggregate #gnn.sum %2 to destination : (S[16]) -> V[16]
    ```
  }];
  let statistics = [Statistic<"numProductFirst", "product-first", "products moved before their aggregation">,
                    Statistic<"numSumFirst", "sum-first", "aggregations moved before their product">];
}

def Differentiate : Pass<"gnn-differentiate", "::mlir::ModuleOp"> {
  let summary = "Make @train, @vjp and @vjp_train from @forward";
  let description = [{
    Likewise `@train.2` from `@forward.2`. Reverse mode over the list of ops (Seastar, section 5.2). `@train` returns the loss, `total(loss of each vertex * mask * scale)`, and a
    gradient for each parameter that is not state, in the order of the model's table. Where the mask is 0 the losses are those of 0, so that what is no number there reaches
    neither the sum nor a gradient. The op's own gradient is complete before it is
    propagated, and sums over edges wait for the read that the edge field came from, so there is one aggregation for each read. Then
    come the next values of states. `gnn.training` is true. Does nothing without a result of role `vertex_loss`. `@forward` stays. An op
    between parameters and loss that has no adjoint is an error.

    With `vjp`, `@vjp` returns the outputs and, for each parameter and then for each real input of vertices and edges, the gradient of the sum of
    all outputs times their `gnn.cotangent`. It is as in inference: without dropout, and with `gnn.training` false. `@vjp_train` is as in training
    and returns the next values of states too; it is only there where it differs. Of an input in both forms only the table has gradients.

    ```mlir
    gnn.program @forward {
      %y = gnn.matmul %x, %w : (V[in], P[in, out]) -> V[out]
      %loss = gnn.cross_entropy %y, %label : (V[out], V[]) -> V[]
      gnn.return %loss [#gnn.result<vertex_loss "loss">]
    }
    // adds
    gnn.program @train {
      ...
      %dy = ...
      %dw = gnn.matmul_tn %x, %dy : (V[in], V[out]) -> P[in, out]
      gnn.return %sum, %dw [#gnn.result<loss "loss">, #gnn.result<gradient "w">]
    }
    ```
  }];
  let options = [Option<"vjp", "vjp", "bool", "false", "make @vjp and @vjp_train too">];
  let dependentDialects = ["::gnnc::gnn::GnnDialect"];
}

def DerivePrograms : Pass<"gnn-derive-programs", "::mlir::ModuleOp"> {
  let summary = "Make @infer and @evaluate from @forward, which goes";
  let description = [{
    Likewise `@infer.2` and `@evaluate.2` from `@forward.2`. Both without dropout: a mask is 1; `gnn.training` is false, and states stay. `@infer` returns the outputs; `@evaluate`, there if the model has a loss, the outputs, the loss of each
    vertex, and for `gnn.cross_entropy` 1 for each vertex whose largest logit is that of its label. Must run after gnn-differentiate.
  }];
  let dependentDialects = ["::gnnc::gnn::GnnDialect"];
}

def Decompose : Pass<"gnn-decompose", "::gnnc::gnn::ProgramOp"> {
  let summary = "Write compound ops as simple ones";
  let description = [{
    Afterwards there is no `gnn.softmax`, no `gnn.stop_gradient`, no `gnn.reduce #gnn.logsumexp` and no loss op, and filters stand on `#gnn.max` and `#gnn.min` only.
    Must run after differentiation, whose rules for compound ops are shorter and keep less.

    ```mlir
    %a = gnn.softmax %x to destination of 0 : (E[heads]) -> E[heads]
    // becomes
    %0 = gnn.aggregate #gnn.logsumexp %x to destination : (E[heads]) -> V[heads]
    %1 = gnn.read_destination %0 : V[heads] -> D[heads]
    %2 = gnn.sub %x, %1 : (E[heads], D[heads]) -> E[heads]
    %a = gnn.exp %2 : E[heads]
    ```
  }];
}

def ContractSums : Pass<"gnn-contract-sums", "::gnnc::gnn::ProgramOp"> {
  let summary = "Take a sum over edges from another of which it is a contraction";
  let description = [{
    What the edges of a vertex share leaves their sum, out of a sum over elements too: `sum(w * <D, x>) = <D, sum(w * x)>` for `D` read at the
    vertex. That is done where the program has `sum(w * x)` already, and takes a sweep out of the backward pass of every attention layer: the sum of
    `alpha * dalpha` that a softmax needs is the product of what its layer gave and of the gradient of that, dropout and filters included.

    What is to be summed may be a sum of such products, over differences and over slopes (`select c, x, k * x` is x times `select c, 1, k`: the
    gradient of a leaky ReLU). Where a product has, beside what the known sum folds, further factors that edges have there already, the sweep of the
    known sum folds them too: `sum(w * slope * <D, x>) = <D, sum(w * slope * x)>`. That takes the other sweep out of the backward pass of graph attention,
    for one more vector a vertex: the gradient of the destinations' part of the scores.

    With `keep=least` no sum is folded beside a known one: what it gives would be kept for backward.

    Must run after gnn-decompose and gnn-hoist, which give the forms that it matches, and before gnn-fuse-softmax.

    ```mlir
    %y = gnn.aggregate #gnn.sum (alpha * z) to destination : E[out] -> V[out]             // forward
    %dalpha = gnn.reduce #gnn.sum (read(dy) * z) dim 0 : E[out] -> E[]
    %c = gnn.aggregate #gnn.sum (alpha * %dalpha) to destination : E[] -> V[]
    // becomes
    %c = gnn.reduce #gnn.sum (%dy * %y) dim 0 : V[out] -> V[]
    ```
  }];
  let options = [Option<"keep", "keep", "::gnnc::gnn::Keep", "::gnnc::gnn::Keep::Fast", "what forward may keep for backward", [{
      ::llvm::cl::values(clEnumValN(::gnnc::gnn::Keep::Fast, "fast", "sums that only backward reads, too"),
                         clEnumValN(::gnnc::gnn::Keep::Least, "least", "no more than it has: sums are taken from known ones alone"))}]>];
  let statistics = [Statistic<"numContracted", "contracted", "sums over edges taken from others">];
}

def FuseSoftmax : Pass<"gnn-fuse-softmax", "::gnnc::gnn::ProgramOp"> {
  let summary = "Give sums weighted by a softmax the sweep of its normaliser";
  let description = [{
    A sum over edges of `exp(x - n) * y`, with the normaliser n = logsumexp(x) over the same edges and a y that does not depend on n, becomes
    `gnn.softmax_sum %y over %n`: one sweep keeps the largest score, the sum of weights and the weighted sums, and scales them when a larger
    score comes. The weight may be a factor anywhere in a product, with a mask or repeated along dimensions; edges that the softmax leaves out
    have the score -inf and so no weight. What y needs is moved before n. A y that needs cotangents stays apart: the sweep of n is forward's, which
    does not wait for them.

    ```mlir
    %n = gnn.aggregate #gnn.logsumexp %x to destination : E[heads] -> V[heads]
    %w = gnn.exp (%x - read(%n)) : E[heads]
    %y = gnn.aggregate #gnn.sum (broadcast(%w * %mask) * %z) to destination : E[heads, out] -> V[heads, out]
    // becomes
    %n = gnn.aggregate #gnn.logsumexp %x to destination : E[heads] -> V[heads]
    %y = gnn.softmax_sum (broadcast(%mask) * %z) over %n dims [0] : (E[heads, out], V[heads]) -> V[heads, out]
    ```
  }];
  let statistics = [Statistic<"numFused", "fused", "sums that share the sweep of their normaliser">];
}

def Plan : Pass<"gnn-plan", "::gnnc::gnn::ProgramOp"> {
  let summary = "Decide what backward keeps of forward and what it recomputes";
  let description = [{
    Vertex fields of forward that backward reads are kept in memory or computed again from others that are (Seastar, section 7.1). The
    choice is a minimum cut by memory traffic and work: a kept field is written and read, one that forward stores anyway (what executors bind,
    and operands of reads and products) is only read, elementwise work can be repeated at the cost of its operands and of time (a plain
    operation counts as one byte an element, a transcendental as four), results of aggregations and products can only be kept. So of a ReLU
    backward reads its result where that is stored anyway, else the bits of a mask, of an extremum the arg, and of a softmax over edges one number a
    vertex. With `keep=least` a kept field costs a transfer out of memory and one in, whether forward stores it or not: nearly all that
    is elementwise is repeated. Edge fields are not stored by anything: sweeps recompute them from vertex fields. Does nothing to programs without a loss. Must run after differentiation; leaves no
    use of a forward field in backward but of kept ones.

    ```mlir
    %y = gnn.sigmoid %x : V[out]       // forward; %x is stored anyway
    %d = gnn.mul %g, %y : ...          // backward
    // becomes
    %y1 = gnn.sigmoid %x : V[out]
    %d = gnn.mul %g, %y1 : ...
    ```
  }];
  let options = [Option<"keep", "keep", "::gnnc::gnn::Keep", "::gnnc::gnn::Keep::Fast", "what a byte that is kept costs", [{
      ::llvm::cl::values(clEnumValN(::gnnc::gnn::Keep::Fast, "fast", "memory traffic"),
                         clEnumValN(::gnnc::gnn::Keep::Least, "least", "a transfer out of memory and one in, also where a step of forward reads the field"))}]>];
  let statistics = [Statistic<"numKept", "kept", "vertex fields that backward reads from memory">,
                    Statistic<"numRecomputed", "recomputed", "ops repeated for backward">];
}

def SeparateResults : Pass<"gnn-separate-results", "::gnnc::gnn::ProgramOp"> {
  let summary = "Give each result of a program a tensor of its own";
  let description = [{
    A result that is a leaf, or another result too, becomes a `gnn.copy`; rows and the table of them are one. Must run last: equal subexpressions would undo it.

    ```mlir
    gnn.return %x, %y, %y [..]  // %x is an input
    // becomes
    %0 = gnn.copy %x : V[in]
    %1 = gnn.copy %y : V[out]
    gnn.return %0, %y, %1 [..]
    ```
  }];
}

def MergeVariants : Pass<"gnn-merge-variants", "::mlir::ModuleOp"> {
  let summary = "Keep one of variants that are the same program";
  let description = [{
    Of programs of a kind that are equal the first stays. Others are numbered from 2 on. Must run last.

    ```mlir
    gnn.program @infer {...}
    gnn.program @infer.2 attributes {gnn.orders = {"in -> hidden" = false}} {...}  // equal
    gnn.program @infer.3 attributes {gnn.orders = {"in -> hidden" = true}} {...}
    // becomes
    gnn.program @infer attributes {gnn.orders = {"in -> hidden" = false}} {...}
    gnn.program @infer.2 attributes {gnn.orders = {"in -> hidden" = true}} {...}
    ```
  }];
  let statistics = [Statistic<"numMerged", "merged", "programs that another is equal to">];
}

#endif // GNN_TRANSFORMS_PASSES_TD
