//===- Passes.td - Expansion of math functions --------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_MATHEXPANSION_PASSES_TD
#define GNNC_CONVERSION_MATHEXPANSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def MathExpansion : Pass<"math-expansion"> {
  let summary = "Expand transcendentals into arith ops";
  let description = [{
    LLVM turns a vector `exp` into calls of `expf`, lane by lane, and the results then depend on the machine's libm. After this pass no op of
    Transcendentals.def of f32 scalars or vectors is left: each is a few arith ops with an error of at most 2 ulp over all inputs, infinities,
    zeros, subnormals and NaN as in C. A lane's bits depend on its value only. `math.erf` of f64 is expanded likewise; other ops of f64, which
    call libm, and `math.sqrt`, `math.absf` and `math.floor`, which are instructions, stay.

    ```mlir
    %1 = math.exp %0 : vector<16xf32>
    // becomes, with the exponent in %n and the rest in %r,
    %p = arith.addf %c, %s : vector<16xf32>       // and so on: polynomial of %r
    %1 = arith.mulf %p, %scale : vector<16xf32>   // 2^n
    ```
  }];
  let options = [Option<"fma", "fma", "bool", /*default=*/"true",
                        "the target has fused multiply-add, where a function does not say by `star.isa` what it is for; "
                        "without, products and sums are rounded each">];
  let statistics = [Statistic<"numExpanded", "expanded", "math ops expanded">];
  let dependentDialects = ["mlir::arith::ArithDialect", "mlir::math::MathDialect"];
}

def ShareMath : Pass<"share-math", "::mlir::ModuleOp"> {
  let summary = "Make functions of transcendentals that a kernel has many of";
  let description = [{
    Where a function for an instruction set has more than `limit` of an op that `math-expansion` expands, of one type, they become calls of a
    private function for that instruction set. It is the same arithmetic, so the same bits.

    ```mlir
    %1 = math.tanh %0 : vector<8xf32>
    // becomes
    %1 = func.call @math.tanh.8xf32.v3(%0) : (vector<8xf32>) -> vector<8xf32>
    ```
  }];
  let options = [Option<"limit", "limit", "unsigned", /*default=*/"32", "how many are left where they are">];
  let statistics = [Statistic<"numShared", "shared", "ops that became calls">];
  let dependentDialects = ["mlir::func::FuncDialect"];
}

#endif // GNNC_CONVERSION_MATHEXPANSION_PASSES_TD
