//===- AtomicFiles.cpp - Files that are replaced together ------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/io/AtomicFiles.h"
#include "runtime/src/core/Guard.h"
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <map>
#include <mutex>
#include <unistd.h>
#include <utility>

using namespace gnn::rt;

namespace {

/// A process has some hundreds of descriptors, and data sets may have more files. Syncing files one by one takes
/// milliseconds for each, so those behind the first ones are synced together, with their file system.
constexpr size_t maxOpen = 64;

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

using Content = std::function<void(const AtomicFiles::Put &put)>;

/// Writes to `file`; errors name `path`.
void writeAll(int file, const Content &content, const std::string &path, FileSystem &files) {
  content([&](Span<const char> bytes) {
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
  });
}

bool isSame(const struct stat &a, const struct stat &b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

/// The descriptor of our own output or messages, if `status` is of one: /dev/stdout may be a file that others write to
/// as well. -1: of neither.
int standardStream(const struct stat &status) {
  for (int file : {STDOUT_FILENO, STDERR_FILENO})
    if (struct stat own; ::fstat(file, &own) == 0 && isSame(own, status))
      return file;
  return -1;
}

void writeInPlace(const std::string &path, const Content &content, FileSystem &files) {
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
  writeAll(descriptor.file, content, path, files);
  if (files.close(std::exchange(descriptor.file, -1)) < 0)
    failIo(path, "can't close");
}

/// An open directory, whose file system can be synced. It is opened before files are written there, since the system
/// reports errors of writing to disk only if they come later.
class Place {
public:
  Place(const std::string &directory, FileSystem &files)
      : directory(directory), files(files), descriptor(files.openToRead(directory.c_str())) {
    if (descriptor < 0)
      failIo(directory, "can't open");
  }
  Place(const Place &) = delete;
  Place &operator=(const Place &) = delete;
  ~Place() { files.close(descriptor); }

  void syncFileSystem() {
    if (::syncfs(descriptor) < 0)
      failIo(directory, "can't sync");
  }

  const std::string directory;

private:
  FileSystem &files;
  const int descriptor;
};

} // namespace

/// A temporary file that is closed, and removed if it has a name, unless it was renamed.
class AtomicFiles::Temporary {
public:
  /// `place`: the directory of `target`, whose file system is synced instead of the file; null: the file is.
  Temporary(const std::string &target, std::shared_ptr<Place> place, FileSystem &files)
      : place(std::move(place)), target(target), files(files) {
    file = files.createUnnamed(directoryOf(target).c_str());
    if (file < 0)
      file = takeName([&](const char *candidate) { return files.create(candidate); });
  }
  Temporary(const Temporary &) = delete;
  Temporary &operator=(const Temporary &) = delete;
  ~Temporary() {
    if (file >= 0)
      files.close(file);
    if (name.empty())
      return;
    remove();
    std::lock_guard lock(listMutex);
    (previous ? previous->next : firstNamed) = next;
    if (next)
      next->previous = previous;
  }

  /// Gives it the owner and the permissions of `old`. To a group that cannot be had belongs what all others may.
  void takeOver(const struct stat &old) {
    mode_t mode = old.st_mode & 0777;
    if (::fchown(file, old.st_uid, old.st_gid) < 0)
      mode = (mode & 0707) | (mode & 07) << 3;
    if (::fchmod(file, mode) < 0)
      failIo(target, "can't give the new file its mode");
  }

  void write(const Content &content) { writeAll(file, content, target, files); }

  const std::string &path() const { return target; }

  /// All that may take room or time is done before any file is renamed. What is prepared is not open any more.
  void prepare() {
    if (file < 0)
      return;
    if (!place && files.sync(file) < 0)
      failIo(target, "can't sync");
    if (name.empty())
      takeName([&](const char *candidate) { return files.link(file, candidate); });
    if (files.close(std::exchange(file, -1)) < 0)
      failIo(target, "can't close");
  }

