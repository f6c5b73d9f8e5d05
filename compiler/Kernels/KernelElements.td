//===- KernelElements.td - Ops that may stand in a kernel --*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_KERNELS_KERNELELEMENTS_TD
#define GNNC_KERNELS_KERNELELEMENTS_TD

include "mlir/IR/OpBase.td"

def KernelElementInterface : OpInterface<"KernelElementInterface"> {
  let cppNamespace = "::gnnc";
  let description = [{
    An op of `gnn` or `star` that may stand in a kernel. The dialects do not implement it:
    `registerKernelElements` attaches a model to
    each op.
  }];
  let methods = [
    InterfaceMethod<"Builds the element or vector at `point` of `field`, which is a result of the op.",
      "::mlir::Value", "buildElement",
      (ins "::gnnc::FieldEmitter &":$fields, "::mlir::Value":$field, "const ::gnnc::Point &":$point)>,
    InterfaceMethod<"How elements of the results are computed, for plans.", "::gnnc::ElementTraits", "getTraits", (ins)>,
    InterfaceMethod<"The fields that the result consists of; none if it is no concatenation or padding.",
      "::gnnc::FieldParts", "getParts", (ins)>
  ];
}

#endif // GNNC_KERNELS_KERNELELEMENTS_TD
