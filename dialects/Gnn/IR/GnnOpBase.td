//===- GnnOpBase.td - What ops of gnn have in common -------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Base classes and traits of the files of ops.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_OPBASE_TD
#define GNN_OPBASE_TD

include "dialects/Gnn/IR/GnnAttrs.td"
include "dialects/Gnn/IR/GnnDialect.td"
include "dialects/Gnn/IR/GnnInterfaces.td"
include "dialects/Gnn/IR/GnnTypes.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Gnn_Op<string mnemonic, list<Trait> traits = []> : Op<Gnn_Dialect, mnemonic, traits>;

class Gnn_PureOp<string mnemonic, list<Trait> traits = []> : Gnn_Op<mnemonic, !listconcat([Pure], traits)>;

def Gnn_Differentiable : DeclareOpInterfaceMethods<Gnn_DifferentiableOpInterface>;
def Gnn_Elementwise : DeclareOpInterfaceMethods<Gnn_ElementwiseOpInterface>;
def Gnn_InferType : DeclareOpInterfaceMethods<InferTypeOpInterface>;

/// The facts of an elementwise op, as ElementFacts.h describes them. The cost is never left out.
class Gnn_Facts<string cost, string sign = "Any", bit isZeroAtZero = 0, bit hasInfiniteSlope = 0> {
  string text = "::gnnc::gnn::ElementCost::" # cost # ", ::gnnc::gnn::ElementSign::" # sign # ", " #
                !if(isZeroAtZero, "true", "false") # ", " # !if(hasInfiniteSlope, "true", "false");
}

/// An op that computes each element of its result from the elements of its operands at the same place. `definitions`
/// is C++ code that defines further methods.
class Gnn_ElementwiseOp<string mnemonic, Gnn_Facts facts, list<Trait> traits = [], string definitions = "">
    : Gnn_PureOp<mnemonic, !listconcat([Gnn_Elementwise], traits)> {
  let extraClassDefinition =
      "::gnnc::gnn::ElementFacts $cppClass::getElementFacts() { return {" # facts.text # "}; }\n" # definitions;
}

#endif // GNN_OPBASE_TD
