//===- Functionalize.h - In-place ops become new values ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_FUNCTIONALIZE_H
#define GNNC_IMPORT_FUNCTIONALIZE_H

#include "compiler/Import/ExportedProgram.h"

namespace gnnc::pt2 {

/// The same program without ops that write their operand: each gives a new version of the tensor, which later reads of
/// the tensor read instead. Writes to inputs, weights and views are refused, and so are tensors that are written while
/// a view of them is still read. Checks on sizes, which guard assumptions of the export, are left out.
Program functionalize(const Program &program);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_FUNCTIONALIZE_H
