//===- Passes.td - Kernels to device functions -------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_STARTOGPU_PASSES_TD
#define GNNC_CONVERSION_STARTOGPU_PASSES_TD

include "mlir/Pass/PassBase.td"

def StarToGpu : Pass<"star-to-gpu", "::mlir::ModuleOp"> {
  let summary = "Build the device functions of kernels";
  let description = [{
    Before: a module with `star.kernel` ops that have a mapping (`star-map-threads`). After: the same, and a `gpu.module @device` with a
    `gpu.func @k` for each kernel `k` and for each sweep also `@k$merge`, in scf, memref, vector, arith, math and gpu.

    The functions have the contract of those of `star-to-loops`, and are built by the same code: arguments are rows `begin` and `end`, then
    parts of `gnn_kernel_args_t` that `star.source` names, which are in global memory; `given` ones are i32. The threads of a group of
    `#star.mapping` share a row and deal its vectors out in turn; groups of the grid take rows in turn, or, in maps with totals, slots of
    GNN_SLOT_ROWS rows, whose totals lie one slot after the other. Threads of a group meet at `nvvm.bar.warp.sync` before they read what
    another has written; nothing is shared between groups, and there are no atomics. `star.scratch_bytes` is how much memory each group needs,
    `star.state_bytes` how much a row's spilled state or a slot of totals takes (always whole rows: no `passes`), and a thread's vectors are of
    16 bytes where the last dimension allows; of an open one sweeps find out when they run. Bools that the host keeps as bits have a byte each. Rows of a sweep's block are those of the
    table that `block.rows` names, and the first `pieces` of them are parts of a row, whose states are spilled; `@k$merge` folds into each
    row's state those from `block.offsets` to `block.ends`.
  }];
  let statistics = [Statistic<"numFunctions", "functions", "functions built">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect", "::mlir::math::MathDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::NVVM::NVVMDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

#endif // GNNC_CONVERSION_STARTOGPU_PASSES_TD
