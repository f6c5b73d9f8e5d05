//===- Gnn.h - The gnn dialect ----------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one header of the gnn dialect: types, attributes, interfaces and ops. See GnnDialect.td for what it is.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_GNN_IR_GNN_H
#define GNNC_DIALECTS_GNN_IR_GNN_H

#include "dialects/Gnn/IR/ElementFacts.h"
#include "dialects/Support/DimExpr.h"
#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace gnnc::gnn {
class AdjointBuilder;
class AggregateOp;
class ReturnOp;

/// `[a, b]`, for attribute parameters.
template <typename T> mlir::FailureOr<llvm::SmallVector<T>> parseList(mlir::AsmParser &parser) {
  llvm::SmallVector<T> list;
  auto parseOne = [&]() -> mlir::ParseResult { return parser.parseAttribute(list.emplace_back()); };
  if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square, parseOne))
    return mlir::failure();
  return list;
}
template <typename T> void printList(mlir::AsmPrinter &printer, llvm::ArrayRef<T> list) {
  printer << '[';
  llvm::interleaveComma(list, printer, [&](T element) { printer.printAttribute(element); });
  printer << ']';
}
} // namespace gnnc::gnn

#include "dialects/Gnn/IR/GnnDialect.h.inc"
#include "dialects/Gnn/IR/GnnEnums.h.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Gnn/IR/GnnTypes.h.inc"

#include "dialects/Gnn/IR/GnnAttrInterfaces.h.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Gnn/IR/GnnAttrs.h.inc"

#include "dialects/Gnn/IR/GnnOpInterfaces.h.inc"

#define GET_OP_CLASSES
#include "dialects/Gnn/IR/GnnOps.h.inc"

#endif // GNNC_DIALECTS_GNN_IR_GNN_H
