//===- DatasetFolder.h - Data sets from files ------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A data set made of the files that a layout names, wherever their bytes come from.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_DATASETFOLDER_H
#define GNN_DATA_DATASETFOLDER_H

#include "runtime/src/data/Dataset.h"
#include "runtime/src/data/FolderLayout.h"
#include "runtime/src/io/FileSystem.h"
#include <functional>

namespace gnn::rt {

using FileSource = std::function<FileBytes(const std::string &name)>;

/// Reads and checks the data set; `folder` names it in errors.
Dataset readDataset(const FolderLayout &layout, const std::string &folder, const FileSource &source);

/// As openPaged, with edges that are kept in the folder `prepared` of the data set, and taken from there the next time.
/// Not of a schema: GNN_ERROR_ARGUMENT.
std::shared_ptr<Dataset> loadKept(const std::string &folder, LeftInFiles features, const PagingOptions &edges);

/// Whether a folder says itself which pairs links are learned of.
bool hasTrainingPairs(const std::string &folder);

} // namespace gnn::rt

#endif // GNN_DATA_DATASETFOLDER_H
