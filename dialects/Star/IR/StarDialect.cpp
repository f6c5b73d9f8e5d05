//===- StarDialect.cpp - The star dialect ---------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "dialects/Star/IR/Star.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace gnnc;
using namespace gnnc::star;

#include "dialects/Star/IR/StarDialect.cpp.inc"
#include "dialects/Star/IR/StarEnums.cpp.inc"

/// Nothing for elements.
static mlir::ParseResult parseStorage(mlir::AsmParser &parser, Storage &storage) {
  storage = Storage::Elements;
  for (Storage named : {Storage::Bits, Storage::Bf16, Storage::F16})
    if (mlir::succeeded(parser.parseOptionalKeyword(stringifyStorage(named))))
      storage = named;
  return mlir::success();
}

static void printStorage(mlir::AsmPrinter &printer, Storage storage) {
  if (storage != Storage::Elements)
    printer << " " << stringifyStorage(storage);
}

#define GET_ATTRDEF_CLASSES
#include "dialects/Star/IR/StarAttrs.cpp.inc"

bool gnnc::star::mayBeNarrow(gnn::FieldType type) {
  return type.getElement().isF32() && !type.isParameter() && type.getRank() > 0;
}

Storage gnnc::star::storageOf(mlir::Value field, mlir::SymbolTableCollection &symbols) {
  mlir::Operation *maker = field.getDefiningOp();
  if (auto stored = maker->getAttrOfType<mlir::StringAttr>(storedAs))
    return symbolizeStorage(stored.getValue()).value_or(Storage::Elements);
  auto launch = llvm::dyn_cast<LaunchOp>(maker);
  auto kernel = launch ? symbols.lookupNearestSymbolFrom<KernelOp>(launch, launch.getKernelAttr()) : KernelOp();
  return kernel ? kernel.getOutput(llvm::cast<mlir::OpResult>(field).getResultNumber()).getStorage()
                : Storage::Elements;
}

mlir::LogicalResult OperandAttr::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emitError, Access access,
                                        gnn::FieldType type, Storage storage) {
  bool mayBeBits = type.getElement().isInteger(1) && type.isVertex() && type.getRank() > 0;
  if (storage == Storage::Bits && !mayBeBits)
    return emitError() << "only several bools of a vertex are stored as bits, not " << type;
  if (isNarrow(storage) && !mayBeNarrow(type))
    return emitError() << "only several f32 of a vertex or an edge are stored as " << stringifyStorage(storage)
                       << ", not " << type;
  return mlir::success();
}

mlir::LogicalResult MappingAttr::verify(llvm::function_ref<mlir::InFlightDiagnostic()> emitError, unsigned threads,
                                        unsigned block) {
  constexpr unsigned warp = 32, maxBlock = 1024;
  if (!llvm::isPowerOf2_32(threads) || threads > warp)
    return emitError() << "a row is shared by a power of 2 of threads, at most " << warp << ", not by " << threads;
  if (block == 0 || block % warp != 0 || block > maxBlock)
    return emitError() << "a block has a multiple of " << warp << " threads, at most " << maxBlock << ", not " << block;
  return mlir::success();
}

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
