//===- OtherFormats.h - Text formats that are no tables ---------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Many formats of graphs have rows that look like a table of edges. Each is refused by its name, with a way to convert
// it.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_OTHERFORMATS_H
#define GNN_TOOLS_DATA_OTHERFORMATS_H

#include <string>
#include <string_view>

namespace gnn::data_tool {

/// Throws a data error if `text`, the first bytes of the file at `path`, is of a known format that is no table.
void refuseOtherFormats(const std::string &path, std::string_view text);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_OTHERFORMATS_H
