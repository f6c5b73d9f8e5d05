//===- Cells.h - What a cell of a table says --------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of the runtime, which encodes cells when it serves a model, in the namespace of this tool, and others that
// imports alone need.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_CELLS_H
#define GNN_TOOLS_DATA_CELLS_H

#include "runtime/src/data/CellForms.h"
#include "runtime/src/data/Cells.h"
#include <cstdint>
#include <optional>
#include <string_view>

namespace gnn::data_tool {

using rt::booleanIn;
using rt::dateIn;
using rt::fitsFloat;
using rt::isMissing;
using rt::numberIn;
using rt::plainNumber;
using rt::realIn;
using rt::unitIn;

/// Whether all of `text` is a finite number that 32 bits cannot hold.
bool isTooLarge(std::string_view text);
/// Whether `text` is a number as much of Europe writes it: `0,5`.
bool hasDecimalComma(std::string_view text);
/// The integer of which `text` is the one usual form: no leading zero, no plus.
std::optional<int64_t> integerIn(std::string_view text);
/// The integer of 64 bits that all of `text` is, with leading zeros or a plus or not.
std::optional<int64_t> wholeIn(std::string_view text);
/// Whether `text` is digits, perhaps behind a sign.
bool isOfDigits(std::string_view text);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_CELLS_H
