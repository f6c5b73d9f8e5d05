//===- StarEnums.td - Enumerations of the star dialect ------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Apart from StarAttrs.td, which includes enumerations of the gnn dialect that would be generated again.
//
//===----------------------------------------------------------------------===//

#ifndef STAR_ENUMS_TD
#define STAR_ENUMS_TD

include "dialects/Star/IR/StarDialect.td"
include "mlir/IR/EnumAttr.td"

class Star_Enum<string name, string text, list<I32EnumAttrCase> cases> : I32EnumAttr<name, text, cases> {
  let cppNamespace = "::gnnc::star";
  let genSpecializedAttr = 0;
}

// The numbers are those of GNN_ACCESS_* in runtime/include/gnn/program.h.
def Star_Access : Star_Enum<"Access", "how a kernel finds the part of an operand that a row or an edge needs",
    [I32EnumAttrCase<"Row", 0, "row">, I32EnumAttrCase<"Col", 1, "col">, I32EnumAttrCase<"Edge", 2, "edge">,
     I32EnumAttrCase<"Whole", 3, "whole">]>;

def Star_Storage : Star_Enum<"Storage", "how the elements of an operand lie in memory",
    [I32EnumAttrCase<"Elements", 0, "elements">, I32EnumAttrCase<"Bits", 1, "bits">, I32EnumAttrCase<"Bf16", 2, "bf16">,
     I32EnumAttrCase<"F16", 3, "f16">]>;

// The numbers are those of GNN_KERNEL_*.
def Star_KernelKind : Star_Enum<"KernelKind", "what a kernel runs over",
    [I32EnumAttrCase<"Sweep", 0, "sweep">, I32EnumAttrCase<"Map", 1, "map">]>;
def Star_KernelKindAttr : EnumAttr<Star_Dialect, Star_KernelKind, "kernel_kind">;

#endif // STAR_ENUMS_TD
