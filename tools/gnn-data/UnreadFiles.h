//===- UnreadFiles.h - Files of a data set that nobody reads ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_UNREADFILES_H
#define GNN_TOOLS_DATA_UNREADFILES_H

#include <string>
#include <vector>

namespace gnn::data_tool {

/// Returns a line for each .npy file of a folder that nothing reads, as "train_mask.npy is not read: a split is
/// train.npy, val.npy or test.npy". In a folder with a dataset.json, these are the files that would be read without the
/// dataset.json and that it does not name. Throws as reading the folder does.
std::vector<std::string> unreadFiles(const std::string &folder);

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_UNREADFILES_H
