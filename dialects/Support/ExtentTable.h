//===- ExtentTable.h - Run-time values of dimensions ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels read the value of a dimension by its index in the library's table of extents. The table is an attribute of
// the module, so that it is printed with the IR and the code of kernels and the tables around them agree on the
// indices.
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_DIALECTS_SUPPORT_EXTENTTABLE_H
#define GNNC_DIALECTS_SUPPORT_EXTENTTABLE_H

#include "dialects/Support/DimExpr.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringMap.h"

namespace gnnc {

/// Distinct dimension expressions in the order in which they were first inserted.
class ExtentTable {
public:
  /// Module attribute: an array of strings, `["hidden", "heads * out"]`.
  static constexpr llvm::StringLiteral attributeName = "star.extents";

  /// The table that `module` carries; empty if it carries none.
  explicit ExtentTable(mlir::ModuleOp module);

  /// The index of `expr`, appended if it is new. Never renumbers.
  unsigned insert(const DimExpr &expr);
  /// The index of `expr`, which must be in the table.
  unsigned index(const DimExpr &expr) const;
  llvm::ArrayRef<DimExpr> extents() const { return entries; }

  /// Writes the table back to `module`.
  void store(mlir::ModuleOp module) const;

private:
  std::vector<DimExpr> entries;
  llvm::StringMap<unsigned> positions;
};

} // namespace gnnc

#endif // GNNC_DIALECTS_SUPPORT_EXTENTTABLE_H
