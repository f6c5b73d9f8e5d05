//===- UnreadFiles.cpp - Files of a data set that nobody reads ------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/UnreadFiles.h"

#include "runtime/src/data/FolderLayout.h"
#include "runtime/src/io/FileSystem.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace gnn::data_tool {

namespace {

namespace fs = std::filesystem;

std::set<std::string> filesOf(const rt::FolderLayout &layout) {
  std::set<std::string> files{layout.edgeIndex, layout.edgeType, layout.labels};
  for (const auto &[name, of] : layout.vertex)
    files.insert({of.dense, of.indptr, of.indices, of.values, of.shape});
  for (const auto *named : {&layout.edge, &layout.split, &layout.pairs})
    for (const auto &[name, file] : *named)
      files.insert(file);
  for (const rt::VertexTypeLayout &type : layout.vertexTypes)
    for (const auto &[name, of] : type.features)
      files.insert({of.dense, of.indptr, of.indices, of.values, of.shape});
  for (const rt::RelationLayout &relation : layout.relations) {
    files.insert({relation.edgeIndex, relation.edgeType});
    for (const auto &[name, file] : relation.features)
      files.insert(file);
  }
  return files;
}

/// What others call what is read under another name here.
std::string adviceFor(const std::string &stem) {
  auto isOne = [&](std::initializer_list<const char *> names) {
    return std::find(names.begin(), names.end(), stem) != names.end();
  };
  for (const char *split : {"train", "val", "test"})
    if (stem.rfind(split, 0) == 0)
      return ": a split is train.npy, val.npy or test.npy, ids or a mask of bools";
  if (isOne({"X", "feat", "feats", "feature", "features", "node_feat", "node_features", "attr", "attributes"}))
    return ": features of vertices are x.npy";
  if (isOne({"Y", "label", "labels", "node_label", "target", "targets", "classes"}))
    return ": labels are y.npy";
  if (isOne({"edges", "edgelist", "index"}))
    return ": edges are edge_index.npy";
  return "";
}

} // namespace

std::vector<std::string> unreadFiles(const std::string &folder) {
  std::error_code error;
  std::vector<std::string> names, lines;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().extension() == ".npy")
      names.push_back(entry->path().filename().string());
  if (!std::count(names.begin(), names.end(), "edge_index.npy"))
    return lines;
  std::sort(names.begin(), names.end());
  const std::set<std::string> conventional = filesOf(rt::conventionalLayout(names, folder));
  const std::string description = folder + "/dataset.json";
  if (fs::exists(description, error)) {
    const rt::FileBytes text = rt::readFile(description);
    const std::set<std::string> named = filesOf(rt::parseLayout({text.data, text.size}, description));
    for (const std::string &name : names)
      if (conventional.count(name) && !named.count(name))
        lines.push_back(name + " is not read: dataset.json does not name it");
    return lines;
  }
  for (const std::string &name : names)
    if (!conventional.count(name))
      lines.push_back(name + " is not read" + adviceFor(fs::path(name).stem().string()));
  return lines;
}

} // namespace gnn::data_tool
