//===- FolderLock.cpp - One process that writes to a folder ----*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-data/FolderLock.h"
#include "runtime/src/core/Guard.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace gnn::data_tool;
using gnn::rt::require;

FolderLock::FolderLock(const std::string &folder) : folder(folder), path(folder + "/.lock") {}

// Delegates, so that an error below runs the destructor, which removes a folder made in vain.
FolderLock::FolderLock(const std::string &folder, const std::string &busy, std::chrono::milliseconds patience)
    : FolderLock(folder) {
  for (const auto end = std::chrono::steady_clock::now() + patience;;) {
    std::error_code error;
    isNew = std::filesystem::create_directories(folder, error) || isNew;
    require(!error, GNN_ERROR_IO, "cannot make the folder ", folder, ": ", error.message());
    file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file < 0 && errno == ENOENT) // the process that made the folder has removed it
      continue;
    require(file >= 0, GNN_ERROR_IO, "cannot write ", path, ": ", std::strerror(errno));
    const bool isHeld =
        ::flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK; // some file systems have no locks
    if (isHeld && isCurrent())
      return;
    ::close(std::exchange(file, -1));
    require(isHeld || std::chrono::steady_clock::now() < end, GNN_ERROR_ARGUMENT, "another process ", busy, " ",
            folder);
    std::this_thread::sleep_for(std::chrono::milliseconds(isHeld ? 0 : 20));
  }
}

/// The file is removed by the process that held it, perhaps after this one opened it: then the lock is none.
bool FolderLock::isCurrent() const {
  struct stat own, found;
  return ::fstat(file, &own) == 0 && ::stat(path.c_str(), &found) == 0 && own.st_dev == found.st_dev &&
         own.st_ino == found.st_ino;
}

FolderLock::~FolderLock() {
  if (file >= 0) {
    ::unlink(path.c_str());
    ::close(file);
  }
  if (isNew)
    ::rmdir(folder.c_str());
}
