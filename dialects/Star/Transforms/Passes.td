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

    Bools of vertices that only steps pass to each other, masks kept for backward above all, are stored as bits from here on, unless a step
    slices or reshapes them.

    With `reals=bf16` or `reals=f16` several f32 of a vertex or an edge are stored so where they are inputs or what steps pass to each other, and every
    kernel computes with f32 as before. Parameters, whatever a program returns, inputs that it returns as they are and single numbers stay f32.
    So do the normalisers of softmaxes, whose exponentials would magnify what is lost, and all that a maximum or minimum over all vertices is computed
    from, as gradients look for its vertex by equality. Inputs and products that are stored so have the attribute `star.stored`, operands of kernels say it.

    Also collects the dimensions of the module in `star.extents` (dialects/Support/ExtentTable.h), from where kernels read them.

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
  let options = [Option<"reals", "reals", "::gnnc::star::Storage", "::gnnc::star::Storage::Elements", "how several f32 are stored", [{
      ::llvm::cl::values(clEnumValN(::gnnc::star::Storage::Elements, "f32", "as they are"),
                         clEnumValN(::gnnc::star::Storage::Bf16, "bf16", "as bf16, but for what has to be exact"),
                         clEnumValN(::gnnc::star::Storage::F16, "f16", "as f16, but for the same"))}]>];
  let statistics = [
    Statistic<"numKernels", "kernels", "Number of kernels">,
    Statistic<"numShared", "shared", "Number of steps that share the kernel of another">
  ];
}

def RoundProducts : Pass<"star-round-products", "::mlir::ModuleOp"> {
  let summary = "Have dense products multiply numbers of bf16";
  let description = [{
    Marks `star.matmul` and `star.matmul_tn` of f32, of all programs: their operands are rounded to bf16, and their sums are f32. Products
    inside kernels, of edges above all, stay as they are.

    ```mlir
    %2 = star.matmul %0, %1 : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
    ```
    becomes
    ```mlir
    %2 = star.matmul %0, %1 of_bf16 : (!gnn.field<V, [in], f32>, !gnn.field<P, [in, out], f32>) -> !gnn.field<V, [out], f32>
    ```
  }];
  let dependentDialects = ["::gnnc::star::StarDialect"];
  let statistics = [Statistic<"numRounded", "rounded", "Number of products of bf16">];
}

def ScheduleKernels : Pass<"star-schedule-kernels", "::mlir::ModuleOp"> {
  let summary = "Give kernels the schedules that were asked for";
  let description = [{
    Each of `requests` is `SUBJECT.KNOB=VALUE`. The subject is the name of a kernel, or the place of what its edges compute in the source: a
    layer of the model, or a field. Without a subject all kernels are meant. Later requests prevail.

    Before: `star.kernel`s. After: their `schedule` has the knobs of the requests that apply to them: sweeps, and maps where the knob is theirs
    too, for what rows compute at the place. A request that applies to none is an error: it would do nothing.

    With `requests=conv1.tile=32`:
    ```mlir
    star.kernel @conv1_z_sweep sweep of 0 to destination ... step {
    ```
    becomes
    ```mlir
    star.kernel @conv1_z_sweep sweep of 0 to destination ... schedule #star.schedule<tile = 32> step {
    ```
  }];
  let dependentDialects = ["::gnnc::star::StarDialect"];
  let options = [ListOption<"requests", "requests", "std::string", "what is asked for, in order">];
  let statistics = [Statistic<"numScheduled", "scheduled", "Number of kernels with a schedule">];
}

def MapThreads : Pass<"star-map-threads", "::mlir::ModuleOp"> {
  let summary = "Choose how many threads of a device share a row of each kernel";
  let description = [{
    Gives every `star.kernel` that has none a `#star.mapping`: as many threads as leave the fewest of them without work, counting up to four
    vectors of 16 bytes for each (Wu et al. 2021, section 6.3.1, groups of 2^k threads that fit the feature width). Open dimensions count as
    their fallback in the model, without one as 64. Where the kernel's schedule says `threads`, it is that many. A mapping that is there stays.

    ```mlir
    star.kernel @sweep sweep of 0 to destination ... mapping <threads = 8, block = 256> step { ... }
    ```
  }];
  let dependentDialects = ["::gnnc::star::StarDialect"];
  let statistics = [Statistic<"numMapped", "mapped", "Number of kernels that got a mapping">];
}

#endif // GNNC_DIALECTS_STAR_TRANSFORMS_PASSES_TD
