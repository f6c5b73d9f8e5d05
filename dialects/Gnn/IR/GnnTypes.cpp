//===- GnnTypes.cpp - Field types -----------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accessors, syntax and verifier of `!gnn.field`.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/Gnn.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

DimExpr FieldType::getDim(unsigned index) const { return *DimExpr::parse(getDims()[index].getValue()); }

DimExpr FieldType::getNumElements() const {
  DimExpr product(1);
  for (unsigned index = 0; index < getRank(); ++index)
    product = *product.mul(getDim(index));
  return product;
}

FieldType FieldType::withKind(GraphKind kind, unsigned id) const {
  return get(getContext(), kind, id, getDims(), getElement());
}
FieldType FieldType::withDims(ArrayRef<StringAttr> dims) const {
  return get(getContext(), getKind(), getId(), dims, getElement());
}
FieldType FieldType::withElement(Type element) const {
  return get(getContext(), getKind(), getId(), getDims(), element);
}

LogicalResult FieldType::verify(llvm::function_ref<InFlightDiagnostic()> emitError, GraphKind kind, unsigned id,
                                ArrayRef<StringAttr> dims, Type element) {
  if (kind == GraphKind::P && id != 0)
    return emitError() << "a P field has no vertex type or relation";
  if (!element.isF32() && !element.isF64() && !element.isInteger(1) && !element.isInteger(32) && !element.isInteger(64))
    return emitError() << "elements are f32, f64, i32, i64 or i1, not " << element;
  for (StringAttr dim : dims) {
    std::optional<DimExpr> expr = DimExpr::parse(dim.getValue());
    if (!expr)
      return emitError() << "'" << dim.getValue() << "' is not a dimension";
    if (expr->str() != dim.getValue())
      return emitError() << "dimension '" << dim.getValue() << "' should be written '" << expr->str() << "'";
  }
  return success();
}

static ParseResult parseDim(AsmParser &parser, SmallVectorImpl<StringAttr> &dims) {
  std::string text;
  int64_t number = 0;
  OptionalParseResult parsed = parser.parseOptionalInteger(number);
  if (parsed.has_value()) {
    if (failed(*parsed))
      return failure();
    text = std::to_string(number);
  } else if (failed(parser.parseKeywordOrString(&text))) {
    return failure();
  }
  dims.push_back(parser.getBuilder().getStringAttr(text));
  return success();
}

Type FieldType::parse(AsmParser &parser) {
  StringRef kindText;
  unsigned id = 0;
  SmallVector<StringAttr> dims;
  Type element;
  SMLoc start = parser.getCurrentLocation();
  if (parser.parseLess() || parser.parseKeyword(&kindText))
    return {};
  std::optional<GraphKind> kind = symbolizeGraphKind(kindText);
  if (!kind) {
    parser.emitError(start, "a field is of kind P, V, S, D or E");
    return {};
  }
  if (succeeded(parser.parseOptionalLParen()) && (parser.parseInteger(id) || parser.parseRParen()))
    return {};
  if (parser.parseComma() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] { return parseDim(parser, dims); }) ||
      parser.parseComma() || parser.parseType(element) || parser.parseGreater())
    return {};
  return parser.getChecked<FieldType>(start, parser.getContext(), *kind, id, ArrayRef(dims), element);
}

void FieldType::print(AsmPrinter &printer) const {
  printer << '<' << stringifyGraphKind(getKind());
  if (getId() != 0)
    printer << '(' << getId() << ')';
  printer << ", [";
  llvm::interleaveComma(getDims(), printer, [&](StringAttr dim) {
    int64_t number;
    if (!dim.getValue().getAsInteger(10, number))
      printer << number;
    else
      printer.printKeywordOrString(dim.getValue());
  });
  printer << "], " << getElement() << '>';
}
