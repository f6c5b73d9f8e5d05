//===- Passes.td - Conversion of gnn to star ----------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_GNNTOSTAR_PASSES_TD
#define GNNC_CONVERSION_GNNTOSTAR_PASSES_TD

include "mlir/Pass/PassBase.td"

def SeparateTotals : Pass<"gnn-separate-totals", "::mlir::ModuleOp"> {
  let summary = "Keep totals apart that are over other vertices in samples";
  let description = [{
    In a training step over a sample a total is over the vertices that are as far from the seeds as those that it is computed for. So two
    equal totals of `@forward`, of which one is read through edges and the other is not, are two numbers there. This gives each total that a
    training step has the depth at which it is read. From then on the depth is a part of the program: common subexpressions of different
    depths are not merged, and the gradient of a total goes to the vertices that the total is over, whatever later passes do. With `vjp` so have
    the totals that outputs depend on.
  }];
  let options = [Option<"vjp", "vjp", "bool", "false", "outputs are differentiated, not the loss alone">];
}

def GnnToStar : Pass<"gnn-to-star", "::mlir::ModuleOp"> {
  let summary = "Fuse ops into sweeps, maps and products";
  let description = [{
    Replaces each `gnn.program` by a `star.program` of the same name and results.

    Fusion follows Seastar's finite state machine (Wu et al. 2021, section 6.2, figure 8). Its states are the stages of a star, and each op
    goes to the stage that its graph type and its nearest operand allow:

    | Seastar | here |
    |---|---|
    | 0, start | a stored field: what a caller binds, or the result of an earlier step |
    | 1, source and edge ops (S-E, E-E fusion) | `step` of a sweep |
    | 2, aggregation (E-A fusion) | a reduction of the sweep |
    | 3, ops on its result, of the type of the rows | `end` of the sweep |
    | any other transition restarts the machine | a new step |

    An op on vertices goes to the step of its latest operand if that is a sweep or map over the same vertices and every other operand is there
    before that step. Eight rules go beyond the paper:

    1. Edge values are never stored, unless they are results of the program: every sweep that needs one computes it from vertex fields.
    2. Aggregations over the same relation and direction that do not depend on each other share one sweep.
    3. A vertex op that would need a step of its own is copied into its users where that is cheap: a few plain operations on at most one field of
       its size, such as `u.c * u.h` with a scalar `c`. So a GCN layer is one product and one sweep. What depends on inputs only, such as a
       dropout mask, is computed by each step for its rows, and is stored only if edges read it. So is, in a backward pass, what depends only on
       what forward has stored: forward stores what gnn-plan keeps and no more.
    4. A `gnn.softmax_sum` is a reduction of the sweep that folds its normaliser, which waits for what is summed.
    5. Of two sweeps that do not depend on each other the one that sums less comes first, unless a later sum could share it else: what is made
       of both is then made with the wider sums, and only the narrower are stored in between. A sweep has 32 reductions at most. Further
       sweeps that sum as much for the same rows come behind the full one, so that each adds its sums to those of the sweeps before it.
    6. A value that a step would store for the rows of later ones, and that is a few plain operations on narrower values, is made where it is
       read, and the narrower are stored: a number a head instead of its product with a field. (Of forward gnn-plan has decided what is kept.)
    7. Evaluation computes its outputs in the steps of inference, so that both have the same kernels. What it makes of them is in other steps.
    8. A step has one depth. In samples it goes over the vertices up to one distance from the seeds, so fields that need less distance are only
       in it where they make it read no farther.

    Ops on vertices between products become maps, and totals over vertices results of maps. A parameter computed from parameters, where it cannot
    be copied, is a map over one row (`star.map -1`). Products of a vertex field without further dimensions become `star.matmul` and
    `star.matmul_tn`; others stay inside regions.

    Before: programs in canonical form (docs/dev/dialects.md), no `gnn.softmax`, results that are values of their own
    (`gnn-separate-results`). After: no `gnn.program`.

    With `keep=least` a step computes for forward or for backward and not for both, so that forward keeps what gnn-plan has decided on and no more.

    ```mlir
    %s = gnn.read_source %z : !gnn.field<V, [out], f32> -> !gnn.field<S, [out], f32>
    %a = gnn.aggregate #gnn.sum %s to destination : (!gnn.field<S, [out], f32>) -> !gnn.field<V, [out], f32>
    %r = gnn.add %a, %b : (!gnn.field<V, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<V, [out], f32>
    ```
    becomes
    ```mlir
    %r = star.sweep 0 to destination cols(%z : !gnn.field<V, [out], f32>) whole(%b : !gnn.field<P, [out], f32>) reduce [#gnn.sum] step {
    ^bb0(%s: !gnn.field<S, [out], f32>, %p: !gnn.field<P, [out], f32>):
      star.contribute [%s] : !gnn.field<S, [out], f32>
    } end {
    ^bb0(%p: !gnn.field<P, [out], f32>, %a: !gnn.field<V, [out], f32>):
      %0 = gnn.add %a, %p : (!gnn.field<V, [out], f32>, !gnn.field<P, [out], f32>) -> !gnn.field<V, [out], f32>
      star.yield %0 : !gnn.field<V, [out], f32>
    } -> rows(!gnn.field<V, [out], f32>)
    ```
  }];
  let dependentDialects = ["::gnnc::star::StarDialect"];
  let options = [
    Option<"fuse", "fuse", "bool", "true", "Fuse; without, every op on vertices and every aggregation is a step of its own, for tests">,
    Option<"keep", "keep", "::gnnc::gnn::Keep", "::gnnc::gnn::Keep::Fast", "Whether steps of forward may compute for backward", [{
      ::llvm::cl::values(clEnumValN(::gnnc::gnn::Keep::Fast, "fast", "where that saves a step"),
                         clEnumValN(::gnnc::gnn::Keep::Least, "least", "never"))}]>
  ];
  let statistics = [
    Statistic<"numSweeps", "sweeps", "Number of sweeps">,
    Statistic<"numMaps", "maps", "Number of maps">,
    Statistic<"numProducts", "products", "Number of dense products">,
    Statistic<"numFusedOps", "fused-ops", "Number of ops in regions of sweeps and maps">,
    Statistic<"numNarrowed", "narrowed", "Number of values that are made where they are read">
  ];
}

#endif // GNNC_CONVERSION_GNNTOSTAR_PASSES_TD
