//===- FolderLock.h - One process that writes to a folder -------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_FOLDERLOCK_H
#define GNN_TOOLS_DATA_FOLDERLOCK_H

#include <chrono>
#include <string>

namespace gnn::data_tool {

/// Makes the folder if it is absent and holds its file `.lock` locked. The system releases the lock when the process
/// ends, however it ends, so a file that a killed process left is no lock. At the end the file is removed, and so is a
/// folder that was made and is still empty.
class FolderLock {
public:
  /// Throws GNN_ERROR_ARGUMENT where another process holds the lock for longer than `patience`: "another process `busy`
  /// FOLDER". A process that was killed holds it until the system has given back its memory.
  FolderLock(const std::string &folder, const std::string &busy,
             std::chrono::milliseconds patience = std::chrono::milliseconds(0));
  FolderLock(const FolderLock &) = delete;
  FolderLock &operator=(const FolderLock &) = delete;
  ~FolderLock();

private:
  explicit FolderLock(const std::string &folder);

  bool isCurrent() const;

  const std::string folder, path;
  bool isNew = false;
  int file = -1;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_FOLDERLOCK_H