  void rename() {
    if (files.rename(name.c_str(), target.c_str()) < 0)
      failIo(target, "can't replace");
    renamed = true;
  }

  static void removeNamed() noexcept {
    std::lock_guard lock(listMutex);
    for (Temporary *one = firstNamed; one; one = one->next)
      one->remove();
  }

  const std::shared_ptr<Place> place;

private:
  void remove() noexcept {
    if (!renamed)
      files.remove(name.c_str());
  }

  /// Tries names until `make` finds one that is free, and returns what it does.
  template <typename Make> int takeName(Make make) {
    static std::atomic<unsigned> counter{0};
    std::string candidate;
    int made;
    do {
      candidate = target + ".tmp-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
      made = make(candidate.c_str());
    } while (made < 0 && errno == EEXIST);
    if (made < 0)
      failIo(target, "can't create a file beside it");
    name = std::move(candidate);
    std::lock_guard lock(listMutex);
    next = std::exchange(firstNamed, this);
    if (next)
      next->previous = this;
    return made;
  }

  // Those with names, a list that takes no memory.
  inline static std::mutex listMutex;
  inline static Temporary *firstNamed = nullptr;
  Temporary *previous = nullptr, *next = nullptr;

  const std::string target;
  FileSystem &files;
  std::string name; // a path; empty: it has none yet
  int file = -1;
  bool renamed = false;
};

void AtomicFiles::removeTemporaries() noexcept { Temporary::removeNamed(); }

AtomicFiles::AtomicFiles(FileSystem &files) : files(files) {}
AtomicFiles::~AtomicFiles() = default;

void AtomicFiles::write(const std::string &path, const std::vector<Span<const char>> &pieces) {
  write(path, [&](const Put &put) {
    for (Span<const char> piece : pieces)
      put(piece);
  });
}

void AtomicFiles::write(const std::string &path, const Content &content) {
  struct stat old;
  const bool exists = ::stat(path.c_str(), &old) == 0;
  if (!exists && errno != ENOENT)
    failIo(path, "can't write");
  if (int stream = exists ? standardStream(old) : -1; stream >= 0)
    return writeAll(stream, content, path, files);
  const std::string target = followLinks(path);
  if (exists && !S_ISREG(old.st_mode))
    return writeInPlace(path, content, files);
  struct stat found; // links in /proc may lead to what has no name
  const bool hasName = exists && ::stat(target.c_str(), &found) == 0;
  if (exists && !hasName && errno != ENOENT)
    failIo(path, "can't write");
  if (exists && (!hasName || !isSame(old, found)))
    return writeInPlace(path, content, files);
  std::shared_ptr<Place> place;
  if (written.size() >= maxOpen) {
    place = written.back()->place;
    if (const std::string directory = directoryOf(target); !place || place->directory != directory)
      place = std::make_shared<Place>(directory, files);
  }
  written.push_back(std::make_unique<Temporary>(target, place, files));
  if (exists)
    written.back()->takeOver(old);
  written.back()->write(content);
  if (place)
    written.back()->prepare();
}

void AtomicFiles::commit() {
  std::shared_ptr<Place> synced;
  std::map<std::string, std::string> directories; // each with a file in it
  for (const auto &file : written) {
    file->prepare();
    if (file->place && file->place != synced)
      file->place->syncFileSystem();
    synced = file->place;
    directories.emplace(directoryOf(file->path()), file->path());
  }
  for (const auto &file : written) // nothing here takes memory
    file->rename();
  written.clear();
  for (const auto &[directory, file] : directories)
    if (files.syncDirectory(directory.c_str()) < 0)
      failIo(file, "can't sync its directory");
}

void gnn::rt::atomicWrite(const std::string &path, const std::vector<Span<const char>> &pieces, FileSystem &files) {
  AtomicFiles file(files);
  file.write(path, pieces);
  file.commit();
}
