//===- Archive.h - The container of a .pt2 file -----------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNNC_IMPORT_ARCHIVE_H
#define GNNC_IMPORT_ARCHIVE_H

#include "llvm/ADT/StringRef.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct zip;

namespace gnnc::pt2 {

/// An uncompressed zip file with one folder, inside which names are looked for. Throws ImportError for what is none,
/// and for containers of other releases and purposes.
class Archive {
public:
  /// Opens the file, or `bytes`, which errors call `path`; the caller keeps them.
  explicit Archive(const std::string &path, std::optional<llvm::StringRef> bytes = std::nullopt);

  /// Names without the folder, in the order of the file.
  const std::vector<std::string> &names() const { return entries; }
  bool has(const std::string &name) const;
  /// The bytes of an entry. Throws if there is none, or if it has more than `maxBytes`.
  std::string read(const std::string &name, uint64_t maxBytes) const;
  const std::string &file() const { return path; }

private:
  struct Close {
    void operator()(zip *archive) const;
  };
  void refuseOtherContainers() const;

  std::string path, folder;
  std::unique_ptr<zip, Close> archive;
  std::vector<std::string> entries;
};

} // namespace gnnc::pt2

#endif // GNNC_IMPORT_ARCHIVE_H
