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
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
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

FileSystem &FileSystem::real() {
  static FileSystem files;
  return files;
}

namespace {

[[noreturn]] void failIo(const std::string &path, const char *doing) {
  fail(GNN_ERROR_IO, path, ": ", doing, ": ", std::strerror(errno));
}

std::string directoryOf(const std::string &path) {
  size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

/// Where links from `path` end: a file that is there or will be. What cannot be looked at may be a link, and is no file
/// to replace.
std::string followLinks(const std::string &path) {
  constexpr int maxLinks = 40;
  std::filesystem::path place = path;
  std::error_code failure;
  for (int links = 0; links < maxLinks; ++links) {
    std::filesystem::file_status status = std::filesystem::symlink_status(place, failure);
    require(!failure || status.type() == std::filesystem::file_type::not_found, GNN_ERROR_IO, path,
            ": can't open: ", failure.message());
    if (!std::filesystem::is_symlink(status))
      break;
    place = place.parent_path() / std::filesystem::read_symlink(place, failure);
    require(!failure, GNN_ERROR_IO, path, ": can't follow the link: ", failure.message());
  }
  return place.string();
}

/// Writes to `file`; errors name `path`.
void writeAll(int file, const std::vector<Span<const char>> &pieces, const std::string &path, FileSystem &files) {
  for (Span<const char> bytes : pieces)
    while (!bytes.empty()) {
      ssize_t written = files.write(file, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR)
        continue;
      if (written == 0)
        errno = EIO;
      if (written <= 0)
        failIo(path, "can't write");
      bytes = bytes.slice(size_t(written), bytes.size() - size_t(written));
    }
}

/// A temporary file that is closed, and removed if it has a name, unless it was renamed.
class TemporaryFile {
public:
  TemporaryFile(const std::string &target, FileSystem &files) : target(target), files(files) {
    file = files.createUnnamed(directoryOf(target).c_str());
    if (file < 0)
      file = takeName([&] { return files.create(path.c_str()); });
  }
  TemporaryFile(const TemporaryFile &) = delete;
  TemporaryFile &operator=(const TemporaryFile &) = delete;
  ~TemporaryFile() {
    if (file >= 0)
      files.close(file);
    if (!path.empty() && !renamed)
      files.remove(path.c_str());
  }

  /// Gives it the owner and the permissions of `old`. To a group that cannot be had belongs what all others may.
  void takeOver(const struct stat &old) {
    mode_t mode = old.st_mode & 0777;
    if (::fchown(file, old.st_uid, old.st_gid) < 0)
      mode = (mode & 0707) | (mode & 07) << 3;
    if (::fchmod(file, mode) < 0)
      failIo(target, "can't give the new file its mode");
  }

  void write(const std::vector<Span<const char>> &pieces) { writeAll(file, pieces, target, files); }

  void rename() {
    if (files.sync(file) < 0)
      failIo(target, "can't sync");
    if (path.empty())
      takeName([&] { return files.link(file, path.c_str()); });
    if (files.close(std::exchange(file, -1)) < 0)
      failIo(target, "can't close");
    if (files.rename(path.c_str(), target.c_str()) < 0)
      failIo(target, "can't replace");
    renamed = true;
  }

private:
  /// Tries names until `make` finds one that is free, and returns what it does.
  template <typename Make> int takeName(Make make) {
    static std::atomic<unsigned> counter{0};
    int made;
    do {
      path = target + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
      made = make();
    } while (made < 0 && errno == EEXIST);
    if (made < 0) {
      path.clear();
      failIo(target, "can't create a file beside it");
    }
    return made;
  }

  const std::string target;
  FileSystem &files;
  std::string path; // empty: it has none yet
  int file = -1;
  bool renamed = false;
};

bool isSame(const struct stat &a, const struct stat &b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

/// The descriptor of our own output or messages, if `status` is of one: /dev/stdout may be a file that others write to
/// as well. -1: of neither.
int standardStream(const struct stat &status) {
  for (int file : {STDOUT_FILENO, STDERR_FILENO})
    if (struct stat own; ::fstat(file, &own) == 0 && isSame(own, status))
      return file;
  return -1;
}

void writeInPlace(const std::string &path, const std::vector<Span<const char>> &pieces, FileSystem &files) {
  struct Descriptor {
    FileSystem &files;
    int file;
    ~Descriptor() {
      if (file >= 0)
        files.close(file);
    }
  } descriptor{files, files.open(path.c_str())};
  if (descriptor.file < 0)
    failIo(path, "can't open");
  writeAll(descriptor.file, pieces, path, files);
  if (files.close(std::exchange(descriptor.file, -1)) < 0)
    failIo(path, "can't close");
}

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

void gnn::rt::atomicWrite(const std::string &path, const std::vector<Span<const char>> &pieces, FileSystem &files) {
  struct stat old;
  bool isThere = ::stat(path.c_str(), &old) == 0;
  if (!isThere && errno != ENOENT)
    failIo(path, "can't write");
  if (int stream = isThere ? standardStream(old) : -1; stream >= 0)
    return writeAll(stream, pieces, path, files);
  std::string target = followLinks(path);
  struct stat found; // links in /proc may lead to what has no name
  if (isThere && (!S_ISREG(old.st_mode) || ::stat(target.c_str(), &found) < 0 || !isSame(old, found)))
    return writeInPlace(path, pieces, files);
  {
    TemporaryFile temporary(target, files);
    if (isThere)
      temporary.takeOver(old);
    temporary.write(pieces);
    temporary.rename();
  }
  if (files.syncDirectory(directoryOf(target).c_str()) < 0)
    failIo(path, "can't sync its directory");
}
