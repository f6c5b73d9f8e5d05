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

bool gnn::hasGradients(llvm::StringRef name) { return programKind(name) == "train" || isPullback(name); }

bool gnn::isPullback(llvm::StringRef name) { return programKind(name) == "vjp" || programKind(name) == "vjp_train"; }

std::string gnn::variantName(llvm::StringRef kind, llvm::StringRef other) {
  return (kind + other.drop_front(programKind(other).size())).str();
}

mlir::DictionaryAttr gnn::ordersOf(mlir::Operation *program) {
  return program->getAttrOfType<mlir::DictionaryAttr>(ordersName);
}

mlir::DictionaryAttr gnn::inputsOf(mlir::Operation *program) {
  return program->getAttrOfType<mlir::DictionaryAttr>(inputsName);
}

std::string gnn::ordersText(mlir::DictionaryAttr orders) {
  std::string text;
  for (mlir::NamedAttribute order : orders) {
    const bool isSumFirst = llvm::cast<mlir::BoolAttr>(order.getValue()).getValue();
    text += (text.empty() ? "" : "; ") + order.getName().str() + (isSumFirst ? ": sum first" : ": product first");
  }
  return text;
}

llvm::SmallVector<gnn::InputAttr> gnn::declaredInputs(ModelAttr model) {
  llvm::SmallVector<InputAttr> declared;
  for (InputAttr input : model.getInputs())
    if (llvm::none_of(declared, [&](InputAttr other) { return other.getName() == input.getName(); }))
      declared.push_back(input);
  return declared;
}

void gnn::copyVariant(mlir::Operation *from, mlir::Operation *to) {
  for (llvm::StringRef name : {ordersName, inputsName})
    if (mlir::Attribute says = from->getAttr(name))
      to->setAttr(name, says);
}

std::string gnn::variantText(mlir::Operation *program) {
  std::string text;
  if (mlir::DictionaryAttr inputs = inputsOf(program))
    for (mlir::NamedAttribute input : inputs)
      text += (text.empty() ? "" : "; ") + input.getName().str() + ": " +
              llvm::cast<mlir::StringAttr>(input.getValue()).str();
  if (mlir::DictionaryAttr orders = ordersOf(program))
    text += (text.empty() ? "" : "; ") + ordersText(orders);
  return text;
}
