//===- Tasks.h - What the threads of a team do --------------- -*- C++ -*--===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_TASKS_H
#define GNN_CPU_TASKS_H

#include "runtime/src/cpu/Team.h"

namespace gnn::rt {

/// Calls `body(task, worker)` for each of `count` tasks, on any thread and in any order, and waits for all.
template <class Body> void forTasks(Team &team, int64_t count, Body &&body) {
  using Called = std::remove_reference_t<Body>;
  auto call = [](void *context, int64_t task, unsigned worker) { (*static_cast<Called *>(context))(task, worker); };
  team.run({call, &body, uint32_t(count)});
}

} // namespace gnn::rt

#endif // GNN_CPU_TASKS_H
