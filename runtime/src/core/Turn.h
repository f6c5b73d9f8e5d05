//===- Turn.h - One after the other ----------------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_TURN_H
#define GNN_CORE_TURN_H

#include <future>

namespace gnn::rt {

/// A turn of threads that do something in an order fixed in advance. A turn ends with this object, but not before all
/// earlier turns have ended, so that passing a turn on implies that it had begun.
class Turn {
public:
  /// The first one.
  Turn() = default;
  explicit Turn(std::shared_future<void> end) : before(std::move(end)) {}
  ~Turn() {
    await();
    over.set_value();
  }
  Turn(const Turn &) = delete;
  Turn &operator=(const Turn &) = delete;

  /// Until those before it have ended.
  void await() const {
    if (before.valid())
      before.wait();
  }
  /// To be asked for once: what the next one waits for.
  std::shared_future<void> end() { return over.get_future().share(); }

private:
  std::shared_future<void> before; // invalid: there is none
  std::promise<void> over;
};

} // namespace gnn::rt

#endif // GNN_CORE_TURN_H
