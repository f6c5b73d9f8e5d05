//===- TextFile.h - A text file, compressed or not --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_DATA_TEXTFILE_H
#define GNN_TOOLS_DATA_TEXTFILE_H

#include <memory>
#include <string>

struct gzFile_s;

namespace gnn::data_tool {

class ZstdFile;

/// A regular file, read from its beginning; what gzip or zstd wrote is unpacked. "-" is the standard input, which is
/// kept in a temporary file, so that it can be read again. Errors name the file.
class TextFile {
public:
  /// Throws an I/O error. A file in ISO 8859-1 is read as UTF-8.
  explicit TextFile(const std::string &path, bool isLatin1 = false);
  ~TextFile();
  /// Reads up to `size` bytes; 0 at the end. Throws an I/O error, or a data error where compressed bytes are wrong or
  /// end early.
  size_t read(char *to, size_t size);

private:
  size_t readBytes(char *to, size_t size);

  std::string path;
  const bool isLatin1;
  std::string converted; // of a file in ISO 8859-1, from `taken` on not read yet
  size_t taken = 0;
  std::unique_ptr<gzFile_s, int (*)(gzFile_s *)> file; // or
  std::unique_ptr<ZstdFile> packed;
};

} // namespace gnn::data_tool

#endif // GNN_TOOLS_DATA_TEXTFILE_H
