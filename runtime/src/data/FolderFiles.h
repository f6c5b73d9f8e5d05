//===- FolderFiles.h - The files of a data set -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds and reads the files of a folder.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_DATA_FOLDERFILES_H
#define GNN_DATA_FOLDERFILES_H

#include "runtime/src/data/FolderLayout.h"
#include "runtime/src/io/FileSystem.h"
#include "runtime/src/io/NpyFile.h"

#include <filesystem>
#include <string>

namespace gnn::rt {

constexpr char layoutFile[] = "dataset.json";

class FolderFiles {
public:
  /// Throws GNN_ERROR_IO for what is no folder.
  explicit FolderFiles(const std::string &folder);

  FolderLayout layout() const;
  /// Whether there is such a file; an error if that cannot be told.
  bool has(const std::string &name) const;
  FileBytes read(const std::string &name) const { return readFile(resolve(name)); }
  NpyFile open(const std::string &name) const { return {resolve(name), folder + "/" + name}; }
  /// What a graph prepared from the folder depends on: the size of its files and when they were written, and what is
  /// asked for.
  std::string stamp(const FolderLayout &layout, uint32_t transforms, uint32_t order) const;
  /// The real path of a file; one that a symbolic link leads out of the folder is refused.
  std::string resolve(const std::string &name) const;

private:
  FolderLayout describedLayout() const;
  FolderLayout listedLayout() const;
  std::string stampOf(const std::string &name) const;

  std::string folder;
  std::filesystem::path root;
};

} // namespace gnn::rt

#endif // GNN_DATA_FOLDERFILES_H
