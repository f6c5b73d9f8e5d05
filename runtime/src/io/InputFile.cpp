//===- InputFile.cpp - Files read in pieces -------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/InputFile.h"

#include "runtime/src/core/Guard.h"
#include "runtime/src/io/PastCache.h"

#include <cerrno>
#include <cstring>

namespace gnn::rt {

void readAll(FileSystem &files, int file, void *to, size_t bytes, uint64_t at, const std::string &what) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t count = files.readAt(file, static_cast<char *>(to) + done, bytes - done, at + done);
    if (count < 0 && errno == EINTR)
      continue;
    require(count >= 0, GNN_ERROR_IO, what, ": can't read byte ", at + done, ": ", std::strerror(errno));
    require(count > 0, GNN_ERROR_IO, what, ": it ends at byte ", at + done, ", and was longer");
    done += size_t(count);
  }
}

void writeAll(FileSystem &files, int file, const void *from, size_t bytes, uint64_t at, const std::string &what) {
  for (size_t done = 0; done < bytes;) {
    const ssize_t count = files.writeAt(file, static_cast<const char *>(from) + done, bytes - done, at + done);
    if (count < 0 && errno == EINTR)
      continue;
    require(count > 0, GNN_ERROR_IO, what, ": can't write byte ", at + done, ": ",
            std::strerror(count < 0 ? errno : EIO));
    done += size_t(count);
  }
}

int openScratch(FileSystem &files, const std::string &folder, uint64_t bytes, const std::string &what) {
  const int file = files.createScratch(folder.c_str());
  require(file >= 0, GNN_ERROR_IO, "can't make ", what, " in ", folder, ": ", std::strerror(errno));
  if (bytes > 0 && files.allocate(file, bytes) != 0) {
    const int error = errno;
    files.close(file);
    fail(GNN_ERROR_IO, what, " takes ", bytes, " bytes in ", folder, ": ", std::strerror(error));
  }
  return file;
}

InputFile::InputFile(std::string path, FileSystem &system) : name(std::move(path)), files(system) {
  file = files.openToRead(name.c_str());
  require(file >= 0, GNN_ERROR_IO, name, ": can't open: ", std::strerror(errno));
  try {
    opened = look();
    require(S_ISREG(opened.st_mode), GNN_ERROR_IO, name, ": not a regular file");
  } catch (...) {
    files.close(file);
    throw;
  }
}

InputFile::~InputFile() { files.close(file); }

struct stat InputFile::look() const {
  struct stat found {};
  require(files.status(file, &found) == 0, GNN_ERROR_IO, name, ": can't look at it: ", std::strerror(errno));
  return found;
}

void InputFile::requireSame() const {
  const struct stat now = look();
  const bool isSame = now.st_size == opened.st_size && now.st_mtim.tv_sec == opened.st_mtim.tv_sec &&
                      now.st_mtim.tv_nsec == opened.st_mtim.tv_nsec;
  require(isSame, GNN_ERROR_IO, name, ": the file was changed while it was used");
}

void InputFile::transfer(const WantedPiece &piece) const {
  auto readPiece = [&](size_t done, size_t count) {
    readAll(files, file, static_cast<char *>(piece.to) + done, count, piece.at + done, name);
  };
  isPastCache ? readPastCache(files, file, piece.bytes, piece.at, readPiece) : readPiece(0, piece.bytes);
}

void InputFile::read(void *to, size_t bytes, uint64_t at) const {
  transfer({to, bytes, at});
  requireSame();
}

void InputFile::read(Span<const WantedPiece> pieces) const {
  readPieces(files, file, pieces, isPastCache, [this](const WantedPiece &piece) { transfer(piece); });
  requireSame();
}

} // namespace gnn::rt
