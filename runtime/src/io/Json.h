//===- Json.h - Strict JSON ------------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nlohmann/json with the strictness that files from strangers need: duplicate keys and deep nesting are refused.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_IO_JSON_H
#define GNN_IO_JSON_H

#include "runtime/src/core/Span.h"
#include <nlohmann/json.hpp>
#include <string>

namespace gnn::rt {

/// Parses an object. Throws a data error that begins with `file`.
nlohmann::json parseJson(Span<const char> text, const std::string &file);

} // namespace gnn::rt

#endif // GNN_IO_JSON_H
