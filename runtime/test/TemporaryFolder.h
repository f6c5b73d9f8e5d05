//===- TemporaryFolder.h - Folders for tests -------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fresh folder that is removed at the end of a test.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TEST_TEMPORARYFOLDER_H
#define GNN_TEST_TEMPORARYFOLDER_H

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gnn-test-XXXXXX").string();
    if (!mkdtemp(pattern.data()))
      throw std::runtime_error("no temporary folder");
    root = pattern;
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }

  std::string path(const std::string &name = "") const { return name.empty() ? root : root + "/" + name; }
  void write(const std::string &name, const std::string &content) const {
    std::ofstream(path(name), std::ios::binary) << content;
  }
  std::string read(const std::string &name) const { return readBytes(path(name)); }
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const auto &entry : std::filesystem::directory_iterator(root))
      result.push_back(entry.path().filename().string());
    std::sort(result.begin(), result.end());
    return result;
  }

  static std::string readBytes(const std::string &path) {
    std::ifstream file(path, std::ios::binary);
    if (!file)
      throw std::runtime_error("can't read " + path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

private:
  std::string root;
};

#endif // GNN_TEST_TEMPORARYFOLDER_H
