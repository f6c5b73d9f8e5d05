//===- Amounts.h - Bytes and seconds for people -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_AMOUNTS_H
#define GNN_TOOLS_TRAIN_AMOUNTS_H

#include <string>

namespace gnn::train_tool {

/// "1.2 MB": three digits at most, in the units of options, of which a KB is 1024 bytes.
std::string bytesText(double bytes);
/// "3.4 ms", "12.0 s", "2 h 5 min".
std::string durationText(double seconds);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_AMOUNTS_H
