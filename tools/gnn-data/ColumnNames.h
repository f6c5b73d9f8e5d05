//===- ColumnNames.h - What columns of keys are called ----------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_COLUMNNAMES_H
#define GNN_TOOLS_DATA_COLUMNNAMES_H

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gnn::data_tool {

/// Pairs of columns that are called as ends of edges are: source and target, src and dst, user_id and item_id,
/// Neo4j's :START_ID and :END_ID, ….
std::vector<std::pair<size_t, size_t>> pairsOfEnds(const std::vector<std::string> &names);
/// Columns that are called as the ids of vertices of a type are: `customer_id` and `customerId`, else `customer`.
std::vector<size_t> columnsOfType(const std::vector<std::string> &names, const std::string &type);
/// Columns that are called as the key of a table of vertices of a type is: `id`, `customer_id`, Neo4j's `:ID`, ….
std::vector<size_t> keysOf(const std::vector<std::string> &names, const std::string &type);
/// Whether a column is called as a key is: `order_id`, `orderId`, `id`.
bool isCalledKey(const std::string &name);
/// The first column that is called as ids of vertices are, such as `id` or `node_id`.
std::optional<size_t> columnOfIds(const std::vector<std::string> &names);
/// Whether names are of ends or ids.
bool namesKeys(const std::vector<std::string> &names);
/// Nothing, or what pandas makes of that: the index of a data frame.
bool isUnnamed(const std::string &name);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_COLUMNNAMES_H
