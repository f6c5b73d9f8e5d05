//===- PoisonMemory.h - NaN in the memory of engines ------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_EXEC_POISONMEMORY_H
#define GNN_EXEC_POISONMEMORY_H

#include "runtime/src/core/Poison.h"
#include "runtime/src/engine/Engine.h"

#include <vector>

namespace gnn::rt {

/// `poison` for memory of an engine.
inline void poison(Engine &engine, void *data, size_t bytes) {
  if (!isPoisoning())
    return;
  std::vector<char> poisoned(bytes);
  poison(poisoned.data(), bytes);
  engine.copyIn(data, poisoned.data(), bytes);
}

} // namespace gnn::rt

#endif // GNN_EXEC_POISONMEMORY_H
