//===- Passes.td - Passes of the star dialect ---------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_STAR_TRANSFORMS_PASSES_TD
#define GNNC_DIALECTS_STAR_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def OutlineKernels : Pass<"star-outline-kernels", "::mlir::ModuleOp"> {
  let summary = "Put the code of sweeps and maps apart from the programs";
  let description = [{
    Replaces each `star.sweep` and `star.map` by a `star.launch` of a `star.kernel`. Steps with the same code share one kernel, within a
    program and between programs. A kernel is named after what it computes, and numbered if that is not unique: `conv1_z_sweep`, `map_2`.

    Also collects the dimensions of the module in `star.extents` (compiler/Support/ExtentTable.h), from where kernels read them.

    Before: `star.program`s. After: no sweep or map; every kernel is launched.

    ```mlir
    %1 = star.map 0 rows(%0 : !gnn.field<V, [], f32>) end { ... } -> rows(!gnn.field<V, [], f32>)
    ```
    becomes
    ```mlir
    %1 = star.launch @map(%0) : (!gnn.field<V, [], f32>) -> !gnn.field<V, [], f32>
    ```
  }];
  let dependentDialects = ["::gnnc::star::StarDialect"];
  let statistics = [
    Statistic<"numKernels", "kernels", "Number of kernels">,
    Statistic<"numShared", "shared", "Number of steps that share the kernel of another">
  ];
}

#endif // GNNC_DIALECTS_STAR_TRANSFORMS_PASSES_TD
