//===- StarDialect.cpp - The star dialect ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/IR/Star.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace gnnc::star;

#include "dialects/Star/IR/StarDialect.cpp.inc"
#include "dialects/Star/IR/StarEnums.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Star/IR/StarAttrs.cpp.inc"

void StarDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Star/IR/StarAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Star/IR/StarOps.cpp.inc"
      >();
}
