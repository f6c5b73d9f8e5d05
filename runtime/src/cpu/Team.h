//===- Team.h - Threads that work on phases ---------------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The threads of an executor. A program is a sequence of *phases*, each a number of independent tasks with a barrier
// behind it. The calling thread walks the phases and works itself; helpers are borrowed from oneTBB, claim tasks
// without locks, wait a little for the next phase and go back. A helper that never comes costs nothing but time, and
// nobody waits for one that has not claimed a task: nothing here can deadlock on a busy machine, inside the
// application's own tasks or in the child of a fork.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CPU_TEAM_H
#define GNN_CPU_TEAM_H

#include "runtime/src/core/Buffer.h"

#include <cstdint>
#include <functional>
#include <memory>

namespace gnn::rt {

/// Tasks 0..count-1, done in any order and by any worker; `worker` is smaller than Team::size().
struct Phase {
  void (*task)(void *context, int64_t index, unsigned worker) = nullptr;
  void *context = nullptr;
  uint32_t count = 0;
};

/// Memory for what does not outlive a run, of executors that share a team.
struct Workspace {
  Buffer<char> arena;   // temporaries, and what steps need while they run
  Buffer<char> scratch; // one piece a worker
};

class Team {
public:
  /// `threads` 0 means as many as this process may use. The calling thread of `run` is one of them.
  explicit Team(unsigned threads);
  ~Team();
  Team(const Team &) = delete;
  Team &operator=(const Team &) = delete;

  unsigned size() const { return threads; }
  /// Workspace of one run at a time; its contents are lost between runs.
  Workspace &workspace() { return memory; }

  /// Does one phase and returns when all of its tasks are done. One call at a time; a phase of one task runs on the
  /// calling thread. Throws what a task threw, when none is being done any more; some may not
  /// have been done then.
  void run(const Phase &phase);

  /// Has a helper do something beside the caller's phases, whenever one comes, if one comes at all. False: there is
  /// none. What it throws ends the process.
  bool enlist(const std::function<void()> &work);

private:
  struct Arena;
  struct Crew;

  void summonHelpers();

  const unsigned threads;
  std::shared_ptr<Crew> crew;
  std::unique_ptr<Arena> arena;
  Workspace memory;
};

} // namespace gnn::rt

#endif // GNN_CPU_TEAM_H
