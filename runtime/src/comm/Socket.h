//===- Socket.h - A connection ----------------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_COMM_SOCKET_H
#define GNN_COMM_SOCKET_H

#include <chrono>
#include <cstddef>
#include <unistd.h>
#include <utility>

struct pollfd;

namespace gnn::rt {

/// A descriptor that is closed with this.
class Socket {
public:
  Socket() = default;
  explicit Socket(int descriptor) : fd(descriptor) {}
  Socket(Socket &&other) noexcept : fd(std::exchange(other.fd, -1)) {}
  Socket &operator=(Socket &&other) noexcept {
    std::swap(fd, other.fd);
    return *this;
  }
  ~Socket() {
    if (fd >= 0)
      close(fd);
  }
  int get() const { return fd; }
  explicit operator bool() const { return fd >= 0; }

private:
  int fd = -1;
};

/// A wait that ends. Time in which this process was stopped (Ctrl-Z) is not counted.
class Deadline {
public:
  using Milliseconds = std::chrono::milliseconds;

  explicit Deadline(Milliseconds most) : left(most) {}
  /// Waits for events of `descriptors` (poll(2)), for a moment at most. Returns how many have some.
  int poll(pollfd *descriptors, size_t count, Milliseconds moment = Milliseconds(1000));
  /// Counts what has passed since the last look, for waits by other means than poll.
  void look();
  bool hasPassed() const { return left.count() <= 0; }

private:
  using Clock = std::chrono::steady_clock;

  Clock::duration left;
  Clock::time_point lastLook = Clock::now();
};

} // namespace gnn::rt

#endif // GNN_COMM_SOCKET_H
