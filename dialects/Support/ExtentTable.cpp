//===- ExtentTable.cpp - Run-time values of dimensions --------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Support/ExtentTable.h"
#include "mlir/IR/Builders.h"

using namespace gnnc;

ExtentTable::ExtentTable(mlir::ModuleOp module) {
  auto attribute = module->getAttrOfType<mlir::ArrayAttr>(attributeName);
  if (!attribute)
    return;
  for (auto text : attribute.getAsRange<mlir::StringAttr>()) {
    std::optional<DimExpr> expr = DimExpr::parse(text.getValue());
    assert(expr && "extents are written by ExtentTable::store");
    insert(*expr);
  }
}

unsigned ExtentTable::insert(const DimExpr &expr) {
  auto [entry, isNew] = positions.try_emplace(expr.str(), entries.size());
  if (isNew)
    entries.push_back(expr);
  return entry->second;
}

unsigned ExtentTable::index(const DimExpr &expr) const {
  auto entry = positions.find(expr.str());
  assert(entry != positions.end() && "dimension is not in the extent table");
  return entry->second;
}

void ExtentTable::store(mlir::ModuleOp module) const {
  mlir::Builder builder(module.getContext());
  llvm::SmallVector<mlir::Attribute> texts;
  for (const DimExpr &expr : entries)
    texts.push_back(builder.getStringAttr(expr.str()));
  module->setAttr(attributeName, builder.getArrayAttr(texts));
}
