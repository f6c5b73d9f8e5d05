//===- Socket.cpp - A connection ------------------------------------------===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/src/comm/Socket.h"

#include "runtime/src/core/Guard.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <poll.h>

namespace gnn::rt {

int Deadline::poll(pollfd *descriptors, size_t count, Milliseconds moment) {
  const Milliseconds most = std::max(std::min(std::chrono::ceil<Milliseconds>(left), moment), Milliseconds(0));
  const auto begin = std::chrono::steady_clock::now();
  const int ready = ::poll(descriptors, nfds_t(count), int(most.count()));
  const int error = errno;
  const auto passed = std::chrono::duration_cast<Milliseconds>(std::chrono::steady_clock::now() - begin);
  left -= ready == 0 ? most : std::min(passed, most);
  lastLook = Clock::now();
  require(ready >= 0 || error == EINTR, GNN_ERROR_IO, "cannot wait for other ranks: ", std::strerror(error));
  return std::max(ready, 0);
}

void Deadline::look() {
  const auto now = Clock::now();
  left -= std::min<Clock::duration>(now - lastLook, std::chrono::seconds(1)); // more: this process was stopped
  lastLook = now;
}

} // namespace gnn::rt
