//===- Cells.h - What a cell of a table says --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions of the runtime, which encodes cells when it serves a model, in the namespace of this tool.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_CELLS_H
#define GNN_TOOLS_DATA_CELLS_H

#include "runtime/src/data/CellForms.h"
#include "runtime/src/data/Cells.h"

namespace gnn::data_tool {

using rt::booleanIn;
using rt::dateIn;
using rt::fitsFloat;
using rt::hasDecimalComma;
using rt::integerIn;
using rt::isMissing;
using rt::isTooLarge;
using rt::numberIn;
using rt::plainNumber;
using rt::realIn;
using rt::unitIn;

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_CELLS_H
