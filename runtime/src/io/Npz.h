//===- Npz.h - Archives of NumPy arrays ------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reader of .npz files: zip archives of .npy members. The central directory alone is believed; member names are keys,
// never paths.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_IO_NPZ_H
#define GNN_IO_NPZ_H

#include "runtime/src/core/Tensor.h"
#include "runtime/src/io/FileSystem.h"
#include <map>
#include <string>

namespace gnn::rt {

class NpzArchive {
public:
  /// Members may expand to `maxBytes` each; and never to more than deflate can, so a small file can't ask for much
  /// memory.
  static constexpr uint64_t defaultMaxBytes = uint64_t(64) << 30;
  NpzArchive(FileBytes bytes, std::string file, uint64_t maxBytes = defaultMaxBytes);
  NpzArchive(NpzArchive &&) noexcept;
  ~NpzArchive();

  /// Names of the arrays, without ".npy", and their places in the archive.
  const std::map<std::string, uint64_t> &names() const { return members; }
  bool has(const std::string &name) const { return members.count(name) != 0; }
  /// Throws a data error that names file and member if it is absent, broken or of an unsupported type.
  Tensor read(const std::string &name) const;
  /// The text of an array that holds one, of bytes or characters, at most a few hundred. Throws likewise.
  std::string readText(const std::string &name) const;

private:
  class Member;
  Member open(const std::string &name, uint64_t &size) const;

  struct Zip;
  std::string file;
  uint64_t maxBytes;
  FileBytes bytes;
  std::unique_ptr<Zip> zip;
  std::map<std::string, uint64_t> members;
};

} // namespace gnn::rt

#endif // GNN_IO_NPZ_H
