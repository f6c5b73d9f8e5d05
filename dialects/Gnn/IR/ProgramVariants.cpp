//===- ProgramVariants.cpp - Programs of one kind -------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/ProgramVariants.h"

using namespace gnnc;

llvm::StringRef gnn::programKind(llvm::StringRef name) { return name.split('.').first; }

bool gnn::isOfInference(llvm::StringRef name) {
  return programKind(name) == "infer" || programKind(name) == "evaluate";
}

std::string gnn::variantName(llvm::StringRef kind, llvm::StringRef other) {
  return (kind + other.drop_front(programKind(other).size())).str();
}

mlir::DictionaryAttr gnn::ordersOf(mlir::Operation *program) {
  return program->getAttrOfType<mlir::DictionaryAttr>(ordersName);
}

std::string gnn::ordersText(mlir::DictionaryAttr orders) {
  std::string text;
  for (mlir::NamedAttribute order : orders) {
    const bool isSumFirst = llvm::cast<mlir::BoolAttr>(order.getValue()).getValue();
    text += (text.empty() ? "" : "; ") + order.getName().str() + (isSumFirst ? ": sum first" : ": product first");
  }
  return text;
}
