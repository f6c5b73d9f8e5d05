//===- TextFile.cpp - A text file, compressed or not ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/TextFile.h"
#include "runtime/src/core/Guard.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

using namespace gnn::data_tool;
using gnn::rt::require;

TextFile::TextFile(const std::string &path) : path(path), file(nullptr, gzclose) {
  const int opened = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); // a FIFO without a writer
  require(opened >= 0, GNN_ERROR_IO, path, ": ", std::strerror(errno));
  struct stat status {};
  const bool isRegular = ::fstat(opened, &status) == 0 && S_ISREG(status.st_mode);
  if (isRegular)
    file.reset(gzdopen(opened, "rb"));
  if (!file)
    ::close(opened);
  require(isRegular, GNN_ERROR_IO, path, ": not a regular file, as which it can be read twice");
  require(file != nullptr, GNN_ERROR_MEMORY, path, ": memory is exhausted");
  gzbuffer(file.get(), 1 << 17);
}

size_t TextFile::read(char *to, size_t size) {
  const int count = gzread(file.get(), to, unsigned(std::min(size, size_t(1) << 30)));
  if (count > 0)
    return size_t(count);
  int code = Z_OK;
  const char *text = gzerror(file.get(), &code);
  require(code != Z_ERRNO, GNN_ERROR_IO, path, ": ", std::strerror(errno));
  require(code != Z_BUF_ERROR, GNN_ERROR_DATA, path, ": ends in the middle of what gzip wrote");
  require(count == 0 && (code == Z_OK || code == Z_STREAM_END), GNN_ERROR_DATA, path, ": ", text);
  return 0;
}
