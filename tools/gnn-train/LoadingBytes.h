//===- LoadingBytes.h - What loading a folder takes --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of memory, from the sizes of files, before anything is read. They decide what is read at all where memory is
// limited.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_LOADINGBYTES_H
#define GNN_TOOLS_TRAIN_LOADINGBYTES_H

#include <cstdint>
#include <map>
#include <string>

namespace gnn::train_tool {

/// Data beside tables and edges are a part of the process where they take less than this, and a limit of memory does
/// not count them: so low limits try things out on small graphs. Where they take more, all of it is counted.
constexpr uint64_t bytesOfProcess = 16 << 20;

constexpr uint64_t countedBeside(uint64_t bytes) { return bytes < bytesOfProcess ? 0 : bytes; }

/// At most, where all of a folder is read and its graph is prepared in an order of vertices (GNN_ORDER_*), and inputs
/// are bound.
uint64_t bytesToLoad(const std::string &folder, uint32_t order);

/// At most, where dense features stay in their files and edges are sorted outside of memory (PagingOptions): beside
/// what sorting them is given. `toSource`: whether they are sorted both ways.
uint64_t bytesToPage(const std::string &folder, uint32_t order, bool toSource);

/// Bytes of the sparse features of vertices, by the names that models read them by.
std::map<std::string, uint64_t> bytesOfSparse(const std::string &folder);

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_LOADINGBYTES_H
