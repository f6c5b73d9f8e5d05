//===- GnnDialect.cpp - The gnn dialect -----------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers types, attributes and ops; checks that ids in a program's types fit the tables of its model.
//
//===----------------------------------------------------------------------===//

#include "dialects/Gnn/IR/ProgramVariants.h"
#include "dialects/Gnn/IR/TypeRules.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace gnnc;
using namespace gnnc::gnn;

#include "dialects/Gnn/IR/GnnDialect.cpp.inc"
#include "dialects/Gnn/IR/GnnEnums.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/Gnn/IR/GnnTypes.cpp.inc"

#include "dialects/Gnn/IR/GnnAttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Gnn/IR/GnnAttrs.cpp.inc"

#include "dialects/Gnn/IR/GnnOpInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "dialects/Gnn/IR/GnnOps.cpp.inc"

void GnnDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/Gnn/IR/GnnTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Gnn/IR/GnnAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Gnn/IR/GnnOps.cpp.inc"
      >();
}

Operation *GnnDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type, Location loc) {
  auto number = dyn_cast<TypedAttr>(value);
  auto field = dyn_cast<FieldType>(type);
  if (!number || !field || number.getType() != field.getElement())
    return nullptr;
  return builder.create<ConstantOp>(loc, field, number);
}

LogicalResult GnnDialect::verifyOperationAttribute(Operation *op, NamedAttribute attribute) {
  if (attribute.getName() == ordersName) {
    auto orders = dyn_cast<DictionaryAttr>(attribute.getValue());
    auto isBool = [](NamedAttribute order) { return isa<BoolAttr>(order.getValue()); };
    if (!orders || !llvm::all_of(orders, isBool))
      return op->emitOpError() << "'gnn.orders' says of each order whether the sum is first";
    return success();
  }
  if (attribute.getName() == inputsName) {
    auto inputs = dyn_cast<DictionaryAttr>(attribute.getValue());
    auto isForm = [](NamedAttribute input) {
      auto form = dyn_cast<StringAttr>(input.getValue());
      return form && (form == "dense" || form == "sparse");
    };
    if (!inputs || !llvm::all_of(inputs, isForm))
      return op->emitOpError() << "'gnn.inputs' says of inputs whether they are dense or sparse";
    return success();
  }
  if (attribute.getName() != ModelAttr::attributeName)
    return op->emitOpError() << "attribute '" << attribute.getName().getValue() << "' is not known to the gnn dialect";
  if (!isa<ModuleOp>(op) || !isa<ModelAttr>(attribute.getValue()))
    return op->emitOpError() << "'gnn.model' is a #gnn.model on a module";
  return success();
}

ModelAttr ModelAttr::of(Operation *op) {
  auto module = llvm::dyn_cast<ModuleOp>(op);
  if (!module)
    module = op->getParentOfType<ModuleOp>();
  return module ? module->getAttrOfType<ModelAttr>(attributeName) : ModelAttr();
}
