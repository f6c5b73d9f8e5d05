//===- FolderFiles.cpp - The files of a data set --------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/data/FolderFiles.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <sys/stat.h>

namespace gnn::rt {

namespace fs = std::filesystem;

constexpr size_t maxLayoutBytes = size_t(1) << 20;

FolderFiles::FolderFiles(const std::string &path) : folder(path) {
  std::error_code error;
  root = fs::canonical(folder, error);
  require(!error, GNN_ERROR_IO, folder, ": ", error.message());
  require(fs::is_directory(root, error), GNN_ERROR_IO, folder, ": not a folder");
}

FolderLayout FolderFiles::layout() const {
  FolderLayout layout = has(layoutFile) ? describedLayout() : listedLayout();
  if (layout.name.empty())
    layout.name = root.filename().string();
  return layout;
}

bool FolderFiles::has(const std::string &name) const {
  std::error_code error;
  bool exists = fs::exists(root / name, error);
  require(!error, GNN_ERROR_IO, folder, "/", name, ": ", error.message());
  return exists;
}

std::string FolderFiles::stamp(const FolderLayout &layout, uint32_t transforms, uint32_t order) const {
  std::string stamp = stampOf(layout.edgeIndex) + stampOf(layout.edgeType);
  for (const auto &[split, file] : layout.pairs) // which may say how many vertices there are
    stamp += stampOf(file);
  return stamp + std::to_string(layout.numEdgeTypes) + " types, transforms " + std::to_string(transforms) + ", order " +
         std::to_string(order);
}

std::string FolderFiles::resolve(const std::string &name) const {
  std::error_code error;
  fs::path path = fs::weakly_canonical(root / name, error);
  require(!error, GNN_ERROR_IO, folder, "/", name, ": ", error.message());
  auto mismatch = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  require(mismatch.first == root.end(), GNN_ERROR_DATA, folder, "/", name, ": leads out of the folder, to ",
          path.string());
  return path.string();
}

FolderLayout FolderFiles::describedLayout() const {
  FileBytes bytes = read(layoutFile);
  require(bytes.size <= maxLayoutBytes, GNN_ERROR_DATA, folder, "/", layoutFile, ": ", bytes.size,
          " bytes, expected at most ", maxLayoutBytes);
  return parseLayout(bytes.span(), folder + "/" + layoutFile);
}

FolderLayout FolderFiles::listedLayout() const {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(root, error), end; !error && entry != end; entry.increment(error))
    names.push_back(entry->path().filename().string());
  require(!error, GNN_ERROR_IO, folder, ": ", error.message());
  return conventionalLayout(names, folder);
}

std::string FolderFiles::stampOf(const std::string &name) const {
  struct stat status;
  if (name.empty() || ::stat(resolve(name).c_str(), &status) < 0)
    return {};
  return name + " " + std::to_string(status.st_size) + " " + std::to_string(status.st_mtim.tv_sec) + "." +
         std::to_string(status.st_mtim.tv_nsec) + "\n";
}

} // namespace gnn::rt
