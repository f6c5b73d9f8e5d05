//===- Import.h - Data sets from other layouts -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The .npz layout of gnn-benchmark, and seeded splits for data that comes without.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_IMPORT_H
#define GNN_DATA_IMPORT_H

#include "runtime/src/data/Dataset.h"
#include "runtime/src/io/FileSystem.h"

namespace gnn::rt {

/// Reads `adj_*` (CSR; row = source, column = destination), `attr_*` (CSR) or `attr_matrix` (dense), and `labels`;
/// other members are not looked at. `clean` is GNN_CLEAN_*. Layout: shchur/gnn-benchmark, gnnbench/data/io.py; PyG's
/// cleaning: torch_geometric/io/npz.py.
Dataset importNpz(const FileBytes &bytes, const std::string &file, uint32_t clean);

/// Shuffles the labelled vertices and takes the first `trainPerClass` of each class for "train", the next `valPerClass`
/// for "val", the rest for "test".
void splitPerClass(Dataset &dataset, int64_t trainPerClass, int64_t valPerClass, uint64_t seed);

/// Stores `edges` (source, destination), sorted and without duplicates, as the edge index.
void setEdges(Dataset &dataset, std::vector<std::pair<int64_t, int64_t>> edges);

} // namespace gnn::rt

#endif // GNN_DATA_IMPORT_H
