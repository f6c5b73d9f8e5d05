//===- RunLock.cpp - One process for each run folder ----------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/gnn-train/RunLock.h"

#include "runtime/src/core/Guard.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>

namespace gnn::train_tool {

RunLock::RunLock(const std::string &folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  rt::require(!error, GNN_ERROR_IO, "cannot make the run directory ", folder, ": ", error.message());
  const std::string path = folder + "/.lock";
  file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  rt::require(file >= 0, GNN_ERROR_IO, "cannot write ", path, ": ", std::strerror(errno));
  if (::flock(file, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) // some file systems have no locks
    return;
  ::close(file);
  rt::fail(GNN_ERROR_ARGUMENT, "another process trains in the run directory ", folder);
}

RunLock::~RunLock() { ::close(file); }

} // namespace gnn::train_tool
