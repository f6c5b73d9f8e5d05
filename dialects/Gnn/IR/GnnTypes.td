//===- GnnTypes.td - Field types ---------------------------*- tablegen -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The type of fields, and the constraints that ops put on it.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TYPES_TD
#define GNN_TYPES_TD

include "dialects/Gnn/IR/GnnDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Gnn_GraphKind : I32EnumAttr<"GraphKind", "what there is one value for",
    [I32EnumAttrCase<"P", 0>, I32EnumAttrCase<"V", 1>, I32EnumAttrCase<"S", 2>, I32EnumAttrCase<"D", 3>, I32EnumAttrCase<"E", 4>]> {
  let cppNamespace = "::gnnc::gnn";
}

def Gnn_FieldType : TypeDef<Gnn_Dialect, "Field"> {
  let mnemonic = "field";
  let summary = "a value for the graph, each vertex or each edge";
  let description = [{
    `!gnn.field<KIND(id), [dims], element>`. `KIND` is `P`, `V`, `S`, `D` or `E`; `id` is the vertex type (`V`) or relation (`S`, `D`,
    `E`) as an index into the tables of `#gnn.model`, left out where it is 0. A dimension is the canonical text of a `gnnc::DimExpr`,
    quoted unless it is a name or a number. Elements are `f32`, `f64`, `i32`, `i64` or `i1`.

    Examples: `!gnn.field<V, [heads, out], f32>`, `!gnn.field<E(1), [], f32>`, `!gnn.field<P, ["heads * out", 7], f64>`.
  }];
  let parameters = (ins "GraphKind":$kind, "unsigned":$id, ArrayRefParameter<"::mlir::StringAttr">:$dims, "::mlir::Type":$element);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    unsigned getRank() const { return getDims().size(); }
    /// The polynomial of dimension `index`.
    DimExpr getDim(unsigned index) const;
    /// The number of elements of one value.
    DimExpr getNumElements() const;
    bool isEdge() const { return getKind() == GraphKind::S || getKind() == GraphKind::D || getKind() == GraphKind::E; }
    bool isVertex() const { return getKind() == GraphKind::V; }
    bool isParameter() const { return getKind() == GraphKind::P; }
    bool isReal() const { return ::llvm::isa<::mlir::FloatType>(getElement()); }

    FieldType withKind(GraphKind kind, unsigned id) const;
    FieldType withDims(::llvm::ArrayRef<::mlir::StringAttr> dims) const;
    FieldType withElement(::mlir::Type element) const;
  }];
}

class Gnn_FieldWhere<string condition, string text>
    : Type<And<[Gnn_FieldType.predicate, CPred<"[](::gnnc::gnn::FieldType field) { return " # condition #
                                               "; }(::llvm::cast<::gnnc::gnn::FieldType>($_self))">]>,
           text, "::gnnc::gnn::FieldType">;

def Gnn_Field : Gnn_FieldWhere<"true", "field">;
def Gnn_RealField : Gnn_FieldWhere<"field.isReal()", "real field">;
def Gnn_NumberField : Gnn_FieldWhere<"!field.getElement().isInteger(1)", "field of numbers">;
def Gnn_IndexField : Gnn_FieldWhere<"field.getElement().isInteger(32) || field.getElement().isInteger(64)", "integer field">;
def Gnn_BoolField : Gnn_FieldWhere<"field.getElement().isInteger(1)", "bool field">;
def Gnn_VertexField : Gnn_FieldWhere<"field.isVertex()", "vertex field">;
def Gnn_EdgeField : Gnn_FieldWhere<"field.isEdge()", "edge field (S, D or E)">;
def Gnn_LocalField : Gnn_FieldWhere<"!field.isParameter()", "field of vertices or edges">;
def Gnn_IndexEdgeField
    : Gnn_FieldWhere<"field.isEdge() && (field.getElement().isInteger(32) || field.getElement().isInteger(64))", "integer edge field">;
def Gnn_BoolEdgeField : Gnn_FieldWhere<"field.isEdge() && field.getElement().isInteger(1)", "bool edge field">;
def Gnn_ParameterField : Gnn_FieldWhere<"field.isParameter()", "parameter field">;

#endif // GNN_TYPES_TD
