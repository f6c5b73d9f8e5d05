//===- StarAttrs.td - Attributes of the star dialect --------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef STAR_ATTRS_TD
#define STAR_ATTRS_TD

include "dialects/Gnn/IR/GnnTypes.td"
include "dialects/Star/IR/StarDialect.td"
include "dialects/Star/IR/StarEnums.td"
include "mlir/IR/AttrTypeBase.td"

def Star_OperandAttr : AttrDef<Star_Dialect, "Operand"> {
  let mnemonic = "operand";
  let summary = "an input or output of a kernel: its access and the field outside the kernel";
  let description = [{Example: `#star.operand<row !gnn.field<V, [out], f32>>`}];
  let parameters = (ins EnumParameter<Star_Access>:$access, "::gnnc::gnn::FieldType":$type);
  let assemblyFormat = "`<` $access $type `>`";
}

#endif // STAR_ATTRS_TD
