//===- RunLock.h - One process for each run folder --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_TOOLS_TRAIN_RUNLOCK_H
#define GNN_TOOLS_TRAIN_RUNLOCK_H

#include <string>

namespace gnn::train_tool {

/// Makes the folder if it is absent and holds its file `.lock` locked. The system lets go of the lock when the process
/// ends, however it ends, so an old file is no lock.
class RunLock {
public:
  /// Throws GNN_ERROR_ARGUMENT where another process trains in the folder.
  explicit RunLock(const std::string &folder);
  RunLock(const RunLock &) = delete;
  RunLock &operator=(const RunLock &) = delete;
  ~RunLock();

private:
  int file = -1;
};

} // namespace gnn::train_tool

#endif // GNN_TOOLS_TRAIN_RUNLOCK_H
