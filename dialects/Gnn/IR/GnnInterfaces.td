//===- GnnInterfaces.td - Interfaces of gnn ops and attributes --*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces of ops and aggregators: the adjoint, and the meaning for one element as arith and math ops.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_INTERFACES_TD
#define GNN_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Gnn_DifferentiableOpInterface : OpInterface<"DifferentiableOpInterface"> {
  let cppNamespace = "::gnnc::gnn";
  let description = [{
    An op through which gradients flow in reverse mode. An op without this interface, and a field whose elements are not real, stops them.
  }];
  let methods = [
    InterfaceMethod<[{
      Adds to the gradients of the operands, through `adjoint.addTo`, what the gradient of the first result brings. Only operands for which
      `adjoint.wants` holds need be given one. `gradient` has the shape and element type of the first result; on edge fields its kind
      may be any edge kind.
    }], "void", "buildAdjoint", (ins "::gnnc::gnn::AdjointBuilder &":$adjoint, "::mlir::Value":$gradient)>
  ];
}

def Gnn_ElementwiseOpInterface : OpInterface<"ElementwiseOpInterface"> {
  let cppNamespace = "::gnnc::gnn";
  let description = [{
    An op that computes element i of its result from element i of each operand, all of the same shape.
  }];
  let methods = [
    InterfaceMethod<[{
      Builds arith and math ops that compute one element, or a vector of elements: `operands` are scalars of the operands' element types,
      or vectors of them of one shape.
    }], "::mlir::Value", "buildElement",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$operands)>,
    InterfaceMethod<"The cost of an element, its sign, and where it is 0. Every op states them: there is no default.",
      "::gnnc::gnn::ElementFacts", "getElementFacts", (ins)>
  ];
}

def Gnn_AggregatorInterface : AttrInterface<"AggregatorInterface"> {
  let cppNamespace = "::gnnc::gnn";
  let description = [{
    A way to fold the values of edges into one value. The state of a fold has components; values and states are given element by element,
    as scalars or as vectors of one shape. `element` is the element type of what is folded, which is that of the result.

    `merge(identity, x)` and `merge(x, identity)` are exactly `x` for every state that steps can reach, and folding no edge gives
    `finish(identity)`. Where an aggregator tracks its arg, component 1 of its state is an i64: the id of the edge that won, -1 for none.
  }];
  let methods = [
    InterfaceMethod<"Element types of the components of the state.",
      "::llvm::SmallVector<::mlir::Type>", "getStateTypes", (ins "::mlir::Type":$element)>,
    InterfaceMethod<"The state of an empty fold: one number a component, of the types of `getStateTypes`.",
      "::llvm::SmallVector<::mlir::TypedAttr>", "getIdentity", (ins "::mlir::Type":$element)>,
    InterfaceMethod<[{
      The state after one more value. `edgeId` is that edge's original id (i64, shaped like the value); a caller that has no use for the arg
      gives none, and learns from the state only whether there was an edge.
    }], "::llvm::SmallVector<::mlir::Value>", "buildStep",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$state, "::mlir::Value":$value,
           "::mlir::Value":$edgeId)>,
    InterfaceMethod<"The state of a fold over the edges of `left`, then those of `right`.",
      "::llvm::SmallVector<::mlir::Value>", "buildMerge",
      (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$left, "::mlir::ValueRange":$right)>,
    InterfaceMethod<"The result of a fold. (The arg, where tracked, is component 1 of the state.)",
      "::mlir::Value", "buildFinish", (ins "::mlir::OpBuilder &":$builder, "::mlir::Location":$loc, "::mlir::ValueRange":$state)>,
    InterfaceMethod<"Whether the fold picks one edge, whose id is then the second result of `gnn.aggregate`.",
      "bool", "tracksArg", (ins), "", "return false;">,
    InterfaceMethod<"As `DifferentiableOpInterface::buildAdjoint`, for an `aggregate` with this aggregator.",
      "void", "buildAdjoint",
      (ins "::gnnc::gnn::AdjointBuilder &":$adjoint, "::gnnc::gnn::AggregateOp &":$aggregate, "::mlir::Value":$gradient)>
  ];
}

#endif // GNN_INTERFACES_TD
