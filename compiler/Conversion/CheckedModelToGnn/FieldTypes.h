//===- FieldTypes.h - Field types of checked values -------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Translates dimensions and types of a checked model, with the dimensions that -D fixed put in.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_CONVERSION_CHECKEDMODELTOGNN_FIELDTYPES_H
#define GNNC_CONVERSION_CHECKEDMODELTOGNN_FIELDTYPES_H

#include "compiler/Conversion/CheckedModelToGnn/CheckedModelToGnn.h"
#include "dialects/Gnn/IR/Gnn.h"
#include "llvm/ADT/StringMap.h"

namespace gnnc {

class FieldTypes {
public:
  FieldTypes(const CheckedModel &model, mlir::MLIRContext &context, RealType real);

  mlir::FloatType real() const { return realType; }
  mlir::Type element(ElementKind kind) const;
  /// The canonical text of a dimension.
  std::string dim(const DimExpr &dim) const;
  gnn::FieldType field(const ValueType &type) const;

private:
  mlir::MLIRContext &context;
  mlir::FloatType realType;
  llvm::StringMap<int64_t> fixed;
};

/// The tables of the model as a module attribute.
gnn::ModelAttr modelTables(const CheckedModel &model, const FieldTypes &types, mlir::MLIRContext &context);
/// The same tables with an input twice, in its other form too, of this type.
gnn::ModelAttr withForm(gnn::ModelAttr tables, unsigned input, gnn::FieldType other);

} // namespace gnnc

#endif // GNNC_CONVERSION_CHECKEDMODELTOGNN_FIELDTYPES_H
