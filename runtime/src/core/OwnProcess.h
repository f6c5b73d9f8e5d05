//===- OwnProcess.h - Work that is done in a process of its own -*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For libraries that take what belongs to the whole process, such as handlers of signals.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_OWNPROCESS_H
#define GNN_CORE_OWNPROCESS_H

#include <cstddef>
#include <functional>

namespace gnn::rt {

/// Memory that a process and its children write to together; zeros at first.
class SharedMemory {
public:
  explicit SharedMemory(size_t size);
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;
  SharedMemory &operator=(const SharedMemory &) = delete;

  void *data() const { return address; }

private:
  const size_t bytes;
  void *address;
};

/// Calls `body` in a child of this process, which ends with it, and waits. The child has a copy of all memory and no
/// other thread; what it is to leave it writes to SharedMemory. Only SIGABRT reaches it, so no handler of this process
/// runs there. False if it did not come to the end of `body`.
bool inOwnProcess(const std::function<void()> &body);

} // namespace gnn::rt

#endif // GNN_CORE_OWNPROCESS_H
