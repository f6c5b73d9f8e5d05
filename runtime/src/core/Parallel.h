//===- Parallel.h - Loops on the threads of oneTBB --------------*- C++ -*-===//
//
// Part of gnnc, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algorithms of oneTBB, with one difference: a thread that waits for the end of one takes no other tasks meanwhile.
// One of the application's could call the library again, on a thread that holds a lock of ours or is in the middle of a
// call with the same model. All loops of the runtime are these.
//
//===----------------------------------------------------------------------===//

#ifndef GNN_CORE_PARALLEL_H
#define GNN_CORE_PARALLEL_H

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>
#include <utility>

namespace gnn::rt {

template <class... Arguments> void parallelFor(Arguments &&...arguments) {
  tbb::this_task_arena::isolate([&] { tbb::parallel_for(std::forward<Arguments>(arguments)...); });
}

template <class... Arguments> void parallelSort(Arguments &&...arguments) {
  tbb::this_task_arena::isolate([&] { tbb::parallel_sort(std::forward<Arguments>(arguments)...); });
}

template <class... Arguments> auto parallelReduce(Arguments &&...arguments) {
  return tbb::this_task_arena::isolate([&] { return tbb::parallel_reduce(std::forward<Arguments>(arguments)...); });
}

} // namespace gnn::rt

#endif // GNN_CORE_PARALLEL_H
