//===- UnreadFiles.h - Files of a data set that nobody reads ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_UNREADFILES_H
#define GNN_DATA_UNREADFILES_H

#include <string>
#include <vector>

namespace gnn::rt {

/// Of a folder that is read by the names of its files: the .npy files that nothing reads, as "train_mask.npy is not
/// read: a split is train.npy, val.npy or test.npy". Of one with a dataset.json: those that would be read without it,
/// and that it does not name. Throws as reading the folder does.
std::vector<std::string> unreadFiles(const std::string &folder);

} // namespace gnn::rt

#endif // GNN_DATA_UNREADFILES_H
