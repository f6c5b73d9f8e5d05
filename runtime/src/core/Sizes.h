//===- Sizes.h - Sizes of memory as texts -----------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One unit for options and output: KB, MB, GB and TB are 1024, 1024^2, 1024^3 and 1024^4 bytes.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_SIZES_H
#define GNN_CORE_SIZES_H

#include <cstdint>
#include <optional>
#include <string>

namespace gnn::rt {

/// "1200KB", or from 1 GB on "1200MB". Rounded up, so that a limit of that size has room for `bytes`.
std::string sizeText(uint64_t bytes);

/// Parses "500MB", "500 MiB", "500m" or "524288000". None for other text, and for sizes of 2^64 or more.
std::optional<uint64_t> parseSize(const std::string &text);

} // namespace gnn::rt

#endif // GNN_CORE_SIZES_H
