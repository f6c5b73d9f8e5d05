//===- ArgumentTable.h - Arguments that the import reads --------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_ARGUMENTTABLE_H
#define GNNC_IMPORT_ARGUMENTTABLE_H

#include "compiler/Import/ExportedProgram.h"

namespace gnnc::pt2 {

/// Throws ImportError for an op that has no row in the table of arguments, and for an argument that its row does not
/// have or has with another value only. Raising and the evaluator read arguments by name: one that both leave out would
/// change the result without a difference between them, so the proof could not find it. `program` has no in-place ops.
void checkArguments(const Program &program);

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_ARGUMENTTABLE_H
