//===- FileSystem.cpp - Files read whole and written atomically -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// POSIX calls.
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/FileSystem.h"
#include "runtime/src/core/Buffer.h"
#include "runtime/src/core/Guard.h"
#include "runtime/src/core/Parallel.h"
#include "runtime/src/io/ReadRing.h"
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace gnn::rt;

int FileSystem::create(const char *path) { return ::open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }

int FileSystem::createUnnamed(const char *directory) {
  if (::access("/proc/self/fd", X_OK) < 0) // how it gets its name
    return -1;
  return ::open(directory, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
}

int FileSystem::link(int file, const char *path) {
  return ::linkat(AT_FDCWD, ("/proc/self/fd/" + std::to_string(file)).c_str(), AT_FDCWD, path, AT_SYMLINK_FOLLOW);
}

int FileSystem::open(const char *path) { return ::open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC); }
ssize_t FileSystem::write(int file, const void *data, size_t size) { return ::write(file, data, size); }
int FileSystem::close(int file) { return ::close(file); }
int FileSystem::rename(const char *from, const char *to) { return ::rename(from, to); }
int FileSystem::remove(const char *path) { return ::unlink(path); }

int FileSystem::sync(int file) {
  bool isDone = ::fsync(file) == 0 || errno == EINVAL; // some file systems cannot
  return isDone ? 0 : -1;
}

int FileSystem::syncDirectory(const char *path) {
  int directory = ::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0)
    return -1;
  int result = ::fsync(directory), error = errno;
  ::close(directory);
  errno = error;
  return result;
}

int FileSystem::createScratch(const char *directory) {
  const int unnamed = ::open(directory, O_RDWR | O_TMPFILE | O_EXCL | O_CLOEXEC, 0600);
  if (unnamed >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
    return unnamed;
  std::string path = std::string(directory) + "/gnn-scratch-XXXXXX"; // where there are no files without a name
  const int file = ::mkostemp(path.data(), O_CLOEXEC);
  if (file >= 0)
    ::unlink(path.c_str());
  return file;
}

int FileSystem::allocate(int file, uint64_t bytes) {
  errno = ::posix_fallocate(file, 0, off_t(bytes));
  return errno == 0 ? 0 : -1;
}

int FileSystem::openToRead(const char *path) { return ::open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); }
int FileSystem::status(int file, struct stat *found) { return ::fstat(file, found); }

ssize_t FileSystem::readAt(int file, void *data, size_t size, uint64_t at) {
  return ::pread(file, data, size, off_t(at));
}

ssize_t FileSystem::writeAt(int file, const void *data, size_t size, uint64_t at) {
  return ::pwrite(file, data, size, off_t(at));
}

bool FileSystem::readsTogether() { return false; }

std::vector<bool> FileSystem::readTogether(int, Span<const WantedPiece> pieces) {
  return std::vector<bool>(pieces.size(), false);
}

void FileSystem::expectRead(int file, uint64_t at, size_t size) {
  ::posix_fadvise(file, off_t(at), off_t(size), POSIX_FADV_WILLNEED);
}

int FileSystem::writeOut(int file, uint64_t at, size_t size, bool waits) {
  unsigned how = SYNC_FILE_RANGE_WRITE;
  if (waits)
    how |= SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WAIT_AFTER;
  const bool isDone = ::sync_file_range(file, off_t(at), off_t(size), how) == 0 || errno == ESPIPE || errno == ENOSYS;
  return isDone ? 0 : -1;
}

void FileSystem::uncache(int file, uint64_t at, size_t size) {
  ::posix_fadvise(file, off_t(at), off_t(size), POSIX_FADV_DONTNEED);
}

namespace {

class RealFiles : public FileSystem {
public:
  bool readsTogether() override { return canReadInRings(); }
  std::vector<bool> readTogether(int file, Span<const WantedPiece> pieces) override { return readInRing(file, pieces); }
};

} // namespace

FileSystem &FileSystem::real() {
  static RealFiles files;
  return files;
}

void gnn::rt::failIo(const std::string &path, const char *doing) {
  fail(GNN_ERROR_IO, path, ": ", doing, ": ", std::strerror(errno));
}

namespace {

FileBytes allocateBytes(size_t size) {
  FileBytes bytes;
  bytes.owner = std::shared_ptr<void>(allocateAligned(size), std::free);
  bytes.data = static_cast<char *>(bytes.owner.get());
  bytes.size = size;
  return bytes;
}

/// Reads what lies at `position` of a file.
void readPiece(int file, const std::string &path, size_t position, Span<char> piece) {
  for (size_t done = 0; done < piece.size();) {
    ssize_t got = ::pread(file, piece.data() + done, piece.size() - done, off_t(position + done));
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0)
      failIo(path, "can't read");
    require(got > 0, GNN_ERROR_IO, path, ": the file shrank while it was read");
    done += size_t(got);
  }
}

} // namespace

FileBytes gnn::rt::readFile(const std::string &path) {
  struct Descriptor {
    int file;
    ~Descriptor() {
      if (file >= 0)
        ::close(file);
    }
  } descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat status;
  if (descriptor.file < 0 || ::fstat(descriptor.file, &status) < 0)
    failIo(path, "can't open");
  require(S_ISREG(status.st_mode), GNN_ERROR_IO, path, ": not a regular file");
  FileBytes bytes = allocateBytes(size_t(status.st_size));
  // What the system has in memory is copied, by as many threads as there are.
  constexpr size_t pieceBytes = size_t(8) << 20;
  parallelFor(size_t(0), (bytes.size + pieceBytes - 1) / pieceBytes, [&](size_t piece) {
    size_t begin = piece * pieceBytes;
    readPiece(descriptor.file, path, begin, {bytes.data + begin, std::min(pieceBytes, bytes.size - begin)});
  });
  return bytes;
}

FileBytes gnn::rt::copyBytes(Span<const char> bytes) {
  FileBytes copy = allocateBytes(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.data);
  return copy;
}
