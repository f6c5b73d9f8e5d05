//===- Passes.td - Kernels to loops ------------------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_PASSES_TD
#define GNNC_KERNELS_PASSES_TD

include "mlir/Pass/PassBase.td"

def StarToLoops : Pass<"star-to-loops", "::mlir::ModuleOp"> {
  let summary = "Build the functions of kernels for each instruction set";
  let description = [{
    Before: a module with `star.kernel` ops. After: the same, and for each kernel `k` and instruction set a `func.func @k.<isa>`, for each
    sweep also `@k.merge.<isa>`, in scf, memref, vector, arith and math; `scratch_bytes`, `state_bytes` and `passes` of the kernels are set, and
    `star.extents` has every dimension that the functions read.

    The first two arguments of a function are the rows, `begin` and `end`. Each other one says by its attribute `star.source` which part
    of `gnn_kernel_args_t` it is: `tensors 2`, `flags`, `scratch`, `state`, `state_in`, `random.step_key`, `block.cols`, … as
    one-dimensional memrefs (`flags`: i32; `extent 3`, `pass_begin`, `pass_end`, `col_stride`: i64); `given block.row_id` is an i1: whether that pointer is not NULL. No output overlaps with
    another operand. Vectors have the width of the instruction set and are masked at the ends of dimensions.

    A function whose body would be that of another one has none, and names that one: `star.body = @k.v3`. It calls it with arguments of its
    own sources.

    Four kernels or more that are the same but for real constants and the sites of dropouts are a family. The functions of the first have
    the bodies, in which these numbers are arguments: `constant 0` is the first number in `star.constants` of the function.

    Vectors along the last dimension are as wide as the instruction set's registers; SweepPlan.h says where states are kept.
  }];
  let options = [ListOption<"isas", "isas", "std::string", "instruction sets: x86-64-v2, x86-64-v3, x86-64-v4 (none: all)">,
                 Option<"poisons", "poison", "bool", "false", "lanes and memory whose numbers nothing may depend on have NaN">];
  let statistics = [Statistic<"numFunctions", "functions", "functions built">,
                    Statistic<"numOfFamilies", "of-families", "functions that have the code of another kernel of their family">];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect", "::mlir::math::MathDialect",
                           "::mlir::memref::MemRefDialect", "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
}

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

def StarPlanSweeps : Pass<"star-plan-sweeps", "::mlir::ModuleOp"> {
  let summary = "Print what the code of each sweep will look like";
  let description = [{
    Prints for each sweep of a module where the states of its rows are, how its edges and rows are gone over, and what has versions of its
    own, as `star-to-loops` and `star-to-gpu` choose it for one target. Nothing changes.
  }];
  let options = [Option<"target", "target", "std::string", "\"x86-64-v3\"", "an instruction set, or gpu after star-map-threads">];
}

#endif // GNNC_KERNELS_PASSES_TD
